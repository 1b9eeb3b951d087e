"""The whole dashboard in a real browser: by axe, at 360 pixels, in both schemes, by keyboard,
without scripts; and Today, which looks after itself with one."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from sqlmodel import select

from pbem.store import Address, Game, Letter
from tests.browsers import DESK, PHONE, Eye, new_context
from tests.web.harbour import FILLING, FINISHED, RUNNING, Harbour
from tests.web.moderators import appoint, held_mail, link_of
from tests.web.running import at_work

PAGES = (
    "", f"/games/{RUNNING}", f"/games/{FINISHED}", f"/games/{FILLING}", "/games?q=club&sort=due",
    "/people", "/people/2", "/mail", "/mail/1", "/mail/1/source", "/outbox?state=failed",
    "/outbox/1", "/deliveries", "/mailboxes", "/numbers", "/audit", "/server", "/staff", "/me",
    "/browsers", "/actions",
)  # fmt: skip
PUBLIC = ("/moderator/sign-in", f"/moderator/sign-in/{'a' * 26}", "/privacy", "/imprint")


@pytest.fixture
def base(harbour: Harbour) -> Iterator[str]:
    """The harbour at work, with something of every kind that needs a moderator."""
    appoint(harbour)
    here = harbour.installation
    held_mail(harbour, subject="x" * 200)
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        game.due_at = here.clock() - timedelta(hours=5)
        away = session.exec(select(Address).where(Address.address == "cy@example.org")).one()
        away.paused_at = away.bounced_at = here.clock()
        away.bounce_score, away.bounce_status = 2.0, "550 5.1.1 " + "no such user " * 20
        letter = session.get_one(Letter, 1)
        letter.state, letter.error = "failed", "550 no"
        session.add_all([game, away, letter])
    with at_work(harbour) as address:
        yield address


def signed_in(browser: Browser, harbour: Harbour, base: str, **options: object) -> BrowserContext:
    context = new_context(browser, **options)
    page = context.new_page()
    page.goto(f"{base}/moderator/sign-in/{link_of(harbour, 'Olive Owner')}")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{base}/moderator")
    page.close()
    return context


def test_every_page_is_accessible_and_fits(harbour: Harbour, browser: Browser, base: str) -> None:
    context = signed_in(browser, harbour, base)
    page, eye, found, said = context.new_page(), Eye(context), [], []
    page.on("console", lambda message: said.append(f"{page.url}: {message.text}"))
    looks = cycle([("dark", PHONE), ("light", DESK), ("light", PHONE), ("dark", DESK)])
    for address in (*PUBLIC, *(f"/moderator{one}" for one in PAGES)):
        scheme, size = next(looks)
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size(size)  # type: ignore[arg-type]
        answer = page.goto(f"{base}{address}")
        assert answer is not None
        assert answer.status == 200, address
        page.locator("main details").evaluate_all("all => all.forEach(it => it.open = true)")
        found += eye.faults(page)
    context.close()
    assert found == []
    assert said == []


def test_today_counts_in_its_title_and_looks_again_by_itself(
    harbour: Harbour, browser: Browser, base: str
) -> None:
    context = signed_in(browser, harbour, base)
    page = context.new_page()
    page.clock.install()
    page.goto(f"{base}/moderator")
    assert page.title().startswith("(4) Today")
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        game.due_at = None
        session.add(game)
    page.clock.run_for(61_000)
    expect(page).to_have_title(re.compile(r"^\(3\) Today"))
    expect(page.locator("#overdue")).to_have_count(0)
    context.close()


def test_it_works_by_keyboard_and_without_scripts(
    harbour: Harbour, browser: Browser, base: str
) -> None:
    context = signed_in(browser, harbour, base, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{base}/moderator/games")
    page.locator("#q").focus()
    page.keyboard.type("sunday")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=sunday**")
    page.locator("#sort").focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator("a:focus", has_text="Sunday club").count():
            break
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/games/{RUNNING}")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the content"
    context.close()
