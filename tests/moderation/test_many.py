"""One thing for many tables: at once where they are few, else a few at a time, to the end and
to none of them twice, whatever happens in between."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select

from pbem.app import create_app
from pbem.cli import main
from pbem.desk import failing, pausing
from pbem.jobs.embedded import Jobs
from pbem.letters import Site
from pbem.moderation import Outcome, Target, bulk, carry_out, going_on, prepare
from pbem.moderation.going_on import go_on, progress_of
from pbem.store import Blocked, BulkAction, BulkGame, Event, Game, Letter, Role, bounded
from pbem.store.log import Author
from pbem.store.tokens import blocked_digest
from tests.desk.table import Table
from tests.moderation.deeds import DEEDS
from tests.moderation.doing import REASON, audits, do, dump, powers, undo
from tests.moderation.test_pages import hidden, signed_in
from tests.moderation.world import RUNNING, World

TABLES = 4


@pytest.fixture
def many(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """Four tables run; more than one is many, and a unit of work deals with one."""
    for number in range(TABLES - 1):
        Table.begun(world.installation, seed=f"more {number}")
    monkeypatch.setattr(bulk, "AT_ONCE", 1)
    monkeypatch.setattr(going_on, "AT_FIRST", 0.0)
    monkeypatch.setattr(bounded, "LONGEST_UNIT", -1.0)
    return world


def begun(world: World, name: str, **given: str) -> Outcome:
    """An action on many that is confirmed, and of which nothing has been done yet."""
    done = do(world.installation, name, Target(), world.actor("owner"), **given)
    assert done.ok, done.sentence
    assert done.left
    return done


def paused(world: World) -> list[bool]:
    with world.installation.store.read() as session:
        stands = select(col(Game.paused_at).is_not(None)).where(Game.status == "running")
        return list(session.exec(stands.order_by(col(Game.id))))


def events(world: World, kind: str) -> list[int]:
    """The games that have such an event, one for each."""
    with world.installation.store.read() as session:
        return sorted(session.exec(select(Event.game_id).where(Event.kind == kind)))


def progress(world: World, done: Outcome) -> str:
    with world.installation.store.read() as session:
        return str(progress_of(session, [done.audit_id])[done.audit_id or 0])


def one_unit(world: World) -> int | None:
    return going_on._unit(world.installation, 1)


def test_a_few_are_done_at_once(world: World) -> None:
    Table.begun(world.installation, seed="more")
    shown = do(world.installation, "pause-many", Target(), world.actor("owner"), games="all")
    assert (shown.ok, shown.left, paused(world)) == (True, 0, [True, True])
    assert audits(world.installation)[-1].details["values"] == {"games": "all"}
    assert undo(world.installation, shown, world.actor("owner")).ok
    assert paused(world) == [False, False]


def test_many_are_counted_and_then_done_in_units(many: World) -> None:
    here, olive = many.installation, many.actor("owner")
    before, mine = dump(here), powers(here, olive.person_id)
    shown = prepare(here, olive, mine, "pause-many", Target(), {"games": "all"})
    assert shown.ok
    assert (shown.sentences, shown.warnings) == (("4 games stand still.",), (bulk.GRADUALLY,))
    assert dump(here) == before
    many.table.order(0, "say all: hello")  # what goes on at the tables does not matter
    done = carry_out(here, olive, mine, "pause-many", Target(), {"games": "all"}, shown.key)
    assert (done.ok, paused(many), progress(many, done)) == (True, [False] * 4, "0 of 4 so far")
    assert [one_unit(many), one_unit(many)] == [1, 1]
    assert (paused(many), progress(many, done)) == ([True, True, False, False], "2 of 4 so far")
    assert go_on(here) == 2
    assert (paused(many), progress(many, done)) == ([True] * 4, "4 of 4")
    assert go_on(here) == 0
    assert [(row.action, row.outcome, row.reason) for row in audits(here)][-1:] == [
        ("pause-many", "begun", REASON)
    ]
    again = carry_out(here, olive, mine, "pause-many", Target(), {"games": "all"}, shown.key)
    assert again.repeated
    back = undo(here, done, olive)
    assert back.ok
    go_on(here)
    assert (paused(many), progress(many, back)) == ([False] * 4, "4 of 4")
    assert audits(here)[-1].details["values"] == {"games": f"audit {done.audit_id}"}


class Killed(BaseException):
    pass


def test_what_dies_in_the_middle_is_gone_on_with_and_nothing_is_done_twice(
    many: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = begun(many, "pause-many", games="all")
    calls, pause = 0, pausing.pause

    def dying(session: Session, *given: Any) -> bool:
        nonlocal calls
        calls += 1
        found = pause(session, *given)
        session.flush()
        if calls == 3:
            raise Killed
        return found

    with monkeypatch.context() as patch:
        patch.setattr(pausing, "pause", dying)
        with pytest.raises(Killed):
            go_on(many.installation)
    assert progress(many, done) == "2 of 4 so far"
    jobs = Jobs(many.installation)  # of the server that is started again
    jobs._work_moderation()
    jobs._mails.close()
    assert progress(many, done) == "4 of 4"
    games = events(many, "paused")
    assert len(games) == len(set(games)) == TABLES
    with many.installation.store.read() as session:
        told = session.exec(select(Letter.context).where(Letter.kind == "paused")).all()
    assert len(told) == 3 * TABLES
    assert {one["decided"]["reason"] for one in told} == {REASON}


def test_two_who_go_on_at_once_do_it_once(many: World) -> None:
    done = begun(many, "pause-many", games="all")
    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(lambda _: go_on(many.installation), range(3))) == TABLES
    assert progress(many, done) == "4 of 4"
    assert len(events(many, "paused")) == TABLES


def test_of_two_the_first_is_done_first(many: World) -> None:
    first = begun(many, "pause-many", games="all")
    one_unit(many)
    second = begun(many, "extend-many", games="all", span="24h")
    one_unit(many)
    assert (progress(many, first), progress(many, second)) == ("2 of 4 so far", "0 of 3 so far")
    go_on(many.installation)
    assert progress(many, first) == "4 of 4"


def _end_one(world: World) -> str:
    assert do(world.installation, "end", Target(RUNNING), world.actor("owner")).ok
    return "3 of 4"


def _pause_one(world: World) -> str:
    assert do(world.installation, "pause", Target(RUNNING), world.actor("owner")).ok
    return "3 of 4"


def _halt_one(world: World) -> str:
    with world.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        site, now = world.installation.site, world.installation.clock()
        failing.halt(session, site, now, Author("clock"), game)
    return "3 of 4"


def _begin_one(world: World) -> str:
    Table.begun(world.installation, seed="later")
    return "4 of 4"


@pytest.mark.parametrize("change", [_end_one, _pause_one, _halt_one, _begin_one])
def test_what_changes_before_its_turn_is_left_out(
    many: World, change: Callable[[World], str]
) -> None:
    here, olive = many.installation, many.actor("owner")
    mine, given = powers(here, olive.person_id), {"games": "all"}
    shown = prepare(here, olive, mine, "pause-many", Target(), given)
    here.clock.advance(seconds=5)  # type: ignore[attr-defined]
    if change is _begin_one:  # after the preview
        expected = change(many)
        done = carry_out(here, olive, mine, "pause-many", Target(), given, shown.key)
    else:  # after it was confirmed
        done = carry_out(here, olive, mine, "pause-many", Target(), given, shown.key)
        expected = change(many)
    assert done.ok, done.sentence
    go_on(here)
    assert progress(many, done) == expected
    assert paused(many)[-1] is (change is not _begin_one)


def test_what_fails_is_left_out_and_counted(many: World, monkeypatch: pytest.MonkeyPatch) -> None:
    done = begun(many, "pause-many", games="all")
    pause = pausing.pause

    def failing(
        session: Session, site: Site, now: datetime, author: Author, game: Game, why: str
    ) -> bool:
        if game.id == RUNNING:
            raise ValueError("this table is broken")
        return pause(session, site, now, author, game, why)

    monkeypatch.setattr(pausing, "pause", failing)
    go_on(many.installation)
    assert progress(many, done) == "3 of 4, 1 failed (see the audit)"
    assert paused(many) == [False, True, True, True]
    row = audits(many.installation)[-1]
    assert (row.action, row.game_id, row.outcome) == ("pause-many", RUNNING, "failed: ValueError")
    assert row.details["audit"] == done.audit_id


def test_nobody_is_left_out_for_what_ails_the_database(
    many: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands, and is gone on with when the database answers again."""
    pause, cause = pausing.pause, sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY

    def busy(*_given: object) -> bool:
        raise OperationalError("UPDATE game", None, cause)

    monkeypatch.setattr(pausing, "pause", busy)
    monkeypatch.setattr(going_on, "AT_FIRST", 1.0)
    done = begun(many, "pause-many", games="all")
    with pytest.raises(OperationalError):
        go_on(many.installation)
    monkeypatch.setattr(pausing, "pause", pause)
    assert progress(many, done) == "0 of 4 so far"
    assert go_on(many.installation) == TABLES
    assert progress(many, done) == "4 of 4"
    assert all(paused(many))


