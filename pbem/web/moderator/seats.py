"""The seats a mail may be from, and the names of people and things on the pages."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session, col

from pbem.store import Audit, Game, Mail, Person
from pbem.store.people import holders
from pbem.store.rows import id_of
from pbem.store.tenures import tables_of

MOST_SEATS = 12


@dataclass(frozen=True)
class OneSeat:
    """A seat of a table, and who holds it."""

    game_id: int
    game: str
    number: int
    holder: str

    @property
    def field(self) -> str:
        return f"{self.game_id}/{self.number}"


def offered(session: Session, mail: Mail) -> list[OneSeat]:
    """The seats a mail is likely from: all of its table, and those its person holds."""
    game_ids = [] if mail.game_id is None else [mail.game_id]
    if mail.person_id is not None:
        held = (
            tables_of(mail.person_id)
            .where(Game.status == "running")
            .order_by(col(Game.id).desc())
            .limit(MOST_SEATS)
        )
        game_ids += [game.id for game, _seat in session.exec(held) if game.id is not None]
    found = []
    for game_id in dict.fromkeys(game_ids):
        game = session.get(Game, game_id)
        if game is None:
            continue
        own_table = game_id == mail.game_id
        found += [
            OneSeat(id_of(game), game.name, holder.seat, holder.name)
            for holder in holders(session, game)
            if holder.person_id is not None and (own_table or holder.person_id == mail.person_id)
        ]
    return found[:MOST_SEATS]


def named(session: Session, letters: Iterable[tuple[str, int | None]]) -> list[tuple[str, str]]:
    """Letters as (kind, person's name)."""
    return [(kind, name_of(session, person_id)) for kind, person_id in letters]


def with_names(session: Session, audit: Iterable[Audit]) -> list[tuple[Audit, str]]:
    """Rows of the audit, each with who it was."""
    return [(row, name_of(session, row.person_id, "the command line")) for row in audit]


def name_of(session: Session, person_id: int | None, nobody: str = "") -> str:
    person = None if person_id is None else session.get(Person, person_id)
    return nobody if person is None else person.name
