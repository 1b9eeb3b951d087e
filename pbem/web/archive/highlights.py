"""The moments of a game worth turning to, found by themselves and told in a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.cards import Deck
from pbem.archive.facts import Facts
from pbem.letters.cards import cards_of
from pbem.letters.plain import STRONG, WEAK
from pbem.translation import _, ngettext


@dataclass(frozen=True)
class Highlight:
    turn: int
    """The step to look at."""
    sentence: str


def highlights(facts: Facts, names: Sequence[str], deck: Deck) -> list[Highlight]:
    """In the order of the game."""
    found = [
        *_drive_outs(facts, names, deck),
        *_rain(facts),
        *_leads(facts, names),
        *(_swing(facts, names) if facts.turns else ()),
        *(_pets(facts, names, deck) if facts.pet_points else ()),  # secret until a game is over
    ]
    return sorted(found, key=lambda one: one.turn)


def _drive_outs(facts: Facts, names: Sequence[str], deck: Deck) -> Iterator[Highlight]:
    cards = cards_of(deck)
    for one in facts.drive_outs:
        driver, victim = (
            cards.name(name).emphasised(STRONG, WEAK) for name in (one.driver, one.victim)
        )
        yield Highlight(
            one.turn,
            _("{who}: the {driver} drove out the {victim}.",
              who=names[one.seat], driver=driver, victim=victim),
        )  # fmt: skip


def _rain(facts: Facts) -> Iterator[Highlight]:
    if 2 in facts.rain:
        yield Highlight(facts.rain[2], _("The second rain card: everybody chose a pet."))
    if 5 in facts.rain:
        yield Highlight(facts.rain[5], _("The last rain card: the end phase began."))


def _leads(facts: Facts, names: Sequence[str]) -> Iterator[Highlight]:
    """Who took the lead for the last time."""
    leads = facts.leads()
    if len(leads) > 1:
        turn, seat = leads[-1]
        yield Highlight(turn, _("{who} took the lead for the last time.", who=names[seat]))


def _swing(facts: Facts, names: Sequence[str]) -> Iterator[Highlight]:
    swing = facts.swing
    if swing.points > 0:
        yield Highlight(
            swing.turn,
            ngettext(
                "The biggest swing: {who} gained {count} point on the best of the others.",
                "The biggest swing: {who} gained {count} points on the best of the others.",
                swing.points, who=names[swing.seat],
            ),
        )  # fmt: skip


def _pets(facts: Facts, names: Sequence[str], deck: Deck) -> Iterator[Highlight]:
    """The pet that brought most, revealed at the end."""
    worth, seat = max((points, -seat) for seat, points in enumerate(facts.pet_points))
    pet = facts.pets[-seat]
    if worth > 0 and pet is not None and facts.pet_counts[-seat]:
        card = cards_of(deck).name(pet).emphasised(STRONG, WEAK)
        yield Highlight(
            facts.turns,
            ngettext(
                "The best pet: {who} had set the {card} aside, and gained {count} point by it.",
                "The best pet: {who} had set the {card} aside, and gained {count} points by it.",
                worth, who=names[-seat], card=card,
            ),
        )  # fmt: skip
