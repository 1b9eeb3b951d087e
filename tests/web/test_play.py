"""A player's pages: the link, the tables, the command box."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select

from pbem.desk import Order
from pbem.desk.people import find_or_add_person
from pbem.store import Deed, Event, Invitation, Letter, Person, Token
from pbem.store.log import Author
from pbem.store.tokens import Bearer, digest
from tests.web.harbour import FILLING, FINISHED, RUNNING, Harbour, answer, page, send

TABLE = f"/me/games/{RUNNING}"


def first_example(client: FlaskClient) -> str:
    """The first example of the table's page: a `take` that is legal now."""
    shown = page(client, TABLE).source
    return shown.split('class="examples"')[1].split(">take ")[1].split("<")[0]


# -- the link from a letter


def test_the_token_leaves_the_address_at_once(harbour: Harbour, client: FlaskClient) -> None:
    token = harbour.token("Ann")
    response = client.get(f"/p/{token}")
    assert (response.status_code, response.location) == (303, "/me")
    assert token not in response.headers["Set-Cookie"]
    assert token not in page(client, "/me").source
    assert "Ann Archer" in page(client, "/me").text


def test_the_link_of_a_letter_about_a_table_leads_to_it(
    app: Flask, client: FlaskClient, harbour: Harbour
) -> None:
    link = f"/p/{harbour.token('Ann')}"
    opened = client.get(f"{link}/{RUNNING}")
    assert (opened.status_code, opened.location) == (303, TABLE)
    for nowhere in (999_999, 2**40):
        assert client.get(f"{link}/{nowhere}").location == "/me"
    assert client.get(f"/p/unknown/{RUNNING}").status_code == 404


def test_a_token_in_capitals_is_the_same(harbour: Harbour, client: FlaskClient) -> None:
    assert client.get(f"/p/{harbour.token('Ann').upper()}").status_code == 303


@pytest.mark.parametrize("token", ["x", "%00", "a" * 26, "a" * 5000, "ä"])
def test_an_unknown_token_opens_nothing(client: FlaskClient, token: str) -> None:
    assert client.get(f"/p/{token}").status_code == 404
    assert client.get("/me").status_code == 403


def test_a_reply_address_is_no_link(harbour: Harbour, client: FlaskClient) -> None:
    """The token of a seat moves a card by mail; it opens nobody's page."""
    bearer = Bearer("seat", person_id=1, game_id=RUNNING, seat=0, decision=0)
    token = harbour.installation.keys.token(bearer)
    with harbour.installation.store.read() as session:
        letters = session.exec(select(Token).where(Token.purpose == "seat")).all()
        assert digest(token) in {row.digest for row in letters}
    assert client.get(f"/p/{token}").status_code == 404


def test_a_revoked_link_closes_its_sessions(harbour: Harbour, ann: FlaskClient) -> None:
    token = harbour.token("Ann")
    with harbour.installation.store.work() as session:
        row = session.get_one(Token, digest(token))
        row.revoked_at = harbour.installation.clock()
        session.add(row)
    assert ann.get("/me").status_code == 403
    assert ann.get(TABLE).status_code == 403


def test_an_erased_person_is_nobody(harbour: Harbour, ann: FlaskClient) -> None:
    with harbour.installation.store.work() as session:
        row = session.get_one(Person, 1)
        row.erased_at = harbour.installation.clock()
        session.add(row)
    assert ann.get("/me").status_code == 403


def test_without_a_link_there_is_nothing_to_see(client: FlaskClient) -> None:
    for address in ("/me", TABLE):
        assert "opens from your mail" in page(client, address, 403).text


def test_leaving_forgets_the_browser(ann: FlaskClient) -> None:
    assert ann.post("/me/leave", data={"csrf": page(ann, "/me").field("csrf")}).status_code == 303
    assert ann.get("/me").status_code == 403


