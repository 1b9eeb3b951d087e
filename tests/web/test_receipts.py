"""Receipts: what is shown of a mail, to whom, and that nothing in it comes alive."""

from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import col, select

from engine.view import view
from pbem.post.content import content_of
from pbem.store import Letter, Mail
from pbem.store.positions import position_now
from pbem.store.sittings import link_bearer
from pbem.web.inert import LONGEST_LINE, inert, inert_line, masked
from tests.intake.mails import written
from tests.web.harbour import RUNNING, Harbour, page
from tests.web.moderators import (
    appoint,
    held_mail,
    legal_turn,
    mail_of,
    put_in,
    reply_address,
    signed_in,
)

SCRIPT = "<script>alert(1)</script><img src=http://x.example/p.png onerror=alert(2)>"
BIDI = "\u202etxet\u2066\u200b"
NUL = "a\0b"


@pytest.fixture(autouse=True)
def roles(harbour: Harbour) -> None:
    appoint(harbour)


def _from_ann(harbour: Harbour, text: str, **headers: str) -> int:
    to = reply_address(harbour, "Ann Archer")
    raw = written(text, sender="Ann <ann@example.org>", to=to, **headers)
    return put_in(harbour, raw, to, "ann@example.org")


def _hostile(harbour: Harbour) -> list[int]:
    to = reply_address(harbour, "Ann Archer")
    head = f"From: Ann <ann@example.org>\r\nTo: {to}\r\nMessage-ID: <1@x.example>\r\n".encode()
    raws = (
        head + f"Subject: {SCRIPT}\r\n\r\n{SCRIPT}\r\n".encode(),
        head + f"Subject: x\r\n Set-Cookie: a=b\r\n\r\n{BIDI} take {NUL}\r\n".encode(),
        head + b"Subject: " + BIDI.encode() + b"\r\n\r\n" + b"x" * 1_000_000 + b"\r\n",
        head + b"Content-Type: text/html\r\n\r\n" + SCRIPT.encode() * 50,
        head + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\ntake fox\r\n--b\r\n'
        b'Content-Type: image/png; name="<script>.png"\r\n\r\nx\r\n--b--\r\n',
        head + b"Subject: =?utf-8?q?=00=0D=0ABcc:_x=40y.zz?=\r\n\r\nstatus\r\n",
        b"\xff\xfe\x00 no header at all \x1b[31m",
    )  # fmt: skip
    return [put_in(harbour, raw, to, "ann@example.org") for raw in raws]


class _Tags(HTMLParser):
    """Every tag with its attributes, as a browser would see them."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def _assert_inert(source: str) -> None:
    tags = _Tags(source).found
    assert not {"script", "iframe", "object", "style", "base"} & {tag for tag, _ in tags}
    for tag, attributes in tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes), tag
        assert "x.example" not in str(attributes.get("src", "")), tag
    assert not set("\0\x1b\u202e\u2066\u200b") & set(source)
    assert max(map(len, source.split("\n"))) < 6_000


def test_hostile_mails_are_inert_on_every_page(
    app: Flask, harbour: Harbour, ann: FlaskClient
) -> None:
    numbers = _hostile(harbour)
    moderator = signed_in(app, harbour, "Max Moderator")
    pages = ["/moderator/mail"]
    for number in numbers:
        pages += [f"/moderator/mail/{number}", f"/moderator/mail/{number}/source"]
    for address in pages:
        response = moderator.get(address)
        assert response.status_code == 200, address
        _assert_inert(response.get_data(as_text=True))
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
        assert "a=b" not in str(response.headers)
    own = [number for number in numbers if mail_of(harbour, number).person_id is not None]
    assert len(own) >= 6
    for address in ("/me/mails", *(f"/me/mails/{number}" for number in own)):
        _assert_inert(page(ann, address).source)


def test_what_hides_in_a_text_is_written_out(app: Flask, harbour: Harbour) -> None:
    number = _hostile(harbour)[1]
    moderator = signed_in(app, harbour, "Max Moderator")
    shown = page(moderator, f"/moderator/mail/{number}/source").text
    assert "[U+202E]txet[U+2066][U+200B] take a[U+0000]b" in shown


@given(st.text(max_size=300))
def test_inert_text_is_printable(text: str) -> None:
    for shown in (inert(text), inert_line(text)):
        assert all(c.isprintable() or c in "\n\t\u200c\u200d" or c.isspace() for c in shown)
        assert not set(shown) & set("\0\r\v\f\u2028\u2029\u202e\u2066\u200b\u0085")
        shown.encode()
    assert "\n" not in inert_line(text)
    assert len(inert_line(text)) <= 200


def test_long_lines_and_texts_are_cut() -> None:
    shown = inert("x" * 1_000_000)
    assert len(shown) < 2 * LONGEST_LINE
    assert "more characters" in shown
    assert inert("line\n" * 5_000).count("\n") <= 2_001


def test_secrets_of_quoted_letters_are_masked(
    app: Flask, harbour: Harbour, ann: FlaskClient
) -> None:
    """Whoever moderates must not come by a player's reply address or page."""
    installation = harbour.installation
    token = harbour.token("Ann")
    address = reply_address(harbour, "Ann Archer")
    soft = f"{token[:9]}=\r\n{token[9:]}"
    text = f"Look at https://ark.example/p/{token} and {address} and /p/{soft}"
    to = installation.settings.server_address
    number = put_in(harbour, written(text, sender="<s@example.com>", to=to), to, "s@example.com")
    moderator = signed_in(app, harbour, "Max Moderator")
    secret = address.partition("@")[0].removeprefix("t-")
    for where in ("", "/source"):
        source = page(moderator, f"/moderator/mail/{number}{where}").source
        assert token not in source.replace("=\n", "")
        assert secret not in source
    assert masked("t-short and /p/none") == "t-short and /p/none"


