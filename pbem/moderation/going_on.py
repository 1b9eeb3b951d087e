"""Actions on many, done a few at a time in units of work that end soon.

Where one has come to stands in its row (`BulkAction`) and is moved on in the unit that did it,
so a crash loses nothing and does nothing twice, and whoever goes on next (the request that
confirmed it, the server's job, the command line) takes it up there.  The one that was confirmed
first is done first, to its end.  What fails is left out, with an entry of its own in the audit.
"""

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from pbem.installation import Installation
from pbem.moderation import bulk, parameters
from pbem.moderation.may import refusal
from pbem.moderation.model import Action, Case, FollowUp, Many, Refused, Target
from pbem.moderation.registry import ACTIONS
from pbem.moderation.telling import sign
from pbem.store import Audit, BulkAction, BulkGame, Game, Letter, Person
from pbem.store.audit import Actor, note
from pbem.store.bounded import Span, rest
from pbem.store.roles import powers_of
from pbem.store.rows import id_of
from pbem.store.trouble import is_the_databases_own

log = logging.getLogger(__name__)

FIRST, MOST = 5, 50
"""How many are looked at in the first unit of work, and in any."""
AT_FIRST = 1.0  # seconds that whoever confirms such an action waits while it goes on


@dataclass(frozen=True)
class Progress:
    """How far an action on many has come."""

    done: int
    total: int
    failed: int
    has_ended: bool

    def __str__(self) -> str:
        said = f"{self.done:,} of {self.total:,}" + ("" if self.has_ended else " so far")
        return said + (f", {self.failed:,} failed (see the audit)" if self.failed else "")


def begin(case: Case, action: Action, given: Mapping[str, str], audit: Audit) -> FollowUp | None:
    """Let an action that was written down be done from now on; its inverse."""
    assert action.many is not None
    number = id_of(audit)
    case.session.add(
        BulkAction(
            audit_id=number,
            values={one.name: given.get(one.name, "") for one in action.parameters},
            shown_at=case.shown_at or case.now,
            total=audit.details["total"],
        )
    )
    inverse = action.many.inverse
    return FollowUp(inverse, case.target, {"games": f"audit {number}"}) if inverse else None


def go_on(here: Installation, seconds: float | None = None) -> int:
    """Go on with what is to be done to many, to the end or for so long; returns how many were
    dealt with.  What fails twice, in its unit and alone, is left out; trouble of the database's
    own is raised, and nobody is left out for it."""
    ends = None if seconds is None else time.monotonic() + seconds
    count, most = 0, FIRST
    while ends is None or time.monotonic() < ends:
        try:
            dealt = _unit(here, most)
        except Exception as error:  # logged by `_leave_out`
            if is_the_databases_own(error):
                raise
            if most == 1:
                _leave_out(here, error)
            most = 1
            continue
        if dealt is None:
            break
        count, most = count + dealt, max(1, min(2 * dealt, MOST))
        rest()
    return count


def progress_of(session: Session, audits: Iterable[int | None]) -> dict[int, Progress]:
    """How far those of these entries of the audit have come that are about many."""
    rows = session.exec(select(BulkAction).where(col(BulkAction.audit_id).in_(list(audits))))
    return {
        row.audit_id: Progress(row.done, row.total, row.failed, row.ended_at is not None)
        for row in rows
    }


def _unit(here: Installation, most: int) -> int | None:
    """One unit of work; how many were dealt with in it.  None: nothing is left to be done."""
    with here.store.work() as session:
        row = _first(session)
        if row is None:
            return None
        opened = _case(here, session, row)
        if opened is None:
            return 0
        case, many = opened
        last_letter = session.exec(select(func.max(Letter.id))).one() or 0
        found, span, dealt = many.things.some(case, row.last, most), Span(), 0
        for number, one in found:
            touched = many.one(case, one)
            row.last, row.done, dealt = number, row.done + (touched is not None), dealt + 1
            if isinstance(touched, Game):
                session.add(BulkGame(audit_id=row.audit_id, game_id=id_of(touched)))
            if span.is_over:
                break
        if dealt == len(found) < most:
            bulk.end(row, case)
        session.add(row)
        sign(case, last_letter)
        return dealt


def _leave_out(here: Installation, error: Exception) -> None:
    """Pass over the next one."""
    log.error("an action on many leaves one out", exc_info=error)
    with here.store.work() as session:
        row = _first(session)
        opened = None if row is None else _case(here, session, row)
        if row is None or opened is None:
            return
        case, many = opened
        for number, one in many.things.some(case, row.last, 1):
            row.last, row.failed = number, row.failed + 1
            note(
                session, case.now, case.actor, session.get_one(Audit, row.audit_id).action,
                game_id=number if isinstance(one, Game) else None,
                subject_id=number if isinstance(one, Person) else None,
                outcome=f"failed: {getattr(error, 'code', type(error).__name__)}",
                details={"audit": row.audit_id, "number": number},
            )  # fmt: skip
        session.add(row)


def _first(session: Session) -> BulkAction | None:
    still = select(BulkAction).where(col(BulkAction.ended_at).is_(None))
    return session.exec(still.order_by(col(BulkAction.audit_id)).limit(1).with_for_update()).first()


def _case(here: Installation, session: Session, row: BulkAction) -> tuple[Case, Many] | None:
    """The action as its entry in the audit says it.  Whoever began it may have lost his role
    since: then it ends where it is."""
    audit = session.get_one(Audit, row.audit_id)
    actor = Actor(audit.channel, audit.person_id, audit.reason)
    powers = None if audit.person_id is None else powers_of(session, audit.person_id)
    case = Case(here, session, here.clock(), actor, Target(), powers=powers, shown_at=row.shown_at)
    action = ACTIONS.get(audit.action)
    has_lost = audit.person_id is not None and powers is None
    try:
        if action is not None and action.many is not None and not has_lost:
            if (refused := refusal(session, action, powers, case.target)) is not None:
                raise refused
            case.values = parameters.read(action, case, row.values)
            return case, action.many
    except Refused:
        pass
    bulk.end(row, case)
    return None