def test_the_way_back_cuts_short_what_is_still_going_on(many: World) -> None:
    here, olive = many.installation, many.actor("owner")
    done = begun(many, "pause-many", games="all")
    one_unit(many)
    one_unit(many)
    back = undo(here, done, olive)
    assert (back.ok, back.sentences) == (True, ("2 games go on.", bulk.CUT_SHORT))
    go_on(here)
    assert (progress(many, done), progress(many, back)) == ("2 of 4", "2 of 2")
    assert paused(many) == [False] * 4


def test_something_else_at_the_same_tables_cuts_nothing_short(many: World) -> None:
    done = begun(many, "pause-many", games="all")
    one_unit(many)
    one_unit(many)
    given = {"to": "players", "games": f"audit {done.audit_id}", "text": "A pause."}
    told = do(many.installation, "letter-to-all", Target(), many.actor("owner"), **given)
    assert told.ok, told.sentence
    assert bulk.CUT_SHORT not in told.sentences
    go_on(many.installation)
    assert (progress(many, done), all(paused(many))) == ("4 of 4", True)


def test_whoever_loses_his_role_stops_it(many: World) -> None:
    here = many.installation
    done = begun(many, "pause-many", games="all")
    one_unit(many)
    with here.store.work() as session:
        for role in session.exec(select(Role)).all():
            if role.person_id == many.person("Olive"):
                role.revoked_at = here.clock()
    assert go_on(here) == 0
    assert (progress(many, done), paused(many).count(True)) == ("1 of 4", 1)


