"""Pictures of every letter: light, dark, and on a phone (`make screenshots`).

Development only: needs Playwright's Python package and an installed Chromium.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from pbem.letters.render import Rendered, render
from pbem.letters.scenes import scenes
from pbem.letters.stage import open_store, site
from pbem.translation import LANGUAGES, speaking
from pbem.translation.catalogues import ORIGINAL

FOLDER = Path("screenshots")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LOOKS = {
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
    options.add_argument("--language", choices=LANGUAGES, default=ORIGINAL)
    wanted = options.parse_args(arguments)
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        print("No Chromium found; on Debian: apt-get install chromium", file=sys.stderr)
        return 1
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        for name, letter in letters(wanted.language):
            if not wanted.scenes or name in wanted.scenes:
                (wanted.folder / f"{name}.txt").write_text(letter.text, encoding="utf-8")
                (wanted.folder / f"{name}.html").write_text(letter.html, encoding="utf-8")
                for look in wanted.look or LOOKS:
                    _shoot(browser, letter.html, look, wanted.folder / f"{name}.{look}.png")
        browser.close()
    print(f"Letters and pictures: {wanted.folder}/")
    return 0


def _shoot(browser: Browser, html: str, look: str, path: Path) -> None:
    context = browser.new_context(**LOOKS[look])  # type: ignore[arg-type]
    page = context.new_page()
    page.set_content(html)
    page.screenshot(path=path, full_page=True)
    context.close()


if __name__ == "__main__":
    sys.exit(main())
