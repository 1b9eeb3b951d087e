"""Bounces: at the letters' return paths, by RFC 3464, and without any standard."""

import pytest

from pbem.intake.message import OwnAddresses, read_message
from tests.mails.wire import FORMS, multipart, part

OWN = OwnAddresses("ark.example.org")
RETURN_PATH = "b-27-abcdefghijklmnop@ark.example.org"
HEAD = "From: Mail Delivery System <MAILER-DAEMON@mx.example.net>\r\nTo: {to}\r\nSubject: {subject}\r\n"


def report(fields: str, *, to: str = RETURN_PATH, returned: bool = True) -> bytes:
    status = (
        "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n"
        f"Arrival-Date: Wed, 2 Dec 2026 21:30:00 +0000\r\n\r\n{fields}\r\n"
    )
    letter = (
        "Content-Type: message/rfc822\r\n\r\nFrom: Ark <ark@ark.example.org>\r\n"
        "Message-ID: <letter.27@ark.example.org>\r\nSubject: your turn\r\n\r\ntake fox\r\n"
    )
    parts = [part("It could not be delivered.", FORMS[0]), status.encode()]
    body = multipart(
        "report",
        *parts,
        *([letter.encode()] if returned else []),
        parameters="; report-type=delivery-status",
    )
    head = HEAD.format(to=to, subject="Undelivered Mail Returned to Sender")
    return (head + "Auto-Submitted: auto-replied\r\nReturn-Path: <>\r\n").encode() + body


@pytest.mark.parametrize(
    ("fields", "recipient", "status", "permanent"),
    [
        (
            "Final-Recipient: rfc822; Ann@Example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n",
            "ann@example.org", "5.1.1", True,
        ),
        (
            "Final-Recipient: rfc822;x@y.example\r\nOriginal-Recipient: rfc822; ann+2Btag@example.org\r\n"
            "Action: failed\r\nStatus: 5.2.2 (mailbox full)\r\n",
            "ann+tag@example.org", "5.2.2", True,
        ),
        (
            "Final-Recipient: rfc822; ann@example.org\r\nAction: delayed\r\nStatus: 4.4.1\r\n",
            "ann@example.org", "4.4.1", False,
        ),
        (
            "Final-Recipient: rfc822; ann@example.org\r\nAction: failed\r\nStatus: 4.4.7\r\n",
            "ann@example.org", "4.4.7", False,
        ),
        (
            "Final-Recipient: rfc822; ann@example.org\r\nAction: Failed\r\n"
            "Diagnostic-Code: smtp; 550 5.7.1 Not wanted here\r\n",
            "ann@example.org", "5.7.1", True,
        ),
        (
            "Final-Recipient: rfc822; ann@example.org\r\nAction: failed\r\n"
            "Diagnostic-Code: smtp; 452 Too many\r\n",
            "ann@example.org", "4.0.0", False,
        ),
        (
            "Final-Recipient: rfc822; ok@example.org\r\nAction: delivered\r\nStatus: 2.0.0\r\n\r\n"
            "Final-Recipient: rfc822; ann@example.org\r\nAction: failed\r\nStatus: 5.0.0\r\n",
            "ann@example.org", "5.0.0", True,
        ),
        ("Final-Recipient: LOCAL;<ann@example.org>\r\nAction: failed\r\n", "ann@example.org", "5.0.0", True),
    ],
)  # fmt: skip
def test_a_delivery_report(fields: str, recipient: str, status: str, permanent: bool) -> None:
    for to in (RETURN_PATH, "ark@ark.example.org"):
        message = read_message(report(fields, to=to), (), OWN)
        assert message.kind == "bounce"
        assert message.bounce is not None
        assert message.bounce.to_json() == {
            "recipient": recipient, "status": status, "permanent": permanent,
        }  # fmt: skip
        assert message.references[0] == "<letter.27@ark.example.org>"


