"""The mail a letter becomes: what a reader's program finds in it (RFC 5322, 2045-2047)."""

import email
import email.policy
from dataclasses import replace
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import getaddresses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.post.mime import Fields, build, message_ids

FIELDS = Fields(
    sender_name="Ark by mail · Sunday club",
    reply_to="t-abcdefghijklmnopqrstuvwxyz@ark.example",
    to="cy@example.org",
    subject="Ark, Sunday club: your turn 27",
    message_id="<letter-7-0123456789abcdef0123@ark.example>",
    date=datetime(2026, 12, 1, 9, 0, tzinfo=UTC),
    letter_id=7,
    list_name="Sunday club",
    list_id="game-3.ark.example",
)
TEXT = "Cy, it is your turn.\nFrom here on\n.\n› take horse\n箱 Äpfel  \n" + "x" * 300 + "\n"
HTML = "<html><body><p>Cy, it is your turn — 箱</p></body></html>"


def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_every_field_is_there_as_meant() -> None:
    message = parsed(build(FIELDS, TEXT, HTML))
    sender = message["From"].addresses[0]
    assert (sender.display_name, sender.addr_spec) == (FIELDS.sender_name, FIELDS.reply_to)
    assert message["Reply-To"] == FIELDS.reply_to
    assert [one.addr_spec for one in message["To"].addresses] == ["cy@example.org"]
    assert message["Subject"] == FIELDS.subject
    assert message["Message-ID"] == FIELDS.message_id
    assert message["Date"].datetime == FIELDS.date
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["X-Ark-Letter"] == "7"
    assert message["List-Id"] == '"Sunday club" <game-3.ark.example>'
    assert message["In-Reply-To"] is None
    assert message["References"] is None
    assert message["MIME-Version"] == "1.0"


def test_text_and_html_are_alternatives_the_text_first() -> None:
    message = parsed(build(FIELDS, TEXT, HTML))
    assert message.get_content_type() == "multipart/alternative"
    plain, rich = message.iter_parts()
    assert (plain.get_content_type(), rich.get_content_type()) == ("text/plain", "text/html")
    assert plain.get_content().replace("\r\n", "\n") == TEXT
    assert rich.get_content().replace("\r\n", "\n").rstrip("\n") == HTML


def test_who_wants_text_gets_text_only() -> None:
    message = parsed(build(FIELDS, TEXT, None))
    assert message.get_content_type() == "text/plain"
    assert message.get_content().replace("\r\n", "\n") == TEXT


def test_the_wire_form_is_seven_bit_with_short_lines() -> None:
    raw = build(replace(FIELDS, subject="箱子 " * 40), TEXT, HTML)
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_the_same_letter_is_the_same_bytes() -> None:
    assert build(FIELDS, TEXT, HTML) == build(FIELDS, TEXT, HTML)


def test_a_receipt_says_that_it_is_a_reply() -> None:
    message = parsed(build(replace(FIELDS, is_reply=True), TEXT, HTML))
    assert message["Auto-Submitted"] == "auto-replied"


def test_one_click_unsubscribing_stands_only_where_it_is_meant() -> None:
    message = parsed(build(FIELDS, TEXT, HTML))
    assert message["List-Unsubscribe"] is None
    assert message["List-Unsubscribe-Post"] is None
    url = "https://ark.example/unsubscribe/abcdefghijklmnopqrstuvwxyz/reminders"
    message = parsed(build(replace(FIELDS, unsubscribe=url), TEXT, HTML))
    assert message["List-Unsubscribe"] == f"<{url}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize("text", ["", "\n", ".", "a \n\t\n.\n..\n From me\n", "=20\r\nä=\r"])
def test_lines_that_a_way_could_change_are_encoded(text: str) -> None:
    raw = build(FIELDS, text, None)
    body = raw.partition(b"\r\n\r\n")[2]
    assert not any(line.endswith((b" ", b"\t")) or line == b"." for line in body.split(b"\r\n"))
    payload = email.message_from_bytes(raw).get_payload(decode=True)
    assert isinstance(payload, bytes)
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    assert payload.decode().replace("\r\n", "\n").rstrip("\n") == expected.rstrip("\n")


def test_a_domain_beyond_ascii_stands_as_in_the_envelope() -> None:
    raw = build(replace(FIELDS, to="ann@bücher.example"), TEXT, None)
    assert b"To: <ann@xn--bcher-kva.example>\r\n" in raw


def test_threads_hold_with_the_long_ids_of_real_mail_programs() -> None:
    long_id = f"<{'A1' * 45}@mail.prod.example.com>"
    fields = replace(FIELDS, in_reply_to=long_id, references=f"<first@x>\n {long_id} junk")
    raw = build(fields, TEXT, HTML)
    assert f"In-Reply-To: {long_id}\r\n".encode() in raw
    assert f"References: <first@x>\r\n {long_id}\r\n".encode() in raw


def test_a_long_thread_keeps_its_first_and_its_newest() -> None:
    ids = [f"<{number}@x>" for number in range(50)]
    raw = build(replace(FIELDS, references=" ".join(ids), in_reply_to="<49@x>"), TEXT, HTML)
    kept = message_ids(str(parsed(raw)["References"]))
    assert kept == [ids[0], *ids[-11:]]


@pytest.mark.parametrize(
    "name", ['Ann "the" O\\Brien', "=?utf-8?q?Bob?=", "a,b;c:d<e>@f", "箱" * 60]
)
def test_any_name_stays_a_name(name: str) -> None:
    message = email.message_from_bytes(build(replace(FIELDS, sender_name=name), TEXT, HTML))
    [(display, address)] = getaddresses([message["From"]])
    assert address == FIELDS.reply_to
    assert str(make_header(decode_header(display))) == name


hostile = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from('\r\n\0\t \u2028=?<>@"\\:')),
    max_size=80,
)


@given(name=hostile, subject=hostile, thread=hostile, text=hostile)
def test_nothing_a_player_writes_breaks_out_of_its_header(
    name: str, subject: str, thread: str, text: str
) -> None:
    raw = build(
        replace(
            FIELDS,
            sender_name=name,
            list_name=name,
            subject=subject,
            references=thread,
            in_reply_to=thread,
        ),
        text,
        HTML,
    )
    # With the tolerant policy, too: it must not depend on how strictly one reads.
    message = email.message_from_bytes(raw)
    expected = ["From", "Reply-To", "To", "Subject", "Date", "Message-ID", "Auto-Submitted",
                "X-Auto-Response-Suppress", "List-Id", "X-Ark-Letter"]  # fmt: skip
    found = [field for field in message.keys() if field not in ("In-Reply-To", "References")]  # noqa: SIM118
    assert found == [*expected, "MIME-Version", "Content-Type"]
    assert message["Reply-To"] == f"<{FIELDS.reply_to}>"
    assert len(message.get_payload()) == 2


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=200))
def test_any_text_arrives_as_it_was(text: str) -> None:
    message = email.message_from_bytes(build(FIELDS, text, None))
    payload = message.get_payload(decode=True)
    assert isinstance(payload, bytes)
    # A mail's last line is always ended on its way.
    assert payload.decode().replace("\r\n", "\n").rstrip("\n") == text.rstrip("\n")
