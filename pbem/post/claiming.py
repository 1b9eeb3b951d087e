"""Which letters go next, and which need not go any more.

The oldest goes first, so that what was said in an order is read in it.  On the way a
letter may turn out to be needless (a newer one tells all of it), to wait for its reader's
address (bounces), or for its turn (`Pace`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import Session, col, select

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


def claim(session: Session, now: datetime, pace: Pace, most: int) -> list[Claimed]:
    """Take up to `most` letters that may go now, oldest first."""
    claimed: list[Claimed] = []
    while len(claimed) < most and (found := _due(session, now, most - len(claimed))):
        probing = found[0].delayed_by == RELAY
        paused = _paused(session, found)
        for letter in found:
            if letter.to_address in paused:
                letter.state = "paused"
            elif superseded(session, letter):
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


def superseded(session: Session, letter: Letter) -> bool:
    """Whether a newer letter to the same seat tells all that this one does."""
    if letter.kind not in SHOWING or letter.game_id is None or letter.seat is None:
        return False
    newer = select(Letter.id).where(
        Letter.game_id == letter.game_id,
        Letter.seat == letter.seat,
        Letter.person_id == letter.person_id,
        col(Letter.id) > letter.id,
        col(Letter.kind).in_(SHOWING | {"over"}),
        col(Letter.state).not_in(("replaced", "failed")),
    )
    return session.exec(newer.limit(1)).first() is not None


def due(now: datetime) -> ColumnElement[bool]:
    """Whether a letter is to be tried now; one whose claim has run out is."""
    return and_(col(Letter.state).in_((*WAITING, "sending")), col(Letter.next_at) <= now)


def _due(session: Session, now: datetime, most: int) -> Sequence[Letter]:
    """The letters to be tried now.  As soon as there is one, those that the relay held up
    count too, for they are older and go first."""
    if session.exec(select(Letter.id).where(due(now)).limit(1)).first() is None:
        return ()
    held = and_(col(Letter.state).in_(WAITING), col(Letter.delayed_by) == RELAY)
    query = select(Letter).where(or_(due(now), held)).order_by(col(Letter.id)).limit(most)
    return session.exec(query).all()


def _paused(session: Session, letters: Collection[Letter]) -> set[str]:
    """The addresses among those of the letters that mail does not reach."""
    return set(
        session.exec(
            select(Address.address).where(
                col(Address.address).in_({letter.to_address for letter in letters}),
                col(Address.paused_at).is_not(None),
            )
        )
    )
