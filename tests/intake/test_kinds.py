"""What kind of mail it is (commands.md 1.6 and 5): automatic, bounced, list, own, hidden."""

import pytest

from pbem.intake.classify import KINDS
from pbem.intake.message import OwnAddresses, read_message
from tests.mails.wire import FORMS, multipart, part

OWN = OwnAddresses("ark.example.org")
BODY = "Content-Type: text/plain; charset=utf-8\r\n\r\ntake fox\r\n"


def mail(headers: str = "", body: str = BODY, sender: str = "Cy <cy@example.net>") -> bytes:
    base = f"From: {sender}\r\nTo: t-abc@ark.example.org\r\nMessage-ID: <1@example.net>\r\n"
    subject = "" if "subject:" in headers.lower() else "Subject: Re: Ark\r\n"
    return (base + subject + headers + body).encode()


def kind(raw: bytes, **more: object) -> str:
    found = read_message(raw, (), OWN, **more).kind  # type: ignore[arg-type]
    assert found in KINDS
    return found


@pytest.mark.parametrize(
    "headers",
    [
        "",
        "Auto-Submitted: no\r\n",
        "Auto-Submitted: No (sent by a person)\r\n",
        "X-Auto-Response-Suppress: All\r\n",
        "X-Auto-Response-Suppress: OOF, AutoReply\r\n",
        "Precedence: first-class\r\n",
        "Subject: Re: Automatic reply: Ark\r\n",
        "Subject: AW: Abwesenheitsnotiz: Ark\r\n",
        "Subject: Automatic for the people\r\n",
        "Subject: out of office hours I play better\r\n",
        "Return-Path: <cy@example.net>\r\n",
        "X-Mailer: Auto\r\n",
        "Importance: high\r\nX-Priority: 1\r\n",
        "Disposition-Notification-To: cy@example.net\r\n",
    ],
)
def test_a_person_wrote(headers: str) -> None:
    assert kind(mail(headers)) == "commands"


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied\r\n",
        "Auto-Submitted: auto-generated\r\n",
        "Auto-Submitted: auto-notified; owner-email=x@example.net\r\n",
        "auto-submitted: AUTO-REPLIED (vacation)\r\n",
        "X-Autoreply: yes\r\n",
        "X-Autorespond: Ark\r\n",
        "Precedence: auto_reply\r\n",
        "Return-Path: <>\r\n",
        "Delivered-To: Autoresponder\r\n",
        "Subject: Automatic reply: Ark\r\n",
        "Subject: Out of Office\r\n",
        "Subject: Out of Office: back on Monday\r\n",
        "Subject: Auto: Ark\r\n",
        "Subject: Automatische Antwort: Ark\r\n",
        "Subject: Abwesenheitsnotiz\r\n",
        "Subject: =?utf-8?Q?R=C3=A9ponse_automatique_:_Ark?=\r\n",
        "Subject: =?utf-8?B?UmVzcHVlc3RhIGF1dG9tw6F0aWNhOiBBcms=?=\r\n",
        "Subject: Risposta automatica: Ark\r\n",
        "Subject: Automatisch antwoord: Ark\r\n",
        "Subject: =?utf-8?Q?Automatyczna_odpowied=C5=BA:_Ark?=\r\n",
        "Subject: Автоматический ответ: Ark\r\n",
        "Subject: Otomatik yanıt: Ark\r\n",
        "Subject: Autosvar: Ark\r\n",
        "Subject: Automaattinen vastaus: Ark\r\n",
        "Subject: 自动回复: Ark\r\n",
        "Subject: 自動回覆: Ark\r\n",
        "Subject: 自動返信\r\n",
        "Subject: 자동 회신: Ark\r\n",
    ],
)
def test_a_program_answered(headers: str) -> None:
    assert kind(mail(headers)) == "auto-reply"


def test_the_envelope_tells_the_null_sender() -> None:
    assert kind(mail(), envelope_from="") == "auto-reply"
    assert kind(mail("Return-Path: <>\r\n"), envelope_from="cy@example.net") == "commands"


def test_a_read_receipt() -> None:
    note = part("Your message was displayed.", FORMS[0])
    notice = (
        b"Content-Type: message/disposition-notification\r\n\r\n"
        b"Final-Recipient: rfc822; cy@example.net\r\nDisposition: manual-action; displayed\r\n"
    )
    body = multipart("report", note, notice, parameters="; report-type=disposition-notification")
    assert kind(mail(body=body.decode())) == "auto-reply"


@pytest.mark.parametrize(
    ("method", "expected"),
    [("REPLY", "auto-reply"), ("COUNTER", "auto-reply"), ("REQUEST", "commands")],
)
@pytest.mark.parametrize("named", [True, False])
def test_a_calendar_answer(method: str, expected: str, named: bool) -> None:
    header = f"Content-Type: text/calendar; charset=utf-8{f'; method={method}' if named else ''}"
    calendar = f"{header}\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:{method}\r\nEND:VCALENDAR\r\n".encode()
    body = multipart("alternative", part("take fox", FORMS[0]), calendar)
    assert kind(mail(body=body.decode())) == expected


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Recall: Ark", 'Cy would like to recall the message, "Ark".'),
        ("Rückruf: Ark", 'Cy möchte die Nachricht "Ark" zurückrufen.'),
        ("撤回: Ark", "Cy 将撤回邮件“Ark”。"),
    ],
)
def test_outlook_takes_a_mail_back(subject: str, text: str) -> None:
    body = BODY.replace("take fox", text)
    assert kind(mail(f"Subject: {subject}\r\n", body)) == "auto-reply"
    assert kind(mail(f"Subject: {subject}\r\n")) == "commands", "the subject alone is no sign"


