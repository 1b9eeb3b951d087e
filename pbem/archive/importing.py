"""Bringing finished games in: from one record, a file of many, or a whole archive that was
taken out elsewhere.  Every move is checked by the rules, and nobody is let in twice."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from engine.cards import cards_form
from engine.moves import to_json
from engine.proof import verify
from engine.record import Record, RecordError, read, replay, walk
from pbem.archive.facts import digest_of
from pbem.archive.filing import file
from pbem.store import FinishedGame, Game, Person, Seat, Tenure, daily
from pbem.store.log import Author, append
from pbem.store.positions import store_position
from pbem.store.rows import id_of

ENDINGS = (".ark.json", ".jsonl")
MOST_BYTES = 100_000_000
"""Of one file inside an archive, unpacked: a bomb is refused before it is read."""

_SURROGATE = re.compile("[\ud800-\udfff]")

# What a record of ours says beside the game: free keys of ark-record.
NAME, BEGUN, FINISHED = "x-table", "x-begun", "x-finished"


class ImportFault(ValueError):
    """A record that is not let in: which one, why, and what to do about it."""


class AlreadyThere(ImportFault):
    """The archive has this game."""


def records_in(path: Path) -> Iterator[tuple[str, str]]:
    """The texts that hold records, each with where it was found: a file, the files of a
    folder, or of a zip."""
    if path.is_dir():
        for file_ in sorted(path.rglob("*")):
            if file_.is_file() and file_.name.endswith(ENDINGS):
                yield str(file_), _decoded(str(file_), file_.read_bytes())
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            for one in sorted(packed.infolist(), key=lambda entry: entry.filename):
                if one.filename.endswith(ENDINGS):
                    where = f"{path}: {one.filename}"
                    if one.file_size > MOST_BYTES:
                        raise ImportFault(f"{where}: it is larger than a file of games may be")
                    yield where, _decoded(where, _unpacked(where, packed, one))
    else:
        yield str(path), _decoded(str(path), path.read_bytes())


def _unpacked(where: str, packed: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """The bytes of a file in a zip, never more than may be; `ImportFault` for one that is
    damaged, locked with a password, or packed in a way that is not known here."""
    try:
        with packed.open(one) as opened:
            return opened.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ImportFault(f"{where} cannot be unpacked: {error}") from None


def import_records(session: Session, text: str, now: datetime) -> list[int]:
    """Bring the finished games of a record file in, all or none: `RecordError` at the first
    one that the rules do not agree with, `ImportFault` at one that is not let in."""
    return [import_record(session, record, now) for record in read(text)]


def import_record(session: Session, record: Record, now: datetime) -> int:
    """Bring one finished game in, in the caller's unit of work; its number here."""
    if not replay(record).finished:
        raise RecordError("only finished games can be brought in; this one is not over")
    if not _is_text([record.deck.name, record.proof]):
        raise RecordError("the name of the deck, or the proof, holds a sign that is no text")
    if record.proof is not None and (faults := verify(record)):
        raise RecordError(f"the proof of the deal does not hold: {'; '.join(faults)}")
    digest = digest_of(record)
    there = session.exec(select(FinishedGame.game_id).where(FinishedGame.digest == digest)).first()
    if there is not None:
        raise AlreadyThere(f"this game is in the archive already, as game {there}")
    game = _game(record, now)
    session.add(game)
    session.flush()
    daily.changed(session, now, game.started_at, game.finished_at)
    _play(session, game, record, now)
    file(session, game)
    session.flush()
    return id_of(game)


def _game(record: Record, now: datetime) -> Game:
    proof = record.proof or {}
    finished = _time(record, FINISHED) or now
    begun = _time(record, BEGUN) or finished
    return Game(
        name=_name(record),
        status="over",
        players=record.players,
        deck=record.deck.name,
        cards=None if record.deck.builtin else cards_form(record.deck),
        turn_seconds=1,
        created_at=min(begun, now),
        started_at=min(begun, now),
        finished_at=min(finished, now),
        server_seed=str(proof.get("server_seed", "")),
        salt=str(proof.get("salt", "")),
        commitment=str(proof.get("commitment", "")),
        setup=record.setup,
        archive="open",  # a record says names only if they may be read
    )


def _name(record: Record) -> str:
    name = record.extra.get(NAME)
    said = isinstance(name, str) and name.isprintable() and bool(name.strip())
    return str(name).strip()[:60] if said else "Imported game"


def _play(session: Session, game: Game, record: Record, now: datetime) -> None:
    author = Author("cli")
    people = [_person(session, record, seat, now) for seat in range(record.players)]
    seats = [{"person": person.id, "bot": None} for person in people]
    said = {"proof": record.proof, "variants": record.variants}
    kept = {key: value for key, value in said.items() if value is not None}
    started = append(session, game, "started", now, author, public={"seats": seats, "record": kept})
    for place, person in enumerate(people):
        seat = Seat(game_id=id_of(game), number=place)
        session.add(seat)
        session.flush()
        session.add(Tenure(seat_id=id_of(seat), person_id=person.id, from_seq=started.seq))
    for turn, happenings, position in walk(record):
        append(
            session, game, "turn", now, author,
            seat=turn.seat, move=to_json(turn.move), happenings=happenings,
        )  # fmt: skip
        game.decision += 1
        store_position(game, position)
    session.add(game)
    session.flush()


def _person(session: Session, record: Record, seat: int, now: datetime) -> Person:
    """Somebody known by name only: a record says nothing about who that is."""
    said = record.names[seat] if record.names else ""
    name = " ".join("".join(c if c.isprintable() else " " for c in said).split())[:24].strip()
    person = Person(name=name or f"Seat {seat}", created_at=now)
    session.add(person)
    session.flush()
    return person


def _is_text(value: Any) -> bool:
    """Whether all texts in a JSON value can be stored and shown: no half of a surrogate pair,
    and no NUL, which PostgreSQL does not take."""
    if isinstance(value, str):
        return "\0" not in value and not _SURROGATE.search(value)
    if isinstance(value, dict):
        return all(map(_is_text, (*value, *value.values())))
    return not isinstance(value, list) or all(map(_is_text, value))


def _time(record: Record, key: str) -> datetime | None:
    """A time of the record's free keys; None where there is none that can be read."""
    value: Any = record.extra.get(key)
    try:
        return datetime.fromisoformat(value).astimezone(UTC) if isinstance(value, str) else None
    except (ValueError, OverflowError):  # or one beyond the ends of the calendar
        return None


def _decoded(where: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ImportFault(f"{where} is no ark-record: it is not UTF-8") from None
