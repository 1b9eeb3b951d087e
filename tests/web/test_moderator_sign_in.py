"""Moderators sign in with a link that works once; everything about it is forgetful."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select

from pbem.post.content import content_of, keep
from pbem.post.delivery import deliver_due
from pbem.store import Letter, Sitting, Token
from pbem.store.roles import revoke_all
from pbem.store.rows import id_of
from tests.conftest import HandClock
from tests.web.harbour import Harbour, page, person
from tests.web.moderators import appoint, link_of, signed_in

COOKIE = "ark-moderator"


@pytest.fixture(autouse=True)
def roles(harbour: Harbour) -> None:
    appoint(harbour)


def _ask(client: FlaskClient, address: str) -> tuple[int, str]:
    csrf = page(client, "/moderator/sign-in").field("csrf")
    response = client.post("/moderator/sign-in", data={"csrf": csrf, "address": address})
    return response.status_code, response.get_data(as_text=True)


def _press(client: FlaskClient, link: str) -> int:
    csrf = page(client, f"/moderator/sign-in/{link}").field("csrf")
    return client.post(f"/moderator/sign-in/{link}", data={"csrf": csrf}).status_code


def _letters(harbour: Harbour) -> list[Letter]:
    with harbour.installation.store.read() as session:
        found = list(session.exec(select(Letter).where(Letter.kind == "sign-in")))
        session.expunge_all()
        return found


def test_a_link_comes_by_mail_and_opens_the_mail_room(
    app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    status, _text = _ask(client, "MAX@example.org")
    assert status == 200
    (letter,) = _letters(harbour)
    assert letter.to_address == "max@example.org"
    with harbour.installation.store.read() as session:
        text = content_of(session, harbour.installation.site, letter).text
    link = text.partition("/moderator/sign-in/")[2].split()[0]
    assert _press(client, link) == 303
    assert "Mail room" in page(client, "/moderator/mail").text


def test_the_kept_letter_holds_no_link(harbour: Harbour, client: FlaskClient) -> None:
    _ask(client, "max@example.org")
    while deliver_due(harbour.installation):
        pass
    (letter,) = _letters(harbour)
    site = harbour.installation.site
    with harbour.installation.store.read() as session:
        shown = content_of(session, site, letter)
    link = shown.text.partition("/moderator/sign-in/")[2].split()[0]
    keep(site, letter, shown)
    assert letter.text is not None
    assert letter.html is not None
    assert link not in letter.text
    assert link not in letter.html
    assert link in shown.html


def test_any_address_gets_the_same_answer(harbour: Harbour, app: Flask) -> None:
    pages = set()
    for address in ("max@example.org", "nobody@example.org", "cy@example.org", "", "x" * 999):
        status, text = _ask(app.test_client(), address)
        pages.add((status, text.replace("csrf", "")))
    texts = {text.partition("<main")[2] for _, text in pages}
    assert len(texts) == 1
    assert len(_letters(harbour)) == 1


def test_looking_at_a_link_neither_uses_it_nor_says_whether_it_is_one(
    app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    link = link_of(harbour, "Max Moderator")
    before = harbour.rows()
    good = page(client, f"/moderator/sign-in/{link}").source
    bad = page(client, f"/moderator/sign-in/{'a' * len(link)}").source
    assert good.replace(link, "") == bad.replace("a" * len(link), "")
    assert harbour.rows() == before
    assert _press(client, link) == 303


def test_a_link_works_once(app: Flask, harbour: Harbour) -> None:
    link = link_of(harbour, "Max Moderator")
    assert _press(app.test_client(), link) == 303
    other = app.test_client()
    assert _press(other, link) == 403
    assert other.get("/moderator/mail").status_code == 303


def test_a_link_that_was_used_voids_the_others(app: Flask, harbour: Harbour) -> None:
    first, second = (link_of(harbour, "Max Moderator") for _ in range(2))
    assert _press(app.test_client(), second) == 303
    assert _press(app.test_client(), first) == 403


@pytest.mark.parametrize(("minutes", "status"), [(14, 303), (15, 403)])
def test_a_link_runs_out(
    app: Flask, harbour: Harbour, clock: HandClock, minutes: int, status: int
) -> None:
    link = link_of(harbour, "Max Moderator")
    clock.advance(minutes=minutes)
    assert _press(app.test_client(), link) == status


def test_a_players_link_signs_no_moderator_in(app: Flask, harbour: Harbour) -> None:
    assert _press(app.test_client(), harbour.token("Ann")) == 403


def test_a_moderators_link_opens_no_players_page(client: FlaskClient, harbour: Harbour) -> None:
    link = link_of(harbour, "Ann Archer")
    assert client.get(f"/p/{link}").status_code == 404


def test_the_players_session_is_not_the_moderators(
    app: Flask, harbour: Harbour, ann: FlaskClient
) -> None:
    assert ann.get("/moderator/mail").status_code == 303
    moderator = signed_in(app, harbour, "Ann Archer")
    assert moderator.get("/me").status_code == 403


def test_the_cookie_is_strict(app: Flask, harbour: Harbour, client: FlaskClient) -> None:
    link = link_of(harbour, "Max Moderator")
    csrf = page(client, f"/moderator/sign-in/{link}").field("csrf")
    response = client.post(f"/moderator/sign-in/{link}", data={"csrf": csrf})
    cookie = next(one for one in response.headers.getlist("Set-Cookie") if one.startswith(COOKIE))
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert not any(part.startswith("Domain") for part in cookie.split("; "))
    with harbour.installation.store.read() as session:
        sitting = session.exec(select(Sitting)).one()
    assert sitting.digest not in cookie


def test_a_cookie_that_was_there_before_is_not_taken_over(
    app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    """Session fixation: what somebody planted must not become a sitting."""
    client.set_cookie(COOKIE, "planted")
    assert _press(client, link_of(harbour, "Max Moderator")) == 303
    mine = client.get_cookie(COOKIE)
    assert mine is not None
    assert mine.value != "planted"
    thief = app.test_client()
    thief.set_cookie(COOKIE, "planted")
    assert thief.get("/moderator/mail").status_code == 303


def test_the_marks_of_forms_change_at_sign_in(
    app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    before = page(client, "/moderator/sign-in").field("csrf")
    assert _press(client, link_of(harbour, "Max Moderator")) == 303
    response = client.post("/moderator/sign-out", data={"csrf": before})
    assert response.status_code == 400
    assert page(client, "/moderator/mail")


def test_signing_out_ends_the_sitting_not_the_cookie_alone(app: Flask, harbour: Harbour) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    csrf = page(client, "/moderator/browsers").field("csrf")
    assert client.post("/moderator/sign-out", data={"csrf": csrf}).status_code == 303
    client.set_cookie(COOKIE, cookie.value)
    assert client.get("/moderator/mail").status_code == 303


@pytest.mark.parametrize(("hours", "status"), [(47, 200), (48, 303)])
def test_a_sitting_ends_when_it_is_not_used(
    app: Flask, harbour: Harbour, clock: HandClock, hours: int, status: int
) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    clock.advance(hours=hours)
    assert client.get("/moderator/mail").status_code == status


def test_a_sitting_ends_after_two_weeks_of_use(
    app: Flask, harbour: Harbour, clock: HandClock
) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    for _day in range(13):
        clock.advance(days=1)
        assert client.get("/moderator/mail").status_code == 200
    clock.advance(days=1)
    assert client.get("/moderator/mail").status_code == 303


def test_a_role_that_is_taken_away_ends_it_at_once(app: Flask, harbour: Harbour) -> None:
    client = signed_in(app, harbour, "Max Moderator")
    installation = harbour.installation
    with installation.store.work() as session:
        revoke_all(session, installation.clock(), id_of(person(session, installation, "Max")))
    assert client.get("/moderator/mail").status_code == 303
    _ask(app.test_client(), "max@example.org")
    assert _letters(harbour) == []


def test_browsers_are_listed_and_closed_by_their_owner_only(app: Flask, harbour: Harbour) -> None:
    phone, desk = (signed_in(app, harbour, "Max Moderator") for _ in range(2))
    other = signed_in(app, harbour, "Olive Owner")
    with harbour.installation.store.read() as session:
        ids = list(session.exec(select(Sitting.id).order_by(col(Sitting.id))))
    shown = page(desk, "/moderator/browsers")
    assert shown.source.count("/close") == 2
    assert "this one" in shown.text
    csrf = page(other, "/moderator/browsers").field("csrf")
    for number in (ids[0], 999):
        response = other.post(f"/moderator/browsers/{number}/close", data={"csrf": csrf})
        assert response.status_code == 404
    data = {"csrf": shown.field("csrf")}
    assert desk.post(f"/moderator/browsers/{ids[0]}/close", data=data).status_code == 303
    assert phone.get("/moderator/mail").status_code == 303
    assert desk.get("/moderator/mail").status_code == 200


def test_wrong_links_make_the_next_try_wait(
    app: Flask, harbour: Harbour, client: FlaskClient, clock: HandClock
) -> None:
    wrong = [_press(client, "a" * 26) for _ in range(6)]
    assert wrong == [403] * 5 + [429]
    link = link_of(harbour, "Max Moderator")
    assert _press(client, link) == 429
    clock.advance(seconds=5)
    assert _press(client, "a" * 26) == 403
    clock.advance(seconds=9)
    assert _press(client, link) == 429, "the second pause is twice as long"
    clock.advance(seconds=1)
    assert _press(client, link) == 303
    assert [_press(app.test_client(), "a" * 26) for _ in range(2)] == [403, 403], "counted anew"


def test_nobody_fills_a_moderators_mailbox(app: Flask, harbour: Harbour, clock: HandClock) -> None:
    statuses = [_ask(app.test_client(), "max@example.org")[0] for _ in range(12)]
    assert statuses[-1] == 429
    assert len(_letters(harbour)) == 3
    clock.advance(days=2)
    assert _ask(app.test_client(), "max@example.org")[0] == 200
    assert len(_letters(harbour)) == 4


def test_tokens_of_links_are_stored_as_digests(harbour: Harbour) -> None:
    link = link_of(harbour, "Max Moderator")
    with harbour.installation.store.read() as session:
        digests = session.exec(select(Token.digest).where(Token.purpose == "sign-in")).all()
    assert len(digests) == 1
    assert link not in repr(harbour.rows())
