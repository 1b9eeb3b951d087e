"""Who reads a page of the archive, and which finished games are there for him.

Everybody reads the games that are open, by the names their players wished for; a game for
members only is there for those who played in it, and for nobody else."""

from dataclasses import dataclass

from flask import Response, abort
from sqlmodel import Session

from pbem.archive.names import Called, called, table_title
from pbem.store import Game
from pbem.store.people import Holder, holders
from pbem.store.tenures import seats_held
from pbem.web.play.visitor import reader_id
from pbem.web.security import personal, public

MOST_NUMBER = 2**31


@dataclass(frozen=True)
class Opened:
    """A finished game, opened for one reader."""

    game: Game
    held: list[Holder]
    called: list[Called]
    is_member: bool
    """He played in it: he reads the names he knew."""

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.called]

    @property
    def title(self) -> str:
        return self.game.name if self.is_member else table_title(self.game, self.held)

    def answer(self, response: Response) -> Response:
        """Say who may keep the page, and whether search engines may list it."""
        if self.is_member:
            return personal(response)
        if self.game.archive != "open":
            response.headers["X-Robots-Tag"] = "noindex"
        return public(response)


def opened(session: Session, game_id: int) -> Opened:
    """The game for whoever asks; 404 for one that is not over, or not for him."""
    game = session.get(Game, game_id) if game_id < MOST_NUMBER else None
    if game is None or game.status != "over":
        abort(404)
    reader = reader_id(session)
    is_member = reader is not None and bool(seats_held(session, game, reader))
    if game.archive == "members" and not is_member:
        abort(404)
    return _opened(session, game, is_member)


def for_everybody(session: Session, game: Game) -> Opened:
    """A game of the public lists, as anybody reads it."""
    return _opened(session, game, is_member=False)


def _opened(session: Session, game: Game, is_member: bool) -> Opened:
    held = holders(session, game)
    return Opened(game, held, called(session, game, held, is_member), is_member)
