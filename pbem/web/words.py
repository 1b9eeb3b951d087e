"""How the pages write cards, sentences and times; what every template can use."""

import re
from datetime import datetime
from typing import Any

from flask import Flask, url_for
from markupsafe import Markup, escape

from engine.cards import Card
from pbem.letters.cards import Face, count_sign
from pbem.letters.moments import moment
from pbem.letters.plain import STRONG, WEAK
from pbem.translation import markup
from pbem.web import installation

NAVIGATION = (
    ("play.tables", "My games"),
    ("archive.games", "Finished games"),
    ("rules.index", "Rules"),
    ("rules.commands", "Commands"),
)
_DIETS = {"herbivore": "plants", "carnivore": "meat", "omnivore": "everything", "none": ""}

_RULE = re.compile(r"\b(R(?:10|[1-9])\.\d{1,2})\b")


def climate_class(card: Face | Card) -> str:
    """The style of a climate: its colour, and a split for a card that goes with both."""
    return "mild" if card.climate in ("any", "none") else card.climate


def diet_word(card: Card) -> str:
    """What it eats; a provision and an animal without diet eat nothing."""
    return _DIETS[card.diet]


def diet_class(face: Face) -> str:
    """The symbol of a diet: plants, meat, or both; "" for none."""
    return {"plants": "plants", "meat": "meat", "eats all": "all"}.get(face.diet, "")


def traits(face: Face) -> str:
    """A card in words, its weight left out: "cold, meat, heavy"."""
    climate = "" if face.climate == "any" else face.climate
    return ", ".join(filter(None, (climate, face.diet, face.kind)))


def markers(number: float) -> str:
    """Markers with their half: 2½; · for none."""
    return count_sign(number) if number else "·"


def emphasised(sentence: str) -> Markup:
    """A sentence with its cards set bold; everything else in it is text."""
    plain, *rest = sentence.split(STRONG)
    told = escape(plain)
    for piece in rest:
        bold, _, after = piece.partition(WEAK)
        told += Markup("<strong>{}</strong>{}").format(bold, after)
    return told


def rules_linked(text: str) -> Markup:
    """A text whose rule numbers lead to their places on the rules page."""
    plain, *rest = _RULE.split(text)
    told = escape(plain)
    for number, after in zip(rest[::2], rest[1::2], strict=True):
        link = url_for("rules.index", _anchor=number)
        told += Markup('<a href="{}">{}</a>{}').format(link, number, after)
    return told


def time(at: datetime, zone: str | None, table_zone: str = "UTC") -> Markup:
    """A moment as its reader says it: "Wed 2 Dec, 21:30 your time (13:30 UTC)"."""
    return Markup('<time datetime="{}">{}</time>').format(
        at.isoformat(timespec="minutes"), str(moment(at, zone, table_zone))
    )


def day(at: datetime) -> Markup:
    """A day, for pages that are the same for everybody: 2026-12-02."""
    return Markup('<time datetime="{0}">{0}</time>').format(at.date().isoformat())


def install(app: Flask) -> None:
    """Give all this to the templates."""
    markup.install(app.jinja_env)
    app.jinja_env.filters.update(
        climate_class=climate_class,
        day=day,
        diet_class=diet_class,
        diet_word=diet_word,
        emphasised=emphasised,
        markers=markers,
        rules_linked=rules_linked,
        time=time,
        traits=traits,
    )

    @app.context_processor
    def everywhere() -> dict[str, Any]:
        settings = installation().settings
        pages = list(NAVIGATION)
        if "postroom" in app.blueprints:
            pages.append(("postroom.index", "Post room"))
        return {
            "site": settings.site,
            "server_address": settings.server_address,
            "navigation": pages,
        }
