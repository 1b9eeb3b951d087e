"""`/moderator/people`: everybody here, and all that is known of one."""

import re

from flask import abort, render_template, request

from pbem.moderation.lists import PAGE
from pbem.moderation.lists.people import STATES, WantedPeople, people, reaches
from pbem.store import Person
from pbem.web import installation
from pbem.web.moderator.deeds import deeds_of
from pbem.web.moderator.guard import blueprint, signed_in
from pbem.web.moderator.person_page import person_page

MOST_TEXT = 80


@blueprint.get("/people", endpoint="people")
def list_() -> str:
    """Everybody within reach: searched, filtered, a page at a time."""
    who, wanted = signed_in(), _wanted()
    with installation().store.read() as session:
        rows = people(session, who.powers, wanted)
        return render_template(
            "moderator/people.html",
            rows=rows[:PAGE],
            wanted=wanted,
            states=STATES,
            more=rows[PAGE - 1].id if len(rows) > PAGE else None,
        )


@blueprint.get("/people/<int:person_id>")
def person(person_id: int) -> str:
    """One person: seats, addresses and how mail arrives, roles, what was done."""
    here, who = installation(), signed_in()
    with here.store.read() as session:
        row = session.get(Person, person_id) if person_id < 2**31 else None
        if row is None or not reaches(session, who.powers, person_id):
            abort(404)
        return render_template(
            "moderator/person.html",
            page=person_page(session, row, who.powers, here.clock()),
            person=row,
            deeds=[] if row.erased_at else deeds_of(session, who, person=person_id),
        )


def _wanted() -> WantedPeople:
    given = request.args
    state, before = given.get("state", ""), given.get("before", "")
    return WantedPeople(
        text=" ".join(given.get("q", "").split())[:MOST_TEXT].lstrip("#"),
        state=state if state in STATES else "",
        before=int(before) if re.fullmatch(r"[0-9]{1,9}", before) else None,
    )
