"""`/games/statistics`: what all games together tell, as pages and as data."""

import csv
import io

from flask import Response, abort, jsonify, make_response, render_template, request

from pbem.web import installation
from pbem.web.archive import figures, listing
from pbem.web.archive.downloads import safe
from pbem.web.archive.listing import BadQuery
from pbem.web.archive.routes import blueprint, same_again
from pbem.web.security import public


@blueprint.get("/games/statistics")
def statistics() -> Response:
    deck, players = _of_which()
    with installation().store.read() as session:
        page = render_template(
            "archive/statistics.html",
            tables=figures.tables(session, deck, players),
            decks=listing.decks(session),
            deck=deck,
            players=players,
        )
    return same_again(public(make_response(page)))


@blueprint.get("/games/statistics/<name>.<any(csv, json):form>")
def statistics_file(name: str, form: str) -> Response:
    """One table, of the same choice of games."""
    deck, players = _of_which()
    try:
        with installation().store.read() as session:
            found = figures.table(session, name, deck, players)
    except BadQuery:
        abort(404)
    if form == "json":
        data = jsonify(table=found.name, title=found.title, columns=found.head, rows=found.rows)
        return same_again(public(data))
    out = io.StringIO()
    csv.writer(out).writerows(
        [safe(cell) if isinstance(cell, str) else cell for cell in row]
        for row in figures.as_rows(found)
    )
    return same_again(public(Response(out.getvalue(), mimetype="text/csv")))


def _of_which() -> tuple[str | None, int | None]:
    """The choice of the address: deck and number of players."""
    try:
        wanted = listing.wanted_in(
            {name: request.args.get(name, "") for name in ("deck", "players")}
        )
    except BadQuery:
        abort(404)
    return wanted.deck, wanted.players
