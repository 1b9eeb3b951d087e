"""Which letters go next, and which need not go any more.

The oldest goes first, so that what was said in an order is read in it.  On the way a
letter may turn out to be needless (a newer one tells all of it), to wait for its reader's
address (bounces), or for its turn (`Pace`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, or_
from sqlmodel import Session, col, func, select

from pbem.letters.queue import STATE
from pbem.post.pace import Pace
from pbem.store import Address, Letter

CLAIM = timedelta(minutes=30)  # after that whoever claimed a letter is gone
WAITING = ("queued", "retry", "unknown")
RELAY, LETTER, PACE = "relay", "letter", "pace"
"""What a letter is delayed by: nothing gets through; this one does not; too many go."""
SHOWING = STATE | {"reminder", "deadline-missed"}
"""Letters that show the table as it is: the newest tells what the earlier ones do."""


@dataclass(frozen=True)
class Claimed:
    """A letter that is under way, and the state it was found in."""

    letter: Letter
    before: str


def claim(
    session: Session, now: datetime, pace: Pace, most: int, under_way: Collection[int | None] = ()
) -> list[Claimed]:
    """Take up to `most` letters that may go now, oldest first; none of those `under_way`,
    however long ago they were claimed."""
    claimed: list[Claimed] = []
    while len(claimed) < most and (found := _due(session, now, most - len(claimed), under_way)):
        probing = found[0].delayed_by == RELAY
        paused, needless = _paused(session, found), _superseded(session, found)
        for letter in found:
            if letter.to_address in paused:
                letter.state = "paused"
            elif letter.id in needless:
                letter.state = "replaced"
            elif (slot := pace.slot(session, letter.to_address, now)) > now:
                letter.next_at, letter.delayed_by = slot, PACE
            else:
                claimed.append(Claimed(letter, letter.state))
                letter.state, letter.next_at = "sending", now + CLAIM
                letter.attempts += 1
            session.add(letter)
            if probing and claimed:
                return claimed  # the others go when this one got through
        session.flush()
    return claimed


def _superseded(session: Session, letters: Collection[Letter]) -> set[int | None]:
    """Those of the letters all of which a newer one to the same seat tells, too."""
    showing = [one for one in letters if one.kind in SHOWING and one.seat is not None]
    if not showing:
        return set()
    newest = session.exec(_NEWEST, params={"games": [one.game_id for one in showing]})
    found = {(game, seat, person): number for game, seat, person, number in newest}
    return {
        one.id for one in showing if found.get((one.game_id, one.seat, one.person_id)) != one.id
    }


_NEWEST = (
    select(Letter.game_id, Letter.seat, Letter.person_id, func.max(Letter.id))
    .where(
        col(Letter.game_id).in_(bindparam("games", expanding=True)),
        col(Letter.kind).in_(SHOWING | {"over"}),
        col(Letter.state).not_in(("replaced", "failed")),
    )
    .group_by(col(Letter.game_id), col(Letter.seat), col(Letter.person_id))
)


def due(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Whether a letter is to be tried now; one whose claim has run out is."""
    return and_(col(Letter.state).in_((*WAITING, "sending")), col(Letter.next_at) <= now)


def _due(
    session: Session, now: datetime, most: int, under_way: Collection[int | None]
) -> Sequence[Letter]:
    """The letters to be tried now.  As soon as there is one, those that the relay held up
    count too, for they are older and go first."""
    asked = {"now": now, "under_way": list(under_way)}
    if session.exec(_FIRST_DUE, params=asked).first() is None:
        return ()
    return session.exec(_DUE.limit(most), params=asked).all()


_DUE_NOW = due(bindparam("now"))
_OTHERS = col(Letter.id).not_in(bindparam("under_way", expanding=True))
_HELD_UP = and_(col(Letter.state).in_(WAITING), col(Letter.delayed_by) == RELAY)
_FIRST_DUE = select(Letter.id).where(_DUE_NOW, _OTHERS).limit(1)
_DUE = select(Letter).where(or_(_DUE_NOW, _HELD_UP), _OTHERS).order_by(col(Letter.id))


def _paused(session: Session, letters: Collection[Letter]) -> set[str]:
    """The addresses among those of the letters that mail does not reach."""
    addresses = list({letter.to_address for letter in letters})
    return set(session.exec(_PAUSED, params={"addresses": addresses}))


_PAUSED = select(Address.address).where(
    col(Address.address).in_(bindparam("addresses", expanding=True)),
    col(Address.paused_at).is_not(None),
)
