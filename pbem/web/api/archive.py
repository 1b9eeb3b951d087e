"""Reading the archive: the list, a game, one step of it, its record, the statistics."""

from typing import Any

from flask import Response, jsonify, request, url_for
from sqlmodel import Session
from werkzeug.exceptions import HTTPException

from engine.moves import to_json
from pbem.archive import exporting, profiles
from pbem.archive.records import dump
from pbem.store import Profile
from pbem.web import installation
from pbem.web.api.blueprint import PREFIX, bad_query, blueprint, not_found
from pbem.web.archive import figures, replaying
from pbem.web.archive.listing import BadQuery, ListedGame, page_of, query_of, wanted_in
from pbem.web.archive.reader import Opened, opened
from pbem.web.archive.routes import same_again
from pbem.web.security import public

MOST = 100


@blueprint.get(f"{PREFIX}/games")
def games() -> Response:
    """The list, the newest first, with the same search as the page; `next` goes on."""
    size = request.args.get("limit", "50")
    if not (size.isascii() and size.isdigit() and len(size) < 4 and 1 <= int(size) <= MOST):
        raise bad_query("limit")
    try:
        wanted = wanted_in(request.args)
        with installation().store.read() as session:
            before, after = request.args.get("before"), request.args.get("after")
            found = page_of(session, wanted, before, after, int(size))
            rows = [_row(one) for one in found.listed]
    except BadQuery as error:
        raise bad_query(str(error)) from None
    query: dict[str, Any] = {**query_of(wanted), "limit": size}
    older = None if found.older is None else url_for("api.games", **query, before=found.older)
    newer = None if found.newer is None else url_for("api.games", **query, after=found.newer)
    return public(jsonify(games=rows, next=older, previous=newer))


@blueprint.get(f"{PREFIX}/games/<int:game_id>")
def game(game_id: int) -> Response:
    """A game: who played, how it ended, every move, the points after each."""
    with installation().store.read() as session:
        here = _opened(session, game_id)
        steps = replaying.walked(session, here.game)
        facts, course = steps.facts, steps.facts.course
        form = {
            "game": game_id,
            "table": here.title,
            "deck": here.game.deck,
            "rules": here.game.rules,
            "players": here.names,
            "finished": _time(here.game.finished_at),
            "result": facts.result.to_json(),
            "moves": [
                {
                    "turn": number,
                    "seat": turn.seat,
                    "move": to_json(turn.move),
                    "text": replaying.move_words(turn, "en"),
                    "points": list(course[number]),
                    "balance": facts.steps[number].balance,
                }
                for number, turn in enumerate(steps.turns, 1)
            ],
        }
    return same_again(here.answer(jsonify(form)))


@blueprint.get(f"{PREFIX}/games/<int:game_id>/record")
def record(game_id: int) -> Response:
    """The game as ark-record."""
    with installation().store.read() as session:
        here = _opened(session, game_id)
        text = dump(exporting.public_record(session, here.game, here.called))
    return same_again(here.answer(Response(text, mimetype="application/json")))


@blueprint.get(f"{PREFIX}/games/<int:game_id>/turns/<int:turn>")
def step(game_id: int, turn: int) -> Response:
    """The view after a turn (0: the deal), of everybody or (`?seat=`) of one seat."""
    seat = request.args.get("seat", "")
    with installation().store.read() as session:
        here = _opened(session, game_id)
        steps = replaying.walked(session, here.game)
        seats = [str(number) for number in range(here.game.players)]
        if turn > steps.facts.turns:
            raise not_found()
        if seat not in ("", *seats):
            raise bad_query("seat")
        form = steps.view(turn, None if seat == "" else int(seat)).to_json()
    return same_again(here.answer(jsonify(form)))


@blueprint.get(f"{PREFIX}/statistics")
def statistics() -> Response:
    """All tables of the statistics, of the games with `?deck=` and `?players=`."""
    try:
        chosen = wanted_in({name: request.args.get(name, "") for name in ("deck", "players")})
    except BadQuery as error:
        raise bad_query(str(error)) from None
    with installation().store.read() as session:
        tables = figures.tables(session, chosen.deck, chosen.players)
    form = {
        one.name: {
            "title": one.title,
            "columns": list(one.head),
            "rows": [list(r) for r in one.rows],
        }
        for one in tables
    }
    return same_again(public(jsonify(tables=form)))


@blueprint.get(f"{PREFIX}/players")
def players() -> Response:
    """Those who show themselves and have a rating, the strongest first."""
    with installation().store.read() as session:
        rows = [
            {"player": one.profile.id, "name": one.profile.name, "rating": one.rating,
             "games": one.rated}
            for one in profiles.ranking(session)
        ]  # fmt: skip
    return same_again(public(jsonify(players=rows)))


@blueprint.get(f"{PREFIX}/players/<int:profile_id>")
def player(profile_id: int) -> Response:
    """Somebody who shows himself."""
    with installation().store.read() as session:
        row = session.get(Profile, profile_id) if profile_id < 2**31 else None
        if row is None or not row.public:
            raise not_found()
        standing = profiles.standing(session, row.person_id)
    return same_again(public(jsonify(player=row.id, name=row.name, **vars(standing))))


def _opened(session: Session, game_id: int) -> Opened:
    try:
        return opened(session, game_id)
    except HTTPException:
        raise not_found() from None


def _row(one: ListedGame) -> dict[str, Any]:
    facts = one.facts
    return {
        "game": one.game.id,
        "table": one.title,
        "finished": _time(facts.finished_at),
        "deck": one.game.deck,
        "turns": facts.turns,
        "seconds": facts.seconds,
        "margin": facts.margin,
        "players": [
            {"name": player.name, "profile": player.profile_id, "total": player.total,
             "won": player.won}
            for player in one.players
        ],
        "page": url_for("archive.game", game_id=one.game.id),
        "record": url_for("api.record", game_id=one.game.id),
    }  # fmt: skip


def _time(at: Any) -> str | None:
    return None if at is None else str(at.isoformat(timespec="seconds"))
