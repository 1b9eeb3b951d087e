"""Wiping out what is stored of somebody who is forgotten.

His own mails and letters lose all they say.  In what others wrote and got, his addresses
are taken out everywhere; his names, those he had before among them, in the rows of his own
tables, and where people of these tables and moderators wrote or read something that is of no
table: elsewhere the same name is another's.  Raw mails of others are not touched: they go
after the time mails are kept.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import JSON, Column, ColumnElement, String, Table, Text, cast, or_
from sqlmodel import Session, SQLModel, col, false, select, union, update
from sqlmodel.sql.sqltypes import AutoString

from pbem.store import names, redaction
from pbem.store.models import Erasure, Event, Game, Invitation, Letter, Mail, Role, Seat, Tenure

BATCH = 50  # rows in one unit of work
UNTOUCHED = frozenset(
    {
        "erasure", "audit", "alembic_version", "table_preference",
        "archive_category", "drive_out", "finished_game", "finished_seat", "statistic",
    }
)  # fmt: skip
"""Tables that no trace is looked for in: the audit is never changed, and names people by
their numbers; what somebody chose from a list names nobody; the archive counts games and cards,
and its names are taken out at once (`pbem.desk.forgetting`)."""


@contextmanager
def wiped_out(session: Session) -> Iterator[None]:
    """What is deleted or overwritten inside is zeroed in an SQLite file, not only freed."""
    connection = session.connection()
    if connection.dialect.name != "sqlite":
        yield
        return
    connection.exec_driver_sql("PRAGMA secure_delete=ON")
    try:
        yield
    finally:
        connection.exec_driver_sql("PRAGMA secure_delete=OFF")


def wipe_own(session: Session, erasure: Erasure) -> bool:
    """Empty up to a batch of the person's own mails and letters; False when none is left."""
    mails = session.exec(
        select(Mail)
        .where(
            or_(
                col(Mail.person_id) == erasure.person_id,
                col(Mail.person_id).is_(None)
                & or_(
                    col(Mail.sender).in_(erasure.addresses),
                    col(Mail.envelope_from).in_(erasure.addresses),
                ),
            ),
            Mail.state != "new",
            or_(col(Mail.envelope_from) != "", col(Mail.raw) != b""),
        )
        .limit(BATCH)
    ).all()
    for mail in mails:
        empty_mail(mail)
        session.add(mail)
    letters = session.exec(
        select(Letter)
        .where(
            or_(
                col(Letter.person_id) == erasure.person_id,
                col(Letter.person_id).is_(None) & col(Letter.to_address).in_(erasure.addresses),
            ),
            Letter.to_address != "",
            col(Letter.state).in_(("sent", "failed", "replaced")),
        )
        .limit(BATCH)
    ).all()
    for letter in letters:
        empty_letter(letter)
        session.add(letter)
    _empty_notes(session, erasure.person_id)
    return bool(mails or letters)


def is_under_way(session: Session, erasure: Erasure) -> bool:
    """Whether a letter to the person has not come to its end yet."""
    return (
        session.exec(
            select(Letter.id)
            .where(
                or_(
                    col(Letter.person_id) == erasure.person_id,
                    col(Letter.to_address).in_(erasure.addresses),
                ),
                Letter.to_address != "",
            )
            .limit(1)
        ).first()
        is not None
    )


def empty_mail(mail: Mail) -> None:
    """All a mail says, and who sent it; that there was one, and its digest, stays."""
    mail.raw, mail.envelope_from, mail.sender = b"", "", None
    mail.text = mail.error = mail.message_id = None
    mail.receipt = blank_receipt(mail.receipt)
    if mail.state in ("held", "quarantined"):
        mail.state = "discarded"


def blank_receipt(receipt: dict[str, Any] | None) -> dict[str, Any] | None:
    """A receipt without anything its sender wrote."""
    if receipt is None:
        return None
    blank: dict[str, Any] = {"sender": "", "subject": "", "text": "", "cut": [], "parts": []}
    kept = {name: receipt.get(name, "") for name in ("verdict", "by", "addressed")}
    return kept | blank | {"answer": None}


def empty_letter(letter: Letter) -> None:
    """All a letter says, and whom it went to.  The empty text keeps it from being written
    anew when it is looked at."""
    letter.to_address = letter.subject = letter.text = letter.html = letter.references = ""
    letter.in_reply_to = letter.error = None
    letter.context = {}


