"""Hands on the clock for tests: mail from a seat, a person's settings, waits as they are."""

from datetime import datetime

from sqlmodel import col, select

from pbem.store import Event, Game, Letter, Mail, Person, Seat, Wait
from pbem.store.people import holders
from pbem.store.rows import id_of
from tests.desk.table import Table


def person_id(table: Table, seat: int) -> int:
    with table.installation.store.read() as session:
        found = holders(session, table.game())[seat].person_id
    assert found is not None
    return found


def settle(table: Table, seat: int, **values: object) -> None:
    """Give the player of a seat some settings of his own."""
    number = person_id(table, seat)
    with table.installation.store.work() as session:
        person = session.get_one(Person, number)
        for name, value in values.items():
            setattr(person, name, value)
        session.add(person)


def waits(table: Table, *, ended: bool = False) -> list[Wait]:
    with table.installation.store.read() as session:
        query = select(Wait).where(Wait.game_id == table.game_id).order_by(col(Wait.id))
        if not ended:
            query = query.where(col(Wait.ended_at).is_(None))
        return list(session.exec(query))


def seat_row(table: Table, seat: int) -> Seat:
    with table.installation.store.read() as session:
        return session.exec(
            select(Seat).where(Seat.game_id == table.game_id, Seat.number == seat)
        ).one()


def take_first(table: Table, seat: int | None = None, **details: object) -> str:
    """The simplest turn there is; its outcome."""
    mover = table.to_move()[0] if seat is None else seat
    return table.order(mover, f"take {table.view(mover).display[0]}", **details).outcome


def events(table: Table, *kinds: str) -> list[Event]:
    return [one for one in table.events() if not kinds or one.kind in kinds]


def letters(table: Table, kind: str, *, person: int | None = None) -> list[Letter]:
    """The letters of a kind, of all tables, oldest first."""
    with table.installation.store.read() as session:
        query = select(Letter).where(Letter.kind == kind).order_by(col(Letter.id))
        if person is not None:
            query = query.where(Letter.person_id == person)
        return list(session.exec(query))


def unread_mail(table: Table, at: datetime) -> int:
    """A mail that has come and waits to be read."""
    with table.installation.store.work() as session:
        mail = Mail(
            received_at=at, channel="smtp", envelope_from="ann@example.net", envelope_to=[],
            raw=b"", digest=str(at),
        )  # fmt: skip
        session.add(mail)
        session.flush()
        return id_of(mail)


def settled_mail(table: Table, mail_id: int) -> None:
    with table.installation.store.work() as session:
        mail = session.get_one(Mail, mail_id)
        mail.state = "done"
        session.add(mail)


def change(table: Table, **values: object) -> None:
    """Set columns of the game."""
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        for name, value in values.items():
            setattr(game, name, value)
        session.add(game)


def spoil(wait: Wait, table: Table) -> None:
    """Make the row of a wait one that the clock cannot read."""
    with table.installation.store.work() as session:
        row = session.get_one(Wait, wait.id)
        row.terms = {"control": {"kind": "nonsense"}}
        session.add(row)
