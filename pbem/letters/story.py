"""The end of a game, told: every scoring card, the pets, the totals, the winner (R9)."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from engine.cards import KINDS
from engine.view import View
from pbem.letters import cards as words
from pbem.letters.cards import cards_of
from pbem.letters.hand import counts_as_pet
from pbem.letters.names import table_name
from pbem.letters.plain import STRONG, WEAK, clean, listing
from pbem.letters.table import Table
from pbem.store import Game, Invitation, Person


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the result: a scoring card or the timbers, with a cell a seat."""

    label: str
    sentence: str
    cells: tuple[tuple[str, int], ...]  # by seat: markers in words, points


@dataclass(frozen=True)
class Story:
    headline: str
    reason: str  # how a tie was decided; empty without one
    pets: list[str]
    lines: list[Line]
    totals: list[tuple[str, int, bool]]  # by place: name, points, winner?
    by_seat: list[tuple[int, bool]]  # by seat: points, winner?
    hands: list[str]
    proof: "Proof"


@dataclass(frozen=True)
class Proof:
    """How the deal can be verified (docs: the deal)."""

    commitment: str
    server_seed: str
    salt: str
    words: list[tuple[str, str]]  # name, word; in the order of invitation
    seed: str

    @property
    def given(self) -> str:
        """Who gave which word."""
        return listing(f"{word} ({name})" for name, word in self.words if word)


def story(session: Session, game: Game, table: Table) -> Story:
    """The story of a finished game, for the table at its end."""
    view, names = table.view, table.names
    result = view.result
    if result is None or view.pets is None:
        raise ValueError("the story of a game is told when it is over")
    marks = _final_marks(view)
    lines = [
        _scoring(kind, [row[kind] for row in marks], result.scoring[kind], table) for kind in KINDS
    ]
    lines.append(_timbers(view, names))
    order = sorted(range(view.players), key=lambda seat: -result.totals[seat])
    return Story(
        headline=_headline(view, names),
        reason=_reason(view, names),
        pets=[_pet(view, names, seat) for seat in range(view.players)],
        lines=lines,
        totals=[(names[seat], result.totals[seat], seat in result.winners) for seat in order],
        by_seat=[(total, seat in result.winners) for seat, total in enumerate(result.totals)],
        hands=_hands(view, names),
        proof=_proof(session, game),
    )


def _final_marks(view: View) -> list[dict[str, float]]:
    """The markers with those of the pets that count (R7.2)."""
    marks = [dict(row) for row in view.marks]
    for seat, pet in enumerate(view.pets or ()):
        card = None if pet is None else view.deck.card(pet)
        if card is not None and counts_as_pet(card) and card.kind != "none":
            marks[seat][card.kind] += 1
    return marks


def _headline(view: View, names: Sequence[str]) -> str:
    assert view.result is not None
    winners = view.result.winners
    points = words.points(view.result.totals[winners[0]])
    if len(winners) > 1:
        return f"{listing(names[seat] for seat in winners)} share the victory with {points}."
    if winners[0] == view.seat:
        return f"You win with {points}."
    return f"{names[winners[0]]} wins with {points}."


def _reason(view: View, names: Sequence[str]) -> str:
    """R9.4: a tie goes to whoever has fewer animals in hand."""
    assert view.result is not None and view.hands is not None
    best = max(view.result.totals)
    level = [seat for seat, total in enumerate(view.result.totals) if total == best]
    if len(level) == 1:
        return ""
    animals = {
        seat: sum(not view.deck.card(name).is_provision for name in view.hands[seat])
        for seat in level
    }
    told = listing(f"{names[seat]} {animals[seat]}" for seat in level)
    rule = f"With equal points the fewest animals in hand decide: {told}."
    if len(view.result.winners) > 1:
        return f"{rule} That is equal too, so the victory is shared."
    return rule


def _scoring(kind: str, counts: Sequence[float], points: Sequence[int], table: Table) -> Line:
    names = table.names
    groups: dict[float, list[int]] = {}
    for seat in sorted(range(len(counts)), key=lambda seat: -counts[seat]):
        if counts[seat]:
            groups.setdefault(counts[seat], []).append(seat)
    told = []
    for count, seats in groups.items():
        each = " each" if len(seats) > 1 else ""
        told.append(
            f"{listing(names[seat] for seat in seats)}, {words.markers(count)}{each}: "
            f"{words.points(points[seats[0]])}{each}"
        )
    many = table.view.deck.kind_counts[kind]
    sentence = f"{kind.capitalize()} ({many} cards): {'; '.join(told) or 'nobody has a marker'}."
    cells = tuple(
        (words.count_sign(count) if count else "", seat_points)
        for count, seat_points in zip(counts, points, strict=True)
    )
    return Line(kind, sentence, cells)


def _timbers(view: View, names: Sequence[str]) -> Line:
    assert view.result is not None
    told = listing(f"{name} {n}" for name, n in zip(names, view.result.timbers, strict=True))
    return Line(
        "timbers",
        f"Timbers left, a point each: {told}.",
        tuple(("", count) for count in view.result.timbers),
    )


def _pet(view: View, names: Sequence[str], seat: int) -> str:
    assert view.pets is not None
    pet, who = view.pets[seat], "You" if seat == view.seat else names[seat]
    if pet is None:
        return f"{who} had no pet."
    card = view.deck.card(pet)
    shown = f"{STRONG}{cards_of(view.deck).name(pet)}{WEAK}"
    told = f"{who} had set the {shown} aside"
    if not counts_as_pet(card):
        why = "a provision" if card.is_provision else "special" if card.special else "too heavy"
        return f"{told}: no pet, it is {why}."
    if card.kind == "none":
        return f"{told}: a pet without a scoring card."
    return f"{told}: one more marker on {card.kind}."


def _hands(view: View, names: Sequence[str]) -> list[str]:
    """What was left in the hands, now that it may be seen (R10.3)."""
    assert view.hands is not None
    cards = cards_of(view.deck)
    return [
        f"In {'your' if seat == view.seat else names[seat] + '’s'} hand at the end: "
        f"{listing(f'the {cards.name(name)}' for name in hand) or 'nothing'}."
        for seat, hand in enumerate(view.hands)
    ]


def _proof(session: Session, game: Game) -> Proof:
    rows = session.exec(
        select(Invitation, Person)
        .outerjoin(Person, col(Person.id) == col(Invitation.person_id))
        .where(Invitation.game_id == game.id, Invitation.state == "accepted")
        .order_by(col(Invitation.place))
    ).all()
    return Proof(
        commitment=game.commitment,
        server_seed=game.server_seed,
        salt=game.salt,
        words=[
            ("a bot" if person is None else table_name(person.name), clean(row.word, 100))
            for row, person in rows
        ],
        seed=game.seed or "",
    )
