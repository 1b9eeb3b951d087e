"""What a moderator who plays must not read: the mails of his own tables.

A mail that is closed shows its state and nothing else.  The owner may open one; that is
an action like any other, in the audit and in the log of the table.
"""

from datetime import datetime
from typing import Protocol

from sqlmodel import Session, col, select

from pbem.store import Address, Audit, Game
from pbem.store.audit import Actor, note
from pbem.store.log import Author, append
from pbem.store.moderated import MODERATED
from pbem.store.people import fold_address
from pbem.store.roles import Powers, players_of, plays_in

OPENED = "open-mail"


class MailFacts(Protocol):
    """What of a mail decides whose business it is."""

    @property
    def id(self) -> int | None: ...
    @property
    def game_id(self) -> int | None: ...
    @property
    def person_id(self) -> int | None: ...
    @property
    def sender(self) -> str | None: ...
    @property
    def envelope_from(self) -> str: ...
    @property
    def kind(self) -> str | None: ...


class Closed:
    """The mails and letters closed to one moderator."""

    def __init__(self, session: Session, powers: Powers) -> None:
        self._session, self._powers = session, powers
        self.games = plays_in(session, powers.person_id)
        self._players: frozenset[int] = frozenset()
        self._addresses: frozenset[str] = frozenset()
        if self.games:
            self._players = players_of(session, self.games) - {powers.person_id}
            of_players = select(Address.address).where(col(Address.person_id).in_(self._players))
            self._addresses = frozenset(session.exec(of_players))

    def hides(self, mail: MailFacts) -> bool:
        """Whether a mail is closed to him, and he has not opened it as the owner."""
        return self.concerns(mail) and not (self._powers.owner and self._opened(mail))

    def concerns(self, mail: MailFacts) -> bool:
        """Whether a mail is, or may be, about a table he plays at."""
        if not self.games:
            return False
        if mail.game_id is not None:
            return mail.game_id in self.games
        if mail.kind is None:
            return True  # it was never read: nobody knows whose it is
        writers = {fold_address(mail.sender or ""), fold_address(mail.envelope_from)}
        return mail.person_id in self._players or not writers.isdisjoint(self._addresses)

    def hides_letter(self, game_id: int | None, person_id: int | None) -> bool:
        """Whether a letter of the outbox is about a table he plays at."""
        if game_id is not None:
            return game_id in self.games
        return person_id in self._players

    def _opened(self, mail: MailFacts) -> bool:
        opened = select(Audit.id).where(
            Audit.mail_id == mail.id,
            Audit.action == OPENED,
            Audit.person_id == self._powers.person_id,
        )
        return self._session.exec(opened.limit(1)).first() is not None


def open_as_owner(session: Session, now: datetime, actor: Actor, mail: MailFacts) -> None:
    """Open a mail that is closed to the owner as a player; his table's log says so too."""
    note(session, now, actor, OPENED, mail_id=mail.id, game_id=mail.game_id)
    game = None if mail.game_id is None else session.get(Game, mail.game_id)
    if game is not None:
        author = Author(actor.channel, actor.person_id, mail.id)
        facts = {"action": OPENED, "by": actor.person_id}
        append(session, game, MODERATED, now, author, public=facts)
        session.add(game)
