"""`/link`: an address is typed in, and the link to its person's pages goes there by mail.

What the page says is the same for every address; nothing about anybody can be learned here.
The browser that asked keeps a number: opened in it, the link makes it known, too
(`pbem.web.play.visitor`), so that no code is asked for on top.
"""

import hashlib
from datetime import datetime

from flask import render_template, request, session
from sqlmodel import Session

from pbem.desk.people import address_fault, find_or_add_person
from pbem.letters import visiting
from pbem.store import Game, Person
from pbem.store.pauses import failed, paused_until
from pbem.store.people import fold_address, is_blocked, person_by_address
from pbem.web import installation
from pbem.web.lobby.routes import blueprint
from pbem.web.play.routes import LEADING_ON
from pbem.web.play.visitor import ASKED

ASKING, FREE_ASKING = "link/ask", 10  # in a row, from one network address
LETTERS, FREE_LETTERS = "link/letter", 3  # in a row, to one address


@blueprint.get("/link")
def ask_link() -> str:
    return render_template("lobby/link.html", to=_leading_on(), fault=None, address="")


@blueprint.post("/link")
def mail_link() -> str | tuple[str, int]:
    here = installation()
    now, address, to = here.clock(), request.form.get("address", "").strip(), _leading_on()
    fault = address_fault(address, here.settings.mail.domain)
    if fault is not None:
        return render_template("lobby/link.html", to=to, fault=fault, address=address[:254]), 400
    number = int.from_bytes(here.entropy(6), "big")
    with here.store.work() as store:
        if _may_ask(store, now, address):
            _write(store, now, address, request.form.get("name", ""), to, number)
    session[ASKED] = [number, int(now.timestamp())]
    here.nudge()
    return render_template("lobby/link-sent.html", address=address)


def _may_ask(session: Session, now: datetime, address: str) -> bool:
    """Neither one side may ask for many, nor may one address get many."""
    keys = installation().keys
    digest = hashlib.sha256(fold_address(address).encode()).hexdigest()
    sides = ((ASKING, request.remote_addr or "?", FREE_ASKING), (LETTERS, digest, FREE_LETTERS))
    if any(
        until is not None and now < until
        for kind, side, _ in sides
        if (until := paused_until(session, keys, kind, side)) is not None
    ):
        return False
    for kind, side, free in sides:
        failed(session, keys, now, kind, side, free=free)
    return True


def _write(session: Session, now: datetime, address: str, name: str, to: str, number: int) -> None:
    here = installation()
    if is_blocked(session, here.keys, address):
        return
    person: Person | None = person_by_address(session, address)
    if person is None and _welcomes(session, to):
        person = find_or_add_person(session, now, name[:100], address)
    if person is not None and person.id is not None:
        visiting.visit(session, here.site, now, person.id, to, number=number)


def _welcomes(session: Session, to: str) -> bool:
    """Is there something here for somebody who is not known?"""
    kind, _, number = to.partition("/")
    if kind == "lobby":
        game = session.get(Game, int(number)) if int(number) < 2**31 else None
        return game is not None and game.lobby and game.status == "inviting"
    if kind == "learn":
        return True
    return kind == "new" and installation().settings.site.may_open_games == "anyone"


def _leading_on() -> str:
    to = request.values.get("to", "")
    return to if LEADING_ON.fullmatch(to) else ""
