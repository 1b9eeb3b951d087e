"""The page about seats and time, and what a table's page says of votes and clocks."""

from datetime import timedelta

from flask import Flask
from flask.testing import FlaskClient

from pbem.clock import sweep
from pbem.desk.succession import give_to_bot
from pbem.store import Game, Person, Seat
from pbem.store.log import Author
from pbem.store.tenures import tenure_of
from tests.conftest import HandClock
from tests.web.harbour import RUNNING, Harbour, Page, answer, page

SEATS, TABLE = "/me/seats", f"/me/games/{RUNNING}"


def press(client: FlaskClient, do: str, **fields: object) -> Page:
    form = page(client, SEATS)
    data = {"csrf": form.field("csrf"), "key": form.field("key"), "do": do, **fields}
    response = client.post(SEATS, data=data)
    assert response.status_code == 303
    return page(client, response.location.partition("#")[0])


def lose(harbour: Harbour, seat: int) -> None:
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        give_to_bot(session, here.site, here.clock(), Author("clock"), game, seat, "late")


def offer(harbour: Harbour, seat: int) -> None:
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        row = session.get_one(Seat, tenure_of(session, game, seat).seat_id)
        row.offered_at, row.offer_ends_at = here.clock(), here.clock() + timedelta(days=3)
        session.add(row)


def holder(harbour: Harbour, seat: int) -> int | None:
    with harbour.installation.store.read() as session:
        return tenure_of(session, harbour.game(RUNNING), seat).person_id


def seat_of_ann(harbour: Harbour) -> int:
    return next(seat for seat in range(3) if holder(harbour, seat) == 1)


def test_a_seat_that_a_bot_keeps_is_there_with_the_way_back(
    harbour: Harbour, ann: FlaskClient
) -> None:
    seat = seat_of_ann(harbour)
    assert "Seats that wait for you" not in page(ann, SEATS).text
    lose(harbour, seat)
    assert ann.get(TABLE).status_code == 404
    assert "Seats that wait for you" in page(ann, SEATS).text
    shown = press(ann, "join", game=RUNNING)
    assert "Welcome back" in answer(shown)
    assert holder(harbour, seat) == 1
    assert ann.get(TABLE).status_code == 200


def test_who_is_ready_sees_the_seats_there_are(harbour: Harbour, ann: FlaskClient) -> None:
    shown = press(ann, "substitute-on")
    assert "No seat is free" in shown.text
    offer(harbour, (seat_of_ann(harbour) + 1) % 3)  # she sits at that table herself
    assert "No seat is free" in page(ann, SEATS).text
    assert "I am ready" in press(ann, "substitute-off").text
    assert "Ask me all the same" in press(ann, "forced-on").text
    with harbour.installation.store.read() as session:
        person = session.get_one(Person, 1)
        assert (person.play_forced, person.substitute_since) == (True, None)


def test_the_moderator_decides_and_nobody_else(harbour: Harbour, ann: FlaskClient) -> None:
    other = (seat_of_ann(harbour) + 1) % 3
    offer(harbour, other)
    assert "Seats you decide on" in page(ann, SEATS).text
    press(ann, "wait", game=RUNNING, seat=other)
    assert "Seats you decide on" not in page(ann, SEATS).text
    offer(harbour, other)
    press(ann, "bot", game=RUNNING, seat=other)
    assert holder(harbour, other) is None
    with harbour.installation.store.work() as session:
        session.get_one(Game, RUNNING).moderator_id = 2
    form = page(ann, SEATS)
    data = {"csrf": form.field("csrf"), "do": "bot", "game": RUNNING, "seat": other}
    assert ann.post(SEATS, data=data).status_code == 404
    assert ann.post(SEATS, data={**data, "seat": "x"}).status_code == 400
    assert ann.post(SEATS, data={**data, "do": "fly"}).status_code == 400


def test_a_vote_is_shown_with_its_answers(
    harbour: Harbour, ann: FlaskClient, app: Flask, clock: HandClock
) -> None:
    bo = harbour.browser(app, "Bo")
    _write(bo, "vote end")
    shown = page(ann, TABLE)
    assert "The game is to end." in shown.text
    assert "I do not agree" in shown.text
    _write(ann, "vote no")
    assert "The game is to end." not in page(ann, TABLE).text
    _write(ann, "pause now")
    assert "The clocks of this table stand still." in page(bo, TABLE).text
    clock.advance(hours=25)
    sweep(harbour.installation)
    assert "The clocks of this table stand still." not in page(ann, TABLE).text


def _write(client: FlaskClient, text: str) -> None:
    form = page(client, TABLE)
    data = {name: form.field(name) for name in ("csrf", "key", "decision")}
    response = client.post(TABLE, data={**data, "text": text, "do": "do"})
    assert response.status_code == 303
