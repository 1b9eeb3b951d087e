"""A player's letters on the web, ending some of them by one click, and ways beside mail."""

from datetime import timedelta
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.test import TestResponse

from pbem.desk import Order
from pbem.letters import announce
from pbem.letters.bearers import UNSUBSCRIBED_FROM
from pbem.post.content import mime_of
from pbem.store import Address, Game, Hook, Letter, Person, Token
from pbem.store.log import Author
from pbem.store.people import seat_of
from pbem.store.tokens import digest
from tests.post.sending import read
from tests.web.harbour import RUNNING, Harbour, page

ATOM = "{http://www.w3.org/2005/Atom}"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def person_id(harbour: Harbour, name: str) -> int:
    with harbour.installation.store.read() as session:
        address = f"{name.lower()}@example.org"
        return session.exec(select(Address.person_id).where(Address.address == address)).one()


def person(harbour: Harbour, name: str) -> Person:
    with harbour.installation.store.read() as session:
        return session.get_one(Person, person_id(harbour, name))


def letters_to(harbour: Harbour, name: str, *kinds: str) -> list[Letter]:
    query = select(Letter).where(Letter.person_id == person_id(harbour, name))
    if kinds:
        query = query.where(col(Letter.kind).in_(kinds))
    with harbour.installation.store.read() as session:
        return list(session.exec(query.order_by(col(Letter.id))))


def one_click(harbour: Harbour, letter: Letter) -> str:
    """The path of the letter's List-Unsubscribe, as a mail program finds it."""
    site = harbour.installation.site
    with harbour.installation.store.read() as session:
        mail = read(mime_of(session, site, session.get_one(Letter, letter.id)))
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = str(mail["List-Unsubscribe"]).strip("<>")
    assert url.startswith(site.settings.base_url)
    return url.removeprefix(site.settings.base_url)


def remind(harbour: Harbour) -> Letter:
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        seat = seat_of(session, game, person_id(harbour, "Ann"))
        letter = announce.reminder(session, here.site, here.clock(), game, seat or 0, 1)
        assert letter is not None
        return letter


def send(client: FlaskClient, path: str, form: str, **fields: str) -> TestResponse:
    """Send a form, with the mark of the page `form`."""
    return client.post(path, data={"csrf": page(client, form).field("csrf"), **fields})


# -- one click


def test_turns_and_answers_can_never_be_ended_by_a_click(harbour: Harbour) -> None:
    site = harbour.installation.site
    with harbour.installation.store.read() as session:
        for letter in session.exec(select(Letter)):
            mail = read(mime_of(session, site, letter))
            assert (mail["List-Unsubscribe"] is not None) == (letter.kind in UNSUBSCRIBED_FROM)
            assert mail["List-Id"]
            assert str(mail["Auto-Submitted"]).startswith("auto-")
    assert not {"your-turn", "choose-pet", "receipt", "invitation"} & set(UNSUBSCRIBED_FROM)


def test_a_mail_program_ends_reminders_without_login(harbour: Harbour, client: FlaskClient) -> None:
    path = one_click(harbour, remind(harbour))
    assert client.get(path).status_code == 200  # a scanner follows the link
    assert person(harbour, "Ann").reminders is None
    response = client.post(path, data=ONE_CLICK)
    assert response.status_code == 200
    assert person(harbour, "Ann").reminders == []
    assert "Set-Cookie" not in response.headers
    client.post(path, data=ONE_CLICK)  # twice is once
    assert person(harbour, "Ann").reminders == []
    client.post(path, data={"do": "back"})
    assert person(harbour, "Ann").reminders is None


def test_news_and_table_talk_end_the_same_way(harbour: Harbour, client: FlaskClient) -> None:
    news = letters_to(harbour, "Bo", "what-happened")[-1]
    shown = client.post(one_click(harbour, news), data=ONE_CLICK).get_data(as_text=True)
    assert person(harbour, "Bo").letters == "mine"
    assert "Let them come again" in shown
    talk = news.model_copy(update={"kind": "message"})
    token = one_click(harbour, news).split("/")[2]
    client.post(f"/unsubscribe/{token}/talk", data=ONE_CLICK)
    assert not person(harbour, "Bo").table_talk
    before = len(letters_to(harbour, "Bo", talk.kind))
    here = harbour.installation
    with here.store.work() as session:
        ann = Author("web", person_id=person_id(harbour, "Ann"))
        seat = seat_of(session, session.get_one(Game, RUNNING), person_id(harbour, "Ann"))
        order = Order("say all: hello", ann, game_id=RUNNING, seat=seat)
        assert here.desk.take_order(session, order).outcome == "done"
    assert len(letters_to(harbour, "Bo", "message")) == before
    assert letters_to(harbour, "Cy", "message")


