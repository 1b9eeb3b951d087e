"""The pages behind the letters about an address: one button each.

A GET only shows what would happen, for mail scanners follow links; whoever has the token
is whom the letter went to, signed in or not."""

from collections.abc import Callable
from datetime import datetime

from flask import abort, render_template
from sqlmodel import Session

from pbem.desk import addresses
from pbem.desk.addresses import AddressOutcome
from pbem.letters import Site
from pbem.store import AddressChange, Person
from pbem.store.tokens import find
from pbem.translation import speaking
from pbem.web import installation
from pbem.web.play.routes import blueprint

Act = Callable[[Session, Site, datetime, AddressChange], AddressOutcome]


@blueprint.get("/address/<token>")
def ask_address(token: str) -> str:
    return _shown("address", token)


@blueprint.post("/address/<token>")
def confirm_address(token: str) -> str:
    return _done("address", token, addresses.confirm)


@blueprint.get("/undo/<token>")
def ask_undo(token: str) -> str:
    return _shown("undo", token)


@blueprint.post("/undo/<token>")
def undo_change(token: str) -> str:
    return _done("undo", token, addresses.undo)


def _shown(purpose: str, token: str) -> str:
    with installation().store.read() as session:
        change, person = _change(session, purpose, token)
        with speaking(person.language):
            return _page(purpose, change, person)


def _done(purpose: str, token: str, act: Act) -> str:
    here = installation()
    with here.store.work() as session:
        change, person = _change(session, purpose, token)
        with speaking(person.language):
            outcome = act(session, here.site, here.clock(), change)
            return _page(purpose, change, person, outcome)


def _page(
    purpose: str, change: AddressChange, person: Person, outcome: AddressOutcome | None = None
) -> str:
    return render_template(
        "play/change.html", purpose=purpose, change=change, person=person, outcome=outcome
    )


def _change(session: Session, purpose: str, token: str) -> tuple[AddressChange, Person]:
    """What the token is about; 404 for one that is about nothing, as for a wrong one."""
    row = find(session, token)
    change = None
    if row is not None and row.purpose == purpose:
        change = session.get(AddressChange, row.generation)
    if change is None:
        abort(404)
    person = session.get_one(Person, change.person_id)
    if person.erased_at is not None:
        abort(404)
    return change, person
