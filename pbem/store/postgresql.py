"""PostgreSQL, for more than one machine: connections, and who writes beside whom.

SQLite lets one unit of work write at a time, and all of the program is written so.  Here that
is an advisory lock which every writing unit of work takes before it reads: alone, as a rule.
Those that are known to write nothing but what belongs to one table share it, and lock the
row of that table instead; so turns at different tables do not wait for each other, and
whatever else is done meets nobody half way.  What a turn writes beyond its table is locked,
too: what is counted about a person (`alone_about`), and his other tables when he is back from
an absence (`lock_tables`).  The default is safe: a unit of work that nobody thought about
writes alone.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, event, text
from sqlmodel import Session, col, create_engine, select

from pbem.settings import SettingsError
from pbem.store.models import Game

_WRITING, _MIGRATING = 0x41726B01, 0x41726B02  # "Ark", and what for
_MINUTE = "set_config('idle_in_transaction_session_timeout', '60s', true)"
"""A machine that loses its power in the middle of a unit of work holds its lock no longer."""
_ALONE = f"SELECT {_MINUTE}, pg_advisory_xact_lock({_WRITING})"
_BESIDE_OTHERS = f"SELECT {_MINUTE}, pg_advisory_xact_lock_shared({_WRITING})"
_SIGNS_OF_LIFE = " ".join(
    f"-c tcp_keepalives_{what}={seconds}"
    for what, seconds in (("idle", 20), ("interval", 5), ("count", 4))
)
"""So the locks of a machine that has gone are free in less than a minute."""
_PERSON, _ONLY_ONE = (
    0x41726B,
    0x41726C,
)  # these locks have two numbers, and no meeting with those of one
_ABOUT = "people this unit of work writes about, beside others"
_DRIVER = "postgresql+psycopg"
_NAMES = frozenset({"postgres", "postgresql", _DRIVER})


def is_meant(url: URL) -> bool:
    return url.drivername in _NAMES


def engine(url: URL, patience: int) -> Engine:
    """Connections that speak UTC and wait `patience` seconds for a lock; `SettingsError`
    where the driver is missing."""
    options = f"-c timezone=UTC -c lock_timeout={patience}s {_SIGNS_OF_LIFE}"
    try:
        made = create_engine(
            url.set(drivername=_DRIVER),
            pool_pre_ping=True,
            connect_args={"options": options, "application_name": "ark"},
        )
        from psycopg.adapt import Buffer
        from psycopg.types.string import StrDumperUnknown
    except ModuleNotFoundError:
        raise SettingsError(
            "setting database: PostgreSQL needs the packages of requirements-distributed.txt"
        ) from None

    class Text(StrDumperUnknown):
        """PostgreSQL's text holds no NUL; nobody means one, and some forms have it."""

        def dump(self, obj: str) -> Buffer | None:
            return super().dump(obj.replace("\0", "\ufffd"))

    @event.listens_for(made, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.adapters.register_dumper(str, Text)

    return made


def connection_arguments(engine: Engine) -> dict[str, Any]:
    """What the driver connects with: as `engine` does, but without its patience."""
    _, arguments = engine.dialect.create_connect_args(engine.url)
    return {**arguments, "application_name": "ark jobs"}


def reading(engine: Engine) -> Engine:
    """The same connections, for one consistent snapshot that nothing is written to."""
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def begin(connection: Connection, game_id: int | None) -> None:
    """Wait for the turn to write: that at one table, or (None) anywhere."""
    if game_id is None:
        connection.exec_driver_sql(_ALONE)
    else:
        connection.exec_driver_sql(_BESIDE_OTHERS)
        connection.execute(select(Game.id).where(Game.id == game_id).with_for_update())


def is_beside_others(session: Session) -> None:
    """Note that what is done in this unit of work is done beside others."""
    session.info[_ABOUT] = set()


def alone_about(session: Session, person_id: int) -> bool:
    """Of units of work beside each other let one at a time write about a person.  True when
    this had to be waited for: then what was read about him before may have changed."""
    about: set[int] | None = session.info.get(_ABOUT)
    if about is None or person_id in about:
        return False
    about.add(person_id)
    session.connection().exec_driver_sql(f"SELECT pg_advisory_xact_lock({_PERSON}, {person_id:d})")
    return True


def lock_tables(session: Session, game_ids: Sequence[int]) -> None:
    """Let a unit of work beside others write at these tables, too: wait for their rows, in the
    order of their numbers, and read them anew."""
    if _ABOUT in session.info:
        session.flush()
        rows = select(Game).where(col(Game.id).in_(game_ids)).order_by(col(Game.id))
        session.exec(rows.with_for_update().execution_options(populate_existing=True)).all()


@contextmanager
def only_one(engine: Engine, what: str) -> Iterator[bool]:
    """Whether this is the one, of all machines, that does something for as long as it likes.
    It is no more when its connection, or its process, ends."""
    with engine.connect() as connection:
        connection.detach()  # closed at the end, and the lock with it
        mine = connection.execute(_TRY, {"space": _ONLY_ONE, "what": what}).scalar_one()
        connection.commit()
        yield bool(mine)


_TRY = text("SELECT pg_try_advisory_lock(:space, hashtext(:what))")


def prepare_queue(connection: Connection) -> None:
    """The tables of the queue of jobs."""
    from pbem.store import queue  # Procrastinate is there where PostgreSQL is

    queue.prepare(connection)


def begin_migrating(connection: Connection) -> None:
    """Of two machines that start at once the second waits, then finds nothing to do."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
