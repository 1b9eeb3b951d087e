"""Pictures of every letter: light, dark, and on a phone, in every language
(`make screenshots`); with `--docs` the six of `docs/letters.md` instead.

Development only: needs Playwright's Python package and an installed Chromium.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pbem.letters.render import Rendered, render
from pbem.letters.scenes import scenes
from pbem.letters.small_png import small_png
from pbem.letters.stage import open_store, site
from pbem.translation import LANGUAGES, speaking
from pbem.translation.catalogues import ORIGINAL

FOLDER = Path("screenshots")
DOCS = Path("docs/letters")
SHOWN = (
    ("your-turn", "light", "en"), ("your-turn", "small-dark", "de"), ("begins", "dark", "en"),
    ("refusal", "small", "en"), ("over", "light", "zh-Hant"), ("digest", "small", "en"),
)  # fmt: skip
"""The pictures of the docs: letter, look, language."""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 720, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 720, "height": 900}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "color_scheme": "light",
        "device_scale_factor": 2,
    },
    "phone-dark": {
        "viewport": {"width": 360, "height": 740},
        "color_scheme": "dark",
        "device_scale_factor": 2,
    },
}
SMALL: dict[str, dict[str, Any]] = {
    "small": {"viewport": {"width": 360, "height": 240}, "color_scheme": "light"},
    "small-dark": {"viewport": {"width": 360, "height": 240}, "color_scheme": "dark"},
}
"""Phones once more, in one pixel a pixel: for the docs."""


def letters(language: str = ORIGINAL) -> Iterator[tuple[str, Rendered]]:
    """Every scene's letter as it would go out, to people who read this language."""
    with tempfile.TemporaryDirectory() as folder, speaking(language):
        store = open_store(f"sqlite:///{folder}/gallery.sqlite")
        our = site()
        with store.work() as session:
            for name, letter in scenes(session, our):
                yield name, render(session, our, letter)
        store.close()


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("scenes", nargs="*", help="only these (default: all)")
    options.add_argument("--folder", type=Path, default=FOLDER)
    options.add_argument("--look", choices=LOOKS, action="append")
    options.add_argument("--language", choices=LANGUAGES, action="append")
    options.add_argument("--docs", action="store_true", help=f"the pictures in {DOCS}/")
    wanted = options.parse_args(arguments)
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        print("No Chromium found; on Debian: apt-get install chromium", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        if wanted.docs:
            _documented(browser)
        for language in () if wanted.docs else wanted.language or LANGUAGES:
            _shoot_all(browser, language, wanted)
        browser.close()
    print(f"Letters and pictures: {DOCS if wanted.docs else wanted.folder}/")
    return 0


def _shoot_all(browser: Browser, language: str, wanted: argparse.Namespace) -> None:
    """The letters in one language, in a folder of its own."""
    folder: Path = wanted.folder / language
    folder.mkdir(parents=True, exist_ok=True)
    found = [one for one in letters(language) if not wanted.scenes or one[0] in wanted.scenes]
    for name, letter in found:
        (folder / f"{name}.txt").write_text(letter.text, encoding="utf-8")
        (folder / f"{name}.html").write_text(letter.html, encoding="utf-8")
    for look in wanted.look or LOOKS:
        for name, picture in _shots(browser, found, LOOKS[look]):
            (folder / f"{name}.{look}.png").write_bytes(picture)


def _documented(browser: Browser) -> None:
    DOCS.mkdir(parents=True, exist_ok=True)
    for language in {language for _, _, language in SHOWN}:
        found = dict(letters(language))
        for name, look, spoken in SHOWN:
            if spoken == language:
                one = [(name, found[name])]
                for _, picture in _shots(browser, one, (LOOKS | SMALL)[look]):
                    path = DOCS / f"{name}-{look}-{language}.png"
                    path.write_bytes(small_png(picture))


def _shots(
    browser: Browser, found: Sequence[tuple[str, Rendered]], look: dict[str, Any]
) -> Iterator[tuple[str, bytes]]:
    context = browser.new_context(**look)
    page = context.new_page()
    for name, letter in found:
        page.set_content(letter.html)
        yield name, page.screenshot(full_page=True)
    context.close()


if __name__ == "__main__":
    sys.exit(main())
