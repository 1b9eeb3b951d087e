"""The mail room: who may read and do what, what is written down, and that looking is all
a GET does."""

import re
import shlex
from html import unescape

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import SQLModel, col, select

from pbem.cli import main
from pbem.moderation.state import LOOKED_AT
from pbem.store import Audit, Event, Letter, Mail, Mailbox
from pbem.web.words import STATES
from tests.intake.mails import written
from tests.web.harbour import FILLING, RUNNING, Harbour, Page, page
from tests.web.moderators import (
    REASON,
    ROLES,
    STRANGE,
    act,
    appoint,
    audit_of,
    held_mail,
    kept,
    legal_turn,
    mail_of,
    put_in,
    reply_address,
    signed_in,
)

NEUTRAL = ("Olive Owner", "Max Moderator", "Gil Gamesman")
ACTIONS = ("read-again", "treat-as", "discard")
SEAT = {"seat": f"{RUNNING}/0"}


@pytest.fixture(autouse=True)
def roles(harbour: Harbour) -> None:
    appoint(harbour)


@pytest.fixture
def held(harbour: Harbour) -> int:
    return held_mail(harbour)


def _events(harbour: Harbour, mail_id: int) -> list[tuple[str, str, int | None]]:
    with harbour.installation.store.read() as session:
        rows = session.exec(select(Event).where(Event.mail_id == mail_id).order_by(col(Event.id)))
        return [(row.kind, row.channel, row.person_id) for row in rows]


@pytest.mark.parametrize("name", NEUTRAL)
@pytest.mark.parametrize("action", ACTIONS)
def test_whoever_does_not_play_may_act(
    app: Flask, harbour: Harbour, held: int, name: str, action: str
) -> None:
    client = signed_in(app, harbour, name)
    before = kept(harbour)
    preview, status, _shown = act(client, held, action, reason="", **SEAT)
    assert status == 409, "without a reason it is asked for one"
    assert "nothing has been done yet" in preview.text
    assert kept(harbour) == before
    seq = harbour.game(RUNNING).seq
    _preview, status, _shown = act(client, held, action, **SEAT)
    assert status == 303
    assert audit_of(harbour) == [(action, REASON)]
    wanted = {"read-again": "held", "treat-as": "done", "discard": "discarded"}[action]
    assert mail_of(harbour, held).state == wanted
    assert harbour.game(RUNNING).seq == seq + (2 if action == "treat-as" else 1)
    kind, channel, _person = _events(harbour, held)[0]
    assert (kind, channel) == ("moderated", "moderator")


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("name", ["Ann Archer", "Bo Baker"])
def test_whoever_plays_there_sees_the_state_and_may_do_nothing(
    app: Flask, harbour: Harbour, held: int, name: str, action: str
) -> None:
    client = signed_in(app, harbour, name)
    text = mail_of(harbour, held).text or ""
    before = kept(harbour)
    for address in (f"/moderator/mail/{held}", f"/moderator/mail/{held}/source"):
        shown = page(client, address, 403)
        assert "Closed to you" in shown.text
        assert "held" in shown.text
        assert text not in shown.source
        assert STRANGE not in shown.source
    listed = page(client, "/moderator/mail")
    assert STRANGE not in listed.source
    assert f"Mail {held}" in listed.text
    _preview, status, _shown = act(client, held, action, **SEAT)
    assert status == 403
    csrf = listed.field("csrf")
    data = {"csrf": csrf, "mail": str(held), "reason": REASON, "p-seat": SEAT["seat"]}
    assert client.post(f"/moderator/actions/{action}/do", data=data).status_code == 403
    assert client.post(f"/moderator/mail/{held}/download", data=data).status_code == 403
    assert kept(harbour) == before


def test_states_are_said_in_words(app: Flask, harbour: Harbour, held: int) -> None:
    with harbour.installation.store.work() as session:
        session.get_one(Mail, held).state = "quarantined"
        session.get_one(Letter, 1).state = "failed"
    moderator = signed_in(app, harbour, "Max Moderator")
    for address, state, words in (
        ("/moderator/mail", "quarantined", "could not be read"),
        ("/moderator/outbox", "failed", "did not arrive"),
    ):
        shown = page(moderator, address)
        assert f"{words} {state} 1" in shown.text  # the tab, with the state as it is stored
        assert shown.text.count(state) == 1  # and nowhere else
        assert shown.text.count(words) >= 2
    stored = {state for one in (Mail, Letter, Mailbox) for state in states_of(one)}
    assert stored == set(STATES)