def test_the_envelope_names_no_reply_address(app: Flask, harbour: Harbour) -> None:
    number = held_mail(harbour)
    token = reply_address(harbour, "Ann Archer").partition("@")[0].removeprefix("t-")
    for name in ("Max Moderator", "Olive Owner"):
        client = signed_in(app, harbour, name)
        for where in ("", "/source"):
            assert token not in page(client, f"/moderator/mail/{number}{where}").source


def test_a_player_sees_how_his_mail_was_read(harbour: Harbour, ann: FlaskClient) -> None:
    turn = legal_turn(harbour)
    number = _from_ann(harbour, f"Hello all\n{turn}\n\n-- \nAnn", subject="My turn")
    listed = page(ann, "/me/mails")
    assert "My turn" in listed.text
    shown = page(ann, f"/me/mails/{number}").text
    for part in (
        "It was dealt with.", "Handed in by SMTP", "a valid reply address".capitalize(), turn,
        "Done", "Left aside", "The signature", "text/plain", "turn",
        "Answered by a letter (receipt)",
    ):  # fmt: skip
        assert part in shown, part
    assert f"/me/mails/{number}" in listed.source


def test_a_player_sees_nobody_elses(app: Flask, harbour: Harbour, ann: FlaskClient) -> None:
    number = _from_ann(harbour, legal_turn(harbour))
    bo = harbour.browser(app, "Bo")
    for client in (bo, app.test_client()):
        status = 404 if client is bo else 403
        page(client, f"/me/mails/{number}", status)
    assert "Re: Ark" not in page(bo, "/me/mails").text
    for missing in (999, 99999999999):
        page(ann, f"/me/mails/{missing}", 404)


def test_a_player_sees_no_inside(harbour: Harbour, ann: FlaskClient) -> None:
    number = _from_ann(harbour, "status")
    with harbour.installation.store.work() as session:
        row = session.get_one(Mail, number)
        row.state, row.error = "quarantined", "RuntimeError: /srv/secret/path"
        session.add(row)
    source = page(ann, f"/me/mails/{number}").source
    assert "RuntimeError" not in source
    token = reply_address(harbour, "Ann Archer").partition("@")[0].removeprefix("t-")
    assert token not in source


def test_no_hand_stands_in_a_moderators_receipt(app: Flask, harbour: Harbour) -> None:
    """The answers to `hand` and to a turn tell what the seat alone may know."""
    hand = view(position_now(harbour.game(RUNNING)), 0).hand
    assert hand
    take = next(turn for turn in [legal_turn(harbour)] if turn.startswith("take"))
    number = _from_ann(harbour, f"hand\nlegal\n{take}")
    drawn = view(position_now(harbour.game(RUNNING)), 0).hand
    assert drawn
    assert len(drawn) == len(hand) + 2
    moderator = signed_in(app, harbour, "Max Moderator")
    shown = page(moderator, f"/moderator/mail/{number}").text
    assert take in shown
    for card in drawn:
        assert card not in shown.replace(take, ""), card
    assert "The words of the answer are the seat's own" in shown


def test_the_players_own_receipt_holds_his_answers(harbour: Harbour, ann: FlaskClient) -> None:
    hand = view(position_now(harbour.game(RUNNING)), 0).hand
    assert hand
    number = _from_ann(harbour, "hand")
    shown = page(ann, f"/me/mails/{number}").text
    assert all(card in shown for card in hand)


def test_answer_letters_lead_to_the_receipt(
    app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    number = _from_ann(harbour, "status")
    with harbour.installation.store.read() as session:
        letter = session.exec(
            select(Letter).where(Letter.answers_mail_id == number).order_by(col(Letter.id))
        ).one()
        shown = content_of(session, harbour.installation.site, letter)
    where = shown.text.partition("How your mail was read:")[2].split()[0]
    assert where in shown.html
    base = harbour.installation.settings.base_url
    response = client.get(where.removeprefix(base))
    assert response.status_code == 303
    assert response.location == f"/me/mails/{number}"
    assert "How your mail was read" in page(client, response.location).text


def test_the_link_in_a_letter_leads_nowhere_else(client: FlaskClient, harbour: Harbour) -> None:
    token = harbour.token("Ann")
    for odd in ("//evil.example", "x", "-1", "9" * 40, "1/../../moderator"):
        assert client.get(f"/p/{token}?mail={odd}").location == "/me"


def test_link_bearers_of_two_links_differ() -> None:
    assert link_bearer(1, 1) != link_bearer(1, 2)
    assert link_bearer(1, 1) != link_bearer(2, 1)
