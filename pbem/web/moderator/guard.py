"""Who is at the other end: a person with a role, signed in with this browser.

The cookie is apart from the player's session, is never sent by a request that another
site began (SameSite=Strict), and holds a random secret whose digest names the sitting.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, redirect, request, session, url_for
from sqlmodel import Session

from pbem.store import Person, Sitting
from pbem.store.audit import Actor
from pbem.store.roles import Powers, powers_of
from pbem.store.sittings import LONGEST, TOUCH_EVERY, sitting_of
from pbem.web import forms, installation
from pbem.web.moderator.rooms import rooms_of
from pbem.web.security import personal

blueprint = Blueprint("moderator", __name__, url_prefix="/moderator", template_folder="templates")
blueprint.after_request(personal)

BY_ITSELF = frozenset({"moderator.worklist"})
"""Pages a browser asks for by itself: nobody is there only because they are looked at."""

MODERATOR = "moderator"  # the channel of what is done here


@dataclass(frozen=True)
class Moderator:
    """A person with a role, and what it reaches."""

    person: Person
    powers: Powers
    sitting_id: int

    @property
    def id(self) -> int:
        return self.powers.person_id

    def because(self, reason: str = "") -> Actor:
        """Him as the one who acts."""
        return Actor(MODERATOR, self.id, reason)


@blueprint.before_request
def recognise() -> None:
    """Whose sitting this is; a role that was taken away ends it at once.  While a code is
    awaited, he is nobody yet (`g.half`)."""
    g.moderator = g.half = None
    here = installation()
    now = here.clock()
    with here.store.read() as store:
        sitting, found = _at_the_other_end(store, now)
    if sitting is None or found is None:
        return
    if sitting.awaits_code:
        g.half = found
        return
    g.moderator = found
    if now - sitting.used_at >= TOUCH_EVERY and request.endpoint not in BY_ITSELF:
        with here.store.work() as store:
            row = store.get_one(Sitting, sitting.id)
            row.used_at = now
            store.add(row)


def is_moderator(store: Session) -> bool:
    """Is it a moderator's browser that asks, for a page outside the dashboard?"""
    sitting, _found = _at_the_other_end(store, installation().clock())
    return sitting is not None and not sitting.awaits_code


def _at_the_other_end(
    store: Session, now: datetime
) -> tuple[Sitting, Moderator] | tuple[None, None]:
    """The sitting of the request's cookie, and whose it is, while he has a role."""
    secret = request.cookies.get(_cookie_name())
    sitting = None if not secret else sitting_of(store, now, secret)
    powers = None if sitting is None else powers_of(store, sitting.person_id)
    if sitting is None or sitting.id is None or powers is None:
        return None, None
    return sitting, Moderator(store.get_one(Person, sitting.person_id), powers, sitting.id)


@blueprint.context_processor
def _who() -> dict[str, Any]:
    who: Moderator | None = g.get("moderator")
    return {"moderator": who, "rooms": [] if who is None else rooms_of(who.powers)}


def signed_in() -> Moderator:
    """The moderator of this request; without one the browser is sent to sign in."""
    found: Moderator | None = g.moderator
    if found is None:
        next_step = "ask_for_link" if g.half is None else "ask_for_code"
        abort(redirect(url_for(f"moderator.{next_step}"), 303))
    return found


def owner() -> Moderator:
    """The owner who asks; 404 for everybody else, as if there were no such page."""
    who = signed_in()
    if not who.powers.owner:
        abort(404)
    return who


def give_cookie(response: Response, secret: str) -> None:
    """Sign this browser in.  The marks of forms it opened before are void."""
    session.pop(forms.FIELD, None)
    response.set_cookie(
        _cookie_name(),
        secret,
        max_age=LONGEST,
        path="/",
        secure=_is_secure(),
        httponly=True,
        samesite="Strict",
    )


def take_cookie(response: Response) -> None:
    session.pop(forms.FIELD, None)
    response.delete_cookie(
        _cookie_name(), path="/", secure=_is_secure(), httponly=True, samesite="Strict"
    )


def _cookie_name() -> str:
    return "__Host-ark-moderator" if _is_secure() else "ark-moderator"


def _is_secure() -> bool:
    return bool(current_app.config["SESSION_COOKIE_SECURE"])
