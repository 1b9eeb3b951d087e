"""A server with something to moderate: a table that runs, one that is being filled, one that
was ended, a held mail, a letter that has failed, and people with all kinds of roles."""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from engine.game import legal_moves
from engine.moves import notation
from pbem.desk import ending, tables
from pbem.desk.deadlines import open_waits
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.moderation import Target
from pbem.store import Game, Heartbeat, Invitation, Letter, Mail, Person
from pbem.store.audit import Actor
from pbem.store.decks import decks_offered
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.roles import MODERATOR, OWNER, grant
from pbem.store.rows import id_of
from pbem.store.site_texts import HOUSE_RULES, NOTICE, words
from pbem.store.tokens import Bearer
from tests.desk.table import Table
from tests.intake.mails import deposit, drain, written
from tests.moderation.doing import REASON

RUNNING, FILLING, ENDED = 1, 2, 3
ANN, BO, CY = 1, 2, 3  # seats 0, 1, 2 of every table
ROLES = {
    "owner": ("Olive", OWNER, None),
    "of all games": ("Max", MODERATOR, None),
    "of this game": ("Gil", MODERATOR, RUNNING),
    "of another game": ("Hal", MODERATOR, ENDED),
    "of all, and plays": ("Ann", MODERATOR, None),
    "owner, and plays": ("Bo", OWNER, None),
    "none": ("Dan", "", None),
}


@dataclass(frozen=True)
class World:
    installation: Installation

    @property
    def table(self) -> Table:
        return Table(self.installation, RUNNING)

    @property
    def mail_id(self) -> int:
        with self.installation.store.read() as session:
            return session.exec(select(Mail.id).where(Mail.state == "held")).one() or 0

    @property
    def letter_id(self) -> int:
        with self.installation.store.read() as session:
            return session.exec(select(Letter.id).where(Letter.state == "failed")).one() or 0

    def person(self, name: str) -> int:
        with self.installation.store.read() as session:
            return session.exec(select(Person.id).where(Person.name == name)).one() or 0

    def actor(self, role: str) -> Actor:
        return Actor("moderator", self.person(ROLES[role][0]), REASON)

    def mover(self) -> Target:
        return Target(RUNNING, self.table.to_move()[0])

    def legal(self) -> str:
        game = self.table.game()
        position = position_now(game)
        return notation(legal_moves(position, position.to_move[0])[0])


def build(installation: Installation) -> None:
    table = Table.begun(installation, seed="running")
    assert table.game_id == RUNNING
    for _turn in range(7):  # Bo is to move
        position = position_now(table.game())
        table.play(legal_moves(position, position.to_move[0])[0])
    now = installation.clock()
    with installation.store.work() as session:
        filling = tables.open_table(
            session, installation.site, now, installation.entropy, Author("cli"),
            name="Monday club", places=[Place(CY), Place(BO), Place(ANN)], organiser_id=CY,
        )  # fmt: skip
        assert filling.id == FILLING
    ended = Table.begun(installation, seed="ended")
    assert ended.game_id == ENDED
    with installation.store.work() as session:
        game = session.get_one(Game, ENDED)
        ending.end(session, installation.site, now, Author("cli"), game, "consent")
        for name, kind, game_id in ROLES.values():
            one = find_or_add_person(session, now, name, f"{name}@example.net", confirmed=True)
            if kind:
                grant(session, now, id_of(one), kind, game_id=game_id)
            if name == "Dan":
                one.substitute_since = now
                session.add(one)
    _hold_a_mail(installation)
    with installation.store.work() as session:
        letters = select(Letter).where(Letter.game_id == RUNNING).order_by(col(Letter.id))
        letter = session.exec(letters.limit(1)).one()
        letter.state = "failed"
        session.add(letter)


def _hold_a_mail(installation: Installation) -> None:
    """A turn of Bo, whose it is, from an address nobody knows."""
    game = Table(installation, RUNNING).game()
    position = position_now(game)
    assert position.to_move == (1,)
    token = installation.keys.token(Bearer("seat", BO, RUNNING, 1, decision=game.decision))
    to = installation.site.reply_address(token)
    turn = notation(legal_moves(position, 1)[0])
    raw = written(turn, sender="B <bo@elsewhere.example>", to=to)
    number = deposit(installation, raw, to, "bo@elsewhere.example")
    drain(installation)
    with installation.store.read() as session:
        assert session.get_one(Mail, number).state == "held"


def essence(session: Session) -> dict[str, Any]:
    """What an action and its inverse together leave as it was."""
    games = session.exec(select(Game).order_by(col(Game.id))).all()
    pulse = session.get(Heartbeat, 1)
    return {
        "games": [
            {
                name: getattr(game, name)
                for name in (
                    "name", "status", "archive", "voided_at", "shelved_at", "paused_at",
                    "position", "turn_seconds", "due_at",
                )
            }
            for game in games
        ],
        "waits": [
            (wait.game_id, wait.seat, wait.due_at)
            for game in games
            for wait in open_waits(session, game)
        ],
        "holders": [
            [(one.person_id, one.bot) for one in holders(session, game)]
            for game in games
            if game.setup
        ],
        "places": session.exec(
            select(Invitation.place, Invitation.person_id).order_by(col(Invitation.id))
        ).all(),
        "people": session.exec(
            select(Person.name, Person.language, Person.muted_at, Person.blocked_at).order_by(
                col(Person.id)
            )
        ).all(),
        "site": [words(session, NOTICE), words(session, HOUSE_RULES)],
        "decks": [deck.name for deck in decks_offered(session)],
        "stopped": None if pulse is None else pulse.stopped_at,
    }  # fmt: skip
