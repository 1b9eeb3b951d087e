"""The heartbeat: was the server there all the time, and can its clock be believed?

`beat` is called before anything is found due.  A gap since the last beat is an outage.  A
clock that went back, or that moved otherwise than the machine's steady count, is not
believed: nothing is due until it is sane again or somebody confirms it.
"""

import logging
from datetime import datetime, timedelta

from sqlmodel import Session

from pbem.clock.credits import credit_people
from pbem.clock.steady import Steady
from pbem.store import Heartbeat, Outage
from pbem.store.rows import id_of

log = logging.getLogger(__name__)

GAP = timedelta(minutes=3)  # between beats; more is an outage
TOLERANCE = timedelta(seconds=60)  # a clock may be set so much
LONGEST = timedelta(days=30)  # off, of a machine that was restarted: more is no outage


def beat(session: Session, now: datetime, steady: Steady | None = None) -> bool:
    """Note that the server is there.  True: the clock may work."""
    row = session.get(Heartbeat, 1)
    if row is None:
        row = Heartbeat(at=now)
    elif (why := _doubt(row, now, steady)) is not None:
        if row.suspect_since is None:
            log.critical("%s; nothing is due until it is right or `clock confirm` is run", why)
            row.suspect_since, row.suspect_why = row.at, why
            session.add(row)
        return False
    elif row.suspect_since is not None:
        log.warning("the machine's clock is right again; deadlines run on")
        _trust(session, row, now)
    elif now - row.at > GAP:
        row.loop_id = row.loop_sent_at = None  # nobody has looked whether it came back
        note(session, "server", row.at, now, now)
    _set(row, now, steady)
    session.add(row)
    return _works(row)


def confirm(session: Session, now: datetime, steady: Steady | None = None) -> bool:
    """Believe the clock as it is now; False if it was not doubted."""
    row = session.get(Heartbeat, 1)
    if row is None or row.suspect_since is None:
        return False
    _trust(session, row, now)
    _set(row, now, steady)
    return True


def stop(session: Session, now: datetime) -> bool:
    """The panic switch: no deadline runs from now on; False if none did."""
    row = _row(session, now)
    if row.stopped_at is not None:
        return False
    row.stopped_at = now
    session.add(row)
    return True


def start(session: Session, now: datetime) -> Outage | None:
    """Let them run again: every clock is credited with the time in between."""
    row = _row(session, now)
    if row.stopped_at is None:
        return None
    since, row.stopped_at = row.stopped_at, None
    row.at = max(row.at, now)
    return note(session, "stop", min(since, now), now, now)


def mail_outage(session: Session, starts: datetime, ends: datetime, now: datetime) -> Outage | None:
    """Mail did not come through from `starts` to `ends`: that time is nobody's; None for
    a span that is empty or not over."""
    if not starts < ends <= now:
        return None
    return note(session, "mail", starts, ends, now)


def note(session: Session, kind: str, starts: datetime, ends: datetime, now: datetime) -> Outage:
    """Write an outage down; tables are credited with it when they are looked at next."""
    outage = Outage(kind=kind, starts_at=starts, ends_at=ends, noted_at=now)
    session.add(outage)
    session.flush()
    credit_people(session, outage)
    row = _row(session, now)
    row.outage_id = id_of(outage)
    session.add(row)
    log.warning("%s outage from %s to %s: clocks are credited", kind, starts, ends)
    return outage


def may_work(session: Session) -> bool:
    """Whether deadlines run: the clock is believed, mail comes through as far as is known,
    and nobody has stopped it."""
    row = session.get(Heartbeat, 1)
    return row is None or _works(row)


def is_believed(session: Session) -> bool:
    """Whether the machine's clock is: while it is not, nothing may come to its end."""
    row = session.get(Heartbeat, 1)
    return row is None or row.suspect_since is None


def is_stopped(session: Session) -> bool:
    """Whether somebody has pulled the panic switch."""
    row = session.get(Heartbeat, 1)
    return row is not None and row.stopped_at is not None


def _works(row: Heartbeat) -> bool:
    return row.suspect_since is None and row.stopped_at is None and row.mail_out_since is None


def _doubt(row: Heartbeat, now: datetime, steady: Steady | None) -> str | None:
    """Why the clock cannot be believed."""
    passed = now - row.at
    if passed < -TOLERANCE:
        return f"the machine's clock went back by {-passed}"
    if steady is None or not row.boot or steady.boot != row.boot:
        if passed > LONGEST:
            return f"the machine's clock went forward by {passed} since it was last seen"
        return None
    really = timedelta(seconds=steady.seconds - row.steady)
    if abs(passed - really) > TOLERANCE:
        return f"the machine's clock moved by {passed} while {really} passed"
    return None


def _trust(session: Session, row: Heartbeat, now: datetime) -> None:
    """Nobody's time ran since the clock was last believed."""
    row.suspect_since, row.suspect_why = None, ""
    row.loop_id = row.loop_sent_at = None
    session.add(row)
    note(session, "jump", min(row.at, now), now, now)


def _set(row: Heartbeat, now: datetime, steady: Steady | None) -> None:
    row.at = now
    row.boot, row.steady = ("", 0.0) if steady is None else (steady.boot, steady.seconds)


def _row(session: Session, now: datetime) -> Heartbeat:
    row = session.get(Heartbeat, 1)
    if row is None:
        row = Heartbeat(at=now)
        session.add(row)
        session.flush()
    return row
