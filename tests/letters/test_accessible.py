"""axe-core finds nothing in any letter, in the light and in the dark.

What axe cannot tell (text on a gradient, marks of one character) is reckoned out here."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from sqlmodel import Session, col, select

from pbem.letters import Site, templates
from pbem.letters.render import Rendered, render
from pbem.letters.stage import Stage
from pbem.store import Letter
from pbem.translation import speaking
from tests.browsers import AXE, CONTRAST, PHONE, new_context

BASE = templates.BUILT_IN / "_base"
ENOUGH = 4.5  # WCAG 2.2, 1.4.3


FRESH = """() => {
    window.styled ??= new Set();
    window.fresh = [...document.querySelectorAll("body, body *")].filter(element => {
        let chain = "";
        for (let one = element; one; one = one.parentElement)
            chain += `${one.tagName}.${one.className}{${one.getAttribute("style")}}`;
        return !styled.has(chain) && styled.add(chain);
    });
    return fresh.length;
}"""
"""Keeps the elements whose style, or that of what they stand in, no letter before had: the
contrast of a text follows from these alone, and takes long to tell."""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    context = new_context(chromium, viewport=PHONE)
    page = context.new_page()
    page.evaluate(AXE)  # stays in the window, whatever is shown in it
    yield page
    context.close()


def found(page: Page, where: str = "document", **options: Any) -> list[str]:
    """What axe has to say against the letter shown."""
    options["resultTypes"] = ["violations"]
    result = page.evaluate(f"options => axe.run({where}, options)", options)
    return [
        f"{one['id']}: {one['help']} in {node['html'][:200]}"
        for one in result["violations"]
        for node in one["nodes"]
    ]


def all_but_contrast(page: Page) -> list[str]:
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    return found(page, rules={CONTRAST: {"enabled": False}})


def contrasts(page: Page) -> list[str]:
    told = []
    for scheme in ("light", "dark") if page.evaluate(FRESH) else ():
        page.emulate_media(color_scheme=scheme)
        told += [f"{scheme}: {one}" for one in found(page, "fresh", runOnly=[CONTRAST])]
    return told


def test_nothing_in_any_letter(page: Page, gallery: dict[str, tuple[Letter, Rendered]]) -> None:
    faults: dict[str, list[str]] = {}
    drawn: set[str] = set()
    for name, (row, letter) in gallery.items():
        assert letter.html.startswith('<!doctype html>\n<html lang="en">')
        page.set_content(letter.html)
        told = contrasts(page)
        # The ark takes axe long, so of the letters that show it one of a kind is enough.
        if "Balance:" not in letter.html or row.kind not in drawn:
            drawn.add(row.kind)
            told += all_but_contrast(page)
        if told:
            faults[name] = told
    assert faults == {}


@pytest.mark.parametrize("language", ["de", "zh-Hant", "zh-Hans"])
def test_nothing_in_the_other_languages(
    page: Page, session: Session, site: Site, language: str
) -> None:
    """They differ in their words: what is spoken, and how wide it is."""
    with speaking(language):
        stage = Stage(session, site, 4, "harbour").begin()
        stage.until(lambda position: position.turn >= 15)
        for kind in ("begins", "your-turn", "what-happened"):
            query = select(Letter).where(Letter.kind == kind).order_by(col(Letter.id).desc())
            letter = render(session, site, session.exec(query).all()[0])
            assert f'<html lang="{language}">' in letter.html
            page.set_content(letter.html)
            assert all_but_contrast(page) == []


def test_axe_finds_what_is_wrong(page: Page) -> None:
    page.set_content("<p style='color:#ccc'>pale<img src=x><a href=y></a>")
    told = [one.split(":")[0] for one in all_but_contrast(page)]
    assert {"html-has-lang", "document-title", "image-alt", "link-name"} <= set(told)
    assert [one.split(":")[1] for one in contrasts(page)][:1] == [" color-contrast"]


def declared(css: str, name: str) -> str:
    """The declarations of a class."""
    return " ".join(
        match[2] for match in re.finditer(r"([^{}]*)\{([^{}]*)\}", css)
        if re.search(rf"\.{name}(?![\w-])", match[1])
    )  # fmt: skip


def colours(declarations: str, what: str) -> list[str]:
    """The colours of a property; of a gradient both ends."""
    values = re.findall(rf"(?:^|[\s;{{]){what}:([^;]*)", declarations)
    return [colour for value in values for colour in re.findall(r"#[0-9a-f]{3,6}\b", value)]


def light_of(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((light_of(one), light_of(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("legend", "sea"), ("strip", "hot"), ("strip", "cold"), ("strip", "any"), ("name", "card"),
        ("space", "space"), ("disc", "disc"), ("flag", "flag"), ("star", "card"),
        ("plants", "card"), ("meat", "card"), ("both", "card"), ("label", "label"),
    ],
)  # fmt: skip
def test_contrast_where_axe_cannot_tell(ink: str, ground: str, *, dark: bool) -> None:
    sheet = (BASE / "inline.css").read_text(encoding="utf-8")
    night = (BASE / "head.css").read_text(encoding="utf-8")
    night = night[night.index("prefers-color-scheme: dark") :]
    night = night[night.index("{") + 1 :]
    found: dict[str, list[str]] = {}
    for name, what in ((ink, "color"), (ground, "background(?:-image)?")):
        here = colours(declared(night, name), what) if dark else []
        found[what] = here or colours(declared(sheet, name), what)
    inks, grounds = found.values()
    assert inks
    assert grounds
    assert min(contrast(inks[-1], one) for one in grounds) >= ENOUGH
