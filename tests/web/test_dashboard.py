"""What the dashboard shows: what needs a human, every game and person, and no more of a
game than its moderator's own seat sees."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session, col, select

from pbem.store import (
    Absence,
    Address,
    Audit,
    Event,
    Game,
    Heartbeat,
    Invitation,
    Letter,
    Seat,
    Wait,
)
from pbem.store.audit import Actor, note
from pbem.store.log import Author, append
from pbem.web.health import health_of
from pbem.web.moderator.html_mail import TAGS, harmless
from pbem.web.moderator.timeline import Cursor
from tests.conftest import HandClock
from tests.web.filed import turn_seqs
from tests.web.harbour import FILLING, FINISHED, RUNNING, Harbour, page, person
from tests.web.moderators import appoint, held_mail, put_in, reply_address, signed_in

RAIN = 55  # the number of the rain cards in a position


@pytest.fixture(autouse=True)
def roles(harbour: Harbour) -> None:
    appoint(harbour)


@pytest.fixture
def max_(app: Flask, harbour: Harbour) -> FlaskClient:
    """The browser of a moderator of all games who plays nowhere."""
    return signed_in(app, harbour, "Max Moderator")


def _trouble(session: Session, harbour: Harbour) -> None:
    """Something of every kind for the worklist."""
    now = harbour.installation.clock()
    game = session.get_one(Game, RUNNING)
    game.due_at = now - timedelta(hours=1)
    seat = session.exec(select(Seat).where(Seat.game_id == RUNNING, Seat.number == 2)).one()
    seat.offered_at, seat.offer_ends_at = now, now + timedelta(days=3)
    cy = session.exec(select(Address).where(Address.address == "cy@example.org")).one()
    cy.paused_at = cy.bounced_at = now
    letter = session.get_one(Letter, 1)
    letter.state = "failed"
    session.add_all([game, seat, cy, letter])


def test_nothing_to_do_is_said(max_: FlaskClient) -> None:
    shown = page(max_, "/moderator")
    assert "Nothing needs you." in shown.text
    assert "<title>Today" in shown.source


def test_today_lists_what_needs_a_human_each_with_its_best_action(
    harbour: Harbour, max_: FlaskClient
) -> None:
    number = held_mail(harbour)
    with harbour.installation.store.work() as session:
        _trouble(session, harbour)
        cy = person(session, harbour.installation, "Cy").id
    shown = page(max_, "/moderator")
    assert "<title>(5) Today" in shown.source
    assert page(max_, "/moderator/today").source.startswith("<title>(5) Today")
    links = {tag.attributes.get("href") for tag in shown.all("a")}
    assert links >= {
        f"/moderator/mail/{number}",
        "/moderator/actions/send-again?letter=1",
        f"/moderator/actions/change-address?person={cy}",
        f"/moderator/actions/invite-substitute?game={RUNNING}&seat=2",
        f"/moderator/actions/remind-now?game={RUNNING}&seat=0",
    }
    assert f"(game {RUNNING}, seat 1)" in shown.text
    assert "its sender's address is not known as the player's" in shown.text
    assert "Look at it" in shown.text


def test_a_halted_table_comes_first_and_is_not_overdue(harbour: Harbour, max_: FlaskClient) -> None:
    with harbour.installation.store.work() as session:
        _trouble(session, harbour)
        session.get_one(Game, RUNNING).halted_at = harbour.installation.clock()
    shown = page(max_, "/moderator")
    assert [one for one in shown.ids if one in ("halted", "overdue")] == ["halted"]


def test_an_unwatched_page_keeps_nobody_signed_in(
    harbour: Harbour, max_: FlaskClient, clock: HandClock
) -> None:
    for _ in range(5):
        clock.advance(hours=11)
        statuses = {max_.get("/moderator/today").status_code for _ in range(2)}
    assert statuses == {303}


def test_a_late_server_needs_somebody(
    harbour: Harbour, max_: FlaskClient, clock: HandClock
) -> None:
    with harbour.installation.store.work() as session:
        session.add(Heartbeat(at=clock()))
    clock.advance(minutes=20)
    assert "The server itself" in page(max_, "/moderator").text
    assert "<title>(!) Server" in page(max_, "/moderator/server").source


def test_the_size_of_the_database_counts_what_is_not_in_its_file_yet(harbour: Harbour) -> None:
    here = harbour.installation
    with here.store.read() as session:
        told = health_of(session, here).database
    with here.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert told == Path(str(here.store.engine.url.database)).stat().st_size


def test_a_moderator_of_one_game_sees_the_trouble_of_that_game_only(
    app: Flask, harbour: Harbour
) -> None:
    with harbour.installation.store.work() as session:
        _trouble(session, harbour)
    shown = page(signed_in(app, harbour, "Gil Gamesman"), "/moderator")
    assert {"overdue", "seats", "bouncing"} <= set(shown.ids)
    assert "letters" not in shown.ids, "the letter is of another game"


SEARCHES = (
    ("", [FILLING, RUNNING, FINISHED]),
    ("q=SUNDAY", [RUNNING]),
    ("q=%23" + str(FINISHED), [FINISHED]),
    ("q=cooper", [FILLING, RUNNING, FINISHED]),
    ("q=Ann%40example.org&state=inviting", [FILLING]),
    ("q=%25", []),
    ("state=over", [FINISHED]),
    ("state=offered", [RUNNING]),
    ("state=overdue&sort=due", [RUNNING]),
    ("sort=waiting", [RUNNING]),
    ("state=nonsense&sort=nonsense", [FILLING, RUNNING, FINISHED]),
    (f"behind={FILLING}", [RUNNING, FINISHED]),
)


def test_games_are_found(harbour: Harbour, max_: FlaskClient) -> None:
    with harbour.installation.store.work() as session:
        _trouble(session, harbour)
    for query, found in SEARCHES:
        shown = page(max_, f"/moderator/games?{query}")
        links = [tag.attributes.get("href", "") for tag in shown.all("a")]
        listed = [link for link in links if link.startswith("/moderator/games/")]
        assert listed == [f"/moderator/games/{number}" for number in found], query


def test_what_a_search_found_can_be_dealt_with_together(max_: FlaskClient) -> None:
    links = [tag.attributes.get("href") for tag in page(max_, "/moderator/games").all("a")]
    address = f"/moderator/actions/pause-many?p-games={RUNNING}"
    assert address in links
    assert f'value="{RUNNING}"' in page(max_, address).source


def test_every_page_of_a_long_list_comes_once(harbour: Harbour, max_: FlaskClient) -> None:
    """In each order, also where many rows have the same key."""
    with harbour.installation.store.work() as session:
        first = session.get_one(Game, RUNNING).model_dump(exclude={"id"})
        for number in range(120):
            one = Game(**first | {"name": f"Copy {number}"})
            one.due_at = harbour.installation.clock() + timedelta(hours=number // 60)
            session.add(one)
    for sort, wanted in (("newest", 123), ("due", 121), ("waiting", 121)):
        address, seen = f"/moderator/games?sort={sort}", []
        while address:
            shown = page(max_, address)
            links = [tag.attributes.get("href", "") for tag in shown.all("a")]
            seen += [link for link in links if link.startswith("/moderator/games/")]
            more = [tag for tag in shown.all("a") if tag.attributes.get("rel") == "next"]
            address = more[0].attributes["href"] if more else ""
        assert len(seen) == len(set(seen)) == wanted, sort


def test_the_timeline_tells_everything_once(harbour: Harbour, max_: FlaskClient) -> None:
    held_mail(harbour)
    with harbour.installation.store.work() as session:
        note(session, harbour.installation.clock(), Actor("cli", None, "tidy"), "look",
             game_id=FINISHED)  # fmt: skip
        expected = len(session.exec(select(Event).where(Event.game_id == FINISHED)).all())
        expected += 1 + len(
            session.exec(
                select(Letter.id).where(Letter.game_id == FINISHED, Letter.state != "replaced")
            ).all()
        )
    address, count = f"/moderator/games/{FINISHED}", 0
    while address:
        shown = page(max_, address)
        count += shown.source.count('<li class="entry ')
        more = [tag for tag in shown.all("a") if tag.attributes.get("rel") == "next"]
        address = more[0].attributes["href"] if more else ""
    assert count == expected


def test_no_page_shows_a_card_that_a_spectator_does_not_see(
    harbour: Harbour, max_: FlaskClient
) -> None:
    """The game's page is the same whatever lies in the hands and in the stack."""
    before = page(max_, f"/moderator/games/{RUNNING}").source
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        position = json.loads(game.position or "")
        stack, hand = position["stack"], position["hands"][0]
        stack.reverse()
        number = next(at for at, card in enumerate(stack) if card < RAIN)
        stack[number], hand[0] = hand[0], stack[number]
        game.position = json.dumps(position)
        session.add(game)
    assert page(max_, f"/moderator/games/{RUNNING}").source == before


