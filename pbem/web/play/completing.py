"""How the last line of the command box may go on, while it is being typed."""

from flask import render_template, request

from pbem.commands.completion import complete
from pbem.desk.desk import SERVED
from pbem.web import installation
from pbem.web.play.routes import blueprint, reading_of, seat_at
from pbem.web.play.visitor import visitor

LONGEST = 5_000
"""A longer text is not looked at: completing it would cost more than it helps."""


@blueprint.post("/me/games/<int:game_id>/complete")
def complete_text(game_id: int) -> str:
    """The part of the page that lists the ways to go on.  It is asked for by POST, though it
    changes nothing, so that half-written messages get into no log of addresses."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    with installation().store.read() as session:
        who = visitor(session)
        game, seat = seat_at(session, who, game_id)
        ways = []
        if game.status == "running" and len(text) <= LONGEST:
            ways = complete(text, reading_of(session, who, game, seat), SERVED)
    return render_template("play/completions.html", ways=ways)
