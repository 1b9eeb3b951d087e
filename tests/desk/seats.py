"""Hands on seats that change hands, for tests: who holds them, who is late, who may substitute."""

from sqlmodel import col, select

from pbem.clock import sweep
from pbem.desk import Order
from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.store import Seat, Tenure
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.rows import id_of
from tests.conftest import HandClock
from tests.desk.table import Table

SOON = {"hours": 10, "grace_hours": 0, "misses_before_offer": 1}


def somebody(installation: Installation, name: str = "Fay", ready: bool = True) -> int:
    with installation.store.work() as session:
        person = find_or_add_person(
            session, installation.clock(), name, f"{name.lower()}@example.net", confirmed=True
        )
        person.substitute_since = installation.clock() if ready else None
        session.add(person)
        session.flush()
        return id_of(person)


def write(installation: Installation, person: int, text: str, **details: object) -> str:
    with installation.store.work() as session:
        order = Order(text, Author("mail", person), addressed="person", **details)  # type: ignore[arg-type]
        return installation.desk.take_order(session, order).outcome


def holder(table: Table, seat: int) -> tuple[int | None, str | None]:
    with table.installation.store.read() as session:
        one = holders(session, table.game())[seat]
        return one.person_id, one.bot


def tenures(table: Table, seat: int) -> list[Tenure]:
    with table.installation.store.read() as session:
        return list(
            session.exec(
                select(Tenure)
                .join(Seat, col(Seat.id) == col(Tenure.seat_id))
                .where(Seat.game_id == table.game_id, Seat.number == seat)
                .order_by(col(Tenure.id))
            )
        )


def late(table: Table, clock: HandClock, hours: float = 10) -> None:
    clock.advance(hours=hours)
    sweep(table.installation)


def lost(table: Table, clock: HandClock) -> None:
    """Seat 0 does not answer, and nobody takes its seat."""
    late(table, clock)
    late(table, clock, 72)
