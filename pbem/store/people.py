"""Who sits where, and where letters reach them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from pbem.store.models import Address, Blocked, Game, Person, Seat, Tenure
from pbem.store.rows import id_of
from pbem.store.tokens import Keys, blocked_digest


@dataclass(frozen=True)
class Holder:
    """Who holds a seat now: a person or a bot."""

    seat: int
    name: str
    person_id: int | None
    bot: str | None
    seat_id: int  # of its row


def holders(session: Session, game: Game) -> list[Holder]:
    """The holders of all seats of a started game, by seat number."""
    session.flush()
    rows = session.connection().execute(_HELD, {"game": game.id})
    return _told_apart(_with_bot_names([Holder(*row) for row in rows]))


def seated(session: Session, game: Game) -> list[Holder]:
    """The same for a unit of work that is going to change something: the rows of seats and
    people come along, so that nothing asks for them one by one."""
    return seated_at(session, [id_of(game)])[id_of(game)]


def seated_at(session: Session, games: Collection[int]) -> dict[int, list[Holder]]:
    """The same for several tables, by their numbers."""
    found: dict[int, list[Holder]] = {number: [] for number in games}
    for seat, tenure, person in session.exec(_SEATED, params={"games": list(games)}):
        name = "" if tenure.person_id is None else person.name
        holder = Holder(seat.number, name, tenure.person_id, tenure.bot, tenure.seat_id)
        found[seat.game_id].append(holder)
    return {number: _told_apart(_with_bot_names(held)) for number, held in found.items()}


_HELD = (
    select(Seat.number, func.coalesce(Person.name, ""), Tenure.person_id, Tenure.bot)
    .add_columns(col(Tenure.seat_id))
    .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
    .outerjoin(Person, col(Person.id) == col(Tenure.person_id))
    .where(col(Seat.game_id) == bindparam("game"), col(Tenure.until_seq).is_(None))
    .order_by(col(Seat.number))
)
_SEATED = (
    select(Seat, Tenure, Person)
    .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
    .outerjoin(Person, col(Person.id) == col(Tenure.person_id))
    .where(
        col(Seat.game_id).in_(bindparam("games", expanding=True)), col(Tenure.until_seq).is_(None)
    )
    .order_by(col(Seat.number))
)


def _with_bot_names(held: Sequence[Holder]) -> list[Holder]:
    """Bots are called Bot A, Bot B …: unique at the table and never a person's name."""
    letters = iter("ABCDE")
    return [
        one if one.bot is None else replace(one, name=f"Bot {next(letters)}", person_id=None)
        for one in held
    ]


def _told_apart(held: Sequence[Holder]) -> list[Holder]:
    """Names are unique at a table (commands.md 3.13): the second Ann is Ann 2."""
    taken: set[str] = set()
    apart = []
    for one in held:
        name, number = one.name, 1
        while name.casefold() in taken:
            number += 1
            name = f"{one.name[:21]} {number}"
        taken.add(name.casefold())
        apart.append(one if name == one.name else replace(one, name=name))
    return apart


def seat_of(session: Session, game: Game, person_id: int) -> int | None:
    """The seat a person holds at this table, or None."""
    return session.exec(
        select(Seat.number)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(
            Seat.game_id == game.id,
            Tenure.person_id == person_id,
            col(Tenure.until_seq).is_(None),
        )
    ).first()


def fold_address(address: str) -> str:
    """The form addresses are stored and compared in."""
    return address.strip().lower()


def person_by_address(session: Session, address: str) -> Person | None:
    return session.exec(
        select(Person)
        .join(Address, col(Address.person_id) == col(Person.id))
        .where(Address.address == fold_address(address))
    ).first()


def address_of(session: Session, person_id: int) -> Address | None:
    """The address a person's letters go to; None for an erased person."""
    return session.exec(_MAIN_ADDRESS, params={"person": person_id}).first()


_MAIN_ADDRESS = (
    select(Address)
    .where(col(Address.person_id) == bindparam("person"))
    .order_by(col(Address.primary).desc(), col(Address.id))
    .limit(1)
)


def reached(session: Session, people: Collection[int]) -> dict[int, str]:
    """Those of these people whom letters reach, each with the address they go to: as
    `address_of` says, but asked once for all of them."""
    rows = session.exec(_REACHED, params={"people": list(people)}).all()
    return {person_id: address for person_id, address in reversed(rows) if person_id is not None}


_REACHED = (
    select(Person.id, Address.address)
    .join(Address, col(Address.person_id) == col(Person.id))
    .where(col(Person.id).in_(bindparam("people", expanding=True)), col(Person.erased_at).is_(None))
    .order_by(col(Address.primary).desc(), col(Address.id))
)


def is_blocked(session: Session, keys: Keys, address: str) -> bool:
    """Whether the owner of an address wrote "never again"."""
    return session.get(Blocked, blocked_digest(keys, address)) is not None


def wants_no_mail(session: Session, keys: Keys, person_id: int) -> bool:
    """Whether a person wrote "never again" from one of his addresses."""
    return any(is_blocked(session, keys, one) for one in addresses_of(session, person_id))


def addresses_of(session: Session, person_id: int) -> list[str]:
    return list(session.exec(select(Address.address).where(Address.person_id == person_id)))


def policies_of(session: Session, person_id: int) -> set[str]:
    """The mail policies of the running games at which a person holds a seat."""
    return set(
        session.exec(
            select(Game.mail_policy)
            .join(Seat, col(Seat.game_id) == col(Game.id))
            .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
            .where(
                Tenure.person_id == person_id,
                col(Tenure.until_seq).is_(None),
                Game.status == "running",
            )
            .distinct()
        )
    )
