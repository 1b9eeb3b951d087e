"""Open tables: anybody may take a free place; and what a table's opener wants of it that no
command says."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.desk import tables
from pbem.desk.tables import Place, TableError
from pbem.letters import Site
from pbem.store import Address, Game, Invitation, Person
from pbem.store.log import Author
from pbem.store.options import options_of
from pbem.timing import GameOptions
from pbem.translation import _

WATCH_TURNS = (0, 3, 10)
"""How many turns later a game may be watched."""


@dataclass(frozen=True)
class TableWishes:
    """How a new table is to be.  ``changes`` are of `GameOptions`; ``language``: of people who
    are written to for the first time."""

    name: str | None = None  # as it was typed, where a line can say it in quotes only
    lobby: bool = False
    watch_turns: int | None = None
    archive: str = "names-hidden"
    mail_policy: str | None = None
    language: str | None = None
    changes: dict[str, Any] = field(default_factory=dict)


def fulfil(session: Session, game: Game, wishes: TableWishes) -> None:
    """Make a table that was opened in this unit of work what its opener wants."""
    game.name = wishes.name or game.name
    game.lobby = wishes.lobby and game.status == "inviting"
    game.watch_turns = wishes.watch_turns
    game.archive = wishes.archive
    game.mail_policy = wishes.mail_policy or game.mail_policy
    if wishes.changes:
        wanted = options_of(game).to_json() | wishes.changes
        game.options = GameOptions.from_json(wanted).to_json()
    session.add(game)
    if wishes.language is not None:
        for person in _newcomers(session, game):
            person.language = wishes.language
            session.add(person)


def opened_by(session: Session, person_id: int) -> Game | None:
    """The newest table that somebody has opened."""
    return session.exec(
        select(Game).where(Game.organiser_id == person_id).order_by(col(Game.id).desc()).limit(1)
    ).first()


def come_in(
    session: Session, site: Site, now: datetime, author: Author, game: Game, person_id: int
) -> bool:
    """Take a free place at an open table; True when it was the last one, and the game has
    begun.  Raises `TableError`."""
    if not game.lobby:
        raise TableError(
            "not-invited", _("You are not invited to that table; ask whoever opened it.")
        )
    tables.invite(session, site, now, author, game, Place(person_id), announced=False)
    there = tables.invitations(session, game)
    if len(there) < game.players or any(one.state != "accepted" for one in there):
        return False
    tables.begin(session, site, now, author, game)
    return True


def _newcomers(session: Session, game: Game) -> list[Person]:
    """The people asked to this table who are here for the first time."""
    return list(
        session.exec(
            select(Person)
            .join(Invitation, col(Invitation.person_id) == col(Person.id))
            .join(Address, col(Address.person_id) == col(Person.id))
            .where(
                Invitation.game_id == game.id,
                Person.created_at == game.created_at,
                col(Address.confirmed_at).is_(None),
            )
        )
    )
