"""All that happened at a table, from everything that is kept of it: turns and other events,
letters and reminders, mails, what moderators did; the newest first, a page at a time.

Events are told as their reader may know them: as a spectator, or as the seat of a moderator
who plays there, to whom the others' mails and letters are closed.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import Session, col, select

from pbem.letters.cards import cards_of
from pbem.letters.moments import span
from pbem.letters.sentences import Teller
from pbem.moderation.lists.keyset import STAMP, moment_of, stamp
from pbem.store import Audit, Event, Game, Letter, Mail, Person
from pbem.store.log import seen_by
from pbem.store.moderated import MODERATED
from pbem.store.positions import deck_of
from pbem.store.rows import id_of
from pbem.store.tenures import spans_of
from pbem.web.moderator.event_words import EventTeller
from pbem.web.moderator.seats import name_of
from pbem.web.moderator.words import action_title, letter_kind
from pbem.web.words import state_word

PAGE = 40
KINDS = {
    "turn": "turns", "table": "the table", "talk": "messages", "letter": "letters",
    "reminder": "reminders", "mail": "mails", "moderator": "moderators",
}  # fmt: skip
_TALK = ("say", "note")
_SOURCES = ("audit", "event", "mail", "letter")  # the order of what happened at one moment
_AT_ONCE = timedelta(minutes=5)
_CURSOR = re.compile(rf"({STAMP})~([0-3])~([0-9]{{1,9}})")


@dataclass(frozen=True, order=True)
class Cursor:
    """Where a page ends: moment, source, number."""

    at: datetime
    source: int
    number: int

    def __str__(self) -> str:
        return f"{stamp(self.at)}~{self.source}~{self.number}"

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        match = _CURSOR.fullmatch(text)
        if match is None:
            return None
        return cls(moment_of(match[1]), int(match[2]), int(match[3]))


@dataclass(frozen=True)
class Entry:
    """One thing that happened.  ``told`` are sentences of letters: cards in them are marked."""

    cursor: Cursor
    kind: str  # of `KINDS`
    head: str
    told: Sequence[str] = ()
    more: str = ""
    seq: int | None = None
    mail_id: int | None = None
    letter_id: int | None = None

    @property
    def at(self) -> datetime:
        return self.cursor.at


Source = Callable[[Session, Game, "Reader", str, Cursor | None], Iterable[Entry]]


NO_SEAT = -1
"""The seat of a moderator who plays there and holds none now: what is private is none of his,
and neither are the others' letters."""


@dataclass(frozen=True)
class Reader:
    """Who reads: the seat of a moderator who plays there (None: he does not), the names by
    seat, and his zone."""

    seat: int | None
    names: Sequence[str]
    zone: str | None

    def name(self, seat: int | None) -> str:
        return "" if seat is None or seat >= len(self.names) else self.names[seat]


def timeline(
    session: Session, game: Game, own_seat: int | None, names: Sequence[str],
    kind: str, before: Cursor | None, zone: str | None = None,
) -> tuple[list[Entry], Cursor | None]:  # fmt: skip
    """A page of it, and where the next one begins (None: there is none)."""
    reader = Reader(own_seat, names, zone)
    found: list[Entry] = []
    for kinds, source in _READERS:
        if not kind or kind in kinds:
            found += source(session, game, reader, kind, before)
    found.sort(key=lambda entry: entry.cursor, reverse=True)
    page = found[:PAGE]
    return page, page[-1].cursor if len(found) > PAGE else None


def _behind(before: Cursor | None, source: int, at: Any, number: Any) -> list[ColumnElement[bool]]:
    """The rows of a source that come after a cursor in the list."""
    if before is None:
        return []
    same = col(at) == before.at
    if source < before.source:
        return [or_(col(at) < before.at, same)]
    if source > before.source:
        return [col(at) < before.at]
    return [or_(col(at) < before.at, and_(same, col(number) < before.number))]


def _events(
    session: Session, game: Game, reader: Reader, kind: str, before: Cursor | None
) -> Iterable[Entry]:
    source = _SOURCES.index("event")
    query = select(Event).where(
        Event.game_id == game.id, *_behind(before, source, Event.at, Event.seq)
    )
    match kind:
        case "turn":
            query = query.where(Event.kind == "turn")
        case "talk":
            query = query.where(col(Event.kind).in_(_TALK))
        case "moderator":
            query = query.where(
                or_(col(Event.kind) == MODERATED, col(Event.channel) == "moderator")
            )
        case "table":
            query = query.where(col(Event.kind).not_in(("turn", MODERATED, *_TALK)))
    query = query.order_by(col(Event.seq).desc())
    events = session.exec(query.limit(PAGE + 1) if reader.seat is None else query)
    teller = Teller(cards_of(deck_of(game)), reader.names, reader.seat)
    words = EventTeller.of(session, game, reader.names, reader.zone)
    spans = None if reader.seat is None else spans_of(session, game, reader.seat)
    left = PAGE + 1
    for event in events:
        seen = seen_by([event], reader.seat, spans)
        if not seen and reader.seat is not None:
            continue  # that there was something would tell him, too
        left -= 1
        told = teller.tell(seen) if reader.names else []
        yield Entry(
            Cursor(event.at, source, event.seq),
            _kind(event),
            words.head(event, bool(seen)),
            told if event.kind not in _TALK else [],
            "" if event.kind in ("turn", *_TALK) else words.facts(event),
            seq=event.seq,
            mail_id=event.mail_id if reader.seat is None else None,
        )
        if not left:
            return