def test_a_letter_to_many_goes_to_each_once_and_its_words_are_not_kept(many: World) -> None:
    here = many.installation
    done = begun(many, "letter-to-all", to="players", games="", text="Good evening.")
    with here.store.read() as session:
        assert session.get_one(BulkAction, done.audit_id).values["text"] == "Good evening."
    go_on(here)
    with here.store.read() as session:
        row = session.get_one(BulkAction, done.audit_id)
        written = select(Letter.person_id).where(Letter.kind == "note")
        assert sorted(session.exec(written), key=str) == [1, 2, 3]
    assert (row.values, row.done, row.total) == ({}, 3, 3)
    assert done.inverse is None


def test_many_tables_of_a_list_are_opened_but_those_that_cannot_be(many: World) -> None:
    here, given = many.installation, dict(DEEDS["open-tables"].given)
    given["list"] += "\n" + "\n".join(f"West,{name},{name}@shy.example" for name in ("a", "b", "c"))
    with here.store.work() as session:
        session.add(Blocked(digest=blocked_digest(here.site.keys, "b@shy.example"),
                            created_at=here.clock()))  # fmt: skip
    done = begun(many, "open-tables", **given)
    go_on(here)
    assert progress(many, done) == "2 of 3, 1 failed (see the audit)"
    assert audits(here)[-1].outcome == "failed: never-again"
    with here.store.read() as session:
        opened = select(Game.name).join(BulkGame).where(BulkGame.audit_id == done.audit_id)
        assert sorted(session.exec(opened)) == ["North", "South"]
        [row] = session.exec(select(BulkAction)).all()
        assert row.values == {}


def test_only_games_of_an_entry_about_many_can_be_meant_by_it(many: World) -> None:
    here, olive = many.installation, many.actor("owner")
    assert do(here, "pause", Target(RUNNING), olive).ok
    number = audits(here)[-1].id
    refused = do(here, "resume-many", Target(), olive, games=f"audit {number}")
    assert (refused.code, refused.about) == ("parameter", "games")


def test_the_pages_say_how_far_it_has_come(many: World) -> None:
    client = signed_in(create_app(many.installation), many, "owner")
    fields = {"p-games": "all", "reason": REASON}
    fields |= hidden(client.get("/moderator/actions/pause-many").text)
    shown = client.post("/moderator/actions/pause-many", data=fields).text
    assert "4 games stand still." in shown
    assert "No letter" not in shown
    answer = client.post("/moderator/actions/pause-many/do", data=fields | hidden(shown))
    assert answer.status_code == 303
    one_unit(many)
    page = client.get(answer.location).text
    assert "<h1>Begun: Pause many tables</h1>" in page
    assert "Done: 1 of 4 so far." in page
    go_on(many.installation)
    page = client.get(answer.location).text
    assert "<h1>Done: Pause many tables</h1>" in page
    assert "Done: 4 of 4." in page
    assert bulk.GRADUALLY not in page
    assert "done: 4 of 4" in client.get("/moderator/audit").text
    assert "done: 4 of 4" in client.get("/moderator/audit.csv").text


def test_a_unit_takes_no_more_than_its_time(many: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With time for one each unit deals with one, with time enough for all that it looks at."""
    begun(many, "pause-many", games="all")
    assert going_on._unit(many.installation, 3) == 1
    monkeypatch.setattr(bounded, "LONGEST_UNIT", timedelta(minutes=1).total_seconds())
    assert going_on._unit(many.installation, 2) == 2


def test_the_command_line_goes_on_to_the_end(many: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARK_INSTANCE", str(many.installation.settings.instance))
    with many.installation.store.work() as session:  # it goes by the clock of the machine
        for game in session.exec(select(Game).where(Game.status == "running")):
            game.started_at = datetime(2020, 1, 1, tzinfo=UTC)
    given = ("act", "pause-many", "--set", "games=all", "--reason", REASON)
    assert "a few at a time" in CliRunner().invoke(main, given).output
    told = CliRunner().invoke(main, (*given, "--yes")).output
    assert "4 games stand still." in told
    assert "Done: 4 of 4." in told
    assert paused(many) == [True] * 4
