"""The outbox and the mailboxes of the moderators: what is on its way, and what was left alone."""

import pytest
from flask import Flask
from sqlmodel import select

from pbem.store import Letter, Mailbox, MailboxEntry
from pbem.store.rows import id_of
from tests.web.harbour import Harbour, page
from tests.web.moderators import appoint, signed_in


@pytest.fixture(autouse=True)
def roles(harbour: Harbour) -> None:
    appoint(harbour)


def test_a_failed_letter_can_go_again(app: Flask, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        letter = session.exec(select(Letter).where(Letter.state == "sent").limit(1)).one()
        letter.state, letter.error = "failed", "550 no such user"
        session.add(letter)
        number = letter.id
    client = signed_in(app, harbour, "Max Moderator")
    again = f"/moderator/actions/send-again?letter={number}"
    for address in ("/moderator/outbox?state=failed", f"/moderator/outbox/{number}"):
        shown = page(client, address)
        assert "550 no such user" in shown.text
        assert again in {tag.attributes.get("href") for tag in shown.all("a")}
    assert "Why" in page(client, again).text


def test_what_was_left_alone_in_a_mailbox_is_listed(app: Flask, harbour: Harbour) -> None:
    now = harbour.installation.clock()
    with harbour.installation.store.work() as session:
        box = Mailbox(name="ark@imap.example:993/INBOX", state="broken", changed_at=now)
        session.add(box)
        session.flush()
        for uid, verdict in ((1, "no concern"), (2, "taken")):
            session.add(
                MailboxEntry(
                    mailbox_id=id_of(box), uid=uid, verdict=verdict, found_at=now, size=1,
                    sender="shop@example.com", subject=f"<b>offer {uid}</b>",
                )
            )  # fmt: skip
    shown = page(signed_in(app, harbour, "Max Moderator"), "/moderator/mailboxes")
    assert "<b>offer 1</b>" in shown.text
    assert "offer 2" not in shown.text
    assert "cannot be read" in shown.text
    page(signed_in(app, harbour, "Gil Gamesman"), "/moderator/mailboxes", 404)


def test_letters_of_ones_own_table_show_their_state_only(app: Flask, harbour: Harbour) -> None:
    client = signed_in(app, harbour, "Ann Archer")
    shown = page(client, "/moderator/outbox")
    assert "only its state is shown" in shown.text
    assert "cy@example.org" not in shown.source
    neutral = signed_in(app, harbour, "Max Moderator")
    assert "cy@example.org" in page(neutral, "/moderator/outbox").source
    assert "No letter is like that." in page(client, "/moderator/outbox?to=cy@example.org").text
    assert "cy@example.org" in page(neutral, "/moderator/outbox?to=cy@example.org").text