@pytest.mark.parametrize("kind", ["turns", "everything", "%2e%2e"])
def test_no_other_kind_can_be_ended(harbour: Harbour, client: FlaskClient, kind: str) -> None:
    token = one_click(harbour, remind(harbour)).split("/")[2]
    assert client.post(f"/unsubscribe/{token}/{kind}").status_code == 404


def test_no_other_token_ends_anything(harbour: Harbour, client: FlaskClient) -> None:
    for token in (harbour.token("Ann"), "x", "a" * 26):
        assert client.get(f"/unsubscribe/{token}/news").status_code == 404
        assert client.post(f"/unsubscribe/{token}/news").status_code == 404
    assert person(harbour, "Ann").letters == "every"
    unsubscribing = one_click(harbour, remind(harbour)).split("/")[2]
    assert client.get(f"/p/{unsubscribing}").status_code == 404  # and it opens no page


def test_what_is_kept_of_a_letter_holds_no_token_of_its_link(harbour: Harbour) -> None:
    letter = letters_to(harbour, "Bo", "what-happened")[-1]
    token = one_click(harbour, letter).split("/")[2]
    assert token not in f"{letter.text}{letter.html}"
    assert "{unsubscribe-token}" in (letter.text or "")


# -- letters again


def test_a_player_reads_his_letters_word_for_word(harbour: Harbour, ann: FlaskClient) -> None:
    letter = letters_to(harbour, "Ann", "your-turn")[-1]
    listed = page(ann, "/me/letters")
    assert f"/me/letters/{letter.id}" in listed.source
    shown = page(ann, f"/me/letters/{letter.id}")
    assert letter.text
    assert [one for one in letter.text.split() if "{" not in one][:40] == [
        one for one in shown.text.split("As plain text")[-1].split() if "{" not in one
    ][:40]
    frame = ann.get(f"/me/letters/{letter.id}/html")
    policy = frame.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert policy.endswith("sandbox")
    for source in (listed.source, shown.source, frame.get_data(as_text=True)):
        assert harbour.token("Ann") not in source
        assert "-token}" not in source


def test_nobody_reads_another_s_letters(harbour: Harbour, ann: FlaskClient) -> None:
    other = letters_to(harbour, "Bo")[-1]
    for path in (f"/me/letters/{other.id}", f"/me/letters/{other.id}/html"):
        assert ann.get(path).status_code == 404
    listed = page(ann, "/me/letters").source
    assert f"/me/letters/{other.id}" not in listed


def test_without_a_session_there_is_nothing(harbour: Harbour, client: FlaskClient) -> None:
    number = letters_to(harbour, "Ann")[-1].id
    for path in ("/me/letters", f"/me/letters/{number}", f"/me/letters/{number}/html", "/me/ways"):
        assert client.get(path).status_code == 403


def test_the_list_goes_on(harbour: Harbour, ann: FlaskClient) -> None:
    numbers = [one.id for one in letters_to(harbour, "Ann") if one.state != "replaced"]
    path, seen = "/me/letters", []
    for _ in range(20):
        source = page(ann, path).source
        seen += [int(one.split('"')[0]) for one in source.split('href="/me/letters/')[1:]]
        if "before=" not in source:
            break
        path = "/me/letters?before=" + source.split("before=")[1].split('"')[0]
    assert seen == numbers[::-1]


def test_the_present_letter_goes_again(harbour: Harbour, ann: FlaskClient) -> None:
    before = letters_to(harbour, "Ann")
    assert send(ann, f"/me/games/{RUNNING}/resend", "/me").status_code == 303
    new = letters_to(harbour, "Ann")[len(before) :]
    assert [(one.kind, one.to_address) for one in new] == [("your-turn", "ann@example.org")]


def test_to_another_confirmed_address_with_a_note_to_the_main_one(
    harbour: Harbour, ann: FlaskClient
) -> None:
    here, number = harbour.installation, person_id(harbour, "Ann")
    with here.store.work() as session:
        for name, confirmed in (("work", here.clock()), ("new", None)):
            session.add(
                Address(
                    person_id=number, address=f"ann@{name}.example", primary=False,
                    confirmed_at=confirmed, created_at=here.clock(),
                )
            )  # fmt: skip
    before = len(letters_to(harbour, "Ann"))
    path = f"/me/games/{RUNNING}/resend"
    for strange in ("ann@new.example", "bo@example.org", "eve@evil.example"):
        assert send(ann, path, "/me", address=strange).status_code == 400
    assert len(letters_to(harbour, "Ann")) == before
    assert send(ann, path, "/me", address="ann@work.example").status_code == 303
    new = letters_to(harbour, "Ann")[before:]
    assert [(one.kind, one.to_address) for one in new] == [
        ("your-turn", "ann@work.example"),
        ("sent-elsewhere", "ann@example.org"),
    ]


