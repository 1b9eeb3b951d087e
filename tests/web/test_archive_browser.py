"""The archive in a real browser: readable for everybody, by keyboard, without scripts, and
from the disk."""

from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pbem.app import create_app
from pbem.archive import importing, profiles
from pbem.archive.filing import file_all
from pbem.web.archive.site import build
from tests.archive.games import played
from tests.needs import chromium
from tests.web.harbour import FINISHED, Harbour
from tests.web.running import at_work

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
SIZES = ({"width": 1200, "height": 900}, {"width": 360, "height": 740})
PAGES = (
    "games?players=3", f"games/{FINISHED}", f"games/{FINISHED}/replay?turn=20&seat=all",
    "games/statistics", "players", "players/1",
)  # fmt: skip
OWN = ("me/profile", "me/programs")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def filled(harbour: Harbour) -> Harbour:
    """The harbour's finished game and another one; Ann shows herself."""
    here = harbour.installation
    file_all(here.store)
    with here.store.work() as session:
        importing.import_records(session, played("browser", 5), here.clock())
        profiles.choose(session, 1, "Captain Nemo", public=True, now=here.clock())
    return harbour


def faults(page: Page) -> list[str]:
    """What axe has to say, and whether the page is wider than the window."""
    page.evaluate(AXE)
    found = page.evaluate("async () => (await axe.run()).violations")
    said = [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]
    width = page.evaluate("document.documentElement.scrollWidth")
    fits = width <= page.viewport_size["width"]  # type: ignore[index]
    return said if fits else [*said, f"{width} pixels wide"]


def test_every_page_is_readable_for_everybody(filled: Harbour, browser: Browser) -> None:
    complaints: list[str] = []
    with at_work(filled) as base:
        for number, (size, scheme) in enumerate(
            (size, scheme) for size in SIZES for scheme in ("light", "dark")
        ):
            context = browser.new_context(
                viewport=size,  # type: ignore[arg-type]
                color_scheme=scheme,  # type: ignore[arg-type]
                bypass_csp=True,  # axe is put in by hand
                reduced_motion="reduce",  # nothing is half faded in while axe looks
            )
            page = context.new_page()
            page.set_default_timeout(15_000)
            # Colours alone differ in the dark, and the width on a telephone.
            only = PAGES if number in (0, 3) else PAGES[1:3]
            if number == 0:
                page.goto(f"{base}/p/{filled.token('Ann')}")
                only = (*PAGES, *OWN)
            for address in only:
                page.goto(f"{base}/{address}")
                complaints += [f"{address} {size} {scheme}: {one}" for one in faults(page)]
            context.close()
    assert complaints == []


def test_a_replay_by_keyboard_exchanges_what_changes(filled: Harbour, browser: Browser) -> None:
    complaints: list[str] = []
    with at_work(filled) as base:
        page = browser.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{base}/games/{FINISHED}/replay")
        page.evaluate("window.stays = true")
        heading = page.locator("h1")
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**turn=1")
        page.keyboard.press("End")
        page.locator("#replay a[data-step=next]").wait_for(state="detached")
        last = heading.inner_text()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        expect(heading).not_to_have_text(last)
        page.get_by_role("link", name="All hands").click()
        page.wait_for_url("**seat=all")
        page.keyboard.press("Home")
        page.wait_for_url("**turn=0&seat=all")
        expect(heading).to_have_text("The deal")
        assert page.evaluate("window.stays"), "the page itself was never left"
        page.get_by_role("button", name="Let it run").click()
        page.wait_for_url("**turn=2&seat=all")
        page.reload()
        assert heading.inner_text().startswith("Turn 2 of"), "every step has its address"
        page.close()
    assert complaints == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_site_opens_from_the_disk_and_replays(
    filled: Harbour, browser: Browser, tmp_path: Path, *, scripts: bool
) -> None:
    here = filled.installation
    assert build(create_app(here), here.store, tmp_path, "en") == 2
    complaints: list[str] = []
    context = browser.new_context(java_script_enabled=scripts, viewport=SIZES[1])  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda asked: complaints.extend([asked.url] * ("file:" not in asked.url)))
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name="Old salts").click()
    shown = page.locator(".step:visible")
    assert shown.locator("h2").inner_text() == "The deal"
    for _ in range(3):
        shown.get_by_label("One turn on").click()
    assert shown.locator("h2").inner_text().startswith("Turn 3 of")
    assert shown.locator(".hand:visible").count() == 0
    page.get_by_text("Seat B", exact=True).first.click()
    assert "Seat B’s hand" in shown.locator(".hand:visible").inner_text()
    if scripts:
        page.keyboard.press("End")
        page.wait_for_url("**#t*")
        assert shown.get_by_label("The end").is_visible()
        assert faults(page) == []
        page.goto((tmp_path / "statistics.html").as_uri())
        assert faults(page) == []
    context.close()
    assert complaints == []
