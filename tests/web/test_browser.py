"""The pages in a real browser: without scripts, by keyboard, on a phone, in the dark."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browsers import PHONE, new_context, too_wide
from tests.e2e.server import wait_until
from tests.web.harbour import FINISHED, RUNNING, Harbour
from tests.web.running import at_work


@pytest.fixture
def with_postroom() -> bool:
    return True


@pytest.fixture
def base(harbour: Harbour) -> Iterator[str]:
    """The address of a harbour at work."""
    harbour.trust(RUNNING)
    with at_work(harbour) as address:
        yield address


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about: scripts, styles, anything the policy forbids."""
    return []


def new_page(context: BrowserContext, complaints: list[str]) -> Page:
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def page(request: pytest.FixtureRequest, browser: Browser, complaints: list[str]) -> Iterator[Page]:
    context = new_context(browser, java_script_enabled=request.param)
    yield new_page(context, complaints)
    context.close()
    assert complaints == []


def test_a_turn_with_the_mouse(page: Page, base: str, harbour: Harbour) -> None:
    seq = harbour.game(RUNNING).seq
    page.goto(f"{base}/p/{harbour.token('Ann')}")
    assert page.url == f"{base}/me"
    page.get_by_role("link", name="Sunday club").click()
    page.locator("#your-move .examples a").first.click()
    expect(page.get_by_label("Commands, one a line")).to_have_value(re.compile("^take "))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#answer")).to_contain_text("nothing was done")
    assert harbour.game(RUNNING).seq == seq
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#answer h2")).to_have_text("Done.")
    assert harbour.game(RUNNING).seq == seq + 1
    page.reload()
    page.go_back()
    page.go_forward()
    assert harbour.game(RUNNING).seq == seq + 1


@pytest.mark.parametrize("page", [True], indirect=True)
def test_the_back_button_moves_nothing_twice(page: Page, base: str, harbour: Harbour) -> None:
    page.goto(f"{base}/p/{harbour.token('Ann')}")
    page.goto(f"{base}/me/games/{RUNNING}")
    example = page.locator("#your-move .examples a").first.inner_text()
    page.get_by_label("Commands, one a line").fill(example)
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#answer h2")).to_have_text("Done.")
    seq = harbour.game(RUNNING).seq
    page.go_back()
    page.get_by_label("Commands, one a line").fill(example)
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#answer h2")).to_have_text("Nothing was done.")
    assert harbour.game(RUNNING).seq == seq


@pytest.mark.parametrize("page", [False], indirect=True)
def test_a_turn_by_keyboard_alone(page: Page, base: str, harbour: Harbour) -> None:
    seq = harbour.game(RUNNING).seq
    page.goto(f"{base}/p/{harbour.token('Ann')}")
    page.goto(f"{base}/me/games/{RUNNING}")
    example = page.locator("#your-move .examples a").first.inner_text()
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert focused.inner_text() == "Skip to the content"
    assert (focused.bounding_box() or {})["y"] >= 0, "the link shows when it has the focus"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.locator(":focus").get_attribute("id") == "text":
            break
    page.keyboard.type(example)
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.locator(":focus").get_attribute("value") == "do":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#answer h2")).to_have_text("Done.")
    assert harbour.game(RUNNING).seq == seq + 1


def test_a_newcomer_plays_in_the_post_room(page: Page, base: str, harbour: Harbour) -> None:
    seq = harbour.game(RUNNING).seq
    page.goto(f"{base}/postroom")
    letter = page.frame_locator("iframe.letter-frame")
    expect(letter.locator("body")).to_contain_text("it is your turn")
    page.locator("#answer .examples a").first.click()
    expect(page.get_by_label("Your lines")).to_have_value(re.compile("^take "))
    page.get_by_role("button", name="Send by SMTP").click()
    page.get_by_text("new", exact=True).first.wait_for()
    wait_until(lambda: harbour.game(RUNNING).seq == seq + 1, "the turn")


def test_a_letter_is_shown_whole(base: str, browser: Browser, complaints: list[str]) -> None:
    context = new_context(browser)
    page = new_page(context, complaints)
    page.goto(f"{base}/postroom")
    page.wait_for_function("document.querySelector('.letter-frame').clientHeight > 1000")
    height, needed = page.evaluate(
        "(frame => [frame.clientHeight, frame.contentDocument.documentElement.scrollHeight])"
        "(document.querySelector('.letter-frame'))"
    )
    assert height >= needed
    context.close()
    assert complaints == []


def test_every_page_fits_a_phone(
    base: str, browser: Browser, harbour: Harbour, complaints: list[str]
) -> None:
    context = new_context(browser, viewport=PHONE)
    page = new_page(context, complaints)
    page.goto(f"{base}/p/{harbour.token('Ann')}")
    for address in ("/", "/rules", "/help", "/games", f"/games/{FINISHED}", "/me",
                    f"/me/games/{RUNNING}", "/postroom", "/postroom/compose"):  # fmt: skip
        page.goto(base + address)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert too_wide(page) == []
            small = page.evaluate(
                "[...document.querySelectorAll('button, .button, nav a, .rows a, textarea')]"
                ".filter(it => it.clientHeight && it.clientHeight < 24).map(it => it.outerHTML)"
            )
            assert small == [], f"{address}: something is too small for a finger"
    context.close()
    assert complaints == []
