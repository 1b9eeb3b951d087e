"""Webhooks: every letter to a person told to an address he gave, in order, at least once.

A hook remembers the last letter it was told (`Hook.letter_id`), so the outbox itself is
its queue: nothing is written twice, and a crash repeats one call at most.
"""

import json
import logging
from datetime import datetime, timedelta

from sqlalchemy import exists
from sqlmodel import Session, col, func, select

from pbem.installation import Installation
from pbem.letters import Site
from pbem.post.channels.calling import Reply, call
from pbem.post.channels.guard import Lookup, RefusedError, addresses, target
from pbem.post.channels.telling import ToldLetter, letters_told, told
from pbem.post.recording import pause
from pbem.store import Hook, Letter
from pbem.translation import _

log = logging.getLogger(__name__)

GIVE_UP_AFTER = timedelta(days=5)
CLAIM = timedelta(minutes=5)


class HookError(ValueError):
    """A hook that cannot be; the sentence is for whoever wants it."""


def add_hook(
    session: Session,
    site: Site,
    entropy: bytes,
    now: datetime,
    person_id: int,
    url: str,
    game_id: int | None = None,
    lookup: Lookup | None = None,
) -> Hook:
    """A hook from now on: it is told the letters that come.  `HookError` says why not."""
    channels = site.settings.channels
    if not channels.webhooks:
        raise HookError(_("Webhooks are switched off on this server."))
    if len(hooks_of(session, person_id)) >= channels.per_person:
        raise HookError(_("You have as many webhooks as one person may have; remove one first."))
    try:
        addresses(target(url, channels.ports).host, channels.networks, lookup)
    except RefusedError as error:
        raise HookError(_("This address cannot be called: it {why}.", why=error)) from None
    newest = session.exec(select(func.max(Letter.id)).where(Letter.person_id == person_id)).one()
    hook = Hook(
        person_id=person_id, game_id=game_id, url=url, nonce=entropy.hex(),
        letter_id=newest or 0, created_at=now, next_at=now,
    )  # fmt: skip
    session.add(hook)
    session.flush()
    return hook


def hooks_of(session: Session, person_id: int) -> list[Hook]:
    """The hooks of a person that are called."""
    query = select(Hook).where(Hook.person_id == person_id, col(Hook.ended_at).is_(None))
    return list(session.exec(query.order_by(col(Hook.id))))


def secret_of(site: Site, hook: Hook) -> str:
    """What calls of this hook are signed with; worked out, not stored."""
    return site.keys.derive("hook", f"{hook.id}/{hook.nonce}").hex()


def call_due(installation: Installation, limit: int = 50, lookup: Lookup | None = None) -> int:
    """Tell what is to be told, at most `limit` letters; returns how many calls were made."""
    calls = 0
    while calls < limit:
        with installation.store.work() as session:
            claimed = _claim(session, installation)
        if claimed is None:
            return calls
        hook, letter = claimed
        reply = _call(installation, hook, letter, lookup)
        with installation.store.work() as session:
            _record(session, installation, hook, letter.letter_id, reply)
        calls += 1
    return calls


def payload(letter: ToldLetter) -> bytes:
    """What a hook is told of a letter: JSON in UTF-8."""
    said = {
        "letter": letter.letter_id,
        "kind": letter.kind,
        "game": {"number": letter.game_id, "name": letter.game},
        "seat": letter.seat,
        "at": letter.at.isoformat(),
        "subject": letter.subject,
        "text": letter.text,
        "url": letter.url,
    }
    return json.dumps(said, ensure_ascii=False).encode()


def _claim(session: Session, installation: Installation) -> tuple[Hook, ToldLetter] | None:
    """The hook that has waited longest, and its next letter."""
    now = installation.clock()
    news = exists().where(
        col(Letter.person_id) == col(Hook.person_id), col(Letter.id) > col(Hook.letter_id)
    )
    due = select(Hook).where(col(Hook.ended_at).is_(None), col(Hook.next_at) <= now, news)
    for hook in session.exec(due.order_by(col(Hook.next_at), col(Hook.id))):
        query = letters_told(hook.person_id).where(col(Letter.id) > hook.letter_id)
        if hook.game_id is not None:
            query = query.where(Letter.game_id == hook.game_id)
        letter = session.exec(query.order_by(col(Letter.id)).limit(1)).first()
        if letter is not None:
            hook.next_at = now + CLAIM
            session.add(hook)
            return hook, told(session, installation.site, letter)
    return None


def _call(
    installation: Installation, hook: Hook, letter: ToldLetter, lookup: Lookup | None
) -> Reply:
    timestamp = str(int(installation.clock().timestamp()))
    secret = secret_of(installation.site, hook)
    channels = installation.settings.channels
    if not channels.webhooks:
        return Reply("retry", "webhooks are switched off on this server")
    return call(channels, hook.url, secret, timestamp, payload(letter), lookup=lookup)


def _record(
    session: Session, installation: Installation, claimed: Hook, letter_id: int, reply: Reply
) -> None:
    now = installation.clock()
    hook = session.get_one(Hook, claimed.id)
    session.add(hook)
    if reply.state == "done":
        hook.letter_id, hook.next_at, hook.told_at = letter_id, now, now
        hook.attempts, hook.failing_since, hook.error = 0, None, None
        return
    hook.attempts += 1
    hook.error = reply.detail
    hook.failing_since = hook.failing_since or now
    chance = int.from_bytes(installation.entropy(2), "big") / 0xFFFF
    hook.next_at = now + pause(hook.attempts, chance)
    if reply.state == "gone" or now - hook.failing_since >= GIVE_UP_AFTER:
        hook.ended_at = now
        log.warning("webhook %s is not called any more: %s", hook.id, reply.detail)
