"""A table goes back to an earlier event: nothing is struck out of its log, but the turns
since do not count any more (`pbem.store.line`).

The position comes from a replay; whoever is to move then has the whole time of a turn from
now on, and time that was taken from banks since is given back (`pbem.desk.banks`).  The stack
keeps its order, and seats keep their holders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.desk import deadlines, waits
from pbem.desk.banks import Banks, given_back
from pbem.desk.lapses import Lapses, lapses_of
from pbem.letters.correspondence import withdraw
from pbem.store import Event, Game, Letter, Seat, daily
from pbem.store.line import stands, undone
from pbem.store.log import Author, append, events_of
from pbem.store.positions import replayed, store_position
from pbem.timing import Off

KIND = "rollback"


@dataclass(frozen=True)
class Difference:
    """What going back to an event undoes, and what of earlier rollbacks it brings back."""

    undone: tuple[Event, ...]
    restored: tuple[Event, ...]
    banks: Banks  # what they hold then
    lapses: Mapping[int, Lapses]  # of each seat, then
    messages: tuple[Event, ...]  # said in between


def difference(session: Session, game: Game, to: int) -> Difference:
    """The difference between the table now and after event `to`."""
    every = events_of(session, game, every=True)
    now, then = undone(game), undone(game, to)
    turns = [event for event in every if event.kind == "turn"]
    standing = {event.seq for event in turns if stands(event, now)}
    stood = {event.seq for event in turns if event.seq <= to and stands(event, then)}
    return Difference(
        tuple(event for event in turns if event.seq in standing - stood),
        tuple(event for event in turns if event.seq in stood - standing),
        given_back(game, every, to),
        {seat: lapses_of(every, seat, to) for seat in range(game.players)},
        tuple(one for one in every if one.kind == "say" and one.seq > to and stands(one, now)),
    )


def roll_back(
    session: Session, now: datetime, author: Author, game: Game, to: int,
    *, messages: bool = False,
) -> Event:  # fmt: skip
    """Go back to the position after event `to`; `messages`: what was said since is undone,
    too.  The caller tells the table."""
    gone = difference(session, game, to)
    position = replayed(session, game, to)
    facts: dict[str, Any] = {
        "to": to, "by": author.person_id,
        "undone": [one.seq for one in gone.undone],
        "restored": [one.seq for one in gone.restored],
    }  # fmt: skip
    if gone.banks:
        facts["banks"] = _fill(session, game, gone.banks)
    _forgive(session, game, gone.lapses)
    event = append(session, game, KIND, now, author, public=facts)
    game.rollbacks = [*(game.rollbacks or ()), [event.seq, to, int(messages)]]
    game.decision += 1  # what ages letters (commands.md 1.8)
    game.status = "over" if position.phase == "over" else "running"
    if game.filed_as is not None:
        game.filed_as = KIND  # the archive looks at it anew, even if it ends again at once
    daily.changed(session, now, game.finished_at)
    game.finished_at = now if position.phase == "over" else None
    store_position(game, position)
    ran = {(one.seat, one.person_id): one.due_at for one in deadlines.open_waits(session, game)}
    waits.void(session, game, now)
    if messages:
        _withdraw(session, game, gone.messages)
    session.flush()
    waits.follow(session, game, position, now)
    _keep_later(session, game, now, author, ran)
    game.bot_waits = waits.moves_at_once(session, game, position)
    session.add(game)
    return event


def _fill(session: Session, game: Game, held: Banks) -> dict[str, list[int | None]]:
    """Let the banks hold so much; by seat what they held before, and what they hold now."""
    rows = session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.number)))
    changed: dict[str, list[int | None]] = {}
    for row in rows:
        changed[str(row.number)] = [row.bank_seconds, held[row.number]]
        row.bank_seconds = held[row.number]
        session.add(row)
    return changed


def _forgive(session: Session, game: Game, then: Mapping[int, Lapses]) -> None:
    """What was missed since, and the graces it has cost, count against nobody."""
    for row in session.exec(select(Seat).where(Seat.game_id == game.id)):
        left = Lapses(row.misses, row.graces).forgiven(then[row.number])
        row.misses, row.graces = left.misses, left.graces
        session.add(row)


def _keep_later(
    session: Session, game: Game, now: datetime, author: Author,
    ran: Mapping[tuple[int, int], datetime | None],
) -> None:  # fmt: skip
    """Nobody who is asked again has less time than he had: he may have been given more.
    `ran`: the deadlines of before, by seat and person."""
    for wait in deadlines.open_waits(session, game):
        was = ran.get((wait.seat, wait.person_id))
        if was is not None and wait.due_at is not None and was > wait.due_at:
            absences = deadlines.absences_granted(session, game, wait.person_id)
            deadlines.extend(wait, now, Off.of(None, absences).counted(now, was))
            deadlines.move(session, game, wait, now, author, "moderator")
            deadlines.set_alarm(session, game, now)


def _withdraw(session: Session, game: Game, messages: Sequence[Event]) -> None:
    """Letters with these messages that have not gone out need not go any more."""
    if not messages:
        return
    first = min(event.at for event in messages)
    withdraw(
        session, col(Letter.game_id) == game.id, col(Letter.kind) == "message",
        col(Letter.created_at) >= first,
    )  # fmt: skip