def states_of(model: type[SQLModel]) -> set[str]:
    """What its column `state` may hold, by its constraint."""
    said = " ".join(str(getattr(one, "sqltext", "")) for one in model.__table__.constraints)
    return set(re.findall(r"'(\w+)'", said.partition("state IN")[2].partition(")")[0]))


def test_searching_finds_no_closed_mail(app: Flask, harbour: Harbour, held: int) -> None:
    client = signed_in(app, harbour, "Ann Archer")
    message_id = mail_of(harbour, held).message_id
    for query in (f"sender={STRANGE}", f"message={message_id}"):
        assert "No mail is like that." in page(client, f"/moderator/mail?{query}").text
    neutral = signed_in(app, harbour, "Max Moderator")
    assert STRANGE in page(neutral, f"/moderator/mail?sender={STRANGE}").text


def test_the_owner_who_plays_opens_a_mail_as_a_logged_action(
    app: Flask, harbour: Harbour, held: int
) -> None:
    client = signed_in(app, harbour, "Bo Baker")
    csrf = page(client, f"/moderator/mail/{held}", 403).field("csrf")
    opened = f"/moderator/mail/{held}/open"
    assert client.post(opened, data={"csrf": csrf}).status_code == 403, "a reason is asked"
    assert audit_of(harbour) == []
    assert client.post(opened, data={"csrf": csrf, "reason": REASON}).status_code == 303
    assert audit_of(harbour) == [("open-mail", REASON)]
    assert [kind for kind, *_ in _events(harbour, held)] == ["moderated"]
    shown = page(client, f"/moderator/mail/{held}")
    assert STRANGE in shown.text
    assert act(client, held, "treat-as", **SEAT)[1] == 403  # it would tell him of a hand
    assert "a turn in it is legal would tell you of another one’s hand" in shown.text
    [line] = re.findall(r'<code class="to-copy">python -m pbem (.*?)</code>', shown.source)
    settings = harbour.installation.settings
    said = CliRunner(env={"ARK_INSTANCE": str(settings.instance)}).invoke(
        main, shlex.split(unescape(line))
    )
    assert (said.exit_code, "do it with --yes" in said.output) == (0, True), said.output
    assert act(client, held, "discard")[1] == 303


def test_nobody_else_is_sent_to_the_command_line(app: Flask, harbour: Harbour, held: int) -> None:
    for name in ("Max Moderator", "Olive Owner"):
        shown = page(signed_in(app, harbour, name), f"/moderator/mail/{held}")
        assert "python -m pbem" not in shown.text
        assert "Treat it as from a seat" in shown.text


def test_a_moderator_who_plays_cannot_open_one(app: Flask, harbour: Harbour, held: int) -> None:
    client = signed_in(app, harbour, "Ann Archer")
    csrf = page(client, "/moderator/browsers").field("csrf")
    data = {"csrf": csrf, "reason": REASON}
    before = harbour.rows()
    assert client.post(f"/moderator/mail/{held}/open", data=data).status_code == 403
    assert harbour.rows() == before


def test_mails_that_may_be_about_ones_table_are_closed_too(app: Flask, harbour: Harbour) -> None:
    """A co-player's mail to the server, and one that was never read."""
    to = harbour.installation.settings.server_address
    server = put_in(harbour, written("games", sender="Cy <cy@example.org>", to=to), to, "x@y.zz")
    unread = put_in(harbour, written("hello", sender="<q@example.com>", to=to), to, "q@example.com")
    stranger = put_in(harbour, written("hi", sender="<s@example.com>", to=to), to, "s@example.com")
    with harbour.installation.store.work() as session:
        row = session.get_one(Mail, unread)
        row.state, row.kind, row.receipt = "quarantined", None, None
        session.add(row)
    playing = signed_in(app, harbour, "Ann Archer")
    neutral = signed_in(app, harbour, "Max Moderator")
    for number, status in ((server, 403), (unread, 403), (stranger, 200)):
        page(playing, f"/moderator/mail/{number}", status)
        page(neutral, f"/moderator/mail/{number}")


