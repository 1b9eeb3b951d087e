"""Do the rules of today still agree with every game that was ever played here?

Asked before an upgrade: a game that runs must go on as it began, and one that is over must
end as it ended."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from engine.game import Position, legal_moves
from engine.record import RULES, Record, RecordError, start, walk
from pbem.archive.records import record_of, standing_turns
from pbem.store import Event, Game, Store
from pbem.store.log import stored
from pbem.store.positions import position_now
from pbem.store.rows import id_of

BATCH = 100
BEGUN = ("running", "over", "ended")


@dataclass(frozen=True)
class Verdict:
    """About one game; ``fault`` says at which turn (from 1) the rules part from it, and how."""

    game_id: int
    status: str
    turns: int
    fault: str | None = None


def replay_all(store: Store) -> Iterator[Verdict]:
    """Every game that has begun, in the order of their numbers, one at a time: a batch of
    them is read in one snapshot."""
    last = 0
    while True:
        with store.read() as session:
            games = session.exec(
                select(Game)
                .where(col(Game.id) > last, col(Game.status).in_(BEGUN))
                .order_by(col(Game.id))
                .limit(BATCH)
            ).all()
            for game in games:
                yield verdict(session, game)
        if len(games) < BATCH:
            return
        last = id_of(games[-1])


def verdict(session: Session, game: Game) -> Verdict:
    """Replay one game, and compare every step with what was stored then."""
    game_id, turns = id_of(game), 0
    try:
        if game.rules != RULES:
            raise RecordError(f"it is played by the rules {game.rules}, these are {RULES}")
        events = standing_turns(session, game)
        turns = len(events)
        position = _replayed(record_of(session, game), events)
        fault = _difference(game, position)
    except KeyError as error:
        fault = f"what is stored of it cannot be read: {error} is missing"
    except ValueError as error:  # a `RecordError`, too
        fault = str(error)
    return Verdict(game_id, game.status, turns, fault)


def _replayed(record: Record, events: Sequence[Event]) -> Position:
    position = start(record)
    steps = zip(walk(record), events, strict=True)
    for number, ((_turn, happenings, after), event) in enumerate(steps, 1):
        position = after
        if json.loads(json.dumps([stored(one) for one in happenings])) != event.happenings:
            raise RecordError("what happened is not what was stored", number)
    return position


def _difference(game: Game, position: Position) -> str | None:
    """What the position at the end has otherwise than the stored one."""
    before, now = position_now(game).to_json(), position.to_json()
    for key, value in now.items():
        if before.get(key) != value:
            return f"after turn {position.turn} the position has another {key} than was stored"
    if game.status == "over" and position.phase != "over":
        return f"after turn {position.turn} the game is not over"
    stuck = [seat for seat in position.to_move if not legal_moves(position, seat)]
    if game.status == "running" and stuck:
        return f"after turn {position.turn} seat {stuck[0]} has no legal move"
    return None
