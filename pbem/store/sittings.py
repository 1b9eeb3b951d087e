"""Moderators' sign-in: links that work once, and the browsers they open.

A link's token is an HMAC like all tokens, so the letter that brings it need not keep it;
a browser's secret is random, and only its SHA-256 is stored.
"""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.store.models import Sitting, Token
from pbem.store.tokens import Bearer, Keys, find, issue

LINK_LIVES = timedelta(minutes=15)
CODE_LIVES = timedelta(minutes=10)  # until the code has to be there
IDLE = timedelta(days=2)  # without a page looked at
LONGEST = timedelta(days=14)
TOUCH_EVERY = timedelta(minutes=10)  # `used_at` is not written more often
MOST_BROWSER = 120  # characters of what a browser calls itself
_SIGN_IN = Bearer("sign-in")


def link_bearer(person_id: int, number: int) -> Bearer:
    """What a link's token stands for; `number` tells one link of a person from the next."""
    return replace(_SIGN_IN, person_id=person_id, generation=number)


def new_link(
    session: Session, keys: Keys, now: datetime, entropy: Callable[[int], bytes], person_id: int
) -> int:
    """Make a link known; returns its number (see `link_bearer`).  Earlier ones live on:
    whoever asks for links in another's name must not void the one he is about to use."""
    number = int.from_bytes(entropy(4), "big") >> 1  # fits every database's integers
    issue(session, keys, link_bearer(person_id, number), now)
    return number


def use_link(session: Session, now: datetime, token: str) -> int | None:
    """Whose link this is; None when it is none, was used, or has run out.  It and all
    other links of this person are void from now on."""
    row = find(session, token)
    if row is None or row.purpose != _SIGN_IN.purpose or now >= row.created_at + LINK_LIVES:
        return None
    links = select(Token).where(
        Token.purpose == _SIGN_IN.purpose,
        Token.person_id == row.person_id,
        col(Token.revoked_at).is_(None),
    )
    links_left = session.exec(links.with_for_update()).all()
    if row not in links_left:
        return None  # used by somebody else while the lock was waited for
    for link in links_left:
        link.revoked_at = now
        session.add(link)
    return row.person_id


def open_sitting(
    session: Session, now: datetime, person_id: int, secret: str, browser: str = "",
    *, awaits_code: bool = False,
) -> Sitting:  # fmt: skip
    """Sign a browser in; `secret` is what its cookie holds.  While it awaits a code of the
    second factor, it opens nothing."""
    sitting = Sitting(
        digest=_digest(secret),
        person_id=person_id,
        browser="".join(c for c in browser if c.isprintable())[:MOST_BROWSER],
        created_at=now,
        used_at=now,
        expires_at=now + (CODE_LIVES if awaits_code else LONGEST),
        awaits_code=awaits_code,
    )
    session.add(sitting)
    session.flush()
    return sitting


def sitting_of(session: Session, now: datetime, secret: str) -> Sitting | None:
    """The sitting of a cookie; None when it is none, was closed, or has run out."""
    row = session.exec(select(Sitting).where(Sitting.digest == _digest(secret))).first()
    return row if row is not None and _is_open(row, now) else None


def sittings_of(session: Session, now: datetime, person_id: int) -> list[Sitting]:
    """A person's browsers that are signed in, the last used first."""
    rows = session.exec(
        select(Sitting)
        .where(Sitting.person_id == person_id, col(Sitting.revoked_at).is_(None))
        .order_by(col(Sitting.used_at).desc(), col(Sitting.id).desc())
    )
    return [row for row in rows if _is_open(row, now)]


def complete(session: Session, now: datetime, sitting: Sitting) -> None:
    """The code has come: the browser is signed in."""
    sitting.awaits_code = False
    sitting.used_at, sitting.expires_at = now, now + LONGEST
    session.add(sitting)


def close(session: Session, now: datetime, sitting: Sitting) -> None:
    sitting.revoked_at = now
    session.add(sitting)


def _is_open(sitting: Sitting, now: datetime) -> bool:
    end = min(sitting.expires_at, sitting.used_at + IDLE)
    return sitting.revoked_at is None and now < end


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
