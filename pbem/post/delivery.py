"""Delivering the outbox: claim, commit, render, hand to the relay, record.

No transaction is held while the relay is spoken to.  The claim is committed before, so a
letter that was under way when the process died is found in the state ``sending``: whether
it went nobody knows, and it goes again under the same Message-ID.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.installation import Installation
from pbem.letters.render import Rendered
from pbem.post.addresses import return_path
from pbem.post.content import content_of, keep, message, mime_of
from pbem.post.smtp_client import Outcome, Relay
from pbem.store import Letter

__all__ = ["deliver_due", "mime_of", "recover"]

log = logging.getLogger(__name__)

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=3)
GIVE_UP_AFTER = timedelta(days=5)  # as mail servers do (RFC 5321 4.5.4.1)
CLAIM = timedelta(minutes=30)  # after that whoever claimed a letter is gone
WAITING = ("queued", "retry", "unknown")


@dataclass(frozen=True)
class _Attempt:
    """What one attempt came to; ``rendered`` is None when the letter could not be written."""

    letter_id: int
    outcome: Outcome
    rendered: Rendered | None


def deliver_due(installation: Installation, limit: int = 50) -> int:
    """Deliver up to `limit` letters that are due; returns how many were tried.

    One connection serves them all, and one commit a letter: the record of each is
    committed together with the claim of the next."""
    mail = installation.settings.mail
    relay = Relay(installation.settings.post, mail.domain)
    tried = 0
    attempt: _Attempt | None = None
    try:
        while True:
            with installation.store.work() as session:
                go_on = attempt is None or _record(installation, session, attempt)
                letter = _claim(installation, session) if go_on and tried < limit else None
            if letter is None:
                return tried
            attempt = _attempt(installation, relay, letter)
            tried += 1
    finally:
        relay.close()


def recover(installation: Installation) -> int:
    """At the start of the one process that delivers: letters that were under way when
    the last one died become `unknown` and go again."""
    now = installation.clock()
    with installation.store.work() as session:
        lost = session.exec(select(Letter).where(Letter.state == "sending")).all()
        for letter in lost:
            letter.state, letter.next_at = "unknown", now
            letter.error = "the server ended while this letter was under way"
            session.add(letter)
    return len(lost)


def pause(attempts: int, chance: float) -> timedelta:
    """How long to wait after the `attempts`-th failure: doubling, at most three hours,
    a quarter more or less by `chance` (0 … 1) so that letters do not march in step."""
    doublings = min(max(attempts - 1, 0), 16)
    span: timedelta = min(FIRST_PAUSE * 2**doublings, LONGEST_PAUSE)
    return span * (0.75 + 0.5 * chance)


def _claim(installation: Installation, session: Session) -> Letter | None:
    """Take the letter that has been due longest."""
    now = installation.clock()
    letter = next(iter(_due(session, now, limit=1)), None)
    if letter is None:
        return None
    letter.state = "sending"
    letter.attempts += 1
    letter.next_at = now + CLAIM
    session.add(letter)
    return letter


def _attempt(installation: Installation, relay: Relay, letter: Letter) -> _Attempt:
    assert letter.id is not None
    rendered: Rendered | None = None
    try:
        with installation.store.read() as session:
            rendered = content_of(session, installation.site, letter)
            mail = message(session, installation.site, letter, rendered, installation.clock())
    except Exception as error:  # one bad letter must not hold up the others
        log.exception("letter %d could not be written", letter.id)
        detail = f"could not be written: {type(error).__name__}: {error}"[:500]
        return _Attempt(letter.id, Outcome("retry", detail), None)
    if installation.settings.post.transport == "postroom":
        return _Attempt(letter.id, Outcome("sent", "kept for the post room"), rendered)
    sender = return_path(installation.keys, installation.settings.mail.domain, letter.id)
    return _Attempt(letter.id, relay.send(sender, letter.to_address, mail), rendered)


def _record(installation: Installation, session: Session, attempt: _Attempt) -> bool:
    """Write down how an attempt ended; False when no further one makes sense now."""
    now, outcome = installation.clock(), attempt.outcome
    letter = session.get_one(Letter, attempt.letter_id)
    if attempt.rendered is not None and outcome.state in ("sent", "unknown"):
        keep(installation.site, letter, attempt.rendered)
    if outcome.state == "sent":
        letter.sent_at = now
    if letter.state == "sending":  # else a bounce was faster than we
        letter.state = outcome.state
        letter.error = None if outcome.state == "sent" else outcome.detail
        if outcome.state in ("retry", "unknown"):
            _wait(installation, letter, now, outcome.detail)
    if letter.state == "failed":
        log.warning("letter %d has failed: %s", attempt.letter_id, letter.error)
    session.add(letter)
    if outcome.relay_down:
        _postpone_all(installation, session, now, outcome.detail)
    return not outcome.relay_down


def _wait(installation: Installation, letter: Letter, now: datetime, detail: str) -> None:
    """Try again after a pause; after five days no more."""
    if now - letter.created_at >= GIVE_UP_AFTER:
        letter.state = "failed"
        letter.error = f"given up after {GIVE_UP_AFTER.days} days; last: {detail}"
        return
    chance = int.from_bytes(installation.entropy(2), "big") / 0xFFFF
    letter.next_at = now + pause(letter.attempts, chance)


def _postpone_all(installation: Installation, session: Session, now: datetime, detail: str) -> None:
    """The relay is out of reach: no other letter that is due has a better chance now."""
    log.warning("the relay cannot be used: %s", detail)
    for letter in _due(session, now):
        letter.attempts += 1
        letter.error = detail
        letter.state = "unknown" if letter.state == "sending" else letter.state
        letter.state = "retry" if letter.state == "queued" else letter.state
        _wait(installation, letter, now, detail)
        session.add(letter)


def _due(session: Session, now: datetime, limit: int | None = None) -> Sequence[Letter]:
    """The letters to be tried now, those that have waited longest first; a claim that
    has run out is among them."""
    return session.exec(
        select(Letter)
        .where(col(Letter.state).in_((*WAITING, "sending")), col(Letter.next_at) <= now)
        .order_by(col(Letter.next_at), col(Letter.id))
        .limit(limit)
    ).all()