def test_a_moderator_of_one_game_reaches_that_game_only(app: Flask, harbour: Harbour) -> None:
    to = harbour.installation.settings.server_address
    elsewhere = put_in(harbour, written("hi", sender="<s@example.com>", to=to), to, "s@example.com")
    other = reply_address(harbour, "Ann Archer", FILLING)
    filling = put_in(harbour, written("accept", sender=f"<{STRANGE}>", to=other), other, STRANGE)
    client = signed_in(app, harbour, "Gil Gamesman")
    shown = page(client, "/moderator/mail")
    assert "No mail is like that." in shown.text
    for number in (elsewhere, filling, 999):
        page(client, f"/moderator/mail/{number}", 404)
        page(client, f"/moderator/mail/{number}/source", 404)
        assert act(client, number, "discard")[1] == 404


def test_a_moderator_of_one_game_treats_no_mail_as_of_another(
    app: Flask, harbour: Harbour, held: int
) -> None:
    client = signed_in(app, harbour, "Gil Gamesman")
    before = kept(harbour)
    assert act(client, held, "treat-as", seat=f"{FILLING}/0")[1] == 409
    assert act(client, held, "treat-as", seat="1/0")[1] == 409
    assert kept(harbour) == before


@pytest.mark.parametrize("seat", ["", "other", "2", "2/9", "999/0", "2/0; drop", "²/0"])
def test_a_seat_that_is_none_is_told(app: Flask, harbour: Harbour, held: int, seat: str) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    before = kept(harbour)
    preview, status, _done = act(client, held, "treat-as", seat=seat)
    assert status == 409
    assert any(tag.attributes.get("role") == "alert" for tag in preview.all("p"))
    assert kept(harbour) == before


def test_a_seat_is_chosen_or_written(app: Flask, harbour: Harbour, held: int) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    shown = page(client, f"/moderator/mail/{held}")
    offered = [tag for tag in shown.all("input") if tag.attributes["name"] == "p-seat"]
    assert SEAT["seat"] in [tag.attributes["value"] for tag in offered]
    links = [tag.attributes["href"] for tag in shown.all("a")]
    assert f"/moderator/actions/treat-as?mail={held}" in links
    assert act(client, held, "treat-as", **SEAT)[1] == 303
    again = page(client, f"/moderator/mail/{held}")
    assert "treat-as?" not in again.source


def test_the_table_may_not_have_moved_on_between_preview_and_confirmation(
    app: Flask, harbour: Harbour, held: int
) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    csrf = page(client, "/moderator/browsers").field("csrf")
    data = {"csrf": csrf, "mail": str(held), "p-seat": SEAT["seat"]}
    shown = client.post("/moderator/actions/treat-as", data=data)
    key = Page(shown.get_data(as_text=True)).field("key")
    to = reply_address(harbour, "Ann Archer")
    own = written(legal_turn(harbour), sender="<ann@example.org>", to=to)
    put_in(harbour, own, to, "ann@example.org")
    seq = harbour.game(RUNNING).seq
    data |= {"key": key, "reason": REASON}
    assert client.post("/moderator/actions/treat-as/do", data=data).status_code == 409
    assert not _events(harbour, held)
    assert harbour.game(RUNNING).seq == seq


def test_a_mail_is_not_done_twice_from_two_windows(app: Flask, harbour: Harbour, held: int) -> None:
    clients = [signed_in(app, harbour, "Max Moderator") for _ in range(2)]
    assert act(clients[0], held, "treat-as", **SEAT)[1] == 303
    before = harbour.rows()
    preview, status, _done = act(clients[1], held, "treat-as", **SEAT)
    assert status == 409
    assert "Nothing is done twice" in preview.text
    assert harbour.rows() == before


def test_the_receipt_tells_who_did_what(app: Flask, harbour: Harbour, held: int) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    act(client, held, "treat-as", **SEAT)
    shown = page(client, f"/moderator/mail/{held}").text
    assert "Treat it as from a seat by Max Moderator" in shown
    assert REASON in shown
    assert "A moderator has said whose it is" in shown
    assert "turn" in shown
    assert "Answered by a letter (receipt) to ann@example.org" in shown


def test_a_download_is_the_mail_and_in_the_audit(app: Flask, harbour: Harbour, held: int) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    csrf = page(client, "/moderator/browsers").field("csrf")
    response = client.post(f"/moderator/mail/{held}/download", data={"csrf": csrf})
    assert response.data == mail_of(harbour, held).raw
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert audit_of(harbour) == [("download-mail", "")]


