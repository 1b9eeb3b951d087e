"""Turns of the bots: one unit of work each, so that a crash between two loses nothing."""

import logging

from sqlmodel import select

from pbem.desk import failing, turns
from pbem.installation import Installation
from pbem.store import Game
from pbem.store.log import Author
from pbem.store.models.games import BOT_WAITS

log = logging.getLogger(__name__)

BOT = Author("bot")


def play_bots(installation: Installation, game_id: int) -> int:
    """Let the bots of one game play until a person is to move; returns their turns."""
    played = 0
    while True:
        with installation.store.work(game_id) as session:
            game = session.get(Game, game_id)
            if game is None or not turns.play_bot(
                session, installation.site, installation.clock(), game
            ):
                return played
        played += 1


def play_bots_or_halt(installation: Installation, game_id: int) -> None:
    """The same for a server that goes on whatever happens: a table that fails three times is
    halted alone."""
    try:
        play_bots(installation, game_id)
    except Exception as error:
        log.exception("the bots of game %s cannot move", game_id)
        failing.failed_alone(
            installation.store, installation.site, installation.clock(), BOT, game_id, error
        )


def games_waiting_for_a_bot(installation: Installation) -> list[int]:
    """The running games in which a bot is to move."""
    with installation.store.read() as session:
        found = session.exec(select(Game.id).where(BOT_WAITS))
        return [game_id for game_id in found if game_id is not None]
