"""Pages about what a moderator does not reach are not there."""

from flask import abort
from sqlmodel import Session

from pbem.store import Game
from pbem.web.moderator.guard import Moderator


def reached_game(session: Session, who: Moderator, game_id: int) -> Game:
    """A game within reach; 404 for others, as if there were none."""
    game = session.get(Game, game_id) if game_id < 2**31 else None
    if game is None or not who.powers.reaches(game.id):
        abort(404)
    return game


def everywhere(who: Moderator) -> None:
    """404 for whoever moderates single games only."""
    if not who.powers.everywhere:
        abort(404)
