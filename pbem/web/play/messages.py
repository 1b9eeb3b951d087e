"""`/me/games/N/messages`: all that was said to a seat and by it, and its holder's notes."""

import re

from flask import render_template, request

from pbem.store.people import holders
from pbem.web import installation
from pbem.web.play.routes import blueprint, seat_at
from pbem.web.play.said import said_before
from pbem.web.play.visitor import visitor

A_PAGE = 30
_SEQ = re.compile(r"[0-9]{1,9}")


@blueprint.get("/me/games/<int:game_id>/messages")
def messages(game_id: int) -> str:
    """The newest on top, and on from there; also when the game is over."""
    before = request.args.get("before", "")
    with installation().store.read() as session:
        who = visitor(session)
        game, seat = seat_at(session, who, game_id)
        names = [holder.name for holder in holders(session, game)]
        older_than = int(before) if _SEQ.fullmatch(before) else None
        found = said_before(session, game, seat, names, before=older_than, most=A_PAGE + 1)
        return render_template(
            "play/messages.html",
            who=who,
            game=game,
            said=found[:A_PAGE],
            more=found[A_PAGE - 1].seq if len(found) > A_PAGE else None,
        )