def _looks(held: int) -> list[str]:
    return [
        "/moderator", "/moderator/sign-in", "/moderator/sign-in/abc", "/moderator/browsers",
        "/moderator/mail", "/moderator/mail?state=held&before=99&sender=a&game=2&day=2026-12-01",
        "/moderator/mail?game=x&before=-1&day=1&state=nonsense&day=9999-12-31",
        f"/moderator/mail/{held}", f"/moderator/mail/{held}/source", "/moderator/mail/99999999999",
        f"/moderator/mail/{held}/open", f"/moderator/actions/discard/do?mail={held}&reason=x",
        f"/moderator/actions/discard?mail={held}", f"/moderator/mail/{held}/download",
        "/moderator/outbox", "/moderator/outbox?state=failed&to=a@b.cc&before=7",
        "/moderator/outbox/1", "/moderator/deliveries", "/moderator/sign-out",
        "/moderator/browsers/1/close", "/moderator/mailboxes", "/moderator/mailboxes?before=x",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ROLES)
def test_a_get_changes_nothing(app: Flask, harbour: Harbour, held: int, name: str) -> None:
    client = signed_in(app, harbour, name)
    before = harbour.rows()
    for address in _looks(held):
        for response in (client.get(address), client.head(address)):
            assert response.status_code in (200, 303, 403, 404, 405), address
            if response.status_code != 405:
                assert "Set-Cookie" not in response.headers or "ark=" in str(response.headers)
    assert harbour.rows() == before


def test_whoever_is_not_signed_in_sees_and_does_nothing(
    app: Flask, harbour: Harbour, held: int, ann: FlaskClient
) -> None:
    csrf = page(ann, "/me").field("csrf")
    before = harbour.rows()
    for address in _looks(held):
        response = ann.get(address)
        assert STRANGE not in response.get_data(as_text=True)
    posts = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    guarded = [rule.rule for rule in posts if rule.endpoint.startswith("moderator.")]
    assert len(guarded) >= 9
    for rule in guarded:
        if "sign-in" in rule:
            continue
        address = re.sub(r"<[^>]+>", str(held), rule)
        data = {"csrf": csrf, "action": "discard", "reason": REASON, **SEAT}
        response = ann.post(address, data=data)
        assert response.status_code == 303, address
        assert response.location == "/moderator/sign-in"
    assert harbour.rows() == before


@pytest.mark.parametrize("mark", [None, "", "wrong"])
def test_a_post_needs_the_mark_of_the_session(
    app: Flask, harbour: Harbour, held: int, mark: str | None
) -> None:
    client = signed_in(app, harbour, "Olive Owner")
    page(client, "/moderator/mail")
    before = harbour.rows()
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("moderator.") and "POST" in (rule.methods or ()):
            address = re.sub(r"<[^>]+>", str(held), rule.rule)
            data = {"action": "discard", "reason": REASON}
            response = client.post(address, data=data if mark is None else {**data, "csrf": mark})
            assert response.status_code == 400, address
    assert harbour.rows() == before


def test_nonsense_in_a_form_is_refused(app: Flask, harbour: Harbour, held: int) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    before = harbour.rows()
    for action in ("delete-all", "read-again\0"):
        assert act(client, held, action)[1] == 404
    assert harbour.rows() == before


def test_a_preview_names_no_letter_and_no_event(app: Flask, harbour: Harbour, held: int) -> None:
    """A turn may bring rain, and its letters would say so."""
    client = signed_in(app, harbour, "Max Moderator")
    for action in ("treat-as", "read-again"):
        preview, _status, _done = act(client, held, action, reason="", **SEAT)
        assert "your turn to" not in preview.text.lower()
        assert "what happened" not in preview.text.lower()
        assert "nobody sees before" in preview.text
    with harbour.installation.store.read() as session:
        looks = session.exec(select(Audit.action).where(Audit.outcome == LOOKED_AT)).all()
    assert looks[:1] == ["treat-as"]
    assert "read-again" in looks


def test_the_list_is_cut_into_pages(app: Flask, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        for number in range(120):
            session.add(
                Mail(
                    received_at=harbour.installation.clock(), channel="smtp", raw=b"x",
                    envelope_from="s@example.com", envelope_to=[], digest="d", state="ignored",
                    kind="auto-reply", receipt={"subject": f"number {number}"},
                )
            )  # fmt: skip
    client = signed_in(app, harbour, "Max Moderator")
    seen: list[str] = []
    address = "/moderator/mail?state=ignored"
    for _ in range(3):
        shown = page(client, address)
        seen += re.findall(r"number (\d+)", shown.source)
        older = re.search(r'href="([^"]+)">Older<', shown.source)
        address = unescape(older[1]) if older else address
    assert seen == [str(number) for number in reversed(range(120))]
    assert "ignored 120" in page(client, "/moderator/mail").text
