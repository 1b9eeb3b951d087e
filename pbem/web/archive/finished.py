"""A finished game as everybody may see it.

Players are shown by their first names only; what they wrote to each other is not shown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from sqlalchemy import func
from sqlmodel import Session, col, select

from engine.proof import verify
from engine.scoring import score
from engine.view import View, view
from pbem.archive import records
from pbem.letters import templates
from pbem.letters.ark import Picture, picture
from pbem.letters.cards import cards_of
from pbem.letters.names import table_name
from pbem.letters.sentences import Teller
from pbem.letters.story import Story, story
from pbem.letters.styles import styles_in
from pbem.letters.table import laid_out
from pbem.store import Game
from pbem.store.log import events_of, seen_by
from pbem.store.people import holders
from pbem.store.positions import position_now

PAGE_SIZE = 50
_BOTS = ("Bot ", "a bot")


@dataclass(frozen=True)
class Listed:
    """One game on the list of finished ones."""

    game: Game
    players: tuple[tuple[str, int, bool], ...]  # by seat: first name, points, winner?


@dataclass(frozen=True)
class Told:
    """What one event of the game was, in sentences; ``turn`` is its number, if it is one."""

    turn: int | None
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class FinishedGame:
    game: Game
    names: tuple[str, ...]
    view: View
    ark: Picture
    story: Story
    moves: tuple[Told, ...]
    proof_faults: tuple[str, ...] | None
    """What is wrong with the proof of the deal; None for a game that has none."""


def first_names(names: Iterable[str]) -> list[str]:
    """The first names, told apart by number where two are alike; bots keep theirs."""
    found: list[str] = []
    for name in names:
        first = name if name.startswith(_BOTS) else table_name(name).split(" ")[0]
        others = sum(other == first or other.startswith(f"{first} (") for other in found)
        found.append(f"{first} ({others + 1})" if others else first)
    return found


def count(session: Session) -> int:
    """How many games are over."""
    return session.exec(select(func.count()).where(Game.status == "over")).one()


def listed(session: Session, page: int) -> list[Listed]:
    """One page of the finished games, the newest first; pages count from 1."""
    games = session.exec(
        select(Game)
        .where(Game.status == "over")
        .order_by(col(Game.finished_at).desc(), col(Game.id).desc())
        .offset((page - 1) * PAGE_SIZE)
        .limit(PAGE_SIZE)
    )
    return [_listed(session, game) for game in games]


def finished_game(session: Session, game: Game) -> FinishedGame:
    """Everything the page of a finished game shows."""
    names = _names(session, game)
    end = view(position_now(game), None)
    # The letters' own telling of the end; it wants the table laid out as they have it.
    table = laid_out(end, names, [], [], styles_in(templates.BUILT_IN), first=False)
    told = story(session, game, table)
    record = records.record_of(session, game)
    words = [
        (first, word)
        for first, (_, word) in zip(
            first_names(name for name, _ in told.proof.words), told.proof.words, strict=True
        )
    ]
    return FinishedGame(
        game=game,
        names=tuple(names),
        view=end,
        ark=picture(end),
        story=replace(told, proof=replace(told.proof, words=words)),
        moves=tuple(_moves(session, game, names)),
        proof_faults=None if record.proof is None else tuple(verify(record)),
    )


def record_text(session: Session, game: Game) -> str:
    """The game as ark-record, by the same names as on the page."""
    record = records.record_of(session, game)
    record.names = _names(session, game)
    return records.dump(record)


def _names(session: Session, game: Game) -> list[str]:
    return first_names(holder.name for holder in holders(session, game))


def _listed(session: Session, game: Game) -> Listed:
    result = score(position_now(game))
    return Listed(
        game,
        tuple(
            (name, result.totals[seat], seat in result.winners)
            for seat, name in enumerate(_names(session, game))
        ),
    )


def _moves(session: Session, game: Game, names: Sequence[str]) -> Iterable[Told]:
    events = events_of(session, game)
    turns = {event.seq for event in events if event.kind == "turn"}
    teller = Teller(cards_of(view(position_now(game), None).deck), names, None)
    number = 0
    for seq, seen in groupby(seen_by(events, None), key=lambda one: one.seq):
        sentences = tuple(teller.tell(seen))
        number += seq in turns
        if sentences:
            yield Told(number if seq in turns else None, sentences)
