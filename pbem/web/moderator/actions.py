"""`/moderator/actions`: every action of the registry by the same pages: a form, what would
happen, the confirmation, and what was done with the way back.

`GET /moderator/actions/<name>` takes the target from the address (game, seat, person, mail,
letter) and shows the form; its POST shows the preview; only the POST to `…/do`, with the key
of that preview, acts.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.moderation import (
    ACTIONS,
    Action,
    Case,
    Outcome,
    Refused,
    Target,
    carry_out,
    offered,
    outcome_of,
    prepare,
)
from pbem.moderation.going_on import progress_of
from pbem.moderation.may import FOR_OTHERS, game_of, refusal
from pbem.moderation.running import MOST_REASON, NOT_NOW
from pbem.store import Audit, Game
from pbem.store.people import holders
from pbem.web import installation
from pbem.web.moderator.guard import Moderator, blueprint, signed_in
from pbem.web.moderator.seats import name_of, named

PLACES = {
    "game": "game_id", "seat": "seat", "person": "person_id", "mail": "mail_id",
    "letter": "letter_id",
}  # fmt: skip
"""The names of a target's numbers in addresses and forms."""
SHOWN_FOR = timedelta(hours=1)
MOST_FILE = 60_000  # bytes
_NUMBER = re.compile(r"[0-9]{1,9}")


@blueprint.get("/actions")
def actions() -> str:
    """What can be done on the server, and for many tables at once."""
    who = signed_in()
    with installation().store.read() as session:
        offers = offered(installation(), session, who.because(), who.powers)
    return render_template("moderator/actions.html", offers=offers)


@blueprint.get("/actions/<name>")
def action_form(name: str) -> AnyResponse:
    """The form of an action; values may stand in the address, as in the form."""
    who, action = signed_in(), _action(name)
    target = _target(request.args)
    with installation().store.read() as session:
        case = _case(session, who, action, target)
        given = {
            one.name: request.args.get(f"p-{one.name}", one.default_in(case))
            for one in action.parameters
        }
        return _form_page(session, case, action, given, "", Outcome())


@blueprint.post("/actions/<name>")
def preview_action(name: str) -> AnyResponse:
    """What would happen, with the form that lets it; nothing is done."""
    who, action = signed_in(), _action(name)
    return _preview_page(who, action, _target(request.form), "")


@blueprint.post("/actions/<name>/do")
def do_action(name: str) -> AnyResponse:
    """Carry out what was shown."""
    who, action = signed_in(), _action(name)
    target, reason = _target(request.form), _reason()
    done = carry_out(
        installation(), who.because(reason), who.powers, name, target, _given(action),
        request.form.get("key", "")[:200],
    )  # fmt: skip
    if done.ok:
        return redirect(url_for("moderator.action_done", audit_id=done.audit_id), 303)
    if done.code in ("stale", "reason"):
        return _preview_page(who, action, target, done.sentence)
    return _refused(who, action, target, reason, done)


@blueprint.get("/actions/done/<int:audit_id>")
def action_done(audit_id: int) -> str:
    """What somebody has done, for himself: the events, the letters, the way back."""
    who, here = signed_in(), installation()
    with here.store.read() as session:
        row = session.get(Audit, audit_id) if audit_id < 2**31 else None
        action = None if row is None else ACTIONS.get(row.action)
        if row is None or action is None or row.person_id != who.id:
            abort(404)
        outcome = outcome_of(session, row)
        person_id = row.subject_id if action.scope == "person" else None
        target = Target(row.game_id, row.seat, person_id, row.mail_id, row.letter_id)
        inverse = None if outcome is None else outcome.inverse
        progress = progress_of(session, [row.id]).get(audit_id)
        return render_template(
            "moderator/action-done.html",
            action=action,
            audit=row,
            outcome=outcome,
            progress=progress,
            letters=[] if outcome is None else named(session, outcome.letters),
            shown=_shown(session, who, action, row, target),
            inverse=inverse,
            inverse_action=None if inverse is None else ACTIONS[inverse.action],
            inverse_place={} if inverse is None else _numbers(inverse.target),
            place=_place(session, who, target),
        )


def _preview_page(who: Moderator, action: Action, target: Target, trouble: str) -> AnyResponse:
    given, reason = _given(action), _reason()
    shown = prepare(installation(), who.because(reason), who.powers, action.name, target, given)
    if not shown.ok:
        return _refused(who, action, target, reason, shown)
    with installation().store.read() as session:
        page = render_template(
            "moderator/action-confirm.html",
            action=action,
            given=given,
            reason=reason,
            outcome=shown,
            numbers=_numbers(target),
            letters=named(session, shown.letters),
            place=_place(session, who, target),
            trouble=trouble,
        )
    return make_response(page, 409 if trouble else 200)


def _refused(
    who: Moderator, action: Action, target: Target, reason: str, outcome: Outcome
) -> AnyResponse:
    """The form again, with why nothing was done."""
    with installation().store.read() as session:
        case = _case(session, who, action, target)
        return _form_page(session, case, action, _given(action), reason, outcome)


