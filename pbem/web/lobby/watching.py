"""`/watch`: running games whose table lets everybody watch, some turns later.

Built from a spectator's view of the position so many turns ago, and from what of the log up
to then is open to all; what people said to each other is not shown.
"""

from dataclasses import dataclass

from flask import Response, abort, make_response, render_template, request
from sqlmodel import Session, col, select

from engine.cards import KINDS
from engine.view import View, view
from pbem.archive.names import called, table_title
from pbem.letters.ark import Picture, picture
from pbem.letters.cards import Face, cards_of
from pbem.letters.sentences import Teller, new_cabins, new_cards
from pbem.store import Event, Game
from pbem.store.line import turns_that_stand, undone
from pbem.store.log import events_of, seen_by
from pbem.store.people import holders
from pbem.store.positions import position_at
from pbem.translation import language
from pbem.web import installation
from pbem.web.lobby.routes import blueprint
from pbem.web.security import public

SHOWN_TURNS = 6
MOST = 100


@dataclass(frozen=True)
class Watched:
    """A running game as anybody may see it."""

    game: Game
    title: str
    names: tuple[str, ...]
    view: View
    ark: Picture
    display: tuple[Face, ...]
    told: tuple[str, ...]
    kinds: tuple[str, ...] = KINDS


@blueprint.get("/watch")
def watched_games() -> Response:
    """The running games that everybody may watch."""
    with installation().store.read() as session:
        games = session.exec(
            select(Game)
            .where(col(Game.watch_turns).is_not(None), Game.status == "running")
            .order_by(col(Game.id).desc())
            .limit(MOST)
        ).all()
        listed = []
        for game in games:
            held = holders(session, game)
            names = called(session, game, held)
            title = table_title(game, names)
            listed.append((game, title, [one.name for one in names]))
        page = render_template("lobby/watched.html", games=listed)
    return public(make_response(page))


@blueprint.get("/watch/<int:game_id>")
def watch(game_id: int) -> Response:
    with installation().store.read() as session:
        game = session.get(Game, game_id) if game_id < 2**31 else None
        if game is None or game.watch_turns is None or game.status != "running":
            abort(404)
        seqs = _shown_turns(session, game)
        tag = f"{game_id}-{seqs[0] if seqs else 0}-{language()}"
        response = make_response("", 304)
        if not request.if_none_match.contains_weak(tag):
            page = render_template("lobby/watch.html", shown=_watched(session, game, seqs), tag=tag)
            response = make_response(page)
        response.set_etag(tag, weak=True)
    return public(response)


def _shown_turns(session: Session, game: Game) -> list[int]:
    """The events of the last turns that may be seen by now, the newest first."""
    turns = (
        select(Event.seq)
        .where(Event.game_id == game.id, Event.kind == "turn", turns_that_stand(undone(game)))
        .order_by(col(Event.seq).desc())
        .offset(game.watch_turns)
        .limit(SHOWN_TURNS + 1)
    )
    return list(session.exec(turns))


def _watched(session: Session, game: Game, seqs: list[int]) -> Watched:
    held = holders(session, game)
    shown = called(session, game, held)
    names = tuple(one.name for one in shown)
    upto = seqs[0] if seqs else 0
    since = seqs[-1] if len(seqs) > SHOWN_TURNS else 0
    events = [one for one in events_of(session, game, after=since, upto=upto) if one.kind == "turn"]
    seen = seen_by(events, None)
    there = view(position_at(session, game, upto), None)
    cards = cards_of(there.deck)
    return Watched(
        game,
        table_title(game, shown),
        names,
        there,
        picture(there, new_cards(seen), new_cabins(seen)),
        tuple(cards.face(name) for name in there.display),
        tuple(Teller(cards, names, None).tell(seen)),
    )
