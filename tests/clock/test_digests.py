"""The day's letter: at the reader's hour, once, about all tables with something to tell."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, col, select

from pbem.clock.digests import send_digests
from pbem.desk.digesting import schedule
from pbem.installation import Installation, open_installation
from pbem.letters import stage
from pbem.letters.render import render
from pbem.letters.stage import Stage
from pbem.post.content import mime_of
from pbem.settings import Settings
from pbem.store import Letter, Person, migrate
from pbem.store.wishes import as_elsewhere, wish, wishes_of
from pbem.timing.daily import next_hour


class At:
    """A clock that is set by hand."""

    now = stage.START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def at() -> At:
    return At()


@pytest.fixture
def here(tmp_path: Path, at: At) -> Installation:
    settings = Settings(instance=tmp_path)
    found = open_installation(settings, clock=at)
    migrate.upgrade(found.store)
    return found


def digests(session: Session) -> list[Letter]:
    query = select(Letter).where(Letter.kind == "digest").order_by(col(Letter.id))
    return list(session.exec(query))


def test_once_a_day_about_what_happened(here: Installation, at: At) -> None:
    with here.store.work() as session:
        table = Stage(session, here.site, 3, "daily", name="Early bird").begin()
        reader = table.people[2]
        wish(session, reader, None, letters="digest")
        schedule(session, reader, at.now)
        due = reader.digest_at
        assert due is not None
        assert due.astimezone(UTC) > at.now
        before = len(session.exec(select(Letter).where(Letter.person_id == reader.id)).all())
        table.until(lambda position: position.to_move[0] == 2)
        kinds = session.exec(select(Letter.kind).where(Letter.person_id == reader.id)).all()
        assert "what-happened" not in kinds
        assert kinds[before:] == ["your-turn"]  # that one never waits for the morning
    assert send_digests(here) == 0
    at.now = due
    assert send_digests(here) == 1
    assert send_digests(here) == 0
    with here.store.work() as session:
        [letter] = digests(session)
        shown = render(session, here.site, letter)
        assert "EARLY BIRD · game 1" in shown.text
        assert "Ann " in shown.text
        assert "It is your turn" in shown.text
        assert f"game {letter.context['tables'][0][0]}" in shown.text
        assert reader_of(session, letter).digest_at == due + timedelta(days=1)


def reader_of(session: Session, letter: Letter) -> Person:
    return session.get_one(Person, letter.person_id)


def test_nothing_to_tell_is_no_letter(here: Installation, at: At) -> None:
    with here.store.work() as session:
        table = Stage(session, here.site, 3, "quiet").begin()
        table.people[2].letters = "digest"
        schedule(session, table.people[2], at.now)
        table.game.status = "over"
        table.game.finished_at = at.now - timedelta(days=30)
    at.now += timedelta(days=2)
    assert send_digests(here) == 0
    with here.store.read() as session:
        assert digests(session) == []


def test_a_table_may_differ(here: Installation, at: At) -> None:
    with here.store.work() as session:
        first = Stage(session, here.site, 3, "one", name="One").begin()
        second = Stage(session, here.site, 3, "two", name="Two").begin()
        reader = first.people[2]
        wish(session, reader, second.game.id, letters="digest", mail_format="text")
        schedule(session, reader, at.now)
        assert wishes_of(session, reader, first.game.id).letters == "every"
        for table in (first, second):
            table.play(table.position.to_move and first_move(table))
        letters = session.exec(
            select(Letter).where(Letter.person_id == reader.id, Letter.kind == "what-happened")
        ).all()
        assert [letter.game_id for letter in letters] == [first.game.id]
        [begun] = session.exec(
            select(Letter).where(
                Letter.person_id == reader.id, Letter.kind == "begins",
                Letter.game_id == second.game.id,
            )
        ).all()  # fmt: skip
        assert b"text/html" not in mime_of(session, here.site, begun)
        assert b"text/html" in mime_of(session, here.site, letters[0])
    at.now += timedelta(days=1)
    assert send_digests(here) == 1
    with here.store.work() as session:
        [letter] = digests(session)
        assert [one[0] for one in letter.context["tables"]] == [2]
        reader = reader_of(session, letter)
        as_elsewhere(session, reader, 2)
        schedule(session, reader, at.now)
        assert reader.digest_at is None


def first_move(table: Stage) -> stage.Move:
    return stage.view(table.position, table.position.to_move[0]).legal()[0]


@pytest.mark.parametrize(
    ("now", "hour", "zone", "expected"),
    [
        ("2026-03-28T12:00", 7, "Europe/Berlin", "2026-03-29T05:00"),  # summer time begins
        ("2026-03-27T12:00", 7, "Europe/Berlin", "2026-03-28T06:00"),
        ("2026-03-28T12:00", 2, "Europe/Berlin", "2026-03-29T01:00"),  # 2:00 is left out
        ("2026-10-24T12:00", 2, "Europe/Berlin", "2026-10-25T00:00"),  # 2:00 comes twice
        ("2026-10-25T00:30", 2, "Europe/Berlin", "2026-10-26T01:00"),
        ("2026-05-01T07:00", 7, None, "2026-05-02T07:00"),
        ("2026-05-01T06:59", 7, None, "2026-05-01T07:00"),
        ("2026-05-01T12:00", 0, "Asia/Hong_Kong", "2026-05-01T16:00"),
    ],
)
def test_the_hour_in_his_zone(now: str, hour: int, zone: str | None, expected: str) -> None:
    found = next_hour(datetime.fromisoformat(now).replace(tzinfo=UTC), hour, zone)
    assert found == datetime.fromisoformat(expected).replace(tzinfo=UTC)
