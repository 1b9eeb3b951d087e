"""Turns of the bots: one unit of work each, so that a crash between two loses nothing."""

from sqlmodel import col, select

from pbem.desk import turns
from pbem.installation import Installation
from pbem.store import Game


def play_bots(installation: Installation, game_id: int) -> int:
    """Let the bots of one game play until a person is to move; returns their turns."""
    played = 0
    while True:
        with installation.store.work() as session:
            game = session.get(Game, game_id)
            if game is None or not turns.play_bot(
                session, installation.site, installation.clock(), game
            ):
                return played
        played += 1


def games_waiting_for_a_bot(installation: Installation) -> list[int]:
    """The running games in which a bot is to move."""
    with installation.store.read() as session:
        found = session.exec(select(Game.id).where(col(Game.bot_waits).is_(True)))
        return [game_id for game_id in found if game_id is not None]
