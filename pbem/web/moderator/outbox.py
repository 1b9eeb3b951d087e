"""`/moderator/outbox`: the letters with their states; a failed one can go again.

What a letter says is not shown here: it holds somebody's hand."""

import re

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.store import Letter
from pbem.store.audit import note, of_letter
from pbem.store.people import fold_address
from pbem.web import installation
from pbem.web.moderator.closed import Closed
from pbem.web.moderator.guard import Moderator, blueprint, signed_in
from pbem.web.moderator.letter_list import (
    AGAIN,
    LAST,
    STATES,
    TROUBLE,
    Wanted,
    counts,
    domains,
    letters,
)
from pbem.web.moderator.mail_list import PAGE
from pbem.web.moderator.mailroom import MOST_REASON
from pbem.web.moderator.reach import everywhere
from pbem.web.moderator.seats import name_of, with_names

SEND_AGAIN = "send-again"


@blueprint.get("/outbox")
def outbox() -> str:
    who, wanted = signed_in(), _wanted()
    with installation().store.read() as store:
        closed = Closed(store, who.powers)
        rows = letters(store, who.powers, wanted)
        shown = [(row, closed.hides_letter(row.game_id, row.person_id)) for row in rows[:PAGE]]
        if wanted.searches:
            shown = [(row, hidden) for row, hidden in shown if not hidden]
        return render_template(
            "moderator/outbox.html",
            rows=shown,
            counts=counts(store, who.powers),
            trouble=TROUBLE,
            wanted=wanted,
            query=_query(wanted),
            more=rows[PAGE - 1].id if len(rows) > PAGE else None,
        )


@blueprint.get("/outbox/<int:letter_id>")
def letter(letter_id: int) -> str:
    """All that is known of a letter but what it says."""
    who = signed_in()
    with installation().store.read() as store:
        row = _letter(store, who, letter_id)
        return render_template(
            "moderator/letter.html",
            letter=row,
            hidden=Closed(store, who.powers).hides_letter(row.game_id, row.person_id),
            person=name_of(store, row.person_id),
            may=row.state in AGAIN,
            audit=with_names(store, of_letter(store, letter_id)),
        )


@blueprint.get("/deliveries")
def deliveries() -> str:
    """How the newest letters fared, by the domain they went to."""
    everywhere(signed_in())
    with installation().store.read() as store:
        return render_template("moderator/deliveries.html", domains=domains(store), last=LAST)


@blueprint.post("/outbox/<int:letter_id>/preview")
def preview_letter(letter_id: int) -> AnyResponse | str:
    """What sending a letter again would do; nothing is done."""
    who = signed_in()
    with installation().store.read() as store:
        return _confirm(_letter(store, who, letter_id), "")


@blueprint.post("/outbox/<int:letter_id>/do")
def send_again(letter_id: int) -> AnyResponse | str:
    """Let a letter go (again) now, under its own Message-ID."""
    here, who = installation(), signed_in()
    reason = " ".join(request.form.get("reason", "").split())[:MOST_REASON]
    with here.store.work() as store:
        letter = _letter(store, who, letter_id)
        if not reason:
            return _confirm(letter, "Say why, please: the reason is kept with it.")
        if letter.state not in AGAIN:
            return _confirm(letter, "This letter is on its way already, or another took its place.")
        now = here.clock()
        before, letter.state, letter.next_at = letter.state, "queued", now
        store.add(letter)
        note(
            store, now, who.because(reason), SEND_AGAIN, letter_id=letter.id,
            game_id=letter.game_id, seat=letter.seat, subject_id=letter.person_id,
            outcome=before,
        )  # fmt: skip
    here.nudge()
    return redirect(url_for("moderator.outbox"), 303)


def _confirm(letter: Letter, trouble: str) -> Response:
    page = render_template(
        "moderator/confirm-letter.html",
        letter=letter,
        may=letter.state in AGAIN,
        trouble=trouble,
    )
    return make_response(page, 409 if trouble else 200)


def _letter(store: Session, who: Moderator, letter_id: int) -> Letter:
    """A letter within reach; 404 for others.  Sending one again shows nothing of it, so
    it may be done at a table one plays at, too."""
    letter = store.get(Letter, letter_id) if letter_id < 2**31 else None
    if letter is None or not who.powers.reaches(letter.game_id):
        abort(404)
    return letter


def _wanted() -> Wanted:
    """The filter, as the address says it; what makes no sense is left out."""
    given = request.args
    state = given.get("state", "")
    return Wanted(
        state=state if state in STATES else "",
        to=fold_address(given.get("to", ""))[:320],
        game_id=_number(given.get("game", "")),
        before=_number(given.get("before", "")),
    )


def _query(wanted: Wanted) -> dict[str, str]:
    """The filter as an address says it, the page left out."""
    game = "" if wanted.game_id is None else str(wanted.game_id)
    said = {"state": wanted.state, "to": wanted.to, "game": game}
    return {name: value for name, value in said.items() if value}


def _number(value: str) -> int | None:
    return int(value) if re.fullmatch(r"[0-9]{1,9}", value.strip()) else None