@pytest.mark.parametrize(
    "headers",
    [
        "Precedence: bulk\r\n",
        "Precedence: Junk\r\n",
        "Precedence: list\r\n",
        "List-Id: Ark <ark.example.org>\r\n",
        "List-Post: <mailto:ark@example.org>\r\n",
        "List-Unsubscribe: <https://example.org/u>\r\n",
        "Mailing-List: contact ark-help@example.org\r\n",
    ],
)
def test_a_list_sent_it_on(headers: str) -> None:
    message = read_message(mail(headers), (), OWN)
    assert (message.kind, message.text) == ("list", "take fox")


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        ("X-Ark-Letter: 27\r\n", "Cy <cy@example.net>"),
        ("", "Ark <ark@ark.example.org>"),
        ("", "Ark <t-k3j5q7@ARK.example.org>"),
        ("", "<b-12-abcdefghijklmnop@ark.example.org>"),
        ("Auto-Submitted: auto-generated\r\n", "Ark <t-k3j5q7@ark.example.org>"),
    ],
)
def test_our_own_mail_comes_back(headers: str, sender: str) -> None:
    assert kind(mail(headers, sender=sender)) == "own"


def test_other_people_of_our_domain_are_people() -> None:
    assert kind(mail(sender="Cy <cy@ark.example.org>")) == "commands"
    assert read_message(mail(sender="Ark <ark@ark.example.org>")).kind == "commands", "not known"


BINARY = "MIAGCSqGSIb3DQEHA6CAMIACAQAxggFQ\r\n"


@pytest.mark.parametrize(
    "content_type",
    [
        'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
        'application/x-pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
        "application/pkcs7-mime",
        'application/octet-stream; name="smime.p7m"',
    ],
)
def test_opaque_smime_is_encrypted(content_type: str) -> None:
    head = f"Content-Type: {content_type}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    message = read_message(mail(body=head + BINARY))
    assert (message.kind, message.text) == ("encrypted", "")
    footer = part("-- \nark mailing list", FORMS[0])
    wrapped = multipart("mixed", (head + BINARY).encode(), footer)
    assert kind(mail(body=wrapped.decode())) == "encrypted"


def test_pgp_is_encrypted_unless_it_is_quoted() -> None:
    version = b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n"
    data = b"Content-Type: application/octet-stream; name=encrypted.asc\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n"
    body = multipart(
        "encrypted", version, data, parameters='; protocol="application/pgp-encrypted"'
    )
    assert kind(mail(body=body.decode())) == "encrypted"
    inline = BODY.replace(
        "take fox", "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n-----END PGP MESSAGE-----"
    )
    assert kind(mail(body=inline)) == "encrypted"
    quoted = BODY.replace("take fox", "take fox\r\n\r\n> -----BEGIN PGP MESSAGE-----\r\n> hQEM")
    assert kind(mail(body=quoted)) == "commands"


def test_a_lone_winmail_dat() -> None:
    tnef = b"Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\neJ8+\r\n"
    assert kind(mail(body=tnef.decode())) == "unreadable"
    named = tnef.replace(b"application/ms-tnef", b"application/octet-stream")
    blank = multipart("mixed", part(" \n", FORMS[0]), named)
    assert kind(mail(body=blank.decode())) == "unreadable"
    beside = multipart("mixed", part("take fox", FORMS[0]), tnef)
    assert kind(mail(body=beside.decode())) == "commands"


def test_a_mail_without_new_text_is_empty() -> None:
    assert kind(mail(body="\r\n")) == "empty"
    assert kind(mail(body=BODY.replace("take fox", "> take fox"))) == "empty"
    assert kind(mail(body="Content-Type: image/png\r\n\r\nabc")) == "empty"


def test_more_than_the_cap_is_not_read() -> None:
    assert kind(mail(), max_bytes=100) == "unreadable"


def test_text_beyond_the_caps_does_not_act() -> None:
    long = BODY.replace("take fox", "take fox\r\n" + "> quoted\r\n" * 13_000)
    assert kind(mail(body=long)) == "commands"  # it is known that nothing there is new
    assert kind(mail(body=long + "\r\nbut not if Bo does\r\n")) == "unreadable"
    many = BODY.replace("take fox", "take fox\r\n" * 20_000)
    assert kind(mail(body=many)) == "commands", "refused unread for its length"


def test_the_fields_of_a_message() -> None:
    raw = (
        b"From: =?utf-8?B?5p2O?= (home) <Li@Example.net>\r\n"
        b"To: Ark <T-ABC@ark.example.org>, x@example.com\r\nCc: y@example.com\r\n"
        b"Delivered-To: t-def@ark.example.org\r\n"
        b"Subject: =?gb2312?B?u9i4tDogQXJr?=\r\nMessage-ID: <m1@example.net>\r\n"
        b"In-Reply-To: <l2@ark.example.org>\r\nReferences: <l1@ark.example.org>\r\n <l2@ark.example.org>\r\n"
        b"Date: Wed, 2 Dec 2026 21:30:00 +0800\r\n\r\ntake fox\r\n"
    )
    message = read_message(raw)
    assert message.sender == "li@example.net"
    assert message.sender_name.startswith("李")
    assert message.subject == "回复: Ark"
    assert message.message_id == "<m1@example.net>"
    assert message.recipients == (
        "t-abc@ark.example.org", "x@example.com", "y@example.com", "t-def@ark.example.org",
    )  # fmt: skip
    assert message.references == ("<l2@ark.example.org>", "<l1@ark.example.org>")
    assert message.date is not None
    assert message.date.isoformat() == "2026-12-02T21:30:00+08:00"
    assert [note.content_type for note in message.parts] == ["text/plain"]
