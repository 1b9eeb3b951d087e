"""Letters to people who are at our pages: a link, and the code for a new browser."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sqlmodel import Session

from pbem.letters.bearers import page_bearer
from pbem.letters.queue import queue, queue_to
from pbem.letters.site import Site
from pbem.store import Letter
from pbem.store.browser_codes import CODE_LIVES, asked_by, code_of

VISITS = frozenset({"browser-code", "visit"})


def browser_code(
    session: Session, site: Site, now: datetime, to_address: str, *,
    person_id: int, number: int, language: str,
) -> Letter | None:  # fmt: skip
    """Bring somebody the code of this number.  The letter is none of the person's: whoever
    has his link, and not his mail, must not find it among his letters."""
    context = {"code_for": person_id, "number": number, "language": language}
    return queue(session, site, now, "browser-code", to_address=to_address, context=context)


def visit(
    session: Session, site: Site, now: datetime, person_id: int, to: str = "", *, number: int
) -> Letter | None:
    """Bring somebody the link to his pages, leading on to the page `to`.  The browser that
    asked for it keeps the `number`, and is known once the link is opened there."""
    context = {"to": to, "number": number}
    return queue_to(session, site, now, "visit", person_id, context=context)


def visiting_words(site: Site, letter: Letter) -> dict[str, Any]:
    """What these letters say."""
    if letter.kind == "browser-code":
        return {
            "code": code_of(site.keys, letter.context["code_for"], letter.context["number"]),
            "minutes": CODE_LIVES // timedelta(minutes=1),
        }
    page = page_bearer(letter)
    assert page is not None, "a link is somebody's"
    to, number = letter.context["to"], letter.context.get("number")
    said = {"to": to} if to else {}
    if number is not None and page.person_id is not None:
        said["asked"] = asked_by(site.keys, page.person_id, number)
    link = site.page_url(site.keys.token(page))
    return {"link": f"{link}?{urlencode(said, safe='/')}" if said else link}
