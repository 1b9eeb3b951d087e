"""Which rows of the tables a moderator's hands reach."""

from typing import Any

from flask import abort
from sqlalchemy import ColumnElement
from sqlmodel import Session, col

from pbem.store import Game
from pbem.store.roles import Powers
from pbem.web.moderator.guard import Moderator

MOST_DIGITS = 18  # of a number that is looked for: the databases' own end there


def within(powers: Powers, game_id: Any) -> list[ColumnElement[bool]]:
    """The conditions that keep a query to the games a moderator reaches."""
    return [] if powers.everywhere else [col(game_id).in_(powers.games)]


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
