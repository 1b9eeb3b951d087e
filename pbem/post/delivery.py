"""Delivering the outbox: claim, commit, render, hand to the relay, record.

No transaction is held while the relay is spoken to.  The claims are committed before, so
a letter that was under way when the process died is found in the state ``sending``:
the journal says whether the relay had taken it; if not, nobody knows whether it went, and it
goes again under the same Message-ID.
"""

import logging
import ssl
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from functools import lru_cache

from sqlmodel import Session, select

from pbem.installation import Installation
from pbem.letters import announce, broken
from pbem.letters.render import Rendered
from pbem.post.claiming import Claimed, claim
from pbem.post.connecting import tls_context
from pbem.post.content import Addressees, content_of, message, mime_of
from pbem.post.journal import Journal
from pbem.post.pace import Pace
from pbem.post.recording import Attempt, record_all
from pbem.post.sender import Sender, Written
from pbem.post.signing import signer_of
from pbem.post.smtp_client import Relay, SmtpOutcome
from pbem.settings import Settings
from pbem.store import Letter, daily

__all__ = ["deliver_due", "mime_of", "recover"]

log = logging.getLogger(__name__)

TOGETHER = 20  # letters of one commit
LOTS = 2  # under way at a time: if the machine dies, at most as many lots are `unknown`


def deliver_due(installation: Installation, limit: int = 50) -> int:
    """Deliver up to `limit` letters that are due; returns how many were tried.

    One connection serves them, and one commit a lot of letters.  While one lot goes out, the
    next is claimed and written; the record of each is committed together with a later claim."""
    settings = installation.settings
    relay = Relay(settings.post, settings.mail.domain, _tls(settings))
    pace, tried, left = Pace(settings.post), 0, limit
    lots: deque[list[Claimed]] = deque()
    ended: list[Attempt] = []
    with Sender(installation, relay) as sender:
        while True:
            under_way = {one.letter.id for lot in lots for one in lot}
            with installation.store.work() as session:
                # Those that were not tried go back first: then what holds up all holds them.
                go_on = record_all(
                    installation, session, sorted(ended, key=lambda one: one.outcome is not None)
                )
                _alert(installation, session)
                most = min(TOGETHER, left) if go_on else 0
                claimed = claim(session, installation.clock(), pace, most, under_way)
            tried += sum(one.outcome is not None for one in ended)
            left -= len(claimed)
            _write(installation, claimed, sender)
            if claimed:
                lots.append(claimed)
            if not lots:
                return tried
            ended = []
            if len(lots) == LOTS or len(claimed) < most or not most:
                ended = [sender.attempt() for _ in lots.popleft()]
            if any(one.outcome is None or one.outcome.relay_down for one in ended):
                ended += [sender.attempt() for lot in lots for _ in lot]
                lots.clear()


def _alert(installation: Installation, session: Session) -> None:
    """Tell the owners of templates that failed: whatever process delivers has found out."""
    for kind, why in broken.take(installation.settings.instance):
        announce.template_failed(session, installation.site, installation.clock(), kind, why)


def recover(installation: Installation) -> int:
    """At the start of the one process that delivers: of the letters that were under way when
    the last one died, those that the relay had taken are `sent`, the others become `unknown`
    and go again; returns how many there were.  `SettingsError` for what makes sending
    impossible."""
    check_sending(installation.settings)
    now, taken = installation.clock(), Journal(installation.settings.instance).read()
    with installation.store.work() as session:
        lost = session.exec(select(Letter).where(Letter.state == "sending")).all()
        for letter in lost:
            if letter.message_id in taken:
                daily.changed(session, now, letter.sent_at)
                letter.state, letter.sent_at, letter.error = "sent", now, None
            else:
                letter.state, letter.next_at = "unknown", now
                letter.error = "the server ended while this letter was under way"
            session.add(letter)
    return len(lost)


def check_sending(settings: Settings) -> None:
    """`SettingsError` when the files that sending needs cannot be used."""
    signer_of(settings)
    _tls(settings)


def _write(installation: Installation, claimed: Sequence[Claimed], sender: Sender) -> None:
    """Write the letters, all from one snapshot; in the place of one that cannot be written
    stands how the attempt ended."""
    with ExitStack() as stack:
        known: tuple[Session, Addressees] | None = None
        for one in claimed:
            try:
                if known is None:
                    session = stack.enter_context(installation.store.read())
                    known = session, Addressees(session, [one.letter for one in claimed])
                rendered, mail = _mail(installation, *known, one.letter)
                sender.send(Written(one, rendered, mail))
            except Exception as error:  # one bad letter must not hold up the others
                log.exception("letter %d could not be written", one.letter.id)
                detail = f"could not be written: {type(error).__name__}: {error}"[:500]
                sender.send(Written(one, None, SmtpOutcome("retry", detail)))


def _mail(
    installation: Installation, session: Session, readers: Addressees, letter: Letter
) -> tuple[Rendered, bytes]:
    signer, site = signer_of(installation.settings), installation.site
    rendered = content_of(session, site, letter)
    mail = message(session, site, letter, rendered, installation.clock(), readers)
    return rendered, mail if signer is None else signer.signed(mail)


def _tls(settings: Settings) -> ssl.SSLContext | None:
    """How the relay's certificate is checked; None where nothing is encrypted."""
    post = settings.post
    if post.security == "none":
        return None
    authorities = settings.path(post.authorities) if post.authorities else None
    return _context(post.security, post.verify, authorities)


_context = lru_cache(maxsize=4)(tls_context)  # reading the authorities takes longer than a letter
