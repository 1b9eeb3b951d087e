"""Who reads a page of the archive, and which games are there for him.

Everybody reads the games that are open, by the names their players wished for; a game for
members only is there for those who played in it, and for nobody else.  A game that ended
before its last turn is not over (R10.3): it may be let go on, so of its hands and pets
everybody sees what he saw at the table, and its deal and stack are shown to nobody."""

from dataclasses import dataclass, replace

from flask import Response, abort
from sqlmodel import Session

from pbem.archive.names import Called, called, table_title
from pbem.store import Game
from pbem.store.people import Holder, holders, seat_of
from pbem.store.tenures import seats_held
from pbem.web.play.visitor import reader_id
from pbem.web.security import personal, public

MOST_NUMBER = 2**31


@dataclass(frozen=True)
class Opened:
    """A game that has ended, opened for one reader."""

    game: Game
    held: list[Holder]
    called: list[Called]
    is_member: bool
    """He played in it: he reads the names he knew."""
    own_seat: int | None = None
    """The seat he holds at the end."""

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.called]

    @property
    def early(self) -> bool:
        """Did it end before its last turn?"""
        return self.game.status == "ended"

    def eyes(self) -> list[int]:
        """The seats whose view he may look at, beside everybody's."""
        if not self.early:
            return list(range(self.game.players))
        return [] if self.own_seat is None else [self.own_seat]

    @property
    def title(self) -> str:
        return table_title(self.game, self.called)

    def answer(self, response: Response) -> Response:
        """Say who may keep the page, and whether search engines may list it."""
        if self.is_member:
            return personal(response)
        if self.game.archive != "open":
            response.headers["X-Robots-Tag"] = "noindex"
        return public(response)


def opened(session: Session, game_id: int, *, early: bool = False) -> Opened:
    """The game for whoever asks; 404 for one that is not over (or, with `early`, ended before
    its last turn), or not for him."""
    game = session.get(Game, game_id) if game_id < MOST_NUMBER else None
    if game is None or not (game.status == "over" or (early and game.status == "ended")):
        abort(404)
    reader = reader_id(session)
    is_member = reader is not None and bool(seats_held(session, game, reader))
    if game.archive == "members" and not is_member:
        abort(404)
    here = _opened(session, game, is_member)
    own_seat = None if reader is None else seat_of(session, game, reader)
    return replace(here, own_seat=own_seat)


def for_everybody(session: Session, game: Game) -> Opened:
    """A game of the public lists, as anybody reads it."""
    return _opened(session, game, is_member=False)


def _opened(session: Session, game: Game, is_member: bool) -> Opened:
    held = holders(session, game)
    return Opened(game, held, called(session, game, held, is_member), is_member)
