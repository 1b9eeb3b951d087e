"""`/moderator/outbox`: the letters with their states; a failed one can go again.

What a letter says is not shown here: it holds somebody's hand."""

import re
from dataclasses import dataclass
from datetime import datetime

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session, col, func, select
from werkzeug.wrappers import Response as AnyResponse

from pbem.store import Letter
from pbem.store.audit import note
from pbem.store.people import fold_address, person_by_address
from pbem.store.roles import Powers
from pbem.web import installation
from pbem.web.moderator.closed import Closed
from pbem.web.moderator.guard import Moderator, blueprint, signed_in
from pbem.web.moderator.mail_list import PAGE
from pbem.web.moderator.mailroom import MOST_REASON

STATES = ("failed", "unknown", "retry", "queued", "sending", "paused", "sent", "replaced")
TROUBLE = ("failed", "unknown", "retry")
MOST = frozenset({"sent", "replaced"})
"""The states most letters end in."""
SEND_AGAIN = "send-again"
AGAIN = frozenset({"failed", "unknown", "retry", "paused"})
"""States a letter can be sent (once more) from."""


@dataclass(frozen=True)
class Row:
    """A letter on the list."""

    id: int
    kind: str
    to_address: str
    person_id: int | None
    game_id: int | None
    seat: int | None
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime
    sent_at: datetime | None
    error: str | None

    @property
    def may_go_again(self) -> bool:
        return self.state in AGAIN


@blueprint.get("/outbox")
def outbox() -> str:
    who = signed_in()
    state = request.args.get("state", "")
    state = state if state in STATES else ""
    to = fold_address(request.args.get("to", ""))[:320]
    before = request.args.get("before", "")
    with installation().store.read() as store:
        closed = Closed(store, who.powers)
        last = int(before) if re.fullmatch(r"[0-9]{1,9}", before) else None
        rows = _letters(store, who.powers, state, to, last)
        shown = [(row, closed.hides_letter(row.game_id, row.person_id)) for row in rows[:PAGE]]
        if to:
            shown = [(row, hidden) for row, hidden in shown if not hidden]
        return render_template(
            "moderator/outbox.html",
            rows=shown,
            counts=_counts(store, who.powers),
            trouble=TROUBLE,
            state=state,
            to=to,
            more=rows[PAGE - 1].id if len(rows) > PAGE else None,
        )


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


def _letters(store: Session, powers: Powers, state: str, to: str, before: int | None) -> list[Row]:
    query = select(
        Letter.id, Letter.kind, Letter.to_address, Letter.person_id, Letter.game_id,
        Letter.seat, Letter.state, Letter.attempts, Letter.created_at, Letter.next_at,
        Letter.sent_at, Letter.error,
    )  # type: ignore[call-overload, misc]  # fmt: skip
    if not powers.everywhere:
        query = query.where(col(Letter.game_id).in_(powers.games))
    if state in MOST:  # by number: to sort them all by the index of states would take longer
        query = query.where(func.lower(Letter.state) == state)
    elif state:
        query = query.where(Letter.state == state)
    if to:
        person = person_by_address(store, to)  # None: then it is among those to strangers
        query = query.where(Letter.person_id == (None if person is None else person.id))
        query = query.where(Letter.to_address == to)
    if before is not None:
        query = query.where(col(Letter.id) < before)
    return [Row(*row) for row in store.exec(query.order_by(col(Letter.id).desc()).limit(PAGE + 1))]


def _counts(store: Session, powers: Powers) -> dict[str, int]:
    query = select(Letter.state, func.count()).group_by(Letter.state)
    if not powers.everywhere:
        query = query.where(col(Letter.game_id).in_(powers.games))
    found = dict(store.exec(query).all())
    return {state: found.get(state, 0) for state in STATES}
