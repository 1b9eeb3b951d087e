"""`/moderator/audit`: what was done by whom, when and why; filtered, and to take away."""

import re
from datetime import date

from flask import Response, abort, render_template, request

from pbem.moderation.going_on import progress_of
from pbem.moderation.lists import PAGE
from pbem.moderation.lists.audit import WantedRows, actions, exported, rows
from pbem.web import installation
from pbem.web.moderator.guard import blueprint, signed_in
from pbem.web.moderator.seats import with_names

FORMS = {"csv": "text/csv", "jsonl": "application/jsonl"}


@blueprint.get("/audit")
def trail() -> str:
    """The audit, the newest first."""
    who, wanted = signed_in(), _wanted()
    with installation().store.read() as session:
        found = rows(session, who.powers, wanted)
        return render_template(
            "moderator/audit.html",
            rows=with_names(session, found[:PAGE]),
            progress=progress_of(session, [row.id for row in found[:PAGE]]),
            wanted=wanted,
            actions=actions(session),
            forms=FORMS,
            more=found[PAGE - 1].id if len(found) > PAGE else None,
        )


@blueprint.get("/audit.<form>")
def export_trail(form: str) -> Response:
    """The same rows, all of them, as a file; people by number."""
    who, wanted = signed_in(), _wanted()
    if form not in FORMS:
        abort(404)
    with installation().store.read() as session:
        text = "".join(exported(session, who.powers, wanted, form))
    response = Response(text, mimetype=FORMS[form])
    response.headers["Content-Disposition"] = f'attachment; filename="audit.{form}"'
    return response


def _wanted() -> WantedRows:
    """The filter, as the address says it; what makes no sense is left out."""
    given = request.args
    try:
        day = date.fromisoformat(given.get("day", ""))
    except ValueError:
        day = None
    action = given.get("action", "")
    return WantedRows(
        action=action if re.fullmatch(r"[a-z-]{1,40}", action) else "",
        by=_number("by"),
        subject=_number("subject"),
        game_id=_number("game"),
        day=day if day is not None and day.year < 9999 else None,
        before=_number("before"),
    )


def _number(name: str) -> int | None:
    value = request.args.get(name, "").strip()
    return int(value) if re.fullmatch(r"[0-9]{1,9}", value) else None
