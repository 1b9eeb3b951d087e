"""One person as a moderator sees him.

Addresses and mails are for those who moderate all games, and never those of somebody the
moderator plays with: they would tell of a table of his own.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.desk.reliability import Punctuality, punctuality_of
from pbem.moderation.closed import Closed
from pbem.moderation.lists.mails import MailRow, WantedMails, mails
from pbem.moderation.lists.reach import within
from pbem.store import Absence, Address, Audit, Game, Invitation, Letter, Person, Seat, Tenure
from pbem.store.bounce_scores import score
from pbem.store.roles import Powers, players_of, plays_in, powers_of
from pbem.store.rows import id_of
from pbem.web.moderator.seats import with_names

MOST = 20


@dataclass(frozen=True)
class Reach:
    """How mail reaches an address."""

    address: str
    primary: bool
    confirmed: bool
    score: float
    bounced_at: datetime | None
    paused_at: datetime | None
    said: str


@dataclass(frozen=True)
class TablePlace:
    """A seat somebody holds or held, or a place at a table that is being filled (no seat)."""

    game_id: int
    game: str
    status: str
    seat: int | None
    holds: bool
    left: str


@dataclass(frozen=True)
class PersonPage:
    fellow: bool  # the moderator plays with him
    places: tuple[TablePlace, ...]
    punctuality: Punctuality
    addresses: tuple[Reach, ...]
    mails: tuple[MailRow, ...]
    letters: tuple[tuple[int, str, str, datetime], ...]  # number, kind, state, written
    away: tuple[Absence, ...]
    title: str  # of his roles
    audit: tuple[tuple[Audit, str], ...]


def person_page(session: Session, person: Person, powers: Powers, now: datetime) -> PersonPage:
    """All the page says of somebody."""
    number = id_of(person)
    own = plays_in(session, powers.person_id)
    fellow = number != powers.person_id and number in players_of(session, own)
    private = powers.everywhere and not fellow
    roles = powers_of(session, number)
    return PersonPage(
        fellow=fellow,
        places=(*_asked(session, number, powers), *_places(session, number, powers)),
        punctuality=punctuality_of(session, number),
        addresses=tuple(_addresses(session, number, now)) if private else (),
        mails=tuple(_mails(session, number, powers)) if private else (),
        letters=tuple(_letters(session, number)) if private else (),
        away=tuple(_away(session, number, now)),
        title="" if roles is None else roles.title,
        audit=tuple(_audit(session, number, powers, own)),
    )


def _places(session: Session, person_id: int, powers: Powers) -> list[TablePlace]:
    rows = session.exec(
        select(Game.id, Game.name, Game.status, Seat.number, Tenure.until_seq, Tenure.left)  # type: ignore[call-overload]
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Tenure.person_id == person_id, *within(powers, Game.id))
        .order_by(col(Tenure.until_seq).is_not(None), col(Game.id).desc())
        .limit(MOST * 5)
    )
    return [
        TablePlace(game_id, name, status, seat, until is None, left or "")
        for game_id, name, status, seat, until, left in rows
    ]


def _asked(session: Session, person_id: int, powers: Powers) -> list[TablePlace]:
    """The tables being filled that somebody is asked to, or has come to."""
    rows = session.exec(
        select(Game.id, Game.name, Invitation.state)
        .join(Invitation, col(Invitation.game_id) == col(Game.id))
        .where(
            Invitation.person_id == person_id, Game.status == "inviting", *within(powers, Game.id)
        )
        .order_by(col(Game.id).desc())
        .limit(MOST)
    )
    return [
        TablePlace(game_id or 0, name, f"being filled: {state}", None, True, "")
        for game_id, name, state in rows
    ]


def _addresses(session: Session, person_id: int, now: datetime) -> list[Reach]:
    rows = session.exec(
        select(Address)
        .where(Address.person_id == person_id)
        .order_by(col(Address.primary).desc(), col(Address.id))
    )
    return [
        Reach(
            row.address, row.primary, row.confirmed_at is not None, score(row, now),
            row.bounced_at, row.paused_at, row.bounce_status or "",
        )
        for row in rows
    ]  # fmt: skip


def _mails(session: Session, person_id: int, powers: Powers) -> list[MailRow]:
    rows = mails(session, powers, WantedMails(person_id=person_id))[:MOST]
    closed = Closed(session, powers)
    return [row for row in rows if not closed.hides(row)]


def _letters(session: Session, person_id: int) -> list[tuple[int, str, str, datetime]]:
    rows = session.exec(
        select(Letter.id, Letter.kind, Letter.state, Letter.created_at)
        .where(Letter.person_id == person_id)
        .order_by(col(Letter.id).desc())
        .limit(MOST)
    )
    return [(number or 0, kind, state, at) for number, kind, state, at in rows]


def _away(session: Session, person_id: int, now: datetime) -> list[Absence]:
    return list(
        session.exec(
            select(Absence)
            .where(
                Absence.person_id == person_id,
                col(Absence.ends_at) > now,
                col(Absence.ended_at).is_(None),
                col(Absence.cancelled_at).is_(None),
            )
            .order_by(col(Absence.starts_at))
            .limit(MOST)
        )
    )


def _audit(
    session: Session, person_id: int, powers: Powers, own: frozenset[int]
) -> list[tuple[Audit, str]]:
    """What was done that concerned him, the newest first."""
    query = select(Audit).where(Audit.subject_id == person_id, *within(powers, Audit.game_id))
    if own:
        query = query.where(col(Audit.game_id).is_(None) | col(Audit.game_id).not_in(own))
    rows = session.exec(query.order_by(col(Audit.id).desc()).limit(MOST))
    return with_names(session, rows)
