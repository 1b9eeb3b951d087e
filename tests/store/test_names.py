"""Names are found by the beginnings of their words, and follow every change."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session, SQLModel, select

from pbem.store import Erasure, Game, GameName, Person, PersonName, Store, erasing, names

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    store = Store(f"sqlite:///{tmp_path / 'ark.sqlite'}")
    SQLModel.metadata.create_all(store.engine)
    with store.work() as session:
        yield session
    store.close()


def _person(session: Session, name: str) -> Person:
    person = Person(name=name, created_at=NOW)
    session.add(person)
    session.flush()
    return person


def _called(session: Session, text: str) -> list[str]:
    numbers = set(session.connection().execute(names.people_called(text)).scalars())
    return sorted(one.name for one in session.exec(select(Person)) if one.id in numbers)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann", ["Ann Archer", "Mary-Ann", "Änne"]),
        ("ANN ARCH", ["Ann Archer"]),
        ("archer", ["Ann Archer"]),
        ("rcher", []),
        ("Anne", ["Änne"]),
        ("#2", ["Bo #2"]),
        ("2", ["Bo #2"]),
        ("小明", ["王小明"]),
        ("王", ["王小明"]),
        ("%", []),
        ("_", []),
        ("mary  -", []),
        ("Mary-", ["Mary-Ann"]),
    ],
)
def test_a_name_is_found_by_its_words(session: Session, text: str, found: list[str]) -> None:
    for name in ("Ann Archer", "Mary-Ann", "Änne", "Bo #2", "王小明"):
        _person(session, name)
    assert _called(session, text) == found


@given(st.text(max_size=12), st.text(max_size=4))
def test_what_begins_so_is_what_lies_between(name: str, text: str) -> None:
    """What the index is asked for is just what begins so, in the order of bytes."""
    wanted = names.folded(text)
    for start in names.starts(name):
        between = wanted.encode() <= start.encode() < (wanted + "\U0010ffff").encode()
        assert between == start.startswith(wanted) or "\U0010ffff" in start


def _table(session: Session, name: str) -> Game:
    table = Game(
        name=name, players=3, turn_seconds=1, created_at=NOW,
        server_seed="", salt="", commitment="",
    )  # fmt: skip
    session.add(table)
    session.flush()
    return table


def test_names_follow_every_change(session: Session) -> None:
    person = _person(session, "Ann Archer")
    table = _table(session, "Sunday club")
    person.name, table.name = "Bo", "Salts"
    session.flush()
    person.zone = "Asia/Tokyo"  # another change leaves them alone
    session.flush()
    assert [one.start for one in session.exec(select(PersonName))] == ["bo"]
    assert [one.start for one in session.exec(select(GameName))] == ["salts"]
    found = session.connection().execute(names.games_called("sal")).scalars()
    assert list(found) == [table.id]


def test_a_name_that_is_redacted_is_found_no_more(session: Session) -> None:
    table = _table(session, "Table of Ann")
    assert table.id is not None
    erased = Erasure(person_id=1, addresses=[], names=["Ann"], tables=[table.id], created_at=NOW)
    erasing.redact(session, erased, [("game", table.id)])
    rows = {one.start for one in session.exec(select(GameName))}
    assert rows == set(names.starts("Table of a former player"))
