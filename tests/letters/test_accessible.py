"""axe-core finds nothing in any letter, in the light and in the dark.

What axe cannot tell (text on a gradient, marks of one character) is reckoned out here."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page, sync_playwright

from pbem.letters import templates
from pbem.letters.render import Rendered
from pbem.store import Letter
from tests.needs import chromium

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
BASE = templates.BUILT_IN / "_base"
ENOUGH = 4.5  # WCAG 2.2, 1.4.3


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser.new_page(viewport={"width": 360, "height": 740})
        browser.close()


def found(page: Page, html: str, **options: Any) -> list[str]:
    """What axe has to say against a letter."""
    page.set_content(html)
    page.evaluate(AXE)
    result = page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"]} | options)
    return [
        f"{one['id']}: {one['help']} in {node['html'][:200]}"
        for one in result["violations"]
        for node in one["nodes"]
    ]


def test_nothing_in_any_letter(
    page: Page, gallery: dict[str, tuple[Letter, Rendered]]
) -> None:
    faults, drawn = {}, set()
    for name, (row, letter) in gallery.items():
        assert letter.html.startswith('<!doctype html>\n<html lang="en">')
        # The ark takes axe long, so of the letters that show it one of a kind is enough.
        if "Balance:" in letter.html and row.kind in drawn:
            continue
        drawn.add(row.kind)
        page.emulate_media(color_scheme="light")
        if told := found(page, letter.html):
            faults[name] = told
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        page.emulate_media(color_scheme="dark")
        dark = {"runOnly": ["color-contrast"]}
        if told := found(page, letter.html, **dark):
            faults[f"{name}, dark"] = told
    assert faults == {}


def test_axe_finds_what_is_wrong(page: Page) -> None:
    told = found(page, "<p style='color:#ccc'>pale<img src=x><a href=y></a>")
    assert {one.split(":")[0] for one in told} >= {
        "color-contrast", "html-has-lang", "document-title", "image-alt", "link-name",
    }  # fmt: skip


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
