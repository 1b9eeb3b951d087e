"""Examples to the rules R5 and R6: small arks and one card, of which the engine says where it
may go and why not elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.ark import Ark
from engine.cards import builtin_deck
from engine.game import new_game
from engine.position import Position
from engine.view import view
from pbem.commands.violations import violation_sentence
from pbem.letters.ark import Picture, picture
from pbem.letters.cards import Face, cards_of
from pbem.translation import _, capitalised, later
from pbem.web.play.turn.board import CabinOption, Reason
from pbem.web.play.turn.plays import Trial, Way

SEAT = 0


@dataclass(frozen=True)
class ArkExample:
    """A card before an ark: the cabins of both sides from the bow, and what to look at."""

    card: str
    left: tuple[tuple[str, ...], ...]
    right: tuple[tuple[str, ...], ...]
    words: str


@dataclass(frozen=True)
class Example:
    """A lesson as the engine sees it."""

    card: Face
    ark: Picture
    targets: Mapping[str, CabinOption]
    words: str


LESSONS: Mapping[str, ArkExample] = {
    "R5.1": ArkExample(
        "bee", (("rabbit", "hamster", "mouse"),), (("deer",),),
        later("Three are in L1 already."),
    ),
    "R5.2": ArkExample(
        "lemming", (("camel",),), (("bison",),),
        later("The camel is hot, the lemming cold; the bison goes with both."),
    ),
    "R5.3": ArkExample(
        "bison", (("deer",),), (("zebra", "rabbit"),),
        later("The right is heavier by 1; three more there would be too much."),
    ),
    "R5.4": ArkExample(
        "rabbit", (("dates-1",),), (("bee", "hamster"),),
        later("The rabbit would eat the dates."),
    ),
    "R5.5": ArkExample(
        "cat", (("hamster",),), (("zebra",),),
        later("A cat of weight 1 eats a hamster of weight 1, and no zebra of weight 2."),
    ),
    "R5.6": ArkExample(
        "mouse", (("polar-bear",), ("sheep",)), (("bison",), ("donkey",)),
        later("The mouse keeps off the polar bear, and off the cabins next door and across."),
    ),
    "R5.7": ArkExample(
        "bee", (("deer",),), (("zebra",), ("snail",)),
        later("L2 and R3 are the next new ones; L3 comes after L2 only."),
    ),
    "R6.1": ArkExample(
        "fox", (("deer",),), (("zebra",),),
        later("The fox is placed like any meat eater of weight 1."),
    ),
    "R6.2": ArkExample(
        "cat", (("hedgehog",),), (("mouse",),),
        later("Both weigh nothing, but the hedgehog is not eaten."),
    ),
    "R6.3": ArkExample(
        "anteater", (("turtle",),), (("hamster",),),
        later("Both weigh 1, but the turtle is not eaten."),
    ),
    "R6.4": ArkExample(
        "mosquito", (("deer",),), (("zebra",),),
        later("The deer is cold, but of weight 2: once it is driven out, the mosquito fits."),
    ),
    "R6.5": ArkExample(
        "spider", (("rabbit", "hamster", "bee"),), (("horse", "snail", "hedgehog"),),
        later("Both cabins are full; only in L1 somebody is shy."),
    ),
    "R6.6": ArkExample(
        "skunk", (("donkey",),), (("dates-1",),),
        later("Any animal can be driven out, a provision cannot."),
    ),
    "R6.7": ArkExample(
        "bronto", (("camel",),), (("bison", "sheep"),),
        later("The bronto weighs 4; its power does not help it to a place."),
    ),
    "R6.8": ArkExample(
        "chimpanzee", (("camel",), ("hamster",)), (("bison",), ("rabbit",)),
        later("The chimpanzee eats all and weighs 2: its company has to be heavier."),
    ),
    "R6.9": ArkExample(
        "skunk", (("sheep", "reindeer", "squirrel"),), (("bison", "rabbit"),),
        later("Into the full L1 it comes by taking somebody’s place; in R1 it may, and need not."),
    ),
    "R6.10": ArkExample(
        "hen", (("hedgehog", "dates-1"),), (("deer",),),
        later("The hedgehog need not fear the hen, but the dates have to."),
    ),
}  # fmt: skip
"""By the number of the rule."""


def examples() -> dict[str, Example]:
    """All of them, in the language spoken."""
    return {rule: example(rule) for rule in LESSONS}


def example(rule: str) -> Example:
    lesson = LESSONS[rule]
    position = _position(lesson)
    ways = Trial(position, SEAT, singly=True).ways(lesson.card)
    return Example(
        cards_of(position.deck).face(lesson.card),
        picture(view(position, SEAT)),
        {cabin: _target(way) for cabin, way in ways.items()},
        _(lesson.words),
    )


def _target(way: Way) -> CabinOption:
    if way.free:
        return CabinOption(words=_("a new cabin for it") if way.new else _("goes here"))
    if way.victims:
        return CabinOption(words=_("only by driving out"))
    return CabinOption(
        reasons=tuple(Reason(one.rule, capitalised(violation_sentence(one))) for one in way.reasons)
    )


@cache
def _position(lesson: ArkExample) -> Position:
    """A game that could be anybody's, but for its ark and the one card in hand."""
    position = new_game("lessons", 3, builtin_deck())
    tables, deck = position.tables, position.deck
    position.ark = Ark()
    for side, cabins in enumerate((lesson.left, lesson.right)):
        for row, crew in enumerate(cabins):
            for name in crew:
                position.ark.enter(tables, deck.number(name), 2 * row + side)
    position.hands[SEAT] = (deck.number(lesson.card),)
    return position
