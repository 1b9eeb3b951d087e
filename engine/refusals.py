"""What the engine says when the rules say no.

A refusal is a value: the rule, a stable code, arguments, and an English sentence made from them.
`CODES` lists every code there is; translations are keyed by it and use the same arguments.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_CATALOGUE: dict[str, tuple[str, str]] = {
    # whose turn, and for what
    "game-over": ("R8.4", "the game is over"),
    "not-your-turn": ("R4.1", "it is not the turn of seat {seat}"),
    "pets-now": ("R7.1", "all players answer for their pets now, and nothing else is done"),
    "pet-chosen": ("R7.1", "seat {seat} has answered for its pet already"),
    "no-pet-now": ("R7.1", "pets are chosen after the turn that shows the 2nd rain card, not now"),
    "pet-not-in-hand": ("R7.1", "the {card} is not in the hand of seat {seat}"),
    "no-pass": ("R4.1", "there is no pass in the main phase: gather or board"),
    "no-gather": ("R8.1", "in the end phase a player plays one card or passes"),
    "one-card": ("R8.1", "in the end phase exactly one card is played, not {count}"),
    "card-count": ("R4.3", "a turn plays one card or two, not {count}"),
    # cards
    "unknown-card": ("R1.1", "there is no card named {card} in this deck"),
    "gather-not-on-display": ("R4.2", "the {card} is not on display"),
    "not-in-hand": ("R4.3", "the {card} is not in the hand of seat {seat}"),
    "slow-in-pair": ("R4.3", "the {card} is slow and can only be played alone"),
    "provision-in-pair": ("R4.3", "the {card} is a provision and can only be played alone"),
    "same-cabin": ("R4.3", "the second card goes into another cabin than the first, not {cabin}"),
    "slow-at-end": ("R8.2", "the {card} is slow: no slow card is played in the end phase"),
    "provision-at-end": ("R8.2", "the {card} is a provision: none is played in the end phase"),
    # the cabin
    "unknown-cabin": ("R2.1", "{cabin} is no cabin: cabins are named L1, L2 … and R1, R2 …"),
    "no-cabin": ("R5.1", "there is no {cabin}: the next new cabin on that side is {next}"),
    "full": ("R5.1", "{cabin} is full"),
    "climate": ("R5.2", "the {card} is {climate}, and the {other} in {cabin} is {other_climate}"),
    "balance": ("R5.3", "the ark would be heavier by {excess} on the {side}; 2 is the most"),
    "provision": ("R5.4", "the {card} would eat the {other} in {cabin}"),
    "provision-eaten": ("R5.4", "the {other} in {cabin} would eat the {card}"),
    "meat-eater": (
        "R5.5",
        "the {card} eats meat, and the {other} in {cabin} is not heavier than it",
    ),
    "meat-eaten": (
        "R5.5",
        "the {other} in {cabin} eats meat, and the {card} is not heavier than it",
    ),
    "shy": ("R5.6", "the {card} is shy, and the {other} is in {cabin}"),
    "shy-next-door": ("R5.6", "the {card} is shy, and the {other} is next door in {where}"),
    # paying and taking
    "timber-new": ("R5.7", "{cabin} is new and costs a timber, and there is none"),
    "timber-end": ("R8.2", "playing the {card} into {cabin} costs {cost}, and there are {timbers}"),
    "take-missing": ("R5.7", "{cabin} is new: a display card has to be taken"),
    "take-needless": ("R5.7", "{cabin} is not new: no display card is taken"),
    "take-empty": ("R5.7", "the display is empty: no card is taken"),
    "take-not-on-display": ("R5.7", "the {card} is not on display"),
    # driving out, marking
    "out-no-power": ("R6.9", "the {card} drives nobody out"),
    "out-new-cabin": ("R6.9", "{cabin} is new: there is nobody to drive out"),
    "out-absent": ("R6.9", "the {other} is not in {cabin}"),
    "out-provision": ("R6.9", "the {other} is a provision and cannot be driven out"),
    "out-immune": ("R6.9", "the {other} cannot be driven out"),
    "out-weight": (
        "R6.4",
        "the {card} drives out animals of weight 2, and the {other} weighs {weight}",
    ),
    "out-not-shy": ("R6.5", "the {card} drives out shy animals, and the {other} is not shy"),
    "mark-missing": ("R6.8", "the marker of the {card} needs a scoring card"),
    "mark-needless": ("R6.8", "only the chimpanzee's marker can be put anywhere"),
    "mark-provision": ("R6.8", "the marker of the {card} does not go on the provisions"),
    "mark-unknown": ("R6.8", "{mark} is no scoring card"),
}

CODES: tuple[str, ...] = tuple(_CATALOGUE)
"""The codes of all refusals."""


@dataclass(frozen=True)
class Violation:
    """One broken rule: its R-number, a code of `CODES`, the arguments, an English sentence."""

    rule: str
    code: str
    args: Mapping[str, object]
    sentence: str


_LONGEST = 60
"""Letters of a name that a sentence shows."""


def refusal(code: str, **args: object) -> Violation:
    """The violation of that code; `args` are what its sentence names."""
    rule, sentence = _CATALOGUE[code]
    told = {key: _told(value) for key, value in args.items()}
    return Violation(rule, code, told, sentence.format(**told))


def _told(value: object) -> object:
    """A name as given, but on one line, printable and short: it may be anybody's invention."""
    if not isinstance(value, str) or (value.isprintable() and len(value) <= _LONGEST):
        return value
    text = value if value.isprintable() else ascii(value)[1:-1]
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


class IllegalMove(ValueError):
    """A move the rules refuse, with all its `violations`; the position is unchanged."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = list(violations)
        super().__init__("; ".join(f"{v.rule} {v.sentence}" for v in self.violations))
