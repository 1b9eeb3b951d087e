"""The rules' refusals as a player is told them, in the language spoken.

Keyed by the codes of `engine.refusals`, whose own English sentences speak of seats and of
cards by their canonical names.
"""

from collections.abc import Callable

from engine.refusals import Violation
from pbem.commands.nouns import card_noun
from pbem.commands.speech import kind_name
from pbem.commands.vocabulary import TONGUES
from pbem.translation import _, clauses, language, later

VIOLATIONS: dict[str, str] = {
    # whose turn, and for what
    "game-over": later("the game is over"),
    "not-your-turn": later("it is not your turn"),
    "pets-now": later("all players answer for their pets now, and nothing else is done"),
    "pet-chosen": later("you have answered for your pet already"),
    "no-pet-now": later("pets are chosen after the turn that shows the 2nd rain card, not now"),
    "pet-not-in-hand": later("the {card} is not in your hand"),
    "no-pass": later("there is no pass in the main phase: gather or board"),
    "no-gather": later("in the end phase a player plays one card or passes"),
    "one-card": later("in the end phase exactly one card is played, not {count}"),
    "card-count": later("a turn plays one card or two, not {count}"),
    # cards
    "unknown-card": later("there is no card named {card} in this deck"),
    "gather-not-on-display": later("the {card} is not on display"),
    "not-in-hand": later("the {card} is not in your hand"),
    "slow-in-pair": later("the {card} is slow and can only be played alone"),
    "provision-in-pair": later("the {card} is a provision and can only be played alone"),
    "same-cabin": later("the second card goes into another cabin than the first, not {cabin}"),
    "slow-at-end": later("the {card} is slow: no slow card is played in the end phase"),
    "provision-at-end": later("the {card} is a provision: none is played in the end phase"),
    # the cabin
    "unknown-cabin": later("{cabin} is no cabin: cabins are named L1, L2 … and R1, R2 …"),
    "no-cabin": later("there is no {cabin}: the next new cabin on that side is {next}"),
    "full": later("{cabin} is full"),
    "climate": later("the {card} is {climate}, and the {other} in {cabin} is {other_climate}"),
    "balance": later("the ark would be heavier by {excess} on the {side}; 2 is the most"),
    "provision": later("the {card} would eat the {other} in {cabin}"),
    "provision-eaten": later("the {other} in {cabin} would eat the {card}"),
    "meat-eater": later("the {card} eats meat, and the {other} in {cabin} is not heavier than it"),
    "meat-eaten": later("the {other} in {cabin} eats meat, and the {card} is not heavier than it"),
    "shy": later("the {card} is shy, and the {other} is in {cabin}"),
    "shy-next-door": later("the {card} is shy, and the {other} is next door in {where}"),
    # paying and taking
    "timber-new": later("{cabin} is new and costs a timber, and there is none"),
    "timber-end": later("playing the {card} into {cabin} costs {cost}, and there are {timbers}"),
    "take-missing": later("{cabin} is new: a display card has to be taken"),
    "take-needless": later("{cabin} is not new: no display card is taken"),
    "take-empty": later("the display is empty: no card is taken"),
    "take-not-on-display": later("the {card} is not on display"),
    # driving out, marking
    "out-no-power": later("the {card} drives nobody out"),
    "out-new-cabin": later("{cabin} is new: there is nobody to drive out"),
    "out-absent": later("the {other} is not in {cabin}"),
    "out-provision": later("the {other} is a provision and cannot be driven out"),
    "out-immune": later("the {other} cannot be driven out"),
    "out-weight": later(
        "the {card} drives out animals of weight 2, and the {other} weighs {weight}"
    ),
    "out-not-shy": later("the {card} drives out shy animals, and the {other} is not shy"),
    "mark-missing": later("the marker of the {card} needs a scoring card"),
    "mark-needless": later("only the chimpanzee's marker can be put anywhere"),
    "mark-provision": later("the marker of the {card} does not go on the provisions"),
    "mark-unknown": later("{mark} is no scoring card"),
}
"""A sentence a code, without its first capital and full stop."""

CLIMATES = {"hot": later("hot"), "cold": later("cold")}
SIDES = {"left": later("left"), "right": later("right")}


def violation_sentence(broken: Violation) -> str:
    """Why the rules say no, without the number of the rule."""
    values = {name: _WORDS.get(name, _plain)(value) for name, value in broken.args.items()}
    return _(VIOLATIONS[broken.code], **values)


def violations_sentence(violations: tuple[Violation, ...]) -> str:
    """All reasons, each with its rule, without a full stop."""
    return clauses(
        _("{reason} ({rule})", reason=violation_sentence(broken), rule=broken.rule)
        for broken in violations
    )


def _card(name: object) -> object:
    return card_noun(str(name), language())


def _mark(kind: object) -> object:
    known = str(kind) in TONGUES[0].kinds
    return kind_name(str(kind), language()) if known else kind


def _climate(climate: object) -> object:
    return _(CLIMATES[str(climate)]) if climate in CLIMATES else climate


def _side(side: object) -> object:
    return _(SIDES[str(side)]) if side in SIDES else side


def _plain(value: object) -> object:
    return value


_WORDS: dict[str, Callable[[object], object]] = {
    "card": _card,
    "other": _card,
    "mark": _mark,
    "climate": _climate,
    "other_climate": _climate,
    "side": _side,
}
