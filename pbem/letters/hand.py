"""Where each card of a hand fits, and what it would count as a pet."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Card
from engine.game import Position, fits, victims
from engine.tables import cabin_number
from engine.view import View
from pbem.commands.speech import kind_name
from pbem.letters.cards import Cards, Face, cards_of
from pbem.translation import _, either, language, series

DRIVERS = frozenset({"mosquito", "spider", "skunk"})  # R6.4 to R6.6


@dataclass(frozen=True, slots=True)
class Fit:
    """The cabins one card could be played into, alone and now (R5, R6, R8)."""

    card: Card
    free: tuple[str, ...]  # existing cabins, nobody driven out
    new: tuple[str, ...]  # cabins it would open
    driving: tuple[tuple[str, tuple[str, ...]], ...]  # cabin, whom it may drive out there

    @property
    def anywhere(self) -> bool:
        return bool(self.free or self.new or self.driving)


@dataclass(frozen=True, slots=True)
class HandCard:
    face: Face
    note: str  # a sentence


def fits_of(position: Position, view: View) -> list[Fit]:
    """One element a card of the hand, in its order."""
    if view.seat is None:
        return []
    cabins, ends = _cabins(view)
    return [_fit(position, view.seat, name, cabins, ends) for name in view.hand or ()]


def _fit(
    position: Position, seat: int, name: str, cabins: Sequence[str], ends: Sequence[str]
) -> Fit:
    card = position.deck.card(name)
    number = position.deck.number(name)

    def may(cabin: str) -> bool:
        # The quick answer first: most cabins are closed to a card, and why is not asked.
        at = cabin_number(cabin)
        admitted = at is not None and position.ark.admits(position.tables, number, at)
        return admitted and not fits(position, seat, name, cabin)

    drives = cabins if card.special in DRIVERS else ()
    driving = [(cabin, tuple(victims(position, seat, name, cabin))) for cabin in drives]
    return Fit(
        card,
        free=tuple(cabin for cabin in cabins if may(cabin)),
        new=tuple(cabin for cabin in ends if may(cabin)),
        driving=tuple((cabin, outs) for cabin, outs in driving if outs),
    )


def _cabins(view: View) -> tuple[list[str], list[str]]:
    """The cabins there are, and the next new one of each side."""
    counts = {side: len(view.ark[side]) for side in "LR"}
    there = [f"{side}{n}" for side, count in counts.items() for n in range(1, count + 1)]
    return there, [f"{side}{count + 1}" for side, count in counts.items()]


def hand_cards(view: View, fitting: Sequence[Fit]) -> list[HandCard]:
    """The own hand with a sentence a card: where it fits, or what it is as a pet."""
    cards = cards_of(view.deck)
    if view.phase == "over":
        return [HandCard(cards.face(name), "") for name in view.hand or ()]
    choosing = view.phase == "pets" and not view.pet_chosen
    return [
        HandCard(cards.face(fit.card.name), _as_pet(fit.card) if choosing else _where(fit, cards))
        for fit in fitting
    ]


def _where(fit: Fit, cards: Cards) -> str:
    cabins = series([*fit.free, *(_("new {cabin}", cabin=cabin) for cabin in fit.new)])
    driving = series(
        _("{cabin} (driving out the {cards})", cabin=cabin, cards=either(cards.names(names)))
        for cabin, names in fit.driving
    )
    if driving and cabins:
        return _("Fits {cabins}; or {driving}.", cabins=cabins, driving=driving)
    if driving:
        return _("Fits only {driving}.", driving=driving)
    return _("Fits {cabins}.", cabins=cabins) if cabins else _("Fits nowhere now.")


def counts_as_pet(card: Card) -> bool:
    """R7.2: an animal of weight 0 to 2 without a special power."""
    return card.kind != "provision" and card.weight <= 2 and not card.special


def _as_pet(card: Card) -> str:
    if not counts_as_pet(card):
        if card.is_provision:
            return _("As a pet it counts nothing: a provision.")
        if card.special:
            return _("As a pet it counts nothing: special.")
        return _("As a pet it counts nothing: too heavy.")
    if card.kind == "none":
        return _("As a pet it counts nothing: its kind has no scoring card.")
    kind = kind_name(card.kind, language())
    return _("As a pet: one more marker on {kind} at the end.", kind=kind)
