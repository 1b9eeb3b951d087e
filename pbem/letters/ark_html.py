"""The ark as HTML tables of real text: no image, readable with styles switched off.

Both sides stand beside each other where there is room and one under the other on a
phone.  Written with string building, not with templates: it is most of a letter, and a
letter has to stay below the size at which mail programs cut it off.
"""

from functools import lru_cache
from html import escape

from markupsafe import Markup

from pbem.letters.ark import MOST_CARDS, Cabin, Loaded, Picture, Side
from pbem.letters.cards import Face, breadth
from pbem.letters.styles import Styles
from pbem.translation import _

NAME_CLASSES = (
    (6.6, "name"), (7.9, "name long"), (8.3, "name longer"), (10.9, "name longest"),
)  # fmt: skip
"""How names are set, up to so many average characters in width."""


def ark_html(ark: Picture, styles: Styles) -> Markup:
    """The whole ark: balance in the bow, then the two sides."""
    at = styles.attributes
    sides = "".join(_side(side, styles) for side in ark.sides)
    return Markup(  # noqa: S704 - names are escaped where they are put in
        f"<div{at('sea')}><div{at('hull')}><div{at('deck')}>"
        f"{_balance(ark, styles)}<div{at('sides')}>{sides}</div></div></div>"
        f"{_legend(ark, styles)}</div>"
    )


@lru_cache(maxsize=1024)
def strip_html(face: Face, styles: Styles, classes: str = "strip") -> Markup:
    """The cell with a card's strip: weight and climate."""
    at = styles.attributes
    return Markup(  # noqa: S704 - numbers and our own words
        f"<td{at(f'{classes} {face.climate}')}>{face.weight}<br>"
        f"<span{at('climate')}>{escape(face.climate_word)}</span></td>"
    )


def diet_html(face: Face, styles: Styles) -> str:
    """What the animal eats; coloured, but said as well."""
    classes = {"plants": "plants", "meat": "meat", "eats all": "both"}.get(face.diet)
    return f"<span{styles.attributes(classes)}>{escape(face.diet_word)}</span>" if classes else ""


def _balance(ark: Picture, styles: Styles) -> str:
    at = styles.attributes
    left, right = _said(_("left")), _said(_("right"))
    words = _said(_("Balance: {words}", words=ark.balance_words))
    return (
        f"<table{at('balance')} role=presentation cellspacing=5 aria-hidden=true><tr>"
        f"<td{at('tilt')}>{left}</td>{_disc(ark.balance, styles)}"
        f"<td{at('tilt')}>{right}</td></tr></table>"
        f"<div{at('caption')}>{words}</div>"
    )


@lru_cache(maxsize=32)
def _disc(balance: int, styles: Styles) -> str:
    """The five spaces of the balance, the disc on one of them."""
    at = styles.attributes
    return "".join(
        f"<td{at('space disc' if space == balance else 'space')}>{abs(space)}</td>"
        for space in range(-2, 3)
    )


def _side(side: Side, styles: Styles) -> str:
    at = styles.attributes
    rows = "".join(_cabin(cabin, styles) for cabin in side.cabins)
    if side.next is not None:
        words = _said(_("the next new cabin"))
        rows += (
            f"<tr><th{at('label label-open')} scope=row>{side.next}</th>"
            f"<td{at('open')} colspan={MOST_CARDS}>{words}</td></tr>"
        )
    classes = "side" if side.letter == "L" else "side right"
    return (
        f"<div{at(classes)}>"
        f"<div{at('side-title')}>{escape(side.heading)}</div>"
        f"<table{at('cabins')} width=100% cellspacing=0 cellpadding=0>{rows}</table></div>"
    )


@lru_cache(maxsize=4096)
def _cabin(cabin: Cabin, styles: Styles) -> str:
    at = styles.attributes
    berths = [_card(card, styles) for card in cabin.cards]
    berths += [f"<div{at('room')}></div>"] * (MOST_CARDS - len(berths))
    middle, last, label = "berth", "berth last", "label"
    told = cabin.name
    if cabin.new:
        middle, last, label = "berth fresh", "berth last fresh fresh-last", "label fresh-label"
        new = _said(_("new"))
        told += f"<br><span{at('flag')}>{new}</span>"
    cells = "".join(
        f"<td{at(middle if place < MOST_CARDS else last)}>{berth}</td>"
        for place, berth in enumerate(berths, 1)
    )
    return f"<tr><th{at(label)} scope=row>{told}</th>{cells}</tr>"


@lru_cache(maxsize=1024)
def _card(card: Loaded, styles: Styles) -> str:
    at, face = styles.attributes, card.face
    new = _said(_("new"))
    flag = f"<span{at('flag')}>{new}</span><wbr>" if card.new else ""
    return (
        f"<table{at('card new' if card.new else 'card')} role=presentation width=100% "
        f"cellspacing=0 cellpadding=0><tr>{strip_html(face, styles)}"
        f"<td{at('body')}><span{at(_name_classes(face.name))}>{escape(face.name)}</span>"
        f"<br>{flag}{_facts(face, styles)}</td></tr></table>"
    )


def _name_classes(name: str) -> str:
    """Wide names are set smaller, so that every card is of one width."""
    wide = breadth(name)
    return next((classes for most, classes in NAME_CLASSES if wide <= most), "name utmost")


def _facts(face: Face, styles: Styles) -> str:
    star = f"<span{styles.attributes('star')}>★</span>"
    kind = escape(face.kind_word) + (f" {star}" if face.special and face.kind else "")
    words = _said(_("special"))
    special = f"{star} {words}" if face.special else ""
    lines = (diet_html(face, styles), kind or special)
    return "<br>".join(filter(None, lines)) or "&nbsp;"


def _legend(ark: Picture, styles: Styles) -> str:
    told = _("Strip: weight and climate · ★ special power")
    if ark.has_new:
        told = _(
            "Strip: weight and climate · ★ special power · red frame: new since you last looked"
        )
    return f"<div{styles.attributes('legend')}>{_said(told)}</div>"


def _said(words: str) -> str:
    return escape(words, quote=False)
