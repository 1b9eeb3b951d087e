"""Held mails on the player's pages: done, thrown away, and the reply address made new."""

from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select

from pbem.letters.bearers import reply_bearer
from pbem.store import Game, Letter, Mail
from pbem.store.people import person_by_address, seat_of
from tests.intake.mails import receive
from tests.web.harbour import FINISHED, RUNNING, Harbour, Page, page

EVE = "eve@evil.example"


def reply_address(harbour: Harbour, name: str = "ann") -> str:
    """That of the newest letter to a player's seat at the running table."""
    here = harbour.installation
    with here.store.read() as session:
        person = person_by_address(session, f"{name}@example.org")
        assert person is not None
        assert person.id is not None
        game = session.get_one(Game, RUNNING)
        letter = session.exec(
            select(Letter)
            .where(Letter.game_id == RUNNING, Letter.seat == seat_of(session, game, person.id))
            .order_by(Letter.id.desc())  # type: ignore[union-attr]
        ).first()
        assert letter is not None
        bearer = reply_bearer(letter)
        assert bearer is not None
        return here.site.reply_address(here.keys.token(bearer))


def held(harbour: Harbour, text: str = "say all: hello from Eve <b>") -> Mail:
    mail = receive(harbour.installation, reply_address(harbour), text, EVE)
    assert mail.state == "held"
    return mail


def state(harbour: Harbour, mail: Mail) -> str:
    with harbour.installation.store.read() as session:
        return session.get_one(Mail, mail.id).state


def press(browser: FlaskClient, shown: Page, mail: Mail, do: str) -> Page:
    form = {"csrf": shown.field("csrf"), "do": do}
    response = browser.post(f"/me/held/{mail.id}", data=form)
    assert response.status_code == 303
    return page(browser, response.location)


def test_the_table_s_page_says_what_is_held_and_why(harbour: Harbour, ann: FlaskClient) -> None:
    mail = held(harbour)
    for address in ("/me", f"/me/games/{RUNNING}", "/me/held"):
        shown = page(ann, address)
        assert f"A mail from {EVE}" in shown.text
        assert "not known as yours" in shown.text
        assert "hello from Eve <b>" in shown.text
        assert f'action="/me/held/{mail.id}"' in shown.source
    assert state(harbour, mail) == "held"


def test_nobody_else_sees_it_or_says_anything_to_it(harbour: Harbour, app: Flask) -> None:
    mail = held(harbour)
    bo = harbour.browser(app, "Bo")
    shown = page(bo, "/me/held")
    assert EVE not in shown.text
    assert EVE not in page(bo, f"/me/games/{RUNNING}").text
    for do in ("mine", "not-mine"):
        press(bo, page(bo, f"/me/games/{RUNNING}"), mail, do)
    assert state(harbour, mail) == "held"


def test_it_was_me_does_it_and_offers_the_address(harbour: Harbour, ann: FlaskClient) -> None:
    mail = held(harbour)
    shown = press(ann, page(ann, "/me/held"), mail, "mine")
    assert state(harbour, mail) == "done"
    assert "was read as yours" in shown.text
    assert f"{EVE} is not one of your addresses yet" in shown.text
    assert "text=address+add+eve" in shown.source or "text=address%20add%20eve" in shown.source
    again = press(ann, page(ann, f"/me/games/{RUNNING}"), mail, "mine")
    assert "No mail of yours is held." in again.text


def test_it_was_not_me_throws_it_away_and_renews(harbour: Harbour, ann: FlaskClient) -> None:
    mail, old = held(harbour), reply_address(harbour)
    link = harbour.token("Ann")
    shown = press(ann, page(ann, "/me/held"), mail, "not-mine")
    assert state(harbour, mail) == "discarded"
    assert "thrown away" in shown.text
    assert "Your reply address is new" in shown.text
    assert reply_address(harbour) != old
    assert ann.get("/me").status_code == 200  # this browser stays
    other = ann.application.test_client()
    assert other.get(f"/p/{link}").status_code == 404  # the leaked link does not open anything


def test_one_click_makes_the_address_new(harbour: Harbour, ann: FlaskClient, app: Flask) -> None:
    old, elsewhere = reply_address(harbour), harbour.browser(app, "Ann")
    shown = page(ann, f"/me/games/{RUNNING}")
    assert "Answers by mail" in shown.text
    assert "mail from any other is held" in shown.text
    response = ann.post(f"/me/games/{RUNNING}/address", data={"csrf": shown.field("csrf")})
    assert response.status_code == 303
    assert "Your reply address is new" in page(ann, response.location).text
    assert reply_address(harbour) != old
    assert elsewhere.get("/me").status_code == 403


def test_only_posts_of_ours_act(harbour: Harbour, ann: FlaskClient) -> None:
    mail, old = held(harbour), reply_address(harbour)
    csrf = page(ann, "/me/held").field("csrf")
    for address in (f"/me/held/{mail.id}", f"/me/games/{RUNNING}/address"):
        assert ann.get(address).status_code == 405
        assert ann.post(address, data={"do": "mine"}).status_code == 400
    assert ann.post(f"/me/held/{mail.id}", data={"csrf": csrf, "do": "x"}).status_code == 400
    for game in (FINISHED, 99, 2**40):
        assert ann.post(f"/me/games/{game}/address", data={"csrf": csrf}).status_code == 404
    assert ann.post(f"/me/held/{2**40}", data={"csrf": csrf, "do": "mine"}).status_code == 303
    assert (state(harbour, mail), reply_address(harbour)) == ("held", old)


def test_what_a_mail_says_cannot_break_out(harbour: Harbour, ann: FlaskClient) -> None:
    held(harbour, "play <script>alert(1)</script>\n" * 3)
    assert "<script>alert" not in page(ann, "/me/held").source


def test_the_policy_is_told_in_words(harbour: Harbour, ann: FlaskClient) -> None:
    for policy, words in (("token", "Whoever has the reply address"), ("dmarc", "proves that it")):
        with harbour.installation.store.work() as session:
            game = session.get_one(Game, RUNNING)
            game.mail_policy = policy
            session.add(game)
        assert words in page(ann, f"/me/games/{RUNNING}").text
