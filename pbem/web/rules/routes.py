"""`/rules`: the rules in our own words, each under its number.  `/help`: the commands."""

from flask import Blueprint, Response, make_response, render_template

from engine.cards import KINDS, Card, builtin_deck
from pbem.translation import _, later
from pbem.web.rules import command_list
from pbem.web.rules.examples import examples
from pbem.web.security import public
from pbem.web.words import kind_word

blueprint = Blueprint("rules", __name__, template_folder="templates")

SECTIONS = (
    ("in-short", later("In short")),
    ("material", later("What there is")),
    ("ark", later("The ark")),
    ("set-up", later("Before the first turn")),
    ("turn", later("Your turn")),
    ("placing", later("Where a card may go")),
    ("powers", later("Animals with a power")),
    ("pets", later("Pets")),
    ("end", later("The end phase")),
    ("scoring", later("Who wins")),
    ("secrets", later("Who knows what")),
    ("deck", later("The house deck")),
    ("house-rulings", later("House rulings")),
    ("credits", later("Credits")),
)

POWER_RULES = {
    "fox": "R6.1",
    "hedgehog": "R6.2",
    "turtle": "R6.3",
    "mosquito": "R6.4",
    "spider": "R6.5",
    "skunk": "R6.6",
    "bronto": "R6.7",
    "chimpanzee": "R6.8",
}


@blueprint.get("/rules")
def index() -> Response:
    deck = builtin_deck()
    page = render_template(
        "rules/rules.html",
        sections=[(anchor, _(name)) for anchor, name in SECTIONS],
        kind_counts=deck.kind_counts,
        deck_by_kind=_by_kind(deck.cards),
        power_rules=POWER_RULES,
        examples=examples(),
    )
    return public(make_response(page))


@blueprint.get("/help")
def commands() -> Response:
    page = render_template("rules/commands.html", groups=command_list.groups())
    return public(make_response(page))


def _by_kind(cards: tuple[Card, ...]) -> list[tuple[str, list[Card]]]:
    """The cards under their kinds, heaviest first, those of no kind last."""
    ordered = sorted(cards, key=lambda card: (-card.weight, card.name))
    return [
        (kind_word(kind) or _("no kind"), [card for card in ordered if card.kind == kind])
        for kind in (*KINDS, "none")
    ]
