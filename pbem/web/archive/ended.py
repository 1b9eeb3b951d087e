"""`/games/ended`: the games that ended before their last turn.  They have no result, so no
statistics, rating or search knows of them; but they can be read and replayed so far."""

from dataclasses import dataclass

from flask import Response, abort, make_response, render_template, request
from sqlmodel import Session, col, select

from pbem.archive.records import early_end
from pbem.letters.affairs import Words, ending_words
from pbem.store import Game
from pbem.store.positions import turns_done
from pbem.store.rows import id_of
from pbem.web import installation
from pbem.web.archive.reader import MOST_NUMBER, Opened, for_everybody
from pbem.web.archive.routes import blueprint, same_again
from pbem.web.security import public

PAGE = 20


@dataclass(frozen=True)
class Early:
    """One of them on the list."""

    here: Opened
    turns: int
    words: Words


@blueprint.get("/games/ended")
def ended() -> Response:
    """The newest games first; `?before=` a number: those opened before that one."""
    before = _before()
    with installation().store.read() as session:
        found = _found(session, before)
        page = render_template(
            "archive/ended.html",
            listed=_listed(session, found[:PAGE]),
            older=found[PAGE - 1].id if len(found) > PAGE else None,
            paged=before is not None,
        )
    return same_again(public(make_response(page)))


def _found(session: Session, before: int | None) -> list[Game]:
    """A page of those that everybody may read, and one more if there are more."""
    query = select(Game).where(
        Game.status == "ended", Game.archive != "members", col(Game.voided_at).is_(None)
    )
    if before is not None:
        query = query.where(col(Game.id) < before)
    return list(session.exec(query.order_by(col(Game.id).desc()).limit(PAGE + 1)))


def _listed(session: Session, games: list[Game]) -> list[Early]:
    turns = turns_done(session, [game.id for game in games if game.id is not None])
    rows = []
    for game in games:
        here = for_everybody(session, game)
        words = ending_words(early_end(session, game), here.names)
        rows.append(Early(here, turns.get(id_of(game), 0), words))
    return rows


def _before() -> int | None:
    value = request.args.get("before")
    if value is None:
        return None
    if not (value.isascii() and value.isdigit() and len(value) < 11 and int(value) < MOST_NUMBER):
        abort(404)
    return int(value)
