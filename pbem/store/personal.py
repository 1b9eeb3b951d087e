"""Everything that is stored about one person, in a form that can be read and handed out.

Built up from what is allowed: his own words and turns, no token, no address of anybody
else, no card but those his own seats held.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.store.models import (
    Absence,
    Address,
    AddressChange,
    Event,
    Game,
    Hook,
    Invitation,
    Leave,
    Letter,
    Mail,
    Person,
    Profile,
    Rating,
    Reliability,
    Role,
    Seat,
    SeatOffer,
    TablePreference,
    Tenure,
)
from pbem.store.names import all_names

_ADDRESS = re.compile(r"[^\s<>@,;:\"()]{1,64}@[^\s<>@,;:\"()]{1,255}")
HIDDEN = "(an address)"


def everything(session: Session, person: Person) -> dict[str, Any]:
    """All of it, as JSON has it; times in UTC (ISO 8601)."""
    addresses = session.exec(select(Address).where(Address.person_id == person.id)).all()
    own = {one.address for one in addresses}
    return {
        "person": {
            "number": person.id,
            "name": person.name,
            "earlier names": ", ".join(
                one for one in all_names(session, person) if one != person.name
            )
            or None,
            "since": _time(person.created_at),
            "language": person.language,
            "zone": person.zone,
            "letters": person.letters,
            "format": person.mail_format,
            "muted": _time(person.muted_at),
            "blocked": _time(person.blocked_at),
        },
        "choices": _choices(person),
        "choices at tables": _at_tables(session, person),
        "web addresses that are called": _hooks(session, person),
        "addresses": [
            {
                "address": one.address,
                "main": one.primary,
                "since": _time(one.created_at),
                "confirmed": _time(one.confirmed_at),
            }
            for one in addresses
        ],
        "changes of address": _changes(session, person),
        "invitations": _invitations(session, person),
        "games": _games(session, person),
        "absences": _absences(session, person),
        "moderating": _moderating(session, person),
        "how punctual you are": _reliability(session, person),
        "seats you were asked to take": _offers(session, person),
        "your page in the archive": _profile(session, person),
        "turns": list(_turns(session, person)),
        "messages and notes": list(_words(session, person, own)),
        "mails from you": list(_mails(session, person, own)),
        "letters to you": list(_letters(session, person)),
    }


def _choices(person: Person) -> dict[str, Any]:
    return {
        "quiet hours": person.quiet,
        "reminders": None if person.reminders is None else ", ".join(person.reminders) or "none",
        "messages of others by mail": person.table_talk,
        "hour of the daily letter": person.digest_hour,
        "deadlines as calendar files": person.calendar_files,
        "the ark as a picture": person.ark_picture,
        "away after a missed deadline": person.automatic_absence,
        "an only legal move is done at once": person.play_forced,
        "ready to substitute since": _time(person.substitute_since),
    }


def _at_tables(session: Session, person: Person) -> list[dict[str, Any]]:
    rows = session.exec(
        select(TablePreference)
        .where(TablePreference.person_id == person.id)
        .order_by(col(TablePreference.game_id))
    )
    return [
        {"game": row.game_id, "letters": row.letters, "format": row.mail_format} for row in rows
    ]


def _hooks(session: Session, person: Person) -> list[dict[str, Any]]:
    rows = session.exec(select(Hook).where(Hook.person_id == person.id).order_by(col(Hook.id)))
    return [
        {
            "url": row.url,
            "game": row.game_id,
            "since": _time(row.created_at),
            "ended": _time(row.ended_at),
        }
        for row in rows
    ]


def _changes(session: Session, person: Person) -> list[dict[str, Any]]:
    rows = session.exec(select(AddressChange).where(AddressChange.person_id == person.id))
    return [
        {
            "address": row.address,
            "asked": _time(row.created_at),
            "confirmed": _time(row.confirmed_at),
            "undone": _time(row.undone_at),
        }
        for row in rows
    ]


def _invitations(session: Session, person: Person) -> list[dict[str, Any]]:
    rows = session.exec(
        select(Invitation, Game)
        .join(Game, col(Game.id) == col(Invitation.game_id))
        .where(Invitation.person_id == person.id)
        .order_by(col(Invitation.id))
    )
    return [
        {
            "game": game.id,
            "name": game.name,
            "at": _time(row.created_at),
            "answer": row.state,
            "word": row.word,
        }
        for row, game in rows
    ]


def _absences(session: Session, person: Person) -> list[dict[str, Any]]:
    rows = session.exec(
        select(Absence).where(Absence.person_id == person.id).order_by(col(Absence.id))
    )
    return [
        {
            "from": row.first_day,
            "to": row.last_day,
            "game": row.game_id,
            "kind": row.kind,
            "ended": _time(row.ended_at),
            "cancelled": _time(row.cancelled_at),
        }
        for row in rows
    ]


def _moderating(session: Session, person: Person) -> list[dict[str, Any]]:
    """What he may do beside playing, and when he is away from it; no secret of a device."""
    roles = session.exec(select(Role).where(Role.person_id == person.id).order_by(col(Role.id)))
    leaves = session.exec(select(Leave).where(Leave.person_id == person.id).order_by(col(Leave.id)))
    return [
        {
            "role": one.kind,
            "game": one.game_id,
            "since": _time(one.granted_at),
            "until": _time(one.revoked_at),
        }
        for one in roles
    ] + [{"away from": one.first_day, "to": one.last_day} for one in leaves]


def _reliability(session: Session, person: Person) -> list[dict[str, Any]]:
    row = session.get(Reliability, person.id)
    if row is None:
        return []
    return [
        {
            "in time": row.on_time,
            "in grace": row.late,
            "missed": row.missed,
            "last answers in seconds": list(row.recent),
        }
    ]


def _offers(session: Session, person: Person) -> list[dict[str, Any]]:
    rows = session.exec(
        select(SeatOffer).where(SeatOffer.person_id == person.id).order_by(col(SeatOffer.id))
    )
    return [{"game": row.game_id, "at": _time(row.created_at), "taken": _time(row.taken_at)}
            for row in rows]  # fmt: skip


def _profile(session: Session, person: Person) -> list[dict[str, Any]]:
    row = session.exec(select(Profile).where(Profile.person_id == person.id)).first()
    rating = session.get(Rating, person.id)
    found: list[dict[str, Any]] = []
    if row is not None:
        found.append({"name": row.name, "shown to all": row.public, "since": _time(row.created_at)})
    if rating is not None:
        found.append({"games that counted": rating.rated, "mu": rating.mu, "sigma": rating.sigma})
    return found


def _games(session: Session, person: Person) -> list[dict[str, Any]]:
    rows = session.exec(
        select(Game, Seat.number, Tenure)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Tenure.person_id == person.id)
        .order_by(col(Game.id))
    )
    return [
        {
            "game": game.id,
            "name": game.name,
            "seat": number + 1,
            "begun": _time(game.started_at),
            "ended": _time(game.finished_at),
            "left": tenure.until_seq is not None,
        }
        for game, number, tenure in rows
    ]


def _turns(session: Session, person: Person) -> Iterable[dict[str, Any]]:
    for event in _events(session, person, "turn"):
        if event.move is not None:
            yield {"game": event.game_id, "at": _time(event.at), "move": event.move}


def _words(session: Session, person: Person, own: set[str]) -> Iterable[dict[str, Any]]:
    for event in _events(session, person, "say", "note"):
        facts = event.public or next(iter(event.private.values()), {})
        text = without_addresses(str(facts.get("text", "")), own)
        yield {"game": event.game_id, "at": _time(event.at), "kind": event.kind, "text": text}


def _mails(session: Session, person: Person, own: set[str]) -> Iterable[dict[str, Any]]:
    """What he wrote, and what became of it.  A mail that is held because somebody else
    wrote it is not his."""
    rows = session.exec(
        select(Mail.received_at, Mail.state, col(Mail.text), col(Mail.receipt))
        .where(Mail.person_id == person.id)
        .order_by(col(Mail.id))
    )
    for received_at, state, text, receipt in rows:
        told = receipt or {}
        if told.get("verdict") == "ask" and str(told.get("sender", "")).lower() not in own:
            continue
        yield {
            "at": _time(received_at),
            "state": state,
            "subject": without_addresses(str(told.get("subject", "")), own),
            "text": without_addresses(text or str(told.get("text", "")), own),
        }


def _letters(session: Session, person: Person) -> Iterable[dict[str, Any]]:
    """When, to which address and what kind; what they said is in his mailbox."""
    columns = (Letter.created_at, Letter.kind, Letter.to_address, Letter.state)
    rows = session.exec(
        select(*columns)
        .where(Letter.person_id == person.id, Letter.state != "replaced")
        .order_by(col(Letter.id))
    )
    for created_at, kind, address, state in rows:
        yield {"at": _time(created_at), "kind": kind, "to": address, "state": state}


def _events(session: Session, person: Person, *kinds: str) -> Iterable[Event]:
    return session.exec(
        select(Event)
        .where(Event.person_id == person.id, col(Event.kind).in_(kinds))
        .order_by(col(Event.game_id), col(Event.seq))
    )


def without_addresses(text: str, own: Iterable[str] = ()) -> str:
    """A text with the addresses of others taken out."""
    kept = {one.lower() for one in own}
    return _ADDRESS.sub(lambda hit: hit[0] if hit[0].lower() in kept else HIDDEN, text)


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")
