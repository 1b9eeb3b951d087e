"""The append-only log of a table, and what of it one seat may read.

An event is private unless something in it was put into its public part, or into the
part of a seat (R10); `seen_by` builds what is shown from these parts only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine.game import Event as Happening
from pbem.store import line
from pbem.store.models import Event, Game
from pbem.store.rows import id_of
from pbem.store.tenures import Span, lies_in


@dataclass(frozen=True)
class Author:
    """Who caused an event, and by which way in."""

    channel: str  # mail, web, cli, bot, clock, moderator
    person_id: int | None = None
    mail_id: int | None = None


def append(
    session: Session,
    game: Game,
    kind: str,
    now: datetime,
    author: Author,
    *,
    seat: int | None = None,
    move: dict[str, Any] | None = None,
    happenings: Iterable[Happening] = (),
    public: Mapping[str, Any] | None = None,
    private: Mapping[int, Mapping[str, Any]] | None = None,
) -> Event:
    """Append one event; `game.seq` counts up.  Two writers of one number cannot both
    commit: (game, seq) is unique."""
    game.seq += 1
    event = Event(
        game_id=id_of(game),
        seq=game.seq,
        kind=kind,
        at=now,
        seat=seat,
        person_id=author.person_id,
        channel=author.channel,
        mail_id=author.mail_id,
        decision=game.decision,
        move=move,
        happenings=[stored(happening) for happening in happenings],
        public=dict(public or {}),
        private={str(number): dict(part) for number, part in (private or {}).items()},
    )
    session.add(event)
    return event


@dataclass(frozen=True)
class Seen:
    """One thing that happened, as one reader may know it."""

    seq: int
    at: datetime
    kind: str  # of the event (say, deadline, …) or of the engine's event (gather, play, …)
    seat: int | None
    facts: Mapping[str, Any] = field(default_factory=dict)


PERSONAL = frozenset({"say", "note"})
"""What was said to a person, or noted by one, and not to whoever holds the seat later."""


def seen_by(
    events: Iterable[Event], seat: int | None, spans: Sequence[Span] | None = None
) -> list[Seen]:
    """What a seat (None: a spectator) may read of these events, in order.  `spans`: when its
    holder has held it (None: always); private words of other times are not his."""
    seen: list[Seen] = []
    for event in events:
        if event.kind == "turn":
            for part in event.happenings:
                facts = _merged(part, seat)
                if facts is not None:
                    seen.append(Seen(event.seq, event.at, part["kind"], part["seat"], facts))
            continue
        own = seat
        if event.kind in PERSONAL and spans is not None and not lies_in(event.seq, spans):
            own = None
        facts = _merged({"public": event.public or None, "private": event.private}, own)
        if facts is not None:
            seen.append(Seen(event.seq, event.at, event.kind, event.seat, facts))
    return seen


def events_of(
    session: Session, game: Game, after: int = 0, upto: int | None = None, *, every: bool = False
) -> list[Event]:
    """The events with `after` < seq ≤ `upto`, in order; without the turns that had been taken
    back when the last of them happened, unless `every` one is wanted."""
    asked = {"game": game.id, "after": after, "upto": upto}
    events = session.exec(_EVENTS if upto is None else _EVENTS_UPTO, params=asked)
    gaps = [] if every else line.undone(game, upto)
    return [event for event in events if line.stands(event, gaps)] if gaps else list(events)


_EVENTS = (
    select(Event)
    .where(col(Event.game_id) == bindparam("game"), col(Event.seq) > bindparam("after"))
    .order_by(col(Event.seq))
)
_EVENTS_UPTO = _EVENTS.where(col(Event.seq) <= bindparam("upto"))
"""Made once, as the others below: putting a statement together costs as much as asking it."""


def last_turn_of(session: Session, game: Game, seat: int, upto: int | None = None) -> int:
    """The seq of this seat's newest turn that stands (0 if none): what came after it is news
    to it."""
    query = _TURNS_OF_SEAT if upto is None else _TURNS_OF_SEAT_UPTO
    if gaps := line.undone(game, upto):
        query = query.where(line.turns_that_stand(gaps))
    asked = {"game": game.id, "seat": seat, "upto": upto}
    return session.exec(query, params=asked).first() or 0


_TURNS_OF_SEAT = (
    select(Event.seq)
    .where(
        col(Event.game_id) == bindparam("game"),
        col(Event.kind) == "turn",
        col(Event.seat) == bindparam("seat"),
    )
    .order_by(col(Event.seq).desc())
    .limit(1)
)
_TURNS_OF_SEAT_UPTO = _TURNS_OF_SEAT.where(col(Event.seq) <= bindparam("upto"))


def stored(happening: Happening) -> dict[str, Any]:
    """One of the engine's events in the form `Event.happenings` holds."""
    return {
        "kind": happening.kind,
        "seat": happening.seat,
        "public": None if happening.public is None else dict(happening.public),
        "private": {str(seat): dict(part) for seat, part in happening.private.items()},
    }


def _merged(part: Mapping[str, Any], seat: int | None) -> dict[str, Any] | None:
    public: Mapping[str, Any] | None = part["public"]
    own: Mapping[str, Any] | None = None if seat is None else part["private"].get(str(seat))
    if public is None and own is None:
        return None
    return {**(public or {}), **(own or {})}
