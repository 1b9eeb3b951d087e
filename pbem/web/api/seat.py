"""The own seat: what it sees, what it may do, what a move would bring, and the move itself.

A move is written as the command it stands for and goes to the desk, like a mail or a form;
so it is read, checked, kept and answered the same."""

import json
import re
from typing import Any

from flask import Response, jsonify, request
from sqlmodel import Session

from engine.game import IllegalMove, apply, violations
from engine.moves import Move, MoveFormatError, from_json, notation, to_json
from engine.view import imagine, view
from pbem.commands import print_command
from pbem.desk.orders import Answer, Order
from pbem.store.log import Author
from pbem.store.positions import position_now
from pbem.translation import _
from pbem.web import installation
from pbem.web.api.bearer import Sitter, sitter
from pbem.web.api.blueprint import PREFIX, ApiError, blueprint
from pbem.web.archive.replaying import COMMANDS
from pbem.web.forms import signed_otherwise

MOST_MOVES = 500
_KEY = re.compile(r"[\x21-\x7e]{8,100}")


@blueprint.get(f"{PREFIX}/seat/view")
def seat_view() -> Response:
    """Everything the seat knows, and the decision a move has to name."""
    with installation().store.read() as session:
        who = _playing(session)
        form = view(position_now(who.game), who.seat).to_json()
    return jsonify(**_head(who), view=form)


@blueprint.get(f"{PREFIX}/seat/legal")
def legal() -> Response:
    """The legal moves, none when it is not the seat's turn: `?offset=` goes on."""
    offset = request.args.get("offset", "0")
    if not (offset.isascii() and offset.isdigit() and len(offset) < 10):
        raise ApiError(400, "offset", _("The offset is a number."), _("Leave it out."))
    start = int(offset)
    with installation().store.read() as session:
        who = _playing(session)
        moves = view(position_now(who.game), who.seat).legal()
        count = len(moves)
        shown = [
            {"move": to_json(moves[number]), "text": notation(moves[number])}
            for number in range(start, min(count, start + MOST_MOVES))
        ]
    more = start + MOST_MOVES if start + MOST_MOVES < count else None
    return jsonify(**_head(who), count=count, moves=shown, next=more)


@blueprint.post(f"{PREFIX}/seat/preview")
@signed_otherwise
def preview() -> Response:
    """The table after a move, as far as the seat can know it: nothing is done, and what would
    come off the stack stays unknown."""
    move = _move(_body())
    with installation().store.read() as session:
        who = _playing(session)
        imagined = imagine(view(position_now(who.game), who.seat))
        found = violations(imagined, who.seat, move)
        if found:
            raise ApiError(
                422, "illegal", found[0].sentence, _("Ask for the legal moves."),
                rules=[{"rule": one.rule, "message": one.sentence} for one in found],
            )  # fmt: skip
        try:
            apply(imagined, who.seat, move)
        except IllegalMove as error:  # the check above is the same; this is for safety
            raise ApiError(422, "illegal", str(error), _("Ask for the legal moves.")) from None
        form = view(imagined, who.seat).to_json()
    return jsonify(**_head(who), view=form)


@blueprint.post(f"{PREFIX}/seat/move")
@signed_otherwise
def move() -> Response:
    """Do a move, once: `decision` is the one of the view it was made for, and the header
    `Idempotency-Key` tells a request that is sent again from another one."""
    body = _body()
    wanted, decision, key = _move(body), _decision(body), _key()
    here = installation()
    with here.store.work() as session:
        who = _playing(session)
        form = to_json(wanted)
        command = COMMANDS[str(form["type"])]
        order = Order(
            print_command(command, form, who.person.language),
            Author("web", person_id=who.person.id),
            game_id=who.game.id,
            seat=who.seat,
            decision=decision,
            sender=who.person.name,
            message_id=f"api:{key}",
        )
        answer = here.desk.take_order(session, order)
        form = {**_head(who), "outcome": answer.outcome, "seq": answer.seq}
    if answer.outcome not in ("done", "repeated"):
        raise _refused(answer)
    return jsonify(form)


def _playing(session: Session) -> Sitter:
    who = sitter(session)
    if who.game.status != "running":
        raise ApiError(
            409, "not-running", _("This game is not running."),
            _("When it is over, read it in the archive."), state=who.game.status,
        )  # fmt: skip
    return who


def _head(who: Sitter) -> dict[str, Any]:
    due = who.game.due_at
    return {
        "game": who.game.id,
        "seat": who.seat,
        "decision": who.game.decision,
        "due": None if due is None else due.isoformat(timespec="seconds"),
    }


def _body() -> dict[str, Any]:
    try:
        body = request.get_json(force=True, silent=True)
        json.dumps(body, ensure_ascii=False).encode()
    except (RecursionError, UnicodeEncodeError):  # thousands of brackets; half a character
        body = None
    if not isinstance(body, dict):
        raise ApiError(
            400, "body", _("The body is no JSON object."), _('Send {"move": …} as JSON.')
        )
    return body


def _move(body: dict[str, Any]) -> Move:
    try:
        return from_json(body.get("move"))
    except MoveFormatError as error:
        raise ApiError(
            400, "move", str(error), _("Write the move as in the record of a game.")
        ) from None


def _decision(body: dict[str, Any]) -> int:
    decision = body.get("decision")
    if type(decision) is not int or not 0 <= decision < 2**31:
        raise ApiError(
            400, "decision", _("The decision is missing, or no number."),
            _("Send the decision of the view that the move was chosen for."),
        )  # fmt: skip
    return decision


def _key() -> str:
    key = request.headers.get("Idempotency-Key", "")
    if not _KEY.fullmatch(key):
        raise ApiError(
            400, "key", _("The header Idempotency-Key is missing, or not 8 to 100 signs long."),
            _("Send a new key with every move, and the same one with a request sent again."),
        )  # fmt: skip
    return key


def _refused(answer: Answer) -> ApiError:
    """The desk's answer as an error: what it says about the first line it did not do."""
    line = next((one for one in answer.lines if one.status not in ("ignored", "done")), None)
    if answer.outcome == "aged":
        return ApiError(
            409, "aged", _("The table has moved on since this decision."),
            _("Read the view again and choose anew."),
        )  # fmt: skip
    return ApiError(
        422,
        (line.code or "refused") if line else "refused",
        line.message if line else "",
        _("Ask for the legal moves."),
        rules=list(line.rules) if line else [],
        suggest=line.suggest if line else None,
    )
