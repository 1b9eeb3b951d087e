"""The set-up (R3): dealt from a seed, or taken from a record and checked.

The deal of a seed is fixed for ever.  With the generator of ``"deal:" + seed`` (`engine.shuffle`):

1. The cards, in the order of the deck, are shuffled; the top is the first of the list.
2. L1, R1, L2, R2 are turned up.  As long as one of them does not weigh 1 or 2, the first such one
   goes to the bottom and is replaced from the top (R3.3a).  Then, if three or four share a kind,
   the third goes to the bottom, then the fourth, each replaced at once from the top (R3.3b), and
   both are done again; after 1,000 such rounds all 55 cards, the four on top, are shuffled anew.
3. The other 51 are shuffled.  From the top: two cards to seat 0, two to seat 1 and so on, three
   for the display; of the rest the first half is the upper half of the stack.  The other half,
   with four rain cards behind it, is shuffled; below the upper half and one rain card it is the
   lower one (R3.4).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import RAIN_CARD, Deck
from engine.moves import shown
from engine.position import DISPLAY_SIZE, RAIN_OF_END, Position
from engine.shuffle import Generator
from engine.tables import CARDS, LEFT, NONE, RAIN, RIGHT, Tables, cabin_name

HAND_SIZE = 2
FIRST_FOUR = 4
MAX_ROUNDS = 1000
PLAYER_COUNTS = (3, 4, 5)
SHOWN_NAMES = 5
"""Names that a fault of a set-up shows when it concerns many cards."""


class SetupError(ValueError):
    """A set-up that R3 cannot produce; `faults` names what is wrong, each with its rule."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


def new_game(seed: str, players: int, deck: Deck) -> Position:
    """The position after R3 that follows from the seed.  ValueError unless 3 to 5 play."""
    _check_players(players)
    generator = Generator("deal:" + seed)
    cards = list(range(CARDS))
    generator.shuffle(cards)
    four = _turn_up(deck.tables, cards, generator)
    generator.shuffle(cards)
    position = Position(deck, players)
    for cabin, card in enumerate(four):
        position.ark.enter(deck.tables, card, cabin)
    dealt = HAND_SIZE * players
    position.hands = [
        tuple(cards[start : start + HAND_SIZE]) for start in range(0, dealt, HAND_SIZE)
    ]
    position.display = tuple(cards[dealt : dealt + DISPLAY_SIZE])
    rest = cards[dealt + DISPLAY_SIZE :]
    half = len(rest) // 2
    lower = [*rest[half:], *[RAIN] * (RAIN_OF_END - 1)]
    generator.shuffle(lower)
    position.stack = (*rest[:half], RAIN, *lower)
    return position


def _turn_up(tables: Tables, cards: list[int], generator: Generator) -> list[int]:
    """R3.3: the first four; they are taken off the cards."""
    while True:
        four = cards[:FIRST_FOUR]
        del cards[:FIRST_FOUR]
        for _ in range(MAX_ROUNDS):
            while unfit := [card for card in four if not _starts(tables, card)]:
                _replace(cards, four, four.index(unfit[0]))
            surplus = _surplus(tables, four)
            if not surplus:
                return four
            for place in surplus:
                _replace(cards, four, place)
        cards[:0] = four
        generator.shuffle(cards)


def _starts(tables: Tables, card: int) -> bool:
    return tables.weight[card] in (1, 2)


def _replace(cards: list[int], four: list[int], place: int) -> None:
    cards.append(four[place])
    four[place] = cards.pop(0)


def _surplus(tables: Tables, four: Sequence[int]) -> list[int]:
    """The places of the third and fourth of those that share a kind (none does not count)."""
    kinds = [tables.kind[card] for card in four]
    for kind in kinds[:2]:
        places = [place for place in range(FIRST_FOUR) if kinds[place] == kind]
        if kind != NONE and len(places) > 2:
            return places[2:]
    return []


def _check_players(players: int) -> None:
    if players not in PLAYER_COUNTS:
        raise ValueError(f"Ark is for 3 to 5 players, not {players}")


def setup_of(position: Position) -> dict[str, Any]:
    """The `setup` of ark-record of a position no turn has been played in."""
    names = position.tables.names
    return {
        "ark": {
            side: [[names[card] for card in crew] for crew in position.ark.side(number)]
            for number, side in ((LEFT, "L"), (RIGHT, "R"))
        },
        "hands": [[names[card] for card in hand] for hand in position.hands],
        "display": [names[card] for card in position.display],
        "stack": [names[card] for card in position.stack[position.drawn :]],
    }


