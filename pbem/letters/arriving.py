"""What letters say about mail that does not arrive, and about ending letters of a kind."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.letters.bearers import UNSUBSCRIBED_FROM, unsubscribe_bearer
from pbem.letters.names import table_name
from pbem.letters.plain import clean
from pbem.letters.site import Site
from pbem.store import Address, Letter, Person
from pbem.store.people import Holder
from pbem.translation import _, later

CAUSES = {
    "1": later("that mailbox does not exist"),
    "2": later("the mailbox is full or closed"),
    "3": later("the mail server there has trouble"),
    "4": later("the mail server there cannot be reached"),
    "7": later("the mail server there refuses our letters"),
}
"""By the subject of an enhanced status (RFC 3463 3)."""


def cause(status: str) -> str:
    """Why mail does not arrive, by its enhanced status; in a few words, without address."""
    subject = status.split(".")[1] if status.count(".") == 2 else ""
    return _(CAUSES.get(subject, later("the mail server there does not take them")))


def arriving_words(session: Session, letter: Letter) -> dict[str, Any]:
    """For the letters about letters: of whom, why, and whether his letters wait now."""
    if letter.kind == "sent-elsewhere":
        return {"address": clean(str(letter.context["address"]))}
    person = session.get(Person, letter.context["who"])
    return {
        "who": _("Somebody") if person is None else table_name(person.name),
        "cause": cause(str(letter.context["status"])),
        "paused": bool(letter.context["paused"]),
    }


def unsubscribe_words(site: Site, letter: Letter) -> dict[str, str]:
    """Where one click ends letters like this one, and what it ends; empty where none does."""
    bearer = unsubscribe_bearer(letter)
    if bearer is None:
        return {"unsubscribe": "", "unsubscribes": ""}
    what = UNSUBSCRIBED_FROM[letter.kind]
    url = site.unsubscribe_url(site.keys.token(bearer), what)
    return {"unsubscribe": url, "unsubscribes": what}


def unreached(
    session: Session, held: Sequence[Holder], names: Sequence[str], seats: Sequence[int]
) -> list[str]:
    """The names of those at these seats whom mail does not reach."""
    people = {one.person_id: names[one.seat] for one in held if one.seat in seats}
    if not people:
        return []
    asked = {"people": [one for one in people if one is not None]}
    paused = set(session.exec(_PAUSED, params=asked))
    return [name for person_id, name in people.items() if person_id in paused]


_PAUSED = select(Address.person_id).where(
    col(Address.person_id).in_(bindparam("people", expanding=True)),
    col(Address.paused_at).is_not(None),
    col(Address.primary).is_(True),
)