def test_a_report_of_success_is_no_bounce() -> None:
    fields = "Final-Recipient: rfc822; ann@example.org\r\nAction: relayed\r\nStatus: 2.0.0\r\n"
    message = read_message(report(fields), (), OWN)
    assert (message.kind, message.bounce) == ("auto-reply", None)


OLD_FORMS = {
    "qmail": (
        "failure notice",
        "Hi. This is the qmail-send program at mx.example.net.\r\nI'm afraid I wasn't able to deliver "
        "your message to the following addresses.\r\nThis is a permanent error; I've given up. Sorry it "
        "didn't work out.\r\n\r\n<ann@example.org>:\r\nSorry, no mailbox here by that name. (#5.1.1)\r\n",
        True,
    ),
    "exim": (
        "Mail delivery failed: returning message to sender",
        "This message was created automatically by mail delivery software.\r\n\r\nA message that you sent "
        "could not be delivered to one or more of its\r\nrecipients. This is a permanent error. The following "
        "address(es) failed:\r\n\r\n  ann@example.org\r\n    host mx.example.org: 550 no such user\r\n",
        True,
    ),
    "exim-warning": (
        "Warning: message 1abc delayed 24 hours",
        "This message was created automatically by mail delivery software.\r\n\r\nA message that you sent has "
        "not yet been delivered to one or more of its\r\nrecipients after more than 24 hours.\r\n\r\nThe address "
        "to which the message has not yet been delivered is:\r\n\r\n  ann@example.org\r\n",
        False,
    ),
    "german": (
        "Unzustellbar: Ark",
        "Fehler bei der Zustellung an ann@example.org: 5.4.14\r\n",
        True,
    ),
    "chinese": ("系统退信", "很抱歉，您发给 ann@example.org 的邮件未能送达：550 5.1.1\r\n", True),
    "soft": (
        "Delivery Status Notification (Delay)",
        "To ann@example.org: 4.2.2 mailbox full\r\n",
        False,
    ),
}


@pytest.mark.parametrize("name", OLD_FORMS)
def test_a_bounce_of_its_own_form(name: str) -> None:
    subject, text, permanent = OLD_FORMS[name]
    head = HEAD.format(to="ark@ark.example.org", subject=subject) + "Return-Path: <>\r\n"
    raw = (head + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + text).encode()
    message = read_message(raw, (), OWN)
    assert message.kind == "bounce"
    assert message.bounce is not None
    assert message.bounce.recipient == "ann@example.org"
    assert message.bounce.permanent is permanent
    assert message.bounce.status[0] == ("5" if permanent else "4")


VACATION = (
    "From: Ann <ann@example.org>\r\nTo: {to}\r\nSubject: {subject}\r\n{headers}"
    "Content-Type: text/plain\r\n\r\nI am away until Monday. Write to bob@example.org instead.\r\n"
)


@pytest.mark.parametrize("headers", ["Auto-Submitted: auto-replied\r\n", "X-Autoreply: yes\r\n"])
@pytest.mark.parametrize("to", [RETURN_PATH, "t-abc@ark.example.org"])
@pytest.mark.parametrize("null", ["", "Return-Path: <>\r\n"])
def test_a_vacation_reply_is_no_bounce(headers: str, to: str, null: str) -> None:
    raw = VACATION.format(to=to, subject="Re: your turn", headers=headers + null).encode()
    assert read_message(raw, (), OWN).kind == "auto-reply"


def test_whatever_else_comes_to_a_return_path_is_a_bounce() -> None:
    raw = VACATION.format(to="x@example.org", subject="hello", headers="").encode()
    assert read_message(raw, (), OWN, envelope_to=[RETURN_PATH]).kind == "bounce"
    assert read_message(raw, (), OWN, envelope_to=["t-abc@ark.example.org"]).kind == "commands"


def test_a_person_who_writes_of_failure_is_a_person() -> None:
    raw = VACATION.format(to="t-abc@ark.example.org", subject="delivery failed again", headers="")
    assert read_message(raw.encode(), (), OWN).kind == "commands"
