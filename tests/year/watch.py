"""What must hold at every step of a simulated year, looked at from outside."""

from collections import defaultdict
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store import Event, Game, Wait


class Watch:
    """Remembers each open wait's deadline: one that differs later has an event to say why."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[datetime | None, int]] = {}
        self.moved = 0
        self.why: dict[str, int] = defaultdict(int)

    def look(self, session: Session, game: Game, waits: list[Wait]) -> None:
        moves_on = game.alarm_at is not None or game.bot_waits or game.halted_at is not None
        state = [(wait.seat, wait.due_at, wait.standing, wait.paused) for wait in waits]
        assert game.status != "running" or moves_on, f"game {game.id} stands still: {state}"
        for wait in waits:
            assert wait.id is not None
            known = self._known.get(wait.id)
            if known is not None and known[0] != wait.due_at:
                self._explained(session, game, wait, *known)
            self._known[wait.id] = (wait.due_at, game.seq)

    def _explained(
        self, session: Session, game: Game, wait: Wait, was: datetime | None, seq: int
    ) -> None:
        moves = session.exec(
            select(Event)
            .where(
                Event.game_id == game.id, Event.kind == "deadline-moved",
                Event.seat == wait.seat, col(Event.seq) > seq,
            )
            .order_by(col(Event.seq))
        ).all()  # fmt: skip
        assert moves, f"game {game.id}: the deadline of seat {wait.seat} moved without an event"
        chain = [_iso(was)]
        for event in moves:
            assert event.public["was"] == chain[-1], (game.id, event.seq)
            assert event.public["why"], (game.id, event.seq)
            chain.append(event.public["due"])
            self.why[event.public["why"]] += 1
        assert chain[-1] == _iso(wait.due_at), (game.id, wait.seat, chain)
        self.moved += len(moves)


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