def test_whoever_plays_sees_what_his_seat_sees(app: Flask, harbour: Harbour) -> None:
    """Messages, notes, mails, letters and reasons of the others are closed to him."""
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        bo = person(session, here, "Bo").id
        said = {"text": "psst", "to": [2]}
        append(session, game, "say", here.clock(), Author("web", bo), seat=1,
               private={1: said, 2: said})  # fmt: skip
        append(session, game, "note", here.clock(), Author("web", bo), seat=1,
               private={1: {"text": "my plan"}})  # fmt: skip
        note(session, here.clock(), Actor("cli", None, "Bo holds the fox"), "look",
             game_id=RUNNING, subject_id=bo)  # fmt: skip
        session.add(game)
    held_mail(harbour)
    ann, max_ = (signed_in(app, harbour, name) for name in ("Ann Archer", "Max Moderator"))
    address = f"/moderator/games/{RUNNING}"
    own, all_ = page(ann, address), page(max_, address)
    assert "You play here" in own.text
    assert "letter to Bo Baker" not in own.text.replace("Letter", "letter")
    assert "letter to Bo Baker" in all_.text
    assert "Bo holds the fox" in all_.text
    for shown in (own, page(ann, "/moderator/audit"), page(ann, f"/moderator/people/{bo}")):
        assert "Bo holds the fox" not in shown.source
        assert "bo@example.org" not in shown.source
    for shown in (own, all_):
        assert "psst" not in shown.source
        assert "my plan" not in shown.source
    assert "Note" not in own.text.title().split()
    assert "Note" in all_.text.title().split()
    assert "private message" not in own.text
    assert "mail bounces" not in own.text
    assert "turns in time" in all_.text
    assert "bo@example.org" in page(max_, f"/moderator/people/{bo}").source


