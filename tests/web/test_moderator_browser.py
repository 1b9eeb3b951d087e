"""The mail room in a real browser: without scripts, in the dark, on a telephone."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browsers import PHONE, new_context, too_wide
from tests.web.harbour import RUNNING, Harbour
from tests.web.moderators import appoint, audit_of, held_mail, link_of, mail_of
from tests.web.running import at_work


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_held_turn_is_let_through_from_a_telephone(
    harbour: Harbour, browser: Browser, scheme: str
) -> None:
    appoint(harbour)
    held = held_mail(harbour, subject="x" * 300)
    complaints: list[str] = []
    with at_work(harbour) as base:
        context = new_context(
            browser, viewport=PHONE, color_scheme=scheme, java_script_enabled=False
        )
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))

        def fits() -> None:
            assert too_wide(page) == []

        page.goto(f"{base}/moderator")
        fits()
        page.goto(f"{base}/moderator/sign-in/{link_of(harbour, 'Max Moderator')}")
        fits()
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{base}/moderator")
        fits()
        for address in ("outbox", "mailboxes", "browsers", f"mail/{held}/source"):
            page.goto(f"{base}/moderator/{address}")
            fits()
        page.goto(f"{base}/moderator/mail?state=held")
        page.get_by_role("link", name="xxx").click()
        page.wait_for_url(f"{base}/moderator/mail/{held}")
        fits()
        page.get_by_role("button", name="Treat it as from a seat").click()
        expect(page.locator("main")).to_contain_text("nothing has been done yet")
        fits()
        page.get_by_label("Why").fill("He asked me to.")
        page.get_by_role("button", name="Treat it as from a seat").click()
        page.wait_for_url(f"{base}/moderator/actions/done/*")
        fits()
        context.close()
    assert mail_of(harbour, held).state == "done"
    assert mail_of(harbour, held).game_id == RUNNING
    assert audit_of(harbour) == [("treat-as", "He asked me to.")]
    assert complaints == []
