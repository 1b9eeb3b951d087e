"""A table goes back to an earlier event: nothing is struck out of its log, but the turns
since do not count any more (`pbem.store.line`).

The position comes from a replay; whoever is to move then has the whole time of a turn from
now on.  The stack keeps its order, and seats keep their holders."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.desk import waits
from pbem.letters.correspondence import UNSENT
from pbem.store import Event, Game, Letter, daily
from pbem.store.line import stands, undone
from pbem.store.log import Author, append, events_of
from pbem.store.positions import replayed, store_position

KIND = "rollback"


@dataclass(frozen=True)
class Difference:
    """What going back to an event undoes, and what of earlier rollbacks it brings back."""

    undone: tuple[Event, ...]
    restored: tuple[Event, ...]
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
    event = append(
        session, game, KIND, now, author,
        public={
            "to": to, "by": author.person_id,
            "undone": [one.seq for one in gone.undone],
            "restored": [one.seq for one in gone.restored],
        },
    )  # fmt: skip
    game.rollbacks = [*(game.rollbacks or ()), [event.seq, to, int(messages)]]
    game.decision += 1  # what ages letters (commands.md 1.8)
    game.status = "over" if position.phase == "over" else "running"
    if game.filed_as is not None:
        game.filed_as = KIND  # the archive looks at it anew, even if it ends again at once
    daily.changed(session, now, game.finished_at)
    game.finished_at = now if position.phase == "over" else None
    store_position(game, position)
    waits.void(session, game, now)
    if messages:
        _withdraw(session, game, gone.messages)
    session.flush()
    waits.follow(session, game, position, now)
    game.bot_waits = waits.moves_at_once(session, game, position)
    session.add(game)
    return event


def _withdraw(session: Session, game: Game, messages: Sequence[Event]) -> None:
    """Letters with these messages that have not gone out need not go any more."""
    if not messages:
        return
    first = min(event.at for event in messages)
    letters = session.exec(
        select(Letter).where(
            Letter.game_id == game.id,
            Letter.kind == "message",
            col(Letter.created_at) >= first,
            col(Letter.state).in_(UNSENT),
        )
    )
    for letter in letters:
        letter.state = "replaced"
        session.add(letter)
