"""The one layout of the ark and its three outputs."""

import xml.dom.minidom
from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import Session, select

from engine.cards import builtin_deck
from engine.game import new_game
from engine.view import View, view
from pbem.letters import Site, templates
from pbem.letters.ark import picture
from pbem.letters.ark_html import ark_html
from pbem.letters.ark_svg import ark_svg
from pbem.letters.ark_text import ark_text
from pbem.letters.context import context_of
from pbem.letters.render import fill
from pbem.letters.stage import Stage
from pbem.letters.styles import styles_in
from pbem.letters.table import laid_out
from pbem.store import Letter

STYLES = styles_in(templates.BUILT_IN)
DECK = builtin_deck()


def seen(cabins: int = 20) -> View:
    """A view with so many cabins a side and 51 cards in them, however they came there."""
    sides: dict[str, Any] = {"L": [[] for _ in range(cabins)], "R": [[] for _ in range(cabins)]}
    for number, card in enumerate(DECK.cards[:51]):
        sides["LR"[number % 2]][number // 2 % cabins].append(card.name)
    ark = {side: tuple(map(tuple, rows)) for side, rows in sides.items()}
    return replace(view(new_game("ark", 5, DECK), 0), ark=ark)


def test_twenty_cabins_a_side_fit_into_a_letter(session: Session, site: Site) -> None:
    """Mail programs cut a mail off somewhat above 100 kB; 90 are ours."""
    stage = Stage(session, site, 5, "twenty").begin()
    row = session.exec(select(Letter).where(Letter.kind == "your-turn")).one()
    names = [person.name for person in stage.people]
    table = laid_out(stage_view(stage), names, [], [], STYLES, first=False)
    crowded = picture(seen(), {card.name for card in DECK.cards[:12]})
    table = replace(table, ark_html=ark_html(crowded, STYLES), ark_text=ark_text(crowded))
    context = context_of(session, site, row, STYLES)
    _, text, html = fill(site, "your-turn", {**context, "table": table})
    assert "L20" in html
    assert "R20" in text
    assert 60_000 < len(html.encode()) < 90_000


def stage_view(stage: Stage) -> View:
    return view(stage.position, 0)


@pytest.mark.parametrize("balance", range(-2, 3))
def test_the_balance_is_said_and_shown(balance: int) -> None:
    ark = picture(replace(seen(3), balance=balance))
    side = {-1: "left", 0: "both", 1: "right"}[(balance > 0) - (balance < 0)]
    assert side in ark.balance_words
    assert str(ark_html(ark, STYLES)).count('class="space disc"') == 1
    assert ark_svg(ark).count('class="disc"') == 1


def test_every_output_names_every_card_and_marks_the_new_ones() -> None:
    new = {"fox", "hedgehog"}
    ark = picture(seen(20), new)
    text, html, svg = ark_text(ark), str(ark_html(ark, STYLES)), ark_svg(ark)
    for card in DECK.cards[:51]:
        name = card.name.removesuffix(f"-{card.name[-1]}").replace("-", " ")
        assert name in text
        assert f">{name}</span>" in html
        assert f">{name}</text>" in svg
    assert text.count("(new)") == html.count(">new</span>") == svg.count(">new</text>") == 2


def test_the_svg_is_xml_and_loads_nothing() -> None:
    svg = ark_svg(picture(seen(12), {"fox"}))
    root = xml.dom.minidom.parseString(svg).documentElement
    assert root is not None
    assert root.tagName == "svg"
    assert svg.count("http") == 1  # the name space
    assert "prefers-color-scheme:dark" in svg


def test_a_card_says_all_it_is_in_words() -> None:
    ark = picture(replace(seen(), ark={"L": (("chimpanzee",), ("seal",)), "R": (("bee",),)}))
    assert ark_text(ark).splitlines() == [
        "L1  chimpanzee 2 hot eats-all special",
        "L2  seal 2 cold meat slow",
        "R1  bee 0 useful",
    ]


def test_the_next_cabins_are_outlined_while_cabins_can_be_opened() -> None:
    assert str(ark_html(picture(seen(4)), STYLES)).count("the next new cabin") == 2
    over = replace(seen(4), phase="over")
    assert "the next new cabin" not in str(ark_html(picture(over), STYLES))


def test_styles_are_written_into_the_elements() -> None:
    inlined = STYLES.inlined('<p class="small mono">x</p><b class="nothing">y</b>')
    assert inlined.startswith('<p class="small" style="margin:0 0 6px;')
    assert "monospace" in inlined
    assert inlined.endswith("<b >y</b>")
