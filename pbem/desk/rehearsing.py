"""Rehearsals: a thing is done in a unit of work that is taken back, so what they show is what
would happen, and the doing itself needs no second form."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlmodel import Session, col, func, select

from pbem.store import Event, Letter, Store

Result = TypeVar("Result")


class _TakenBack(Exception):
    """Rolls the unit of work back and carries out what it came to."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


def attempt(
    store: Store, act: Callable[[Session], Result], stays: Callable[[Result], bool]
) -> Result:
    """What `act` comes to in a unit of work of its own; all of it is taken back unless the
    result `stays`.  What `act` raises is raised here, with nothing done."""
    try:
        with store.work() as session:
            result = act(session)
            if not stays(result):
                raise _TakenBack(result)
            return result
    except _TakenBack as back:
        taken_back: Result = back.result
        return taken_back


@dataclass(frozen=True)
class Since:
    """A moment in a unit of work, by the newest event and letter there were, and what it has
    written since."""

    session: Session
    event: int
    letter: int

    @classmethod
    def now(cls, session: Session) -> "Since":
        return cls(
            session,
            session.exec(select(func.max(Event.id))).one() or 0,
            session.exec(select(func.max(Letter.id))).one() or 0,
        )

    def events(self, mail_id: int | None = None) -> tuple[tuple[int, int, str], ...]:
        """Game, seq and kind of each event, in order; of a mail: those it has caused."""
        query = select(Event.game_id, Event.seq, Event.kind).where(col(Event.id) > self.event)
        if mail_id is not None:
            query = query.where(Event.mail_id == mail_id)
        rows = self.session.exec(query.order_by(col(Event.id)))
        return tuple((game, seq, kind) for game, seq, kind in rows)

    def letters(self, mail_id: int | None = None) -> tuple[tuple[str, int | None], ...]:
        """Kind and person of each letter that is to be sent, in order; of a mail: the answer
        to it first."""
        rows = self.session.exec(
            select(Letter.kind, Letter.person_id, Letter.answers_mail_id)
            .where(col(Letter.id) > self.letter, Letter.state != "replaced")
            .order_by(col(Letter.id))
        ).all()
        answers_first = sorted(rows, key=lambda row: mail_id is not None and row[2] != mail_id)
        return tuple((kind, person) for kind, person, _answers in answers_first)
