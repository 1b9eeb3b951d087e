"""Taking the archive out: the same games as everybody may read them, by the same names, so
that what is taken out gives nothing away and can be brought in again elsewhere."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlmodel import Session, col, select

from engine.record import Record, write
from pbem.archive.importing import BEGUN, FINISHED, NAME
from pbem.archive.moments import after
from pbem.archive.names import Called, called, table_title
from pbem.archive.records import record_of
from pbem.store import FinishedGame, Game, Store
from pbem.store.people import holders

BATCH = 100
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


def public_record(session: Session, game: Game, names: Iterable[Called] | None = None) -> Record:
    """The record of a finished game by the names everybody may read (or by `names`)."""
    held = holders(session, game)
    names = called(session, game, held) if names is None else list(names)
    record = record_of(session, game)
    record.names = [one.name for one in names]
    record.extra = {NAME: table_title(game, names)}
    for key, at in ((BEGUN, game.started_at), (FINISHED, game.finished_at)):
        if at is not None:
            record.extra[key] = at.isoformat(timespec="seconds")
    return record


def listed_games(store: Store) -> Iterator[tuple[Session, Game]]:
    """The games on the public lists, the oldest first; a batch in one snapshot."""
    last = (_EARLIEST, 0)
    while True:
        with store.read() as session:
            rows = session.exec(
                select(FinishedGame, Game)
                .join(Game, col(Game.id) == col(FinishedGame.game_id))
                .where(
                    col(FinishedGame.listed),
                    col(Game.filed_as) == col(Game.archive),
                    after(FinishedGame, last),
                )
                .order_by(col(FinishedGame.finished_at), col(FinishedGame.game_id))
                .limit(BATCH)
            ).all()
            for _, game in rows:
                yield session, game
        if len(rows) < BATCH:
            return
        last = (rows[-1][0].finished_at, rows[-1][0].game_id)


def export(store: Store, path: Path) -> int:
    """Write the records of all listed games into a file, as JSON lines, or a record a file in
    a zip (`path` ends in .zip); returns how many there were."""
    part = path.with_name(path.name + ".part")
    count = 0
    try:
        with _lines_into(part) if path.suffix != ".zip" else _files_into(part) as put:
            for session, game in listed_games(store):
                put(f"game-{game.id}.ark.json", write(public_record(session, game)) + "\n")
                count += 1
        part.replace(path)  # a file that is there is whole
    finally:
        part.unlink(missing_ok=True)
    return count


@contextmanager
def _lines_into(path: Path) -> Iterator[Callable[[str, str], object]]:
    with path.open("w", encoding="utf-8") as lines:
        yield lambda _name, text: lines.write(text)


@contextmanager
def _files_into(path: Path) -> Iterator[Callable[[str, str], object]]:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        yield packed.writestr
