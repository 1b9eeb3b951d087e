"""Delivering the outbox: claim, commit, render, hand to the relay, record.

No transaction is held while the relay is spoken to.  The claims are committed before, so
a letter that was under way when the process died is found in the state ``sending``:
whether it went nobody knows, and it goes again under the same Message-ID.
"""

import logging
import ssl
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from queue import SimpleQueue
from threading import Thread

from sqlmodel import Session, select

from pbem.installation import Installation
from pbem.letters import announce, broken
from pbem.letters.render import Rendered
from pbem.post.addresses import return_path
from pbem.post.claiming import Claimed, claim
from pbem.post.connecting import tls_context
from pbem.post.content import Readers, content_of, message, mime_of
from pbem.post.pace import Pace
from pbem.post.recording import Attempt, record_all
from pbem.post.signing import signer_of
from pbem.post.smtp_client import Outcome, Relay
from pbem.settings import Settings
from pbem.store import Letter

__all__ = ["deliver_due", "mime_of", "recover"]

log = logging.getLogger(__name__)

_Written = tuple[Claimed, Rendered | None, bytes | Outcome]
TOGETHER = 10  # letters of one commit; a crash makes at most as many `unknown`


def deliver_due(installation: Installation, limit: int = 50) -> int:
    """Deliver up to `limit` letters that are due; returns how many were tried.

    One connection serves them, and one commit a few letters: the record of each lot is
    committed together with the claim of the next."""
    settings = installation.settings
    relay = Relay(settings.post, settings.mail.domain, _tls(settings))
    pace = Pace(settings.post)
    tried = 0
    attempts: Sequence[Attempt] = ()
    try:
        while True:
            with installation.store.work() as session:
                # Those that were not tried go back first: then what holds up all holds them.
                ended = sorted(attempts, key=lambda one: one.outcome is not None)
                go_on = record_all(installation, session, ended)
                _alert(installation, session)
                most = min(TOGETHER, limit - tried) if go_on else 0
                claimed = claim(session, installation.clock(), pace, most) if most else []
            if not claimed:
                return tried
            attempts = list(_attempts(installation, relay, claimed))
            tried += sum(one.outcome is not None for one in attempts)
    finally:
        relay.close()


def _alert(installation: Installation, session: Session) -> None:
    """Tell the owners of templates that failed: whatever process delivers has found out."""
    for kind, why in broken.take(installation.settings.instance):
        announce.template_failed(session, installation.site, installation.clock(), kind, why)


def recover(installation: Installation) -> int:
    """At the start of the one process that delivers: letters that were under way when
    the last one died become `unknown` and go again.  `SettingsError` for what makes
    sending impossible."""
    check_sending(installation.settings)
    now = installation.clock()
    with installation.store.work() as session:
        lost = session.exec(select(Letter).where(Letter.state == "sending")).all()
        for letter in lost:
            letter.state, letter.next_at = "unknown", now
            letter.error = "the server ended while this letter was under way"
            session.add(letter)
    return len(lost)


def check_sending(settings: Settings) -> None:
    """`SettingsError` when the files that sending needs cannot be used."""
    signer_of(settings)
    _tls(settings)


def _attempts(
    installation: Installation, relay: Relay, claimed: Sequence[Claimed]
) -> Iterator[Attempt]:
    """Try the letters; those after one that the relay could not be reached for, not."""
    settings, down = installation.settings, False
    for one, rendered, mail in _written(installation, claimed):
        if down:
            yield Attempt(one, None)
        elif isinstance(mail, Outcome):
            yield Attempt(one, mail)
        elif settings.post.transport == "postroom":
            yield Attempt(one, Outcome("sent", "kept for the post room"), rendered)
        else:
            sender = return_path(installation.keys, settings.mail.domain, one.letter.id or 0)
            outcome = relay.send(sender, one.letter.to_address, mail)
            down = outcome.relay_down
            yield Attempt(one, outcome, rendered)


def _written(installation: Installation, claimed: Sequence[Claimed]) -> Iterator[_Written]:
    """The mails of these letters, written in a thread of their own while the relay is
    spoken to: it leaves us waiting for most of the time."""
    written: SimpleQueue[_Written] = SimpleQueue()
    writer = Thread(target=_write, args=(installation, claimed, written), name="ark-writer")
    writer.start()
    try:
        for _ in claimed:
            yield written.get()
    finally:
        writer.join()


def _write(
    installation: Installation, claimed: Sequence[Claimed], written: "SimpleQueue[_Written]"
) -> None:
    """Write the letters, all from one snapshot; in the place of one that cannot be written
    stands how the attempt ended."""
    with ExitStack() as stack:
        known: tuple[Session, Readers] | None = None
        for one in claimed:
            try:
                if known is None:
                    session = stack.enter_context(installation.store.read())
                    known = session, Readers(session, [one.letter for one in claimed])
                rendered, mail = _mail(installation, *known, one.letter)
                written.put((one, rendered, mail))
            except Exception as error:  # one bad letter must not hold up the others
                log.exception("letter %d could not be written", one.letter.id)
                detail = f"could not be written: {type(error).__name__}: {error}"[:500]
                written.put((one, None, Outcome("retry", detail)))


def _mail(
    installation: Installation, session: Session, readers: Readers, letter: Letter
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