def _kind(event: Event) -> str:
    if event.kind == "turn":
        return "turn"
    if event.kind in _TALK:
        return "talk"
    is_moderators = event.kind == MODERATED or event.channel == "moderator"
    return "moderator" if is_moderators else "table"


def _letters(
    session: Session, game: Game, reader: Reader, kind: str, before: Cursor | None
) -> Iterable[Entry]:
    source = _SOURCES.index("letter")
    query = select(
        Letter.id, Letter.kind, Letter.person_id, Letter.state, Letter.created_at, Letter.sent_at
    ).where(Letter.game_id == game.id, *_behind(before, source, Letter.created_at, Letter.id))  # type: ignore[call-overload]
    if reader.seat is not None:
        query = query.where(Letter.seat == reader.seat)
    if kind == "reminder":
        query = query.where(Letter.kind == "reminder")
    elif kind == "letter":
        query = query.where(Letter.kind != "reminder")
    else:  # what a newer one took the place of was never sent
        query = query.where(Letter.state != "replaced")
    order = (col(Letter.created_at).desc(), col(Letter.id).desc())
    for number, what, person_id, state, at, sent_at in session.exec(
        query.order_by(*order).limit(PAGE + 1)
    ).all():
        to = name_of(session, person_id)  # who holds the seat now may be somebody else
        head = f"letter{f' to {to}' if to else ''}: {letter_kind(what)}"
        yield Entry(
            Cursor(at, source, number or 0), "reminder" if what == "reminder" else "letter",
            head, more=_arrival(state, at, sent_at), letter_id=number,
        )  # fmt: skip


def _arrival(state: str, at: datetime, sent_at: datetime | None) -> str:
    """What became of a letter, and how long that took where it was long."""
    if sent_at is None or sent_at - at < _AT_ONCE:
        return state_word(state)
    return f"{state_word(state)} {span(round((sent_at - at).total_seconds()))} later"


def _mails(
    session: Session, game: Game, reader: Reader, kind: str, before: Cursor | None
) -> Iterable[Entry]:
    if reader.seat is not None:
        return
    source = _SOURCES.index("mail")
    rows = session.exec(
        select(Mail.id, Mail.kind, Mail.seat, Mail.state, Mail.received_at)  # type: ignore[call-overload]
        .where(Mail.game_id == game.id, *_behind(before, source, Mail.received_at, Mail.id))
        .order_by(col(Mail.received_at).desc(), col(Mail.id).desc())
        .limit(PAGE + 1)
    )
    for number, what, seat, state, at in rows:
        who = reader.name(seat)
        head = f"mail{f' of {who}' if who else ''}"
        told = "" if what in (None, "commands") else f" ({what})"
        yield Entry(
            Cursor(at, source, number or 0),
            "mail",
            head,
            more=f"{state_word(state)}{told}",
            mail_id=number,
        )


def _audit(
    session: Session, game: Game, reader: Reader, kind: str, before: Cursor | None
) -> Iterable[Entry]:
    if reader.seat is not None:
        return
    source = _SOURCES.index("audit")
    rows = session.exec(
        select(Audit, Person)
        .outerjoin(Person, col(Person.id) == col(Audit.person_id))
        .where(Audit.game_id == game.id, *_behind(before, source, Audit.at, Audit.id))
        .order_by(col(Audit.at).desc(), col(Audit.id).desc())
        .limit(PAGE + 1)
    )
    for row, person in rows:
        by = "the command line" if person is None else person.name
        parts = (row.outcome, f"“{row.reason}”" if row.reason else "")
        yield Entry(
            Cursor(row.at, source, id_of(row)), "moderator",
            f"{action_title(row.action)} · by {by}", more=" ".join(filter(None, parts)),
            mail_id=row.mail_id, letter_id=row.letter_id,
        )  # fmt: skip


_READERS: tuple[tuple[frozenset[str], Source], ...] = (
    (frozenset({"turn", "table", "talk", "moderator"}), _events),
    (frozenset({"letter", "reminder"}), _letters),
    (frozenset({"mail"}), _mails),
    (frozenset({"moderator"}), _audit),
)
