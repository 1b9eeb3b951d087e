"""Which letters were written to the seats of tables, and which conversation a new one joins."""

from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, bindparam, select, update
from sqlmodel import Session, SQLModel, col

from pbem.store import Letter

_LETTER = SQLModel.metadata.tables["letter"]
UNSENT = ("queued", "retry", "paused")
_COUNTED = (
    select(_LETTER.c.game_id, _LETTER.c.seat, _LETTER.c.kind, _LETTER.c.state, _LETTER.c.id)
    .where(
        _LETTER.c.game_id.in_(bindparam("games", expanding=True)),
        _LETTER.c.seat.is_not(None),
        _LETTER.c.state != "replaced",
    )
    .order_by(_LETTER.c.id)
)
_THREADS = select(_LETTER.c.id, _LETTER.c.message_id, _LETTER.c.references).where(
    _LETTER.c.id.in_(bindparam("letters", expanding=True))
)


class Correspondence:
    """Which letters were written to the seats of a table."""

    def __init__(self) -> None:
        self._first: dict[tuple[int, str], int] = {}
        self._unsent: dict[tuple[int, str], list[int]] = {}

    def note(self, seat: int, kind: str, state: str, number: int) -> None:
        """One more letter, newer than those before."""
        self._first.setdefault((seat, kind), number)
        if state in UNSENT:
            self._unsent.setdefault((seat, kind), []).append(number)

    def has(self, seat: int, kind: str) -> bool:
        """Whether this seat got such a letter, or will."""
        return (seat, kind) in self._first

    def first(self, seat: int, kinds: Iterable[str]) -> int | None:
        """The number of the first letter of these kinds: what opened the conversation."""
        found = [self._first[seat, kind] for kind in kinds if (seat, kind) in self._first]
        return min(found, default=None)

    def take_unsent(self, needless: Iterable[tuple[int, str]]) -> list[int]:
        """The letters to such a seat and of such a kind that have not gone out; once."""
        return [number for one in needless for number in self._unsent.pop(one, ())]


def correspondence(session: Session, games: Collection[int]) -> dict[int, Correspondence]:
    """What was written to the seats of these tables, read at once."""
    found = {number: Correspondence() for number in games}
    for game, *letter in session.connection().execute(_COUNTED, {"games": list(games)}):
        found[game].note(*letter)
    return found


def withdraw(session: Session, *which: ColumnElement[bool]) -> None:
    """Those of these letters that have not gone out need not go any more.  Asked and written
    in one: the delivery may take one of them in that very moment."""
    waiting = *which, col(Letter.state).in_(UNSENT)
    session.execute(update(Letter).where(*waiting).values(state="replaced"))


def threads(session: Session, letters: Collection[int]) -> dict[int, dict[str, str]]:
    """The conversation that a letter which follows one of these joins."""
    if not letters:
        return {}
    rows = session.connection().execute(_THREADS, {"letters": list(letters)})
    return {number: thread_of(message_id, before) for number, message_id, before in rows}


def thread_of(message_id: str, references: str) -> dict[str, str]:
    """What a letter that follows one with these headers says of its thread (RFC 5322 3.6.4)."""
    thread = dict.fromkeys([*references.split(), message_id])
    return {"in_reply_to": message_id, "references": " ".join(thread)}
