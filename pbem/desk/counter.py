"""What the handlers of commands work with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property

from sqlmodel import Session

from engine.view import View, view
from pbem.commands import Line
from pbem.desk.orders import AnswerLine, Order
from pbem.letters import Site
from pbem.store import Game, Invitation, Person
from pbem.store.people import Holder, seated
from pbem.store.positions import position_now
from pbem.store.rows import GREATEST_NUMBER
from pbem.timing.zones import zone_or_utc


@dataclass
class Counter:
    """One order at the desk: who gave it, at which table, and what his seat sees."""

    session: Session
    site: Site
    now: datetime
    entropy: Callable[[int], bytes]
    order: Order
    game: Game | None
    invitation: Invitation | None
    holders: list[Holder]
    view: View | None
    served: frozenset[str]  # the commands this desk follows
    aged: bool = False
    part: bool = False  # of an order for several tables, which is answered as a whole
    outsider: bool = False  # somebody else holds the seat: the answer shows nothing of the table
    notes: list[str] = field(default_factory=list)
    mailed: bool = False  # a letter of its own answers a line: no receipt for that one alone

    @classmethod
    def opened(
        cls, session: Session, site: Site, now: datetime, entropy: Callable[[int], bytes],
        order: Order, served: frozenset[str] = frozenset(),
    ) -> "Counter":  # fmt: skip
        game = None if order.game_id is None else session.get(Game, order.game_id)
        invitation = (
            None if order.invitation_id is None else session.get(Invitation, order.invitation_id)
        )
        counter = cls(
            session, site, now, entropy, order, game, invitation,
            holders=[], view=None, served=served, notes=list(order.notes),
        )  # fmt: skip
        counter.look()
        counter.aged = (
            counter.view is not None
            and game is not None
            and order.decision is not None
            and order.decision != game.decision
        )
        return counter

    def look(self) -> None:
        """See the table as it is now (again, after a turn)."""
        if self.game is None or self.game.position is None:
            return
        self.holders = seated(self.session, self.game)
        self.look_at_position()

    def look_at_position(self) -> None:
        """See the table after a turn, which changes nobody's seat."""
        if self.game is not None and self.game.position and self.order.seat is not None:
            self.view = view(position_now(self.game), self.order.seat)

    @property
    def table(self) -> Game:
        """The game, where there must be one."""
        if self.game is None:
            raise ValueError("this order belongs to no table")
        return self.game

    @property
    def seat(self) -> int:
        if self.order.seat is None:
            raise ValueError("this order comes from no seat")
        return self.order.seat

    @cached_property
    def writer(self) -> Person | None:
        """The person who wrote, where he is known."""
        person_id = self.order.author.person_id
        return None if person_id is None else self.session.get(Person, person_id)

    @property
    def today(self) -> date:
        """The date where the writer is; where that is not known, where the table is."""
        person, zone = self.writer, self.site.settings.site.zone
        if person is not None and person.zone is not None:
            zone = person.zone
        elif self.game is not None:
            zone = self.game.zone
        return self.now.astimezone(zone_or_utc(zone)).date()

    def game_named(self, line: Line) -> tuple[int, Game | None]:
        """The number of the game that a line names, and that game, if there is one."""
        number = int((line.args or {}).get("game", 0))
        known = number <= GREATEST_NUMBER
        return number, self.session.get(Game, number) if known else None

    def name_of(self, seat: int) -> str:
        return self.holders[seat].name


Handler = Callable[[Counter, Line], AnswerLine]
"""What one command does."""
