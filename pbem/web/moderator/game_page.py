"""One game as a moderator sees it: what everybody may see of it, and how it is kept going.

Cards come from the view of a spectator alone.  Whoever plays at the table sees of the others
what his seat sees: neither how their mail arrives nor how punctual they are.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from engine.view import View, view
from pbem.desk.deadlines import absences_granted
from pbem.desk.reliability import Punctuality, punctuality_of
from pbem.letters.ark import Picture, picture
from pbem.letters.times import pace
from pbem.moderation.lists.waiting import AwaitedSeat, asked_at
from pbem.store import Address, Game, Invitation, Person, Seat, Tenure
from pbem.store.moderated import PublicDeed, public_deeds
from pbem.store.options import options_of
from pbem.store.people import holders, seat_of
from pbem.store.positions import position_now
from pbem.store.roles import Powers, plays_in
from pbem.store.rows import id_of
from pbem.web.moderator.timeline import NO_SEAT


@dataclass(frozen=True)
class Held:
    """Somebody who holds or held a seat."""

    name: str
    person_id: int | None
    from_seq: int
    until_seq: int | None
    left: str


@dataclass(frozen=True)
class SeatRow:
    """A seat with its holder, and how it is kept going; ``punctuality`` and ``reached`` are
    None where they are not this reader's business."""

    number: int
    name: str
    person_id: int | None
    bot: str | None
    asked: AwaitedSeat | None
    misses: int
    graces: int
    bank_seconds: int | None
    offered_at: datetime | None
    offer_ends_at: datetime | None
    away_until: datetime | None
    before: tuple[Held, ...]
    punctuality: Punctuality | None
    reached: str | None  # ok, bouncing, waiting, none


@dataclass(frozen=True)
class Guest:
    """Somebody who was asked to a table that has not begun."""

    name: str
    person_id: int | None
    state: str
    answered_at: datetime | None


@dataclass(frozen=True)
class GamePage:
    game: Game
    own_seat: int | None  # of this moderator; `NO_SEAT`: he has left it and may come back
    plays: bool  # he does, or is asked to
    names: tuple[str, ...]  # by seat
    view: View | None
    ark: Picture | None
    seats: tuple[SeatRow, ...]
    guests: tuple[Guest, ...]
    pace: str
    organiser: str
    moderator: str
    deeds: tuple[PublicDeed, ...]  # of moderators, as the table may read them

    @property
    def asked(self) -> tuple[AwaitedSeat, ...]:
        return tuple(seat.asked for seat in self.seats if seat.asked is not None)


def game_page(session: Session, game: Game, powers: Powers, now: datetime) -> GamePage:
    """All the page says of a game."""
    number = id_of(game)
    plays = number in plays_in(session, powers.person_id) and game.status != "over"
    seen = None if game.position is None else view(position_now(game), None)
    held = seat_of(session, game, powers.person_id) if plays else None
    own_seat = NO_SEAT if plays and held is None else held
    seats = () if seen is None else tuple(_seats(session, game, own_seat, now))
    return GamePage(
        game=game,
        own_seat=own_seat,
        plays=plays,
        names=tuple(seat.name for seat in seats),
        view=seen,
        ark=None if seen is None else picture(seen),
        seats=seats,
        guests=() if seats else tuple(_guests(session, number)),
        pace=pace(options_of(game).control),
        organiser=_name(session, game.organiser_id),
        moderator=_name(session, game.moderator_id),
        deeds=tuple(public_deeds(session, game)),
    )


def _seats(session: Session, game: Game, own: int | None, now: datetime) -> list[SeatRow]:
    rows = {row.number: row for row in session.exec(select(Seat).where(Seat.game_id == game.id))}
    asked = {one.seat: one for one in asked_at(session, [id_of(game)]).get(id_of(game), [])}
    past = _past(session, game)
    found = []
    for holder in holders(session, game):
        row, person_id = rows[holder.seat], holder.person_id
        open_to_him = person_id is not None and own in (None, holder.seat)
        found.append(
            SeatRow(
                number=holder.seat,
                name=holder.name,
                person_id=person_id,
                bot=holder.bot,
                asked=asked.get(holder.seat),
                misses=row.misses,
                graces=row.graces,
                bank_seconds=row.bank_seconds,
                offered_at=row.offered_at,
                offer_ends_at=row.offer_ends_at,
                away_until=None if person_id is None else _away(session, game, person_id, now),
                before=tuple(past.get(holder.seat, ())),
                punctuality=punctuality_of(session, person_id or 0) if open_to_him else None,
                reached=reached(session, person_id or 0) if open_to_him else None,
            )
        )
    return found


def _past(session: Session, game: Game) -> dict[int, list[Held]]:
    """Who held the seats before, by seat, the first one first."""
    rows = session.exec(
        select(Seat.number, Tenure, Person)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .outerjoin(Person, col(Person.id) == col(Tenure.person_id))
        .where(Seat.game_id == game.id, col(Tenure.until_seq).is_not(None))
        .order_by(col(Tenure.id))
    )
    found: dict[int, list[Held]] = {}
    for number, tenure, person in rows:
        name = f"bot ({tenure.bot})" if person is None else person.name
        found.setdefault(number, []).append(
            Held(name, tenure.person_id, tenure.from_seq, tenure.until_seq, tenure.left or "")
        )
    return found


def _away(session: Session, game: Game, person_id: int, now: datetime) -> datetime | None:
    """Until when somebody is away as far as the table grants it, if he is."""
    spans = absences_granted(session, game, person_id)
    return max((end for start, end in spans if start <= now < end), default=None)


def reached(session: Session, person_id: int) -> str:
    """How mail reaches somebody: ok, bouncing, waiting (letters to him wait), none."""
    row = session.exec(
        select(Address)
        .where(Address.person_id == person_id)
        .order_by(col(Address.primary).desc(), col(Address.id))
        .limit(1)
    ).first()
    if row is None:
        return "none"
    if row.paused_at is not None:
        return "waiting"
    return "ok" if row.bounced_at is None else "bouncing"


def _guests(session: Session, game_id: int) -> list[Guest]:
    rows = session.exec(
        select(Invitation, Person)
        .outerjoin(Person, col(Person.id) == col(Invitation.person_id))
        .where(Invitation.game_id == game_id)
        .order_by(col(Invitation.place))
    )
    return [
        Guest(
            f"bot ({row.bot})" if person is None else person.name, row.person_id, row.state,
            row.answered_at,
        )
        for row, person in rows
    ]  # fmt: skip


def _name(session: Session, person_id: int | None) -> str:
    person = None if person_id is None else session.get(Person, person_id)
    return "" if person is None else person.name
