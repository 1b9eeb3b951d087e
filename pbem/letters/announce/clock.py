"""Letters of the clock: reminders, deadlines, absences."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col

from pbem.letters import correspondence
from pbem.letters.announce.batch import Batch
from pbem.letters.announce.mailing import Mailing
from pbem.letters.outbox import Draft, drafted
from pbem.letters.queue import ASKING, NEWS, newest, queue_to, withdraw
from pbem.letters.site import Site
from pbem.store import Game, Letter, Person
from pbem.store.people import holders
from pbem.store.rows import id_of


def reminder(
    session: Session, site: Site, now: datetime, game: Game, seat: int, rung: int,
    *, due: datetime | None = None, once: str | None = None,
) -> Letter | None:  # fmt: skip
    """Remind a seat of its turn, in the conversation that asks for it.  `rung` says how far
    the time has gone: 1 half, 2 most of it, 3 nearly all.  Once for a key `once`; without
    one, once a wait and rung."""
    withdraw(session, game, seat, {"reminder"})
    person = next((one.person_id for one in holders(session, game) if one.seat == seat), None)
    if person is None or game.waiting_since is None:
        return None
    due = due or game.due_at
    return queue_to(
        session, site, now, "reminder", person, game=game, seat=seat,
        context={"rung": rung} | ({} if due is None else {"due": due.isoformat()}),
        follows=newest(session, game, seat, ASKING),
        once=once or f"remind:{game.id}:{seat}:{game.waiting_since.isoformat()}:{rung}",
    )  # fmt: skip


def reminders(
    session: Session, site: Site, now: datetime, person: Person, waits: Sequence[int | None],
    *, once: str,
) -> Letter | None:  # fmt: skip
    """Remind somebody of all tables that wait for him, in one letter: `waits` are the
    numbers of the waits.  It comes from the address that names the person, and shows those
    that are open when it goes out; a newer one replaces one that has not gone."""
    withdraw_reminders(session, id_of(person))
    return queue_to(
        session, site, now, "reminders", id_of(person),
        context={"waits": list(waits)}, once=once,
    )  # fmt: skip


def reminder_draft(
    address: str, game: Game, seat: int, rung: int, due: datetime | None, **details: Any
) -> Draft:
    """A `reminder` that is put into the outbox together with others."""
    context = {"rung": rung} | ({} if due is None else {"due": due.isoformat()})
    return drafted("reminder", address, game=game, seat=seat, context=context, **details)


def reminders_draft(address: str, waits: Sequence[int | None], **details: Any) -> Draft:
    """A letter of `reminders` that is put into the outbox together with others."""
    return drafted("reminders", address, context={"waits": list(waits)}, **details)


def digest(
    session: Session, site: Site, now: datetime, person: Person,
    tables: Sequence[tuple[int, int, int, int]], *, once: str,
) -> Letter | None:  # fmt: skip
    """The day's letter about these tables: (game, seat, after, upto), where the events with
    `after` < seq ≤ `upto` are told.  A newer one replaces one that has not gone."""
    _withdraw_of(session, id_of(person), "digest")
    return queue_to(
        session, site, now, "digest", id_of(person),
        context={"tables": [list(one) for one in tables]}, once=once,
    )  # fmt: skip


def withdraw_reminder(session: Session, game: Game, seat: int) -> None:
    """A reminder to this seat that has not gone out need not go any more."""
    withdraw(session, game, seat, {"reminder"})


def withdraw_reminders(session: Session, person_id: int) -> None:
    """Nor need one of all his tables."""
    _withdraw_of(session, person_id, "reminders")


def _withdraw_of(session: Session, person_id: int, kind: str) -> None:
    correspondence.withdraw(session, col(Letter.person_id) == person_id, col(Letter.kind) == kind)


def deadline_missed(
    session: Session, site: Site, now: datetime, game: Game, seats: Sequence[int],
    *, what: str = "wait", due: datetime | None = None, until: datetime | None = None,
    batch: Batch | None = None,
) -> None:  # fmt: skip
    """Tell the table, those who are late and the organiser that the time of these seats was
    over at `due`; once a deadline.  `what` follows: ``grace`` until `until`, ``wait`` (the
    time begins anew), or ``offer`` (somebody else may have the seat)."""
    due = due or game.due_at
    late: dict[str, Any] = {"late": list(seats), "what": what}
    late |= {} if due is None else {"due": due.isoformat()}
    late |= {} if until is None else {"until": until.isoformat()}
    key = f"late:{game.id}:{due.isoformat() if due else game.seq}"
    mailing = Mailing(session, site, now, game, batch=batch)
    for seat, person in mailing.people():
        if person.id == game.organiser_id and seat not in seats:
            continue
        mailing.post("deadline-missed", seat, NEWS, context=late, once=f"{key}:{seat}")
    if game.organiser_id is not None:
        once = f"{key}:organiser"
        mailing.post_to("deadline-missed-organiser", game.organiser_id, context=late, once=once)
    mailing.send()


def pace(session: Session, site: Site, now: datetime, game: Game) -> None:
    """Tell the table that it plays by another time control from now on."""
    mailing = Mailing(session, site, now, game)
    for seat, _ in mailing.people():
        due = {} if game.due_at is None else {"due": game.due_at.isoformat()}
        mailing.post("pace", seat, NEWS, context=due)
    mailing.send()


def absence(
    session: Session, site: Site, now: datetime, game: Game, seat: int, facts: Mapping[str, Any]
) -> None:
    """Tell the table that somebody is away: `facts` as in the log (seat, first, last, kind).
    He himself is told of one that came of itself."""
    mailing = Mailing(session, site, now, game)
    for other, _ in mailing.people():
        if other != seat or facts["kind"] == "automatic":
            mailing.post("absence", other, NEWS, context={"absence": dict(facts)})
    mailing.send()
