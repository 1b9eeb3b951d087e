"""`/rules`: the rules in our own words, each under its number.  `/help`: the commands."""

from flask import Blueprint, Response, make_response, render_template

from engine.cards import KINDS, Card, builtin_deck
from pbem.web.rules import command_list
from pbem.web.security import public

blueprint = Blueprint("rules", __name__, template_folder="templates")

SECTIONS = (
    ("in-short", "In short"),
    ("material", "What there is"),
    ("ark", "The ark"),
    ("set-up", "Before the first turn"),
    ("turn", "Your turn"),
    ("placing", "Where a card may go"),
    ("powers", "Animals with a power"),
    ("pets", "Pets"),
    ("end", "The end phase"),
    ("scoring", "Who wins"),
    ("secrets", "Who knows what"),
    ("deck", "The house deck"),
    ("house-rulings", "House rulings"),
    ("credits", "Credits"),
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
        sections=SECTIONS,
        kind_counts=deck.kind_counts,
        deck_by_kind=_by_kind(deck.cards),
        power_rules=POWER_RULES,
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
        ("no kind" if kind == "none" else kind, [card for card in ordered if card.kind == kind])
        for kind in (*KINDS, "none")
    ]
