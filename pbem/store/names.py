"""Names of people and tables, found by the beginning of any of their words.

For every word of a name there is a row that holds the name from there on, in the order of
its bytes: what begins with the text that is looked for stands together, and one question to
an index finds it among any number of names.  In scripts that are written without spaces
every character begins a word.

What somebody was called before is kept as well: earlier letters and messages say it still,
and it has to be found there when he is forgotten (`pbem.store.erasing`).
"""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Select, delete, event, inspect, select, union
from sqlalchemy.orm import Mapper
from sqlmodel import Session, SQLModel, col

from pbem.store.models import Game, Person, Profile

_PEOPLE = SQLModel.metadata.tables["person_name"]
_GAMES = SQLModel.metadata.tables["game_name"]
_ROWS = {"person": (_PEOPLE, _PEOPLE.c.person_id), "game": (_GAMES, _GAMES.c.game_id)}
_EARLIER = SQLModel.metadata.tables["earlier_name"]
_LAST = "\U0010ffff"  # no name holds it, and none begins behind it


def folded(text: str) -> str:
    """The form in which names are compared: case, accents, widths and spaces make no
    difference."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", " ".join(bare.split()))


def starts(name: str) -> list[str]:
    """A name, folded, from the beginning of each of its words on."""
    return list(dict.fromkeys(_starts(folded(name))))


def all_names(session: Session, person: Person) -> list[str]:
    """What a person is or was called here, the name he shows himself by in the archive too."""
    connection = session.connection()
    earlier = select(_EARLIER.c.name).where(_EARLIER.c.person_id == person.id)
    shown = select(col(Profile.name)).where(col(Profile.person_id) == person.id)
    found = connection.execute(union(earlier, shown)).scalars()
    return sorted({person.name, *found})


def people_called(text: str) -> Select[int]:
    """The numbers of the people with a word in their name that begins like this; of those
    with several, several times."""
    return _called("person", text)


def games_called(text: str) -> Select[int]:
    """The numbers of the tables that are called so."""
    return _called("game", text)


def rename(connection: Connection, named: str, number: int, name: str) -> None:
    """Let a person or a table (`named`: person, game) be found by this name only.  Whoever
    changes a row through a session need not: it follows."""
    rows, key = _ROWS[named]
    connection.execute(delete(rows).where(key == number))
    _insert(connection, named, number, name)


def _called(named: str, text: str) -> Select[int]:
    rows, key = _ROWS[named]
    wanted = folded(text)
    return select(key).where(rows.c.start >= wanted, rows.c.start < wanted + _LAST)


def _starts(name: str) -> Iterator[str]:
    before = " "
    for place, char in enumerate(name):
        begins = before.isspace() or (char.isalnum() and not before.isalnum())
        if not char.isspace() and (begins or unicodedata.category(char) == "Lo"):
            yield name[place:]
        before = char


def _insert(connection: Connection, named: str, number: int, name: str) -> None:
    rows, key = _ROWS[named]
    if found := [{"start": start, key.name: number} for start in starts(name)]:
        connection.execute(rows.insert(), found)


@event.listens_for(Person, "after_insert")
@event.listens_for(Game, "after_insert")
def _named(_mapper: Mapper[Any], connection: Connection, row: Person | Game) -> None:
    assert row.id is not None
    _insert(connection, str(row.__tablename__), row.id, row.name)


@event.listens_for(Person, "after_update")
@event.listens_for(Game, "after_update")
def _renamed(_mapper: Mapper[Any], connection: Connection, row: Person | Game) -> None:
    if inspect(row).attrs.name.history.has_changes():
        assert row.id is not None
        rename(connection, str(row.__tablename__), row.id, row.name)
        if isinstance(row, Person) and row.erased_at is None:
            _keep(connection, row.id, inspect(row).attrs.name.history.deleted)


@event.listens_for(Profile, "after_update")
def _shown_otherwise(_mapper: Mapper[Any], connection: Connection, row: Profile) -> None:
    _keep(connection, row.person_id, inspect(row).attrs.name.history.deleted)


def _keep(connection: Connection, person_id: int, earlier: Iterable[str]) -> None:
    """Remember what a person was called."""
    for name in earlier:
        same = (_EARLIER.c.person_id == person_id) & (_EARLIER.c.name == name)
        connection.execute(delete(_EARLIER).where(same))
        connection.execute(_EARLIER.insert(), {"person_id": person_id, "name": name})