def _form_page(
    session: Session, case: Case, action: Action, given: Mapping[str, str], reason: str,
    outcome: Outcome,
) -> Response:  # fmt: skip
    page = render_template(
        "moderator/action.html",
        action=action,
        fields=[
            asdict(one) | {"choices": one.choices_in(case), "value": given[one.name]}
            for one in action.parameters
        ],
        reason=reason,
        outcome=outcome,
        numbers=_numbers(case.target),
        place=_place(session, signed_in(), case.target),
    )
    return make_response(page, 200 if outcome.ok else 409)


def _case(session: Session, who: Moderator, action: Action, target: Target) -> Case:
    """An action at a target this moderator reaches; 404 for others, as if there were none."""
    target = target.of(action.scope)
    refused = refusal(session, action, who.powers, target)
    if refused is not None and refused.code not in FOR_OTHERS:
        abort(404)
    here = installation()
    case = Case(here, session, here.clock(), who.because(), target, powers=who.powers)
    try:
        fits = (not action.at or case.game.status in action.at) and action.fits(case)
        missing = _missing(action, target)
    except Refused:
        abort(404)
    if refused is None and (missing or not fits):
        refused = Refused("not-now", action.unless or NOT_NOW)
    if refused is not None:
        page = render_template(
            "moderator/action-closed.html", action=action, sentence=refused.sentence,
            place=_place(session, who, target),
        )  # fmt: skip
        abort(make_response(page, 403 if refused.code in FOR_OTHERS else 409))
    return case


def _missing(action: Action, target: Target) -> bool:
    """Whether the address lacks a number that the action needs."""
    needed = {"seat": ("game", "seat")}.get(action.scope, (action.scope,))
    return any(name in PLACES and getattr(target, PLACES[name]) is None for name in needed)


def _place(session: Session, who: Moderator, target: Target) -> tuple[tuple[str, str], ...]:
    """What an action is about, as (words, address of its page)."""
    found: list[tuple[str, str]] = []
    game_id = game_of(session, target)
    game = None if game_id is None else session.get(Game, game_id)
    if game is not None and who.powers.reaches(game.id):
        found.append((f"game {game.id}: {game.name}", f"/moderator/games/{game.id}"))
    if target.seat is not None:
        names = {} if game is None else {one.seat: one.name for one in holders(session, game)}
        holder = names.get(target.seat)
        found.append((f"seat {target.seat + 1}" + (f": {holder}" if holder else ""), ""))
    if target.person_id is not None and who.powers.everywhere:
        name = name_of(session, target.person_id) or "somebody"
        found.append((f"person {target.person_id}: {name}",
                      f"/moderator/people/{target.person_id}"))  # fmt: skip
    if target.mail_id is not None:
        found.append((f"mail {target.mail_id}", f"/moderator/mail/{target.mail_id}"))
    if target.letter_id is not None:
        found.append((f"letter {target.letter_id}", f"/moderator/outbox/{target.letter_id}"))
    return tuple(found)


def _shown(
    session: Session, who: Moderator, action: Action, row: Audit, target: Target
) -> list[str] | None:
    """What an action lets whoever has done it see for a while; None: nothing (any more)."""
    here = installation()
    if action.shows is None or here.clock() - row.at > SHOWN_FOR:
        return None
    if refusal(session, action, who.powers, target) is not None:
        return None
    case = Case(here, session, here.clock(), who.because(), target, row.details)
    return list(action.shows(case))


def _action(name: str) -> Action:
    found = ACTIONS.get(name)
    if found is None:
        abort(404)
    return found


def _target(given: Mapping[str, str]) -> Target:
    """The target's numbers; what is none is left out."""
    numbers: dict[str, Any] = {}
    for name, attribute in PLACES.items():
        text = given.get(name, "").strip()
        if _NUMBER.fullmatch(text):
            numbers[attribute] = int(text)
    return Target(**numbers)


def _numbers(target: Target) -> dict[str, int]:
    """The same back, for a form."""
    given = ((name, getattr(target, attribute)) for name, attribute in PLACES.items())
    return {name: number for name, number in given if number is not None}


def _given(action: Action) -> dict[str, str]:
    """What the form holds; a file that was chosen stands for its text field.  Names of
    parameters have a mark in front, for a target may be called the same."""
    given = {one.name: request.form.get(f"p-{one.name}", "") for one in action.parameters}
    for one in action.parameters:
        upload = request.files.get(f"p-{one.name}-file")
        if one.kind == "file" and upload is not None and upload.filename:
            given[one.name] = upload.read(MOST_FILE).decode("utf-8-sig", "replace")
    return given


def _reason() -> str:
    given = "".join(
        one for one in request.form.get("reason", "") if one.isprintable() or one.isspace()
    )
    return " ".join(given.split())[:MOST_REASON]
