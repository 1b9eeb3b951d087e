"""What needs a human: each line with where it stands and the one best thing to do.

Every query is bounded and has an index: at most `COUNTED` rows of a kind are asked for, and
`SHOWN` of them are listed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from flask import url_for
from sqlmodel import Session, col, select

from pbem.clock import is_stopped, late
from pbem.moderation.closed import Closed
from pbem.moderation.lists.letters import WantedLetters, letters
from pbem.moderation.lists.mails import MailRow, WantedMails, mails
from pbem.moderation.lists.reach import within
from pbem.moderation.lists.waiting import AwaitedSeat, asked_at
from pbem.store import Address, Game, Person, Seat
from pbem.store.roles import Powers, players_of
from pbem.web.moderator.deeds import Link, deed
from pbem.web.moderator.words import letter_kind, why
from pbem.web.words import state_word

SHOWN = 8
COUNTED = 100
LONG = timedelta(days=3)
"""A table that has waited so long for one seat is worth a look, though nobody is late."""
RECENT = timedelta(days=14)
"""Letters that failed earlier are history: newer ones have taken their place."""


@dataclass(frozen=True)
class WorkItem:
    """One line: what it is about, what is known of it, since (or until) when."""

    what: str
    url: str
    more: str = ""
    word: str = ""  # what `at` is: "since", "until", "due"
    at: datetime | None = None
    best: Link | None = None


@dataclass(frozen=True)
class Concern:
    """Lines of one kind.  ``urgent`` ones are counted in the title of the page."""

    kind: str
    title: str
    items: Sequence[WorkItem] = field(default=())
    all_url: str = ""
    urgent: bool = True

    @property
    def shown(self) -> Sequence[WorkItem]:
        return self.items[:SHOWN]

    @property
    def count(self) -> str:
        return f"{COUNTED}+" if len(self.items) > COUNTED else str(len(self.items))


def concerns(session: Session, powers: Powers, now: datetime) -> list[Concern]:
    """All that waits for a moderator, the most pressing first; kinds without a line left out."""
    found = [
        Concern("late", "The server itself", _late(session, now) if powers.everywhere else ()),
        _games(session, powers, "halted", "Halted tables", now),
        Concern("mail", "Mails that wait for a word", _mails(session, powers, "held"),
                url_for("moderator.inbox", state="held")),
        Concern("quarantine", "Quarantined mails", _mails(session, powers, "quarantined"),
                url_for("moderator.inbox", state="quarantined")),
        Concern("letters", "Letters that did not arrive", _letters(session, powers, now),
                url_for("moderator.outbox", state="failed")),
        Concern("bouncing", "People mail does not reach", _bouncing(session, powers)),
        Concern("seats", "Seats without a player", _seats(session, powers),
                url_for("moderator.games", state="offered")),
        _games(session, powers, "overdue", "Overdue", now),
        _games(session, powers, "waiting", "Waiting longest", now),
    ]  # fmt: skip
    return [concern for concern in found if concern.items]


def urgent(found: Iterable[Concern]) -> int:
    """How many lines the title of the page counts."""
    return sum(len(concern.items) for concern in found if concern.urgent)


def _late(session: Session, now: datetime) -> list[WorkItem]:
    url = url_for("moderator.machine")
    found = [WorkItem(sentence, url) for sentence in late(session, now)]
    if is_stopped(session):
        found.append(WorkItem("The clock was stopped: no time runs, nothing is due.", url))
    return found


def _games(session: Session, powers: Powers, kind: str, title: str, now: datetime) -> Concern:
    query = select(Game.id, Game.name, Game.halted_at, Game.due_at, Game.waiting_since)  # type: ignore[call-overload]
    query = query.where(Game.status == "running", *within(powers, Game.id))
    running = (col(Game.paused_at).is_(None), col(Game.halted_at).is_(None))
    match kind:
        case "halted":
            query = query.where(col(Game.halted_at).is_not(None)).order_by(col(Game.halted_at))
        case "overdue":
            query = query.where(col(Game.due_at) < now, *running).order_by(col(Game.due_at))
        case _:
            query = query.where(
                col(Game.waiting_since) < now - LONG,
                col(Game.due_at).is_(None) | (col(Game.due_at) >= now), *running,
            ).order_by(col(Game.waiting_since))  # fmt: skip
    rows = session.exec(query.where(col(Game.shelved_at).is_(None)).limit(COUNTED + 1)).all()
    waits = asked_at(session, [row[0] for row in rows[:SHOWN]])
    items = [_game(kind, row, waits.get(row[0], [])) for row in rows]
    state = {"waiting": "running"}.get(kind, kind)
    url = url_for("moderator.games", state=state, sort="waiting" if kind == "waiting" else None)
    return Concern(kind, title, items, url, urgent=kind != "waiting")


def _game(kind: str, row: Sequence[Any], waits: Sequence[AwaitedSeat]) -> WorkItem:
    game_id, name, halted_at, due_at, since = row
    url = url_for("moderator.game", game_id=game_id)
    more = ", ".join(one.name for one in waits)
    seat = waits[0].seat if waits else None
    remind = deed("remind-now", game=game_id, seat=seat)
    word, at, best = {
        "halted": ("halted", halted_at, deed("resume", game=game_id)),
        "overdue": ("was due", due_at, remind),
        "waiting": ("asked", since, remind),
    }[kind]
    return WorkItem(name, url, more and f"waits for {more}", word, at, best)


def _seats(session: Session, powers: Powers) -> list[WorkItem]:
    rows = session.exec(
        select(Game.id, Game.name, Seat.number, Seat.offered_at, Seat.offer_ends_at)  # type: ignore[call-overload]
        .join(Game, col(Game.id) == col(Seat.game_id))
        .where(
            col(Seat.offered_at).is_not(None), Game.status == "running", *within(powers, Game.id)
        )
        .order_by(col(Seat.offered_at))
        .limit(COUNTED + 1)
    )
    return [
        WorkItem(
            name, url_for("moderator.game", game_id=game_id), f"seat {number + 1} is offered",
            "since" if ends is None else "until", since if ends is None else ends,
            deed("invite-substitute", game=game_id, seat=number),
        )
        for game_id, name, number, since, ends in rows
    ]  # fmt: skip


def _bouncing(session: Session, powers: Powers) -> list[WorkItem]:
    query = (
        select(Person.id, Person.name, Address.bounce_status, Address.paused_at)
        .join(Person, col(Person.id) == col(Address.person_id))
        .where(col(Address.paused_at).is_not(None), col(Address.primary).is_(True))
        .order_by(col(Address.paused_at).desc())
    )
    if not powers.everywhere:
        query = query.where(col(Person.id).in_(players_of(session, powers.games)))
    return [
        WorkItem(
            name, url_for("moderator.person", person_id=person_id),
            (status or "").split("\n")[0][:120], "letters wait since", at,
            deed("change-address", person=person_id),
        )
        for person_id, name, status, at in session.exec(query.limit(COUNTED + 1))
    ]  # fmt: skip


def _mails(session: Session, powers: Powers, state: str) -> list[WorkItem]:
    closed, items = Closed(session, powers), []
    rows = mails(session, powers, WantedMails(state=state))
    tables = _names(session, {row.game_id for row in rows if row.game_id is not None})
    for row in rows:
        url = url_for("moderator.mail", mail_id=row.id)
        best = None
        if closed.hides(row):
            what, more = f"Mail {row.id}", "closed to you: you play at its table"
        else:
            best = Link("Look at it", url)  # what is best depends on what it says
            what = row.subject or f"Mail {row.id}"
            more = ", ".join(_of_mail(row, tables))
        items.append(WorkItem(what, url, more, "came", row.received_at, best))
    return items


def _of_mail(row: MailRow, tables: Mapping[int, str]) -> Iterator[str]:
    """Whom a mail is from, for which seat, and why it waits."""
    yield f"from {row.sender or row.envelope_from or 'nobody'}"
    if row.game_id is not None and row.game_id in tables:
        seat = "" if row.seat is None else f", seat {row.seat + 1}"
        yield f"for {tables[row.game_id]} (game {row.game_id}{seat})"
    if row.error:
        yield why(row.error)


def _names(session: Session, numbers: Iterable[int]) -> Mapping[int, str]:
    rows = session.exec(select(Game.id, Game.name).where(col(Game.id).in_(list(numbers))))
    return {number: name for number, name in rows if number is not None}


def _letters(session: Session, powers: Powers, now: datetime) -> list[WorkItem]:
    closed, items = Closed(session, powers), []
    for state in ("failed", "unknown"):
        for row in letters(session, powers, WantedLetters(state=state)):
            if row.created_at < now - RECENT:
                continue
            url = url_for("moderator.letter", letter_id=row.id)
            again = deed("send-again", letter=row.id)
            hidden = closed.hides_letter(row.game_id, row.person_id)
            what = f"Letter {row.id}" if hidden else letter_kind(row.kind).capitalize()
            more = "" if hidden else f"to {row.to_address}, {state_word(state)}"
            items.append(WorkItem(what, url, more, "written", row.created_at, again))
    return items