def from_setup(setup: Mapping[str, Any], players: int, deck: Deck) -> Position:
    """The position of a record's `setup`.

    Its form is the reader's business (`engine.recording.read`): lists of card names.  Raises
    `SetupError` with everything R3 has against it.
    """
    _check_players(players)
    faults = _card_faults(setup, deck)
    faults += _ark_faults(setup["ark"], deck)
    faults += _dealing_faults(setup, players)
    if faults:
        raise SetupError(faults)
    numbers = {card.name: number for number, card in enumerate(deck.cards)} | {RAIN_CARD: RAIN}
    position = Position(deck, players)
    for side, letter in ((LEFT, "L"), (RIGHT, "R")):
        for row, (name,) in enumerate(setup["ark"][letter]):
            position.ark.enter(deck.tables, numbers[name], 2 * row + side)
    position.hands = [tuple(numbers[name] for name in hand) for hand in setup["hands"]]
    position.display = tuple(numbers[name] for name in setup["display"])
    position.stack = tuple(numbers[name] for name in setup["stack"])
    return position


def _card_faults(setup: Mapping[str, Any], deck: Deck) -> list[str]:
    ark = setup["ark"]
    faults = []
    rain = setup["stack"].count(RAIN_CARD)
    if rain != RAIN_OF_END:
        faults.append(f"R3.4 there are {rain} rain cards in the stack, not {RAIN_OF_END}")
    groups = [*ark["L"], *ark["R"], *setup["hands"], setup["display"]]
    groups.append([name for name in setup["stack"] if name != RAIN_CARD])
    seen: dict[str, int] = {}
    for group in groups:
        for name in group:
            seen[name] = seen.get(name, 0) + 1
    for names, what in (
        ([shown(name) for name in seen if name not in deck], "R1.4 not in the deck"),
        ([card.name for card in deck.cards if card.name not in seen], "R3.4 missing"),
        ([card.name for card in deck.cards if seen.get(card.name, 0) > 1], "R3.4 more than once"),
    ):
        if names:
            faults.append(f"{what}: {_some(names)}")
    return faults


def _some(names: list[str]) -> str:
    """The first few of many names."""
    if len(names) <= SHOWN_NAMES:
        return ", ".join(names)
    return ", ".join(names[:SHOWN_NAMES]) + f" and {len(names) - SHOWN_NAMES} more"


def _ark_faults(ark: Mapping[str, list[list[str]]], deck: Deck) -> list[str]:
    cabins = [ark["L"], ark["R"]]
    if any(len(side) != 2 or any(len(crew) != 1 for crew in side) for side in cabins):
        return ["R3.3 the ark has two cabins a side with one card each"]
    four = [cabins[cabin & 1][cabin >> 1][0] for cabin in range(FIRST_FOUR)]
    if any(name not in deck for name in four):
        return []  # told already
    numbers = [deck.number(name) for name in four]
    faults = [
        f"R3.3 {four[cabin]} in {cabin_name(cabin)} does not weigh 1 or 2"
        for cabin in range(FIRST_FOUR)
        if not _starts(deck.tables, numbers[cabin])
    ]
    if _surplus(deck.tables, numbers):
        faults.append("R3.3 three of the cards on the ark share a kind")
    return faults


def _dealing_faults(setup: Mapping[str, Any], players: int) -> list[str]:
    faults = []
    hands, stack = setup["hands"], setup["stack"]
    if len(hands) != players:
        faults.append(f"R3.4 there are {len(hands)} hands, not {players}")
    for seat, hand in enumerate(hands):
        if len(hand) != HAND_SIZE:
            faults.append(f"R3.4 the hand of seat {seat} has {len(hand)} cards, not {HAND_SIZE}")
    if len(setup["display"]) != DISPLAY_SIZE:
        faults.append(f"R3.4 the display has {len(setup['display'])} cards, not {DISPLAY_SIZE}")
    half = (CARDS - FIRST_FOUR - HAND_SIZE * players - DISPLAY_SIZE) // 2
    if RAIN_CARD not in stack or stack.index(RAIN_CARD) != half:
        faults.append(f"R3.4 the first rain card is not right below the upper {half} of the stack")
    return faults