def test_a_turn_is_counted_alike_in_the_list_and_the_archive(
    harbour: Harbour, filed: None, max_: FlaskClient
) -> None:
    turns = len(turn_seqs(harbour))  # pets and passes are turns, too
    assert harbour.game(FINISHED).decision < turns
    said = f"3 players, {turns} turns"
    assert said in page(max_, "/moderator/games?q=Old+salts").text
    assert f"{turns} turns" in page(max_, "/games").text


def test_the_audit_is_filtered_and_taken_away_without_names(
    harbour: Harbour, max_: FlaskClient
) -> None:
    here = harbour.installation
    with here.store.work() as session:
        for number in range(3):
            note(session, here.clock(), Actor("cli", 2, "=1+1"), f"deed-{number}", game_id=RUNNING,
                 details={"x": number})  # fmt: skip
    shown = page(max_, "/moderator/audit?action=deed-1&by=2&game=2")
    assert "Deed 1" in shown.text.replace("deed", "Deed")
    assert shown.source.count('<ol class="trail">') == 1
    text = max_.get("/moderator/audit.csv?by=2").get_data(as_text=True)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["action"] for row in rows] == ["deed-2", "deed-1", "deed-0"]
    assert {row["reason"] for row in rows} == {"'=1+1"}, "no spreadsheet takes it for a formula"
    lines = max_.get("/moderator/audit.jsonl").get_data(as_text=True).splitlines()
    assert [json.loads(line)["action"] for line in lines][-1] == "sign-in"
    assert "Bo" not in text + "".join(lines)


