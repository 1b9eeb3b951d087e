"""The archive in a real browser: readable for everybody, by keyboard, without scripts, and
from the disk."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pbem.app import create_app
from pbem.archive import importing, profiles
from pbem.archive.filing import file_all
from pbem.web.archive.site import build
from tests.archive.games import played
from tests.browsers import DESK, PHONE, Eye, new_context
from tests.web.harbour import FINISHED, Harbour
from tests.web.running import at_work

PAGES = (
    "games?players=3", f"games/{FINISHED}", f"games/{FINISHED}/replay?turn=20&seat=all",
    "games/statistics", "games/ended", "players", "players/1",
)  # fmt: skip
OWN = ("me/profile", "me/programs")


@pytest.fixture
def filled(harbour: Harbour) -> Harbour:
    """The harbour's finished game and another one; Ann shows herself."""
    here = harbour.installation
    file_all(here.store)
    with here.store.work() as session:
        importing.import_records(session, played("browser", 5), here.clock())
        profiles.choose(session, 1, "Captain Nemo", public=True, now=here.clock())
    return harbour


CHART = """svg => {
  const frame = svg.getBoundingClientRect();
  const seen = [...svg.querySelectorAll(".tick")].map(one => one.getBoundingClientRect())
    .filter(box => box.width);
  const touch = (a, b) => a.left < b.right + 1 && b.left < a.right + 1
    && a.top < b.bottom - 4 && b.top < a.bottom - 4;  // a box is higher than its figures
  return {
    pairs: seen.flatMap((a, i) => seen.slice(i + 1).filter(b => touch(a, b))).length,
    outside: seen.filter(box => box.left < frame.left || box.bottom > frame.bottom).length,
    ticks: seen.length,
    filled: Math.max(...[...svg.querySelectorAll(".curve")]
      .map(one => one.getBoundingClientRect().right - frame.left)) / frame.width,
  };
}"""


def test_charts_have_room_on_a_telephone(filled: Harbour, browser: Browser) -> None:
    with at_work(filled) as base:
        page = new_context(browser, viewport=PHONE).new_page()
        for address in (f"games/{FINISHED}", f"games/{FINISHED}/replay?turn=20", "games/4"):
            page.goto(f"{base}/{address}")
            for kind in ("points", "tilt"):
                chart = page.locator(f"svg.graph.{kind}").evaluate(CHART)
                assert (chart["pairs"], chart["outside"]) == (0, 0), (address, kind, chart)
                assert chart["ticks"] > 5
                assert 0.95 < chart["filled"] <= 1.0, (address, kind, chart)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.context.close()


def test_every_page_is_readable_for_everybody(filled: Harbour, browser: Browser) -> None:
    """Wide and on a telephone, in the light and in the dark."""
    complaints: list[str] = []
    with at_work(filled) as base:
        context = new_context(browser)
        page, eye = context.new_page(), Eye(context)
        page.goto(f"{base}/p/{filled.token('Ann')}")
        for address in (*PAGES, *OWN):
            page.set_viewport_size(DESK)  # type: ignore[arg-type]
            page.goto(f"{base}/{address}")
            for size in (DESK, PHONE):
                page.set_viewport_size(size)  # type: ignore[arg-type]
                page.emulate_media(color_scheme="light")
                complaints += eye.faults(page)
                page.emulate_media(color_scheme="dark")
                complaints += eye.contrasts(page)
        context.close()
    assert complaints == []


def test_a_replay_by_keyboard_exchanges_what_changes(filled: Harbour, browser: Browser) -> None:
    complaints: list[str] = []
    with at_work(filled) as base:
        context = new_context(browser)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.clock.install()
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
        page.clock.pause_at(page.evaluate("Date.now() + 3_600_000"))
        page.get_by_role("button", name="Let it run").click()
        for turn in (1, 2):
            page.clock.run_for(3000)
            page.wait_for_url(f"**turn={turn}&seat=all")
        page.reload()
        assert heading.inner_text().startswith("Turn 2 of"), "every step has its address"
        context.close()
    assert complaints == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_site_opens_from_the_disk_and_replays(
    filled: Harbour, browser: Browser, tmp_path: Path, *, scripts: bool
) -> None:
    here = filled.installation
    assert build(create_app(here), here.store, tmp_path, "en") == 2
    complaints: list[str] = []
    context = new_context(browser, java_script_enabled=scripts, viewport=PHONE)
    page = context.new_page()
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
        eye = Eye()
        page.keyboard.press("End")
        page.wait_for_url("**#t*")
        assert shown.get_by_label("The end").is_visible()
        assert eye.faults(page) == []
        page.goto((tmp_path / "statistics.html").as_uri())
        assert eye.faults(page) == []
    context.close()
    assert complaints == []