def test_a_forged_cookie_is_nothing(harbour: Harbour, client: FlaskClient) -> None:
    client.set_cookie("ark", "eyJwYWdlIjoiYWJjIn0.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
    assert client.get("/me").status_code == 403


# -- my games


def test_what_waits_comes_first(ann: FlaskClient, app: Flask, harbour: Harbour) -> None:
    mine = page(ann, "/me")
    assert "1 table waits for you." in mine.text
    assert mine.text.index("Sunday club your turn") < mine.text.index("Old salts")
    assert "Bo Baker asks you to a game. 3 seats." in mine.text
    his = page(harbour.browser(app, "Bo"), "/me")
    assert "No table waits for you." in his.text
    assert "Sunday club waiting for Ann Archer" in his.text


def test_a_stranger_to_a_table_does_not_find_it(app: Flask, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        find_or_add_person(session, harbour.installation.clock(), "Dora", "dora@example.org")
    dora = harbour.browser(app, "Dora")
    assert dora.get(TABLE).status_code == 404
    assert dora.get("/me/games/999").status_code == 404
    assert dora.get("/me/games/99999999999999999999").status_code == 404
    assert dora.get(f"/me/games/{FILLING}").status_code == 404


def test_a_finished_table_is_where_all_can_see_it(ann: FlaskClient) -> None:
    response = ann.get(f"/me/games/{FINISHED}")
    assert (response.status_code, response.location) == (303, f"/games/{FINISHED}")


# -- the table


def test_the_table_shows_what_matters(ann: FlaskClient, harbour: Harbour) -> None:
    shown = page(ann, TABLE)
    assert "Ann Archer, it is your turn." in shown.text
    assert "Until Thu 3 Dec, 09:00 UTC" in shown.text
    assert "Fits " in shown.text
    assert "(you)" not in shown.text
    for part in ("Since your last turn", "Your hand", "Display", "Markers and points"):
        assert part in shown.text


def test_the_deadline_is_told_in_the_readers_zone(ann: FlaskClient, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        row = session.get_one(Person, 1)
        row.zone = "Asia/Taipei"
        session.add(row)
    assert "Until Thu 3 Dec, 17:00 your time (09:00 UTC)" in page(ann, TABLE).text


def test_an_example_fills_the_box(ann: FlaskClient) -> None:
    example = f"take {first_example(ann)}"
    shown = page(ann, f"{TABLE}?text={example.replace(' ', '+')}")
    assert f">{example}</textarea>" in shown.source


def test_a_turn_is_done_and_told(ann: FlaskClient, harbour: Harbour) -> None:
    taken = first_example(ann)
    before = harbour.game(RUNNING).seq
    shown = send(ann, page(ann, TABLE), f"take {taken}")
    assert answer(shown).startswith("Done.")
    assert f"You took the {taken} and drew the" in answer(shown)
    assert harbour.game(RUNNING).seq == before + 1
    assert "Bo Baker is to move." in shown.text
    with harbour.installation.store.read() as session:
        event = session.exec(
            select(Event).where(Event.game_id == RUNNING).order_by(col(Event.seq).desc())
        ).first()
        assert event is not None
        assert (event.channel, event.person_id, event.seat) == ("web", 1, 0)
        letter = session.exec(select(Letter).order_by(col(Letter.id).desc())).first()
        assert letter is not None
        assert letter.game_id == RUNNING, "the others are told by mail"


def test_a_preview_does_nothing(ann: FlaskClient, harbour: Harbour) -> None:
    before = harbour.rows()
    text = f"take {first_example(ann)}"
    shown = send(ann, page(ann, TABLE), text, do="preview")
    assert "nothing was done" in answer(shown)
    assert f">{text}</textarea>" in shown.source, "the text is kept to be done"
    after = harbour.rows()
    assert {name for name in before if before[name] != after[name]} == {"deed"}


def test_a_preview_does_not_do_the_other_commands_either(
    ann: FlaskClient, harbour: Harbour
) -> None:
    before = harbour.rows()["event"]
    shown = send(ann, page(ann, TABLE), f"say all: hi\ntake {first_example(ann)}", do="preview")
    assert "Only a turn can be previewed." in answer(shown)
    assert harbour.rows()["event"] == before


def test_what_is_refused_is_explained(ann: FlaskClient, harbour: Harbour) -> None:
    before = harbour.game(RUNNING).seq
    shown = send(ann, page(ann, TABLE), "play bronto L1")
    assert answer(shown).startswith("Nothing was done.")
    shown = send(ann, shown, "tkae horse")
    assert "Not understood" in answer(shown)
    assert ">tkae horse</textarea>" in shown.source
    assert harbour.game(RUNNING).seq == before


def test_a_broken_rule_links_to_its_place(ann: FlaskClient) -> None:
    shown = send(ann, page(ann, TABLE), "why elephant L1\npass")
    rules = [
        tag.attributes["href"] for tag in shown.all("a") if "/rules#R" in tag.attributes["href"]
    ]
    assert rules, answer(shown)
    assert len(rules) == answer(shown).count("R4.") + answer(shown).count("R5."), answer(shown)
    anchors = set(page(ann, "/rules").ids)
    assert all(link.partition("#")[2] in anchors for link in rules)


def test_prose_is_not_a_turn(ann: FlaskClient) -> None:
    assert "no command" in answer(send(ann, page(ann, TABLE), "Hello everybody"))
    assert answer(send(ann, page(ann, TABLE), ""))


def test_questions_are_answered(ann: FlaskClient) -> None:
    assert answer(send(ann, page(ann, TABLE), "scores")).startswith("Here you are.")


def test_what_somebody_wrote_is_shown_as_text(
    ann: FlaskClient, app: Flask, harbour: Harbour
) -> None:
    send(ann, page(ann, TABLE), "say all: <script>alert(1)</script> & <b>hi</b>")
    for client in (ann, harbour.browser(app, "Bo")):
        shown = page(client, TABLE)
        assert "<script>alert(1)</script> & <b>hi</b>" in shown.text
        assert not [tag for tag in shown.all("script") if "src" not in tag.attributes]


# -- once only


def test_the_same_form_twice_acts_once(ann: FlaskClient, harbour: Harbour) -> None:
    form = page(ann, TABLE)
    text = f"take {first_example(ann)}"
    first = send(ann, form, text)
    after = harbour.rows()
    assert answer(send(ann, form, text)) == answer(first)
    assert harbour.rows() == after


def test_reloading_the_answer_repeats_nothing(ann: FlaskClient, harbour: Harbour) -> None:
    form = page(ann, TABLE)
    response = ann.post(
        TABLE,
        data={
            **{name: form.field(name) for name in ("csrf", "key", "decision")},
            "text": f"take {first_example(ann)}",
        },
    )
    after = harbour.rows()
    shown = response.location.partition("#")[0]
    assert answer(page(ann, shown)) == answer(page(ann, shown)) != ""
    assert harbour.rows() == after


def test_two_tabs_move_once(ann: FlaskClient, harbour: Harbour) -> None:
    one, other = page(ann, TABLE), page(ann, TABLE)
    seq = harbour.game(RUNNING).seq
    taken = first_example(ann)
    display = page(ann, TABLE).source.split('id="display"')[1]
    rest = [piece.split("<")[0].strip() for piece in display.split('class="name">')[1:4]]
    second = next(name for name in rest if name != taken)
    send(ann, one, f"take {taken}")
    assert harbour.game(RUNNING).seq == seq + 1
    late = send(ann, other, f"take {second}")
    assert "moved on" in answer(late)
    assert harbour.game(RUNNING).seq == seq + 1, "the other tab moved nothing"
    same = send(ann, other, f"take {taken}")
    assert "done already" in answer(same)
    assert harbour.game(RUNNING).seq == seq + 1


def test_back_and_something_else_is_another_form(ann: FlaskClient, harbour: Harbour) -> None:
    """After a preview the browser's back button shows the form as it was, key and all."""
    form = page(ann, TABLE)
    text = f"take {first_example(ann)}"
    assert "nothing was done" in answer(send(ann, form, text, do="preview"))
    assert answer(send(ann, form, text, do="do")).startswith("Done.")


def test_a_mail_meanwhile_ages_the_page(ann: FlaskClient, harbour: Harbour) -> None:
    form, taken = page(ann, TABLE), first_example(ann)
    with harbour.installation.store.work() as session:
        harbour.installation.desk.take_order(
            session,
            Order(f"take {taken}", Author("cli", 1), game_id=RUNNING, seat=0, decision=None),
        )
    seq = harbour.game(RUNNING).seq
    assert "moved on" in answer(send(ann, form, "play hen L1"))
    assert "done already" in answer(send(ann, form, f"take {taken}"))
    assert harbour.game(RUNNING).seq == seq


def test_an_answer_is_its_writers_only(ann: FlaskClient, app: Flask, harbour: Harbour) -> None:
    form = page(ann, TABLE)
    response = ann.post(
        TABLE,
        data={**{name: form.field(name) for name in ("csrf", "key", "decision")}, "text": "hand"},
    )
    shown = response.location.partition("#")[0]
    assert answer(page(ann, shown))
    assert not answer(page(harbour.browser(app, "Bo"), shown))
    for nonsense in ("x", "", "0" * 40, "../../x"):
        assert not answer(page(ann, f"{TABLE}?answer={nonsense}"))


def test_every_form_has_a_key_of_its_own(ann: FlaskClient) -> None:
    keys = {page(ann, TABLE).field("key") for _ in range(5)}
    assert len(keys) == 5


# -- invitations


def invitation(harbour: Harbour, person_id: int) -> Invitation:
    with harbour.installation.store.read() as session:
        found = session.exec(
            select(Invitation).where(
                Invitation.game_id == FILLING, Invitation.person_id == person_id
            )
        ).one()
        session.expunge(found)
        return found


@pytest.mark.parametrize(("command", "state"), [("accept", "accepted"), ("decline", "declined")])
def test_an_invitation_is_answered(
    ann: FlaskClient, harbour: Harbour, command: str, state: str
) -> None:
    mine = page(ann, "/me")
    data = {"csrf": mine.field("csrf"), "key": mine.field("key"), "do": command, "word": "a  sea"}
    response = ann.post(f"/me/invitations/{invitation(harbour, 1).id}", data=data)
    assert response.status_code == 303
    assert answer(page(ann, response.location.partition("#")[0])).startswith("Done.")
    row = invitation(harbour, 1)
    assert (row.state, row.word) == (state, "a-sea" if command == "accept" else "")


def test_an_invitation_of_somebody_else_is_not_found(ann: FlaskClient, harbour: Harbour) -> None:
    mine = page(ann, "/me")
    data = {"csrf": mine.field("csrf"), "key": mine.field("key"), "do": "decline"}
    other = invitation(harbour, 3)
    assert ann.post(f"/me/invitations/{other.id}", data=data).status_code == 404
    assert invitation(harbour, 3).state == other.state
    own = invitation(harbour, 1)
    assert ann.post(f"/me/invitations/{own.id}", data={**data, "do": "resign"}).status_code == 400


def test_what_is_kept_of_a_form_is_bounded(ann: FlaskClient, harbour: Harbour) -> None:
    form = page(ann, TABLE)
    data = {name: form.field(name) for name in ("csrf", "key", "decision")}
    response = ann.post(TABLE, data={**data, "text": "x" * 200_000})
    assert response.status_code == 413
    assert "more than fits" in response.get_data(as_text=True)
    with harbour.installation.store.read() as session:
        assert not session.exec(select(Deed)).all()
