"""`/moderator/outbox`: the letters with their states, and how they arrive at each domain.

What a letter says is not shown here: it holds somebody's hand."""

import re

from flask import abort, render_template, request
from sqlmodel import Session

from pbem.moderation.closed import Closed
from pbem.moderation.lists import PAGE
from pbem.moderation.lists.letters import (
    AGAIN,
    LAST,
    STATES,
    TROUBLE,
    WantedLetters,
    counts,
    domains,
    letters,
)
from pbem.store import Letter
from pbem.store.audit import of_letter
from pbem.store.people import fold_address
from pbem.web import installation
from pbem.web.moderator.deeds import deed
from pbem.web.moderator.guard import Moderator, blueprint, signed_in
from pbem.web.moderator.reach import everywhere
from pbem.web.moderator.seats import name_of, with_names


@blueprint.get("/outbox")
def outbox() -> str:
    """Letters that went out or wait to, as far as they are this moderator's business."""
    who, wanted = signed_in(), _wanted()
    with installation().store.read() as session:
        closed = Closed(session, who.powers)
        rows = letters(session, who.powers, wanted)
        shown = [(row, closed.hides_letter(row.game_id, row.person_id)) for row in rows[:PAGE]]
        if wanted.searches:
            shown = [(row, hidden) for row, hidden in shown if not hidden]
        return render_template(
            "moderator/outbox.html",
            rows=shown,
            counts=counts(session, who.powers),
            trouble=TROUBLE,
            wanted=wanted,
            query=_query(wanted),
            again=deed("send-again"),
            more=rows[PAGE - 1].id if len(rows) > PAGE else None,
        )


@blueprint.get("/outbox/<int:letter_id>")
def letter(letter_id: int) -> str:
    """All that is known of a letter but what it says."""
    who = signed_in()
    with installation().store.read() as session:
        row = _letter(session, who, letter_id)
        return render_template(
            "moderator/letter.html",
            letter=row,
            hidden=Closed(session, who.powers).hides_letter(row.game_id, row.person_id),
            person=name_of(session, row.person_id),
            again=deed("send-again", letter=letter_id) if row.state in AGAIN else None,
            audit=with_names(session, of_letter(session, letter_id)),
        )


@blueprint.get("/deliveries")
def deliveries() -> str:
    """How the newest letters fared, by the domain they went to."""
    everywhere(signed_in())
    with installation().store.read() as session:
        return render_template("moderator/deliveries.html", domains=domains(session), last=LAST)


def _letter(session: Session, who: Moderator, letter_id: int) -> Letter:
    """A letter within reach; 404 for others, as if there were none."""
    letter = session.get(Letter, letter_id) if letter_id < 2**31 else None
    if letter is None or not who.powers.reaches(letter.game_id):
        abort(404)
    return letter


def _wanted() -> WantedLetters:
    """The filter, as the address says it; what makes no sense is left out."""
    given = request.args
    state = given.get("state", "")
    return WantedLetters(
        state=state if state in STATES else "",
        to=fold_address(given.get("to", ""))[:320],
        game_id=_number(given.get("game", "")),
        before=_number(given.get("before", "")),
    )


def _query(wanted: WantedLetters) -> dict[str, str]:
    """The filter as an address says it, the page left out."""
    game = "" if wanted.game_id is None else str(wanted.game_id)
    said = {"state": wanted.state, "to": wanted.to, "game": game}
    return {name: value for name, value in said.items() if value}


def _number(value: str) -> int | None:
    return int(value) if re.fullmatch(r"[0-9]{1,9}", value.strip()) else None
