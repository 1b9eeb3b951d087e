"""The end of a game, told: every scoring card, the pets, the totals, the winner (R9)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from engine.cards import KINDS, Card
from engine.view import View
from pbem.commands.speech import kind_name
from pbem.letters import cards as words
from pbem.letters.cards import cards_of
from pbem.letters.hand import counts_as_pet
from pbem.letters.names import table_name
from pbem.letters.plain import STRONG, WEAK, clean
from pbem.letters.table import Table
from pbem.store import Game, Invitation, Person
from pbem.translation import (
    _,
    capitalised,
    clauses,
    language,
    listing,
    ngettext,
    sentences,
    series,
)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row of the result: a scoring card or the timbers, with a cell a seat."""

    label: str
    sentence: str
    cells: tuple[tuple[str, int], ...]  # by seat: markers in words, points


@dataclass(frozen=True)
class Story:
    headline: str
    reason: str  # how a tie was decided; empty without one
    pets: list[str]
    lines: list[ResultRow]
    totals: list[tuple[str, int, bool]]  # by place: name, points, winner?
    by_seat: list[tuple[int, bool]]  # by seat: points, winner?
    hands: list[str]
    proof: "DealProof"


@dataclass(frozen=True)
class DealProof:
    """How the deal can be verified (docs: the deal)."""

    commitment: str
    server_seed: str
    salt: str
    words: list[tuple[str, str]]  # name, word; in the order of invitation
    seed: str

    @property
    def given(self) -> str:
        """Who gave which word."""
        return listing(
            _("{word} ({name})", word=word, name=name) for name, word in self.words if word
        )


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
        who = listing(names[seat] for seat in winners)
        return _("{who} share the victory with {points}.", who=who, points=points)
    if winners[0] == view.seat:
        return _("You win with {points}.", points=points)
    return _("{who} wins with {points}.", who=names[winners[0]], points=points)


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
    told = _counted((names[seat], animals[seat]) for seat in level)
    rule = _("With equal points the fewest animals in hand decide: {counts}.", counts=told)
    if len(view.result.winners) > 1:
        return sentences((rule, _("That is equal too, so the victory is shared.")))
    return rule


def _scoring(kind: str, counts: Sequence[float], points: Sequence[int], table: Table) -> ResultRow:
    names = table.names
    groups: dict[float, list[int]] = {}
    for seat in sorted(range(len(counts)), key=lambda seat: -counts[seat]):
        if counts[seat]:
            groups.setdefault(counts[seat], []).append(seat)
    told = []
    for count, seats in groups.items():
        who, markers = listing(names[seat] for seat in seats), words.markers(count)
        each = words.points(points[seats[0]])
        if len(seats) > 1:
            told.append(
                _("{who}, {markers} each: {points} each", who=who, markers=markers, points=each)
            )
        else:
            told.append(_("{who}, {markers}: {points}", who=who, markers=markers, points=each))
    label = kind_name(kind, language())
    sentence = ngettext(
        "{kind} ({count} card): {ranking}.",
        "{kind} ({count} cards): {ranking}.",
        table.view.deck.kind_counts[kind],
        kind=capitalised(label),
        ranking=clauses(told) or _("nobody has a marker"),
    )
    cells = tuple(
        (words.count_sign(count) if count else "", seat_points)
        for count, seat_points in zip(counts, points, strict=True)
    )
    return ResultRow(label, sentence, cells)


def _timbers(view: View, names: Sequence[str]) -> ResultRow:
    assert view.result is not None
    told = _counted(zip(names, view.result.timbers, strict=True))
    return ResultRow(
        _("timbers"),
        _("Timbers left, a point each: {counts}.", counts=told),
        tuple(("", count) for count in view.result.timbers),
    )


def _counted(numbers: Iterable[tuple[str, int]]) -> str:
    return listing(_("{name} {number}", name=name, number=number) for name, number in numbers)


def _pet(view: View, names: Sequence[str], seat: int) -> str:
    assert view.pets is not None
    pet, me = view.pets[seat], seat == view.seat
    if pet is None:
        return _("You had no pet.") if me else _("{who} had no pet.", who=names[seat])
    card = cards_of(view.deck).name(pet).emphasised(STRONG, WEAK)
    if me:
        told = _("You had set the {card} aside.", card=card)
    else:
        told = _("{who} had set the {card} aside.", who=names[seat], card=card)
    return sentences((told, _worth(view.deck.card(pet))))


def _worth(pet: Card) -> str:
    """What a card set aside is worth in the end (R7.2)."""
    if counts_as_pet(pet):
        if pet.kind == "none":
            return _("It is a pet without a scoring card.")
        kind = kind_name(pet.kind, language())
        return _("As a pet it brings one more marker on {kind}.", kind=kind)
    if pet.is_provision:
        return _("A provision counts as no pet.")
    if pet.special:
        return _("A special animal counts as no pet.")
    return _("It is too heavy to count as a pet.")


def _hands(view: View, names: Sequence[str]) -> list[str]:
    """What was left in the hands, now that it may be seen (R10.3)."""
    assert view.hands is not None
    cards = cards_of(view.deck)
    told = []
    for seat, hand in enumerate(view.hands):
        held = series(cards.names(hand)) or _("nothing")
        if seat == view.seat:
            told.append(_("In your hand at the end: {cards}.", cards=held))
        else:
            told.append(_("In {name}’s hand at the end: {cards}.", name=names[seat], cards=held))
    return told


def _proof(session: Session, game: Game) -> DealProof:
    rows = session.exec(
        select(Invitation, Person)
        .outerjoin(Person, col(Person.id) == col(Invitation.person_id))
        .where(Invitation.game_id == game.id, Invitation.state == "accepted")
        .order_by(col(Invitation.place))
    ).all()
    return DealProof(
        commitment=game.commitment,
        server_seed=game.server_seed,
        salt=game.salt,
        words=[
            (_("a bot") if person is None else table_name(person.name), clean(row.word, 100))
            for row, person in rows
        ],
        seed=game.seed or "",
    )
