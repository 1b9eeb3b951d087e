"""One story: the server it happens on, who takes part, and what it left behind in events,
letters and audit."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from playwright.sync_api import Browser
from sqlmodel import Session, SQLModel, col, func, select

from engine.game import legal_moves
from engine.moves import notation
from pbem.installation import Installation
from pbem.letters.bearers import reply_bearer
from pbem.moderation.state import LOOKED_AT
from pbem.post.content import content_of
from pbem.post.delivery import deliver_due
from pbem.store import Audit, Event, Letter, Mail, Person, Sitting
from pbem.store.positions import position_now
from pbem.store.rows import id_of
from tests.browsers import new_context
from tests.conftest import HandClock
from tests.desk.table import Table
from tests.intake.mails import receive
from tests.stories.hands import Hands, Mouse
from tests.stories.house import SUNDAY, secret
from tests.stories.moderator import Moderator


@dataclass
class Story:
    here: Installation
    clock: HandClock
    browser: Browser
    base: str
    at_work: list[Moderator] = field(default_factory=list)
    _before: dict[type[SQLModel], int] = field(default_factory=dict)

    def moderator(
        self, name: str = "Olive", hands: Hands | None = None, with_axe: bool = False,
        **options: Any,
    ) -> Moderator:  # fmt: skip
        """Somebody sits down at a browser that is signed in.  What has happened up to now is
        how the story begins: `events`, `letters` and `audit` tell what came of it."""
        context = new_context(self.browser, **options)
        context.add_cookies([{"name": "ark-moderator", "value": secret(name), "url": self.base}])
        found = Moderator(context.new_page(), self.base, hands or Mouse(), with_axe)
        self.at_work.append(found)
        if not self._before:
            self.begin()
        return found

    def begin(self) -> None:
        """Only what comes from now on is told."""
        with self.here.store.read() as session:
            self._before = {
                table: session.exec(select(func.max(table.id))).one() or 0
                for table in (Event, Letter, Audit)
            }

    def days_later(self, count: float, *names: str) -> None:
        """Time goes by; these moderators have looked in meanwhile, so they are signed in."""
        self.clock.advance(days=count)
        for name in names or ("Olive",):
            self._sign_in(name)

    def _sign_in(self, name: str) -> None:
        with self.here.store.work() as session:
            row = session.exec(
                select(Sitting).where(Sitting.person_id == person(session, name).id)
            ).one()
            row.used_at = self.here.clock()
            session.add(row)

    def close(self) -> None:
        for one in self.at_work:
            one.page.context.close()
            assert one.complaints == []

    def events(self, game_id: int = SUNDAY) -> list[str]:
        """What was written into a table's log."""
        rows = select(Event.kind).where(
            Event.game_id == game_id, col(Event.id) > self._before[Event]
        )
        with self.here.store.read() as session:
            return list(session.exec(rows.order_by(col(Event.id))))

    def letters(self) -> list[tuple[str, str]]:
        """The letters that were written, and to whom (an address, where it is nobody's here)."""
        rows = (
            select(Letter.kind, func.coalesce(Person.name, Letter.to_address))
            .outerjoin(Person, col(Person.id) == col(Letter.person_id))
            .where(col(Letter.id) > self._before[Letter], Letter.state != "replaced")
        )
        with self.here.store.read() as session:
            return list(session.exec(rows.order_by(col(Letter.id))))

    def audit(self) -> list[tuple[str, str | None, str]]:
        """What was written down as done: what, who, why."""
        rows = (
            select(Audit.action, Person.name, Audit.reason)
            .join(Person, col(Person.id) == col(Audit.person_id))
            .where(col(Audit.id) > self._before[Audit], Audit.outcome != LOOKED_AT)
        )
        with self.here.store.read() as session:
            return list(session.exec(rows.order_by(col(Audit.id))))

    @property
    def due(self) -> datetime:
        """Until when the Sunday club waits."""
        found = self.table().game().due_at
        assert found is not None
        return found

    def read_by(self, name: str, kind: str) -> str:
        """The newest letter of a kind to somebody, as its reader has it."""
        with self.here.store.read() as session:
            letter = _newest(session, name, kind)
            text = content_of(session, self.here.site, letter).text
        return " ".join(text.split())

    def post(self) -> None:
        """The letters that are due go."""
        while deliver_due(self.here):
            pass

    def answer(self, name: str, text: str, sender: str = "", kind: str = "") -> Mail:
        """Somebody answers his newest letter of a kind, or about the Sunday club."""
        with self.here.store.read() as session:
            letter = _newest(session, name, kind)
            bearer = reply_bearer(letter)
            assert bearer is not None
            to = self.here.site.reply_address(self.here.keys.token(bearer))
        return receive(self.here, to, text, sender=sender or letter.to_address)

    def table(self, game_id: int = SUNDAY) -> Table:
        return Table(self.here, game_id)

    def legal(self, game_id: int = SUNDAY) -> str:
        """A turn of whoever is to move, as he would write it."""
        position = position_now(self.table(game_id).game())
        return notation(legal_moves(position, position.to_move[0])[0])

    def number(self, name: str) -> int:
        with self.here.store.read() as session:
            return id_of(person(session, name))

    def newest_letters(self, name: str, count: int = 1) -> list[Letter]:
        """Those to somebody, the newest first."""
        letters = select(Letter).where(Letter.person_id == self.number(name))
        with self.here.store.read() as session:
            return list(session.exec(letters.order_by(col(Letter.id).desc()).limit(count)))

    def letter(self, number: int | None) -> Letter:
        with self.here.store.read() as session:
            return session.get_one(Letter, number)

    def fails(self, letter: Letter, error: str) -> None:
        """A letter was refused before the story begins."""
        with self.here.store.work() as session:
            row = session.get_one(Letter, letter.id)
            row.state, row.error = "failed", error
            session.add(row)


def person(session: Session, name: str) -> Person:
    return session.exec(select(Person).where(Person.name == name)).one()


def _newest(session: Session, name: str, kind: str) -> Letter:
    letters = select(Letter).where(Letter.person_id == person(session, name).id)
    letters = letters.where(Letter.kind == kind) if kind else letters.where(
        Letter.game_id == SUNDAY
    )  # fmt: skip
    return session.exec(letters.order_by(col(Letter.id).desc()).limit(1)).one()