def traces(session: Session, erasure: Erasure) -> list[tuple[str, Any]]:
    """Where others' rows hold what is looked for: (table, primary key)."""
    found: list[tuple[str, Any]] = []
    for table in _tables():
        [key] = table.primary_key.columns
        wanted = [_holding(table, needle) for needle in erasure.addresses]
        if (near := _near(table, erasure)) is not None:
            named = (_holding(table, name, with_names=True) for name in erasure.names)
            wanted.append(near & or_(false(), *named))
        query = select(key).where(or_(false(), *wanted))
        found += [(table.name, number) for number in session.connection().execute(query).scalars()]
    return found


def redact(session: Session, erasure: Erasure, rows: Sequence[tuple[str, Any]]) -> None:
    """Take the addresses, and where it speaks of him the names, out of these rows."""
    connection = session.connection()
    for name, number in rows:
        table = SQLModel.metadata.tables[name]
        [key] = table.primary_key.columns
        near = _near(table, erasure)
        is_near = (false() if near is None else near).label(_NEAR)
        found = table.select().add_columns(is_near).where(key == number)
        row = connection.execute(found).mappings().first()
        if row is None:
            continue
        without = redaction.pattern_of(erasure.addresses, ())
        called = erasure.names if row[_NEAR] else ()
        with_names = redaction.pattern_of(erasure.addresses, called)
        new = {
            one: redaction.redacted(row[one], with_names if one in _WORDED else without, without)
            for one in (column.name for column in _columns(table))
        }
        changed = {column: value for column, value in new.items() if value != row[column]}
        if name == "letter" and changed.keys() & {"subject", "text", "html"}:
            # As it was sent it would name him; when it is looked at it is written anew.
            changed |= {"subject": None, "text": None, "html": None}
        if changed:
            connection.execute(table.update().where(key == number).values(**changed))
        if name in ("person", "game") and "name" in changed:
            names.rename(connection, name, number, changed["name"])


def _empty_notes(session: Session, person_id: int) -> None:
    session.exec(
        update(Event)
        .where(col(Event.person_id) == person_id, col(Event.kind) == "note")
        .values(private={})
    )


def _tables() -> Iterator[Table]:
    for table in SQLModel.metadata.sorted_tables:
        if table.name not in UNTOUCHED and list(_columns(table)):
            yield table


def _columns(table: Table) -> Iterator[Column[Any]]:
    """Those that hold what people wrote, or what we said about it."""
    for column in table.columns:
        is_text = isinstance(column.type, String | AutoString | JSON) and not column.primary_key
        if is_text and column.name not in _CLOSED:
            yield column


_CLOSED = frozenset({"digest", "state", "kind", "channel", "status", "purpose", "message_id"})


_WORDED = frozenset(
    {
        "answer", "context", "error", "html", "name", "private", "public", "receipt", "subject",
        "text", "word",
    }
)  # fmt: skip
"""Those in which somebody is called by his name.  The others hold what is ours, such as turns
and cards, or addresses: there a player who is called hen is no hen."""


_NEAR = "is_near"


def _near(table: Table, erasure: Erasure) -> ColumnElement[bool] | None:
    """Whether a row may speak of him by name: one of his tables; and of no table, what people
    of his tables or moderators wrote and got, and what was answered.  None: no row may."""
    if table.name == "game":
        return table.c.id.in_(erasure.tables)
    place = table.c.get("game_id")
    if place is None:
        return None
    if table.name == "deed":
        return or_(place.in_(erasure.tables), place.is_(None))
    person = table.c.get("person_id")
    if person is None:
        return place.in_(erasure.tables)
    return or_(place.in_(erasure.tables), place.is_(None) & person.in_(_acquainted(erasure)))


def _acquainted(erasure: Erasure) -> Any:
    """The numbers of the people who sat or were asked to his tables, and of all who moderate."""
    seated = (
        select(Tenure.person_id)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(col(Seat.game_id).in_(erasure.tables), col(Tenure.person_id).is_not(None))
    )
    asked = select(Invitation.person_id).where(
        col(Invitation.game_id).in_(erasure.tables), col(Invitation.person_id).is_not(None)
    )
    opened = select(Game.organiser_id).where(
        col(Game.id).in_(erasure.tables), col(Game.organiser_id).is_not(None)
    )
    return union(seated, asked, opened, select(Role.person_id))


def _holding(table: Table, needle: str, with_names: bool = False) -> ColumnElement[bool]:
    """Whether a row holds this text, in any form it is stored in; a name where names are."""
    found = {needle, json.dumps(needle)[1:-1], *redaction.spellings(needle)}
    return or_(
        false(),
        *(
            cast(column, Text).icontains(form, autoescape=True)
            for column in _columns(table)
            if not with_names or column.name in _WORDED
            for form in found
        ),
    )