def test_the_audit_cannot_be_changed(harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        note(session, harbour.installation.clock(), Actor("cli"), "look")
    with harbour.installation.store.work() as session:
        row = session.exec(select(Audit).order_by(col(Audit.id).desc())).first()
        assert row is not None
        row.reason = "never"
        session.add(row)
        with pytest.raises(TypeError, match="appended to"):
            session.flush()
        session.rollback()


def test_numbers_count_what_happened(harbour: Harbour, max_: FlaskClient) -> None:
    here = harbour.installation
    with here.store.work() as session:
        for hours, missed in ((0.2, 0), (0.5, 0), (50, 1)):
            session.add(
                Wait(game_id=FINISHED, seat=0, person_id=1, decision=1, missed=missed,
                     since=here.clock() - timedelta(days=3), outcome="turn",
                     ended_at=here.clock() - timedelta(days=1), took_seconds=int(hours * 3600) - 60)
            )  # fmt: skip
    shown = page(max_, "/moderator/numbers")
    lines = shown.source.splitlines()
    [yesterday] = [line for line in lines if "2026-11-30" in line and "td" in line]
    cells = [cell.partition("<")[0] for cell in yesterday.split('class="number">')[1:]]
    # running, begun, ended, turns, half within, missed, letters, bounces
    assert cells == ["0", "0", "0", "3", "0.5", "1", "0", "0"]
    assert "style=" not in shown.source


def test_a_mails_html_is_shown_harmless(harbour: Harbour, max_: FlaskClient) -> None:
    to = reply_address(harbour, "Ann Archer")
    raw = (
        f"From: A <cy@elsewhere.example>\r\nTo: {to}\r\nSubject: Hi\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/html; charset=utf-8\r\n\r\n"
        '<p style="display:none">hidden</p><a href="https://evil.example">take fox</a>'
        '<img src="https://evil.example/x.gif"><script>alert(1)</script>\r\n'
    ).encode()
    number = put_in(harbour, raw, to, "cy@elsewhere.example")
    assert f"/moderator/mail/{number}/html" in page(max_, f"/moderator/mail/{number}").source
    shown = page(max_, f"/moderator/mail/{number}/html").source
    assert "<p>hidden</p>take fox" in shown
    assert "evil.example" not in shown
    assert "alert(1)" not in shown


class Tags(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, set[str]]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name for name, _ in attrs}))


PIECES = (
    "<script>", "</script>", "<img src=x onerror=a>", "<a href='//x'>", "<style>p{}</style>", "<p ",
    "style=x", ">", "<svg/onload=x>", "<math>", "<iframe src=x>", "\u202e", "text", "<!--", "-->",
    "<table background=x>", "<form action=x>", "<meta http-equiv=refresh>", "<td colspan=2>",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_nothing_in_html_loads_runs_or_leads_away(html: str) -> None:
    shown = harmless(html)
    for tag, attributes in Tags(shown).found:
        assert tag in TAGS
        assert attributes <= {"dir", "colspan", "rowspan"}
    assert "\u202e" not in shown


@given(
    st.timedeltas(timedelta(0), timedelta(days=99_999)), st.integers(0, 3), st.integers(0, 10**8)
)
def test_a_place_in_the_timeline_survives_an_address(
    since: timedelta, source: int, number: int
) -> None:
    cursor = Cursor(datetime(1970, 1, 1, tzinfo=UTC) + since, source, number)
    assert Cursor.read(str(cursor)) == cursor


def test_deliveries_are_counted_by_domain(harbour: Harbour, max_: FlaskClient) -> None:
    with harbour.installation.store.work() as session:
        letter = session.get_one(Letter, 1)
        letter.to_address, letter.state = "ann@slow.example", "failed"
        session.add(letter)
    shown = page(max_, "/moderator/deliveries").text
    assert "slow.example 1 0 0 0 1" in shown


def test_a_person_s_page_has_the_tables_being_filled(harbour: Harbour, max_: FlaskClient) -> None:
    with harbour.installation.store.work() as session:
        asked = session.exec(
            select(Invitation.person_id).where(
                Invitation.game_id == FILLING, col(Invitation.person_id).is_not(None)
            )
        ).first()
        assert asked is not None
        session.add(
            Absence(
                person_id=asked, first_day="2031-05-05", last_day="2031-05-07",
                created_at=harbour.installation.clock(),
                starts_at=datetime(2031, 5, 5, tzinfo=UTC),
                ends_at=datetime(2031, 5, 8, tzinfo=UTC),
            )
        )  # fmt: skip
    shown = page(max_, f"/moderator/people/{asked}")
    assert f"/moderator/games/{FILLING}" in {tag.attributes.get("href") for tag in shown.all("a")}
    assert "being filled: " in shown.text
    assert "Away from Mon 5 May 2031 to Wed 7 May 2031" in shown.text
