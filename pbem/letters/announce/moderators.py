"""Letters to those who run the server."""

from datetime import datetime

from sqlmodel import Session

from pbem.letters.queue import queue_to
from pbem.letters.site import Site
from pbem.store import Letter


def sign_in(
    session: Session, site: Site, now: datetime, person_id: int, number: int
) -> Letter | None:
    """Bring a moderator the link that signs him in; `number` is the link's."""
    return queue_to(session, site, now, "sign-in", person_id, context={"link": number})
