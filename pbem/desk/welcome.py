"""Whom this server may not write to first: who said "never again", who never answers."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from pbem.letters import Site
from pbem.store import Invitation, Person
from pbem.store.people import address_of, wants_no_mail
from pbem.translation import _


def not_to_be_asked(
    session: Session, site: Site, now: datetime, person_id: int
) -> tuple[str, str] | None:
    """Why a person is not to be invited (code and sentence), or None.  Every way to a table
    leads past here: `new game`, `invite`, `rematch`, the pages and the command line."""
    address = address_of(session, person_id)
    name = session.get_one(Person, person_id).name
    if address is None:
        return "forgotten", _("Somebody of this table has left this server for good.")
    if session.get_one(Person, person_id).blocked_at is not None:
        return "blocked", _("{name} does not play here any more.", name=name)
    if wants_no_mail(session, site.keys, person_id):
        return "never-again", _("{name} does not want invitations from here.", name=name)
    lately = session.exec(
        select(func.count())
        .select_from(Invitation)
        .where(
            Invitation.person_id == person_id, col(Invitation.created_at) > now - timedelta(days=1)
        )
    ).one()
    if address.confirmed_at is None and lately >= site.settings.quotas.invitations_a_day:
        return "too-many-invitations", _(
            "{name} was invited often enough today and has not answered; try tomorrow.", name=name
        )
    return None
