"""How the pages write cards, sentences and times; what every template can use."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from flask import Flask, url_for
from markupsafe import Markup, escape

from engine.cards import Card
from pbem.commands import Context, Line, card_name, print_command, read
from pbem.commands.speech import kind_name
from pbem.desk.orders import AnswerLine
from pbem.letters.answered import STATUS
from pbem.letters.cards import CLIMATES, Face, count_sign, signed_halves
from pbem.letters.moments import moment
from pbem.letters.plain import STRONG, WEAK
from pbem.translation import _, capitalised, language, later, listing, markup, series
from pbem.web import installation

NAVIGATION = (
    ("play.tables", later("My games")),
    ("lobby.tables", later("Open tables")),
    ("archive.games", later("Finished games")),
    ("rules.index", later("Rules")),
    ("rules.commands", later("Commands")),
)
_DIETS = {
    "herbivore": later("plants"), "carnivore": later("meat"), "omnivore": later("everything"),
    "none": "",
}  # fmt: skip

IGNORED = {
    "prose": later("left aside: prose"),
    "sign-off": later("left aside: below the sign-off"),
    "comment": later("left aside: a comment"),
    "example": later("left aside: an example from a letter"),
}

_RULE = re.compile(r"\b(R(?:10|[1-9])\.\d{1,2})\b")


STATES: Mapping[str, str] = {
    # mails
    "new": later("not read yet"), "done": later("dealt with"), "held": later("held"),
    "quarantined": later("could not be read"), "ignored": later("nothing in it to do"),
    "discarded": later("put aside"), "expired": later("held too long"),
    # letters
    "queued": later("ready to go"), "sending": later("on its way"), "sent": later("sent"),
    "retry": later("goes again"), "failed": later("did not arrive"),
    "unknown": later("sent, perhaps"), "paused": later("waits"),
    "replaced": later("a newer one went instead"),
    # mailboxes
    "idle": later("between two looks"), "polling": later("being read"),
    "broken": later("cannot be read"), "stopped": later("not read any more"),
}  # fmt: skip
"""States of mails, letters and mailboxes, as people say them."""


def climate_class(card: Face | Card) -> str:
    """The style of a climate: its colour, and a split for a card that goes with both."""
    return "mild" if card.climate in ("any", "none") else card.climate


def diet_word(card: Card) -> str:
    """What it eats; a provision and an animal without diet eat nothing."""
    diet = _DIETS[card.diet]
    return _(diet) if diet else ""


def climate_word(card: Card) -> str:
    """Hot or cold; "" for a card that goes with both."""
    return "" if card.climate == "none" else _(CLIMATES[card.climate])


def kind_word(kind: str) -> str:
    """One of the five kinds; "" for none."""
    return "" if kind == "none" else kind_name(kind, language())


def power_word(special: str) -> str:
    """A special power bears the name of the animal that has it."""
    return card_name(special, language())


def card_word(card: Card) -> str:
    """The card as it is printed."""
    return card_name(card.name, language())


def diet_class(face: Face) -> str:
    """The symbol of a diet: plants, meat, or both; "" for none."""
    return {"plants": "plants", "meat": "meat", "eats all": "all"}.get(face.diet, "")


def traits(face: Face) -> str:
    """A card in words, its weight left out: "cold, meat, heavy"."""
    climate = "" if face.climate == "any" else face.climate_word
    return series((climate, face.diet_word, face.kind_word))


def markers(number: float) -> str:
    """Markers with their half: 2½; · for none."""
    return count_sign(number) if number else "·"


def emphasised(sentence: str) -> Markup:
    """A sentence with its cards set bold, its halves a sign; everything else in it is text."""
    plain, *rest = signed_halves(sentence).split(STRONG)
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


def verdict(line: AnswerLine) -> str:
    """What became of a line, in words."""
    if line.status == "ignored" and line.message in IGNORED:
        return _(IGNORED[line.message])
    return _(STATUS[line.status]) if line.status in STATUS else line.status


def state_word(state: str) -> str:
    """What a mail, a letter or a mailbox is at, in words."""
    return _(STATES[state]) if state in STATES else state


@cache
def _read_english(line: str) -> Line:
    return read(line, Context()).lines[0]


def command_line(line: str) -> str:
    """An English command as its reader would write it: ``take horse``, ``nimm Pferd``."""
    found = _read_english(line)
    return print_command(str(found.command), found.args or {}, language())


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
    app.jinja_env.globals["command_line"] = command_line
    app.jinja_env.filters.update(
        capitalised=capitalised,
        card_word=card_word,
        climate_class=climate_class,
        climate_word=climate_word,
        count_sign=count_sign,
        day=day,
        diet_class=diet_class,
        diet_word=diet_word,
        emphasised=emphasised,
        kind_word=kind_word,
        listed=listing,
        markers=markers,
        power_word=power_word,
        rules_linked=rules_linked,
        state_word=state_word,
        time=time,
        traits=traits,
        verdict=verdict,
    )

    @app.context_processor
    def everywhere() -> dict[str, Any]:
        settings = installation().settings
        pages = [(endpoint, _(label)) for endpoint, label in NAVIGATION]
        if "postroom" in app.blueprints:
            pages.append(("postroom.index", _("Post room")))
        return {
            "site": settings.site,
            "server_address": settings.server_address,
            "navigation": pages,
        }
