"""The page of a game that has ended: result, curves, key moments, all moves, and the deal's
proof; of one that ended before its last turn why it did, and what was kept as its result."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlmodel import Session

from engine.proof import final_seed, verify
from engine.record import Record
from engine.view import View
from pbem.archive.records import early_end, record_of, standing_turns
from pbem.letters import templates
from pbem.letters.affairs import Words, ending_words
from pbem.letters.ark import Picture, picture
from pbem.letters.cards import cards_of
from pbem.letters.sentences import Teller
from pbem.letters.story import DealProof, Story, story
from pbem.letters.styles import styles_in
from pbem.letters.table import laid_out
from pbem.store.log import seen_by
from pbem.web.archive import graphs, replaying
from pbem.web.archive.graphs import Graph
from pbem.web.archive.highlights import Highlight, highlights
from pbem.web.archive.reader import Opened


@dataclass(frozen=True)
class ToldTurn:
    """What one turn was, in sentences."""

    turn: int
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Points:
    """The points after each turn (0: the deal), and who had it; for the table of a curve."""

    turn: int
    mover: str
    points: tuple[int, ...]
    balance: int


@dataclass(frozen=True)
class FinishedPage:
    """``story`` tells the result, ``early`` why there is none: one of them is there."""

    opened: Opened
    view: View
    ark: Picture
    story: Story | None
    early: Words | None
    moves: tuple[ToldTurn, ...]
    curves: Graph
    balance: Graph
    points: tuple[Points, ...]
    highlights: tuple[Highlight, ...]
    proof_faults: tuple[str, ...] | None
    """What is wrong with the proof of the deal; None for a game that has none."""


def finished_game(session: Session, opened: Opened) -> FinishedPage:
    """Everything the page of a game that has ended shows."""
    game, names = opened.game, opened.names
    steps = replaying.walked(session, game)
    facts, end = steps.facts, steps.view(steps.facts.turns, None)
    record = record_of(session, game)
    rows = facts.course
    return FinishedPage(
        opened=opened,
        view=end,
        ark=picture(end),
        story=None if opened.early else _story(session, opened, end, record),
        early=ending_words(early_end(session, game), names) if opened.early else None,
        moves=tuple(_moves(session, opened, steps, end)),
        curves=graphs.curves(rows, names),
        balance=graphs.balance([step.balance for step in facts.steps]),
        points=tuple(
            Points(turn, "" if step.mover is None else names[step.mover], rows[turn], step.balance)
            for turn, step in enumerate(facts.steps)
        ),
        highlights=tuple(highlights(facts, names, end.deck)),
        proof_faults=None if record.proof is None else tuple(verify(record)),
    )


def _story(session: Session, opened: Opened, end: View, record: Record) -> Story:
    """The letters' own telling of the end; it wants the table laid out as they have it."""
    styles = styles_in(templates.BUILT_IN)
    table = laid_out(end, opened.names, [], [], styles, first=False)
    told = story(session, opened.game, table)
    return replace(told, proof=_proof(record.proof or {}, opened.names))


def _proof(proof: dict[str, object], names: list[str]) -> DealProof:
    """The proof by the names of this page; the words in the order they were hashed in."""
    words = [str(word) for word in _listed(proof.get("words"))]
    drawn = _listed(proof.get("seating")) or range(len(words))
    by_place = sorted(zip(drawn, names, words, strict=False))
    seed = str(proof.get("server_seed", ""))
    return DealProof(
        commitment=str(proof.get("commitment", "")),
        server_seed=seed,
        salt=str(proof.get("salt", "")),
        words=[(name, word) for _place, name, word in by_place],
        seed=final_seed(seed, [word for _place, _name, word in by_place]),
    )


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _moves(
    session: Session, opened: Opened, steps: replaying.Walked, end: View
) -> Iterable[ToldTurn]:
    teller = Teller(cards_of(end.deck), opened.names, None)
    for number, event in enumerate(standing_turns(session, opened.game), 1):
        told = tuple(teller.tell(seen_by([event], None)))
        yield ToldTurn(number, told or replaying.untold(steps, opened.names, number))
