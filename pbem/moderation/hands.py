"""Looking into a seat's hand: written down at once, told to the table at the end."""

from collections.abc import Sequence

from engine.view import view
from pbem.letters.cards import cards_of
from pbem.moderation.model import RUNNING, Action, Case, Effect
from pbem.store.log import append
from pbem.store.moderated import HAND_OPENED
from pbem.store.positions import deck_of, position_at


def open_hand(case: Case) -> Effect:
    event = append(case.session, case.game, HAND_OPENED, case.now, case.author, seat=case.seat)
    case.session.add(case.game)
    name = case.name_of(case.seat)
    return Effect(
        (f"You see the hand of {name}, for an hour; the table is told when the game is over.",),
        details={"seq": event.seq},
    )


def hand_of(case: Case) -> Sequence[str]:
    """What the seat held when it was opened; never the stack, never another hand.  The
    `values` are the details of the audit."""
    position = position_at(case.session, case.game, case.values["seq"])
    seen, cards = view(position, case.seat), cards_of(deck_of(case.game))
    hand = [str(cards.name(card)) for card in seen.hand or ()]
    pet = [] if seen.pet is None else [f"as pet: {cards.name(seen.pet)}"]
    return [*hand, *pet] or ["no card"]


ACTIONS = (
    Action(
        "open-hand", "Open the hand", "Shows you what this seat holds; the table is told at the"
        " end.", "seat", open_hand, players="never", at=RUNNING, shows=hand_of,
    ),
)  # fmt: skip
