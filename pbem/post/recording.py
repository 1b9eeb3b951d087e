"""Writing down how an attempt ended, and when the next one is."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, case, tuple_, update
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from pbem import logs
from pbem.installation import Entropy, Installation
from pbem.letters.render import Rendered
from pbem.post.claiming import LETTER, RELAY, WAITING, Claimed, due
from pbem.post.consequences import gone_for_good
from pbem.post.content import keep
from pbem.post.smtp_client import SmtpOutcome
from pbem.store import Event, Letter, daily

log = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=3)
LONGEST_RELAY_PAUSE = timedelta(minutes=15)  # our own relay may well be asked more often
GIVE_UP_AFTER = timedelta(days=5)  # as mail servers do (RFC 5321 4.5.4.1)
_BRIEFLY = (
    select(Letter)
    .where(col(Letter.id).in_(bindparam("numbers", expanding=True)))
    .options(
        defer(Letter.text),  # type: ignore[arg-type]
        defer(Letter.html),  # type: ignore[arg-type]
    )
)
"""Without what they say, which is most of their size."""


@dataclass(frozen=True)
class Attempt:
    """What one attempt came to.  ``outcome`` is None when the letter was not tried after
    all, ``rendered`` when it could not be written."""

    claimed: Claimed
    outcome: SmtpOutcome | None
    rendered: Rendered | None = None


def pause(attempts: int, chance: float, longest: timedelta = LONGEST_PAUSE) -> timedelta:
    """How long to wait after the `attempts`-th failure: doubling, up to `longest`,
    a quarter more or less by `chance` (0 … 1) so that letters do not march in step."""
    doublings = min(max(attempts - 1, 0), 16)
    span: timedelta = min(FIRST_PAUSE * 2**doublings, longest)
    return span * (0.75 + 0.5 * chance)


def record_all(installation: Installation, session: Session, attempts: Sequence[Attempt]) -> bool:
    """Write down how attempts ended; False when no further one makes sense now."""
    numbers = [one.claimed.letter.id for one in attempts]
    rows = session.exec(_BRIEFLY, params={"numbers": numbers}).all() if numbers else []
    letters = {letter.id: letter for letter in rows}
    with session.no_autoflush:
        ups = [
            _record(installation, session, one, letters[one.claimed.letter.id]) for one in attempts
        ]
    if log.isEnabledFor(logging.INFO):
        _tell(session, [letters[one.claimed.letter.id] for one in attempts if one.outcome])
    return all(ups)


def _tell(session: Session, letters: Sequence[Letter]) -> None:
    """Say in the log how letters fared, each with what it goes back to."""
    places = [(one.game_id, one.seq) for one in letters if one.game_id is not None]
    rows = session.exec(
        select(Event.game_id, Event.seq, Event.mail_id).where(
            tuple_(col(Event.game_id), col(Event.seq)).in_(places)
        )
    )
    mails = {(game_id, seq): mail_id for game_id, seq, mail_id in rows}
    for one in letters:
        mail_id = one.answers_mail_id or mails.get((one.game_id or 0, one.seq or 0))
        trace = logs.trace_of(mail_id, one.game_id, one.seq)
        with logs.about(trace=trace, letter=one.id, game=one.game_id, seat=one.seat):
            log.info("letter %d (%s) is %s", one.id, one.kind, one.state)


def _record(installation: Installation, session: Session, attempt: Attempt, letter: Letter) -> bool:
    """False: the relay cannot be used now."""
    now, outcome = installation.clock(), attempt.outcome
    if outcome is None:
        _put_back(letter, attempt.claimed, now)
        session.add(letter)
        return True
    said_before = attempt.claimed.letter.text is not None
    if attempt.rendered is not None and outcome.state in ("sent", "unknown") and not said_before:
        keep(installation.site, letter, attempt.rendered)
    if outcome.state == "sent":
        daily.changed(session, now, letter.sent_at)
        letter.sent_at = now
    longest = LONGEST_RELAY_PAUSE if outcome.relay_down else LONGEST_PAUSE
    again = now + pause(letter.attempts, _chance(installation.entropy), longest)
    if letter.state == "sending":  # else a bounce was faster than we
        letter.state = outcome.state
        letter.error = None if outcome.state == "sent" else outcome.detail
        letter.delayed_by = None
        if outcome.state in ("retry", "unknown"):
            letter.delayed_by, letter.next_at = LETTER, again
            if now - letter.created_at >= GIVE_UP_AFTER:
                give_up(letter)
            elif outcome.relay_down:
                letter.delayed_by = RELAY
    session.add(letter)
    if letter.state == "failed":
        hard = outcome.state == "failed" and outcome.phase == "RCPT"
        gone_for_good(session, installation.site, now, letter, hard=hard)
    if outcome.relay_down:
        _hold_all(installation, session, now, again, outcome.detail)
    elif attempt.claimed.letter.delayed_by == RELAY:
        _release_all(session, now)
    return not outcome.relay_down


def give_up(letter: Letter) -> None:
    letter.state, letter.delayed_by = "failed", None
    letter.error = f"given up after {GIVE_UP_AFTER.days} days; last: {letter.error}"


def _put_back(letter: Letter, claimed: Claimed, now: datetime) -> None:
    """It was claimed and not handed over: as if nothing had been."""
    if letter.state == "sending":
        letter.state = claimed.before if claimed.before != "sending" else "unknown"
        letter.next_at = now
        letter.attempts -= 1


def _chance(entropy: Entropy) -> float:
    return int.from_bytes(entropy(2), "big") / 0xFFFF


def _hold_all(
    installation: Installation, session: Session, now: datetime, again: datetime, detail: str
) -> None:
    """The relay is out of reach: no other letter that is due has a better chance now.  All
    wait for the same moment, so that they keep their order."""
    log.warning("the relay cannot be used: %s", detail)
    session.flush()
    old = select(Letter).where(due(now), col(Letter.created_at) <= now - GIVE_UP_AFTER)
    for letter in session.exec(old).all():
        letter.error = detail
        give_up(letter)
        session.add(letter)
        gone_for_good(session, installation.site, now, letter, hard=False)
    state = case((col(Letter.state) == "queued", "retry"), else_=col(Letter.state))
    state = case((col(Letter.state) == "sending", "unknown"), else_=state)
    session.flush()
    session.connection().execute(
        update(Letter)
        .where(due(now))
        .values(state=state, error=detail, delayed_by=RELAY, next_at=again)
    )
    session.expire_all()


def _release_all(session: Session, now: datetime) -> None:
    """The relay is back: what it held up goes now."""
    session.flush()
    session.connection().execute(
        update(Letter)
        .where(col(Letter.state).in_(WAITING), col(Letter.delayed_by) == RELAY)
        .values(next_at=now, delayed_by=None)
    )
    session.expire_all()
