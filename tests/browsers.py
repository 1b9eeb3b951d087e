"""The browser of the tests, and what axe-core finds in a page that it shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.needs import chromium

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1200, "height": 900}
LONGEST = 120_000
"""Milliseconds until something must have come: much more than it takes, as other tests run
beside this one, and on slow machines too."""
CONTRAST = "color-contrast"
FRESH = """known => {
    const looks = new Map(), old = new Set(known), told = [];
    const look = element => {
        if (!element) return 0;
        if (!looks.has(element)) {
            const one = getComputedStyle(element);
            const text = [
                look(element.parentElement), element.tagName, element.className,
                one.color, one.backgroundColor, one.backgroundImage, one.opacity, one.position,
                one.fontSize, one.fontWeight, one.textShadow, one.filter, one.mixBlendMode,
            ].join();
            let sum = 7;
            for (let at = 0; at < text.length; at++)
                sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
            looks.set(element, sum);
        }
        return looks.get(element);
    };
    window.fresh = [...document.querySelectorAll("body, body *")].filter(element => {
        const sum = look(element);
        return !old.has(sum) && old.add(sum) && told.push(sum);
    });
    return told;
}"""
"""Keeps the elements that look like none before, with all they stand in: the contrast of a
text follows from that alone, and takes axe longer to tell than everything else together."""


@contextmanager
def chromium_at_work() -> Iterator[Browser]:
    """Contexts of it are cheap, and know nothing of each other."""
    path = chromium()
    expect.set_options(timeout=LONGEST)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"], timeout=LONGEST
        )
        yield browser
        browser.close()


def new_context(browser: Browser, **look: Any) -> BrowserContext:
    """A patient one, in which nothing scrolls or fades slowly."""
    context = browser.new_context(**({"viewport": DESK, "reduced_motion": "reduce"} | look))
    context.set_default_timeout(LONGEST)
    return context


class Eye:
    """Looks at pages with axe-core, one after the other: what it has seen it knows."""

    def __init__(self, context: BrowserContext | None = None) -> None:
        """Whoever looks at many pages of a context has axe in all of them from now on."""
        self._known: list[int] = []
        if context is not None:
            context.add_init_script(AXE)

    def faults(self, page: Page) -> list[str]:
        """What is wrong with the page as it is shown now, and whether it is too wide."""
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        found = _run(page, "document", {"rules": {CONTRAST: {"enabled": False}}})
        return [*found, *self.contrasts(page), *too_wide(page)]

    def contrasts(self, page: Page) -> list[str]:
        """What is hard to read on a page whose `faults` have been looked for: in another
        colour scheme nothing else can differ."""
        fresh = page.evaluate(FRESH, self._known)
        self._known += fresh
        return _run(page, "fresh", {"runOnly": [CONTRAST]}) if fresh else []


def _run(page: Page, where: str, options: dict[str, Any]) -> list[str]:
    result = page.evaluate(
        f"options => axe.run({where}, options)",
        options | {"resultTypes": ["violations"], "preload": False},
    )
    return [
        f"{page.url}: {one['id']}: {one['help']} in {node['html'][:200]}"
        for one in result["violations"]
        for node in one["nodes"]
    ]


def too_wide(page: Page) -> list[str]:
    """Whether one would have to scroll sideways."""
    wide = page.locator("html").evaluate("it => it.scrollWidth")
    width = (page.viewport_size or PHONE)["width"]
    return [] if wide <= width else [f"{page.url}: {wide} pixels wide"]