def test_a_letter_goes_again_only_so_often(harbour: Harbour, ann: FlaskClient) -> None:
    for _ in range(20):
        send(ann, f"/me/games/{RUNNING}/resend", "/me")
    assert len(letters_to(harbour, "Ann", "your-turn")) < 25
    response = send(ann, f"/me/games/{RUNNING}/resend", "/me")
    assert "too-many" in response.location


# -- mail that does not arrive


def pause(harbour: Harbour, name: str) -> None:
    with harbour.installation.store.work() as session:
        row = session.exec(
            select(Address).where(Address.address == f"{name.lower()}@example.org")
        ).one()
        row.bounce_score, row.bounced_at = 2.5, harbour.installation.clock()
        row.paused_at = harbour.installation.clock()
        session.add(row)


def test_a_banner_says_so_and_lets_letters_go_again(harbour: Harbour, ann: FlaskClient) -> None:
    assert "does not arrive" not in page(ann, "/me").text
    pause(harbour, "Ann")
    for path in ("/me", f"/me/games/{RUNNING}"):
        assert "Mail to you does not arrive" in page(ann, path).text
    assert send(ann, "/me/mail/try-again", "/me").status_code == 303
    assert "does not arrive" not in page(ann, "/me").text


def test_others_see_whom_mail_does_not_reach(harbour: Harbour, app: Flask) -> None:
    bo = harbour.browser(app, "Bo")
    assert "do not arrive" not in page(bo, f"/me/games/{RUNNING}").text
    pause(harbour, "Ann")
    assert "Our letters to Ann Archer do not arrive" in page(bo, f"/me/games/{RUNNING}").text


# -- a feed


def feed_path(harbour: Harbour, client: FlaskClient) -> str:
    send(client, "/me/ways/feed", "/me/ways", do="open")
    url = page(client, "/me/ways").source.split("<code>")[1].split("</code>")[0]
    return url.removeprefix(harbour.installation.settings.base_url)


def test_a_feed_tells_a_person_s_letters_and_opens_no_door(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    path = feed_path(harbour, ann)
    response = client.get(path)  # without a session
    assert response.mimetype == "application/atom+xml"
    assert response.headers["Cache-Control"] == "private, max-age=300"
    feed = ElementTree.fromstring(response.data)
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    told = [one for one in letters_to(harbour, "Ann") if one.game_id and one.state != "replaced"]
    assert titles == [one.subject for one in told[::-1][:30]]
    text = response.get_data(as_text=True)
    with harbour.installation.store.read() as session:
        tokens = {row.digest for row in session.exec(select(Token))}
    words = {word for part in text.split() for word in part.replace("@", "/").split("/")}
    assert not {digest(word.removeprefix("t-")) for word in words} & tokens - {
        digest(path.split("/")[2].removesuffix(".atom"))
    }


def test_a_feed_that_says_the_same_is_not_sent_again(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    path = feed_path(harbour, ann)
    first = client.get(path)
    parsedate_to_datetime(first.headers["Last-Modified"])
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    remind(harbour)
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_a_closed_feed_is_gone_and_a_new_one_has_another_address(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    path = feed_path(harbour, ann)
    send(ann, "/me/ways/feed", "/me/ways", do="close")
    assert client.get(path).status_code == 404
    assert feed_path(harbour, ann) not in (path, "")
    assert client.get(path).status_code == 404


def test_no_other_token_is_a_feed(harbour: Harbour, client: FlaskClient) -> None:
    for token in (harbour.token("Ann"), "x"):
        assert client.get(f"/feed/{token}.atom").status_code == 404


# -- webhooks


def test_webhooks_are_off_at_first(harbour: Harbour, ann: FlaskClient) -> None:
    assert "Webhooks" not in page(ann, "/me/ways").text
    response = send(ann, "/me/ways/hooks", "/me/ways", url="https://example.org/")
    assert response.status_code == 400


def test_nobody_ends_another_s_webhook(harbour: Harbour, ann: FlaskClient, app: Flask) -> None:
    here = harbour.installation
    with here.store.work() as session:
        hook = Hook(
            person_id=person_id(harbour, "Bo"), url="https://example.org/", nonce="00",
            created_at=here.clock(), next_at=here.clock() + timedelta(days=1),
        )  # fmt: skip
        session.add(hook)
        session.flush()
        number = hook.id
    assert send(ann, f"/me/ways/hooks/{number}/end", "/me/ways").status_code == 404
    bo = harbour.browser(app, "Bo")
    assert send(bo, f"/me/ways/hooks/{number}/end", "/me/ways").status_code == 303
    with here.store.read() as session:
        assert session.get_one(Hook, number).ended_at is not None
