"""Letters to those who run the server."""

import hashlib
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.letters.plain import clean
from pbem.letters.queue import queue_to
from pbem.letters.site import Site
from pbem.store import Letter, Role


def sign_in(
    session: Session, site: Site, now: datetime, person_id: int, number: int
) -> Letter | None:
    """Bring a moderator the link that signs him in; `number` is the link's."""
    return queue_to(session, site, now, "sign-in", person_id, context={"link": number})


def template_failed(session: Session, site: Site, now: datetime, kind: str, why: str) -> None:
    """Tell the owners of the server that their template of this kind fails; once a day and
    fault."""
    context = {"template": clean(kind, 60), "why": clean(why, 500)}
    fault = hashlib.sha256(f"{kind}/{why}".encode()).hexdigest()[:16]
    owners = session.exec(
        select(Role.person_id).where(Role.kind == "owner", col(Role.revoked_at).is_(None))
    )
    for person_id in sorted(set(owners)):
        once = f"template:{fault}:{now:%Y-%m-%d}:{person_id}"
        queue_to(session, site, now, "alert", person_id, context=context, once=once)
