"""What an action is: who may do what to whom, with which parameters, and what comes of it.

An action has one function, `Action.act`.  Its preview is that very function, done in a unit
of work that is taken back (`pbem.moderation.running`), so what is shown is what would happen.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, Protocol

from sqlmodel import Session

from pbem.installation import Installation
from pbem.letters import Site
from pbem.store import Game, Letter, Mail, Person
from pbem.store.audit import Actor
from pbem.store.log import Author
from pbem.store.people import Holder, holders
from pbem.store.roles import Powers

Scope = Literal["game", "seat", "person", "mail", "letter", "server", "selection"]
NUMBERS: Mapping[Scope, tuple[str, ...]] = {
    "game": ("game_id",), "seat": ("game_id", "seat"), "person": ("person_id",),
    "mail": ("mail_id",), "letter": ("letter_id",), "server": (), "selection": (),
}  # fmt: skip
"""What the actions of a scope are about."""
Reach = Literal["game", "everywhere", "owner"]
Players = Literal["may", "owner", "never"]


class Refused(ValueError):
    """Something that is not done: ``code``, and a sentence with the next step; ``about`` is
    the parameter it is about, if it is about one."""

    def __init__(self, code: str, sentence: str, about: str = "") -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.about = code, sentence, about


@dataclass(frozen=True)
class Target:
    """What an action is done to, by numbers; all empty: the server."""

    game_id: int | None = None
    seat: int | None = None
    person_id: int | None = None
    mail_id: int | None = None
    letter_id: int | None = None

    def to_json(self) -> dict[str, int]:
        return {key: value for key, value in asdict(self).items() if value is not None}

    def of(self, scope: Scope) -> "Target":
        """Itself, without the numbers that actions of a scope are not about: who may is asked
        of the very numbers that something is done to."""
        return Target(**{name: getattr(self, name) for name in NUMBERS[scope]})


@dataclass(frozen=True)
class FollowUp:
    """An action with what it needs, not done yet: the inverse of another one."""

    action: str
    target: Target
    values: Mapping[str, str] = field(default_factory=dict)
    label: str = ""  # where the title of the action does not say it

    def to_json(self) -> dict[str, Any]:
        return {
            "action": self.action, "target": self.target.to_json(), "values": dict(self.values),
            "label": self.label,
        }  # fmt: skip

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "FollowUp":
        target = Target(**stored["target"])
        return cls(stored["action"], target, stored["values"], stored["label"])


@dataclass(frozen=True)
class Change:
    """One line of a difference: what, as it was, as it is then."""

    what: str
    before: str
    after: str


@dataclass(frozen=True)
class Effect:
    """What an action does.  ``sentences`` are true before it and after it (present tense);
    ``details`` go into the audit and name people by number only."""

    sentences: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    inverse: FollowUp | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    subject_id: int | None = None  # whom it concerns, where the target does not say it
    left: int = 0  # how many are to be dealt with from now on, a few at a time


@dataclass
class Case:
    """One action at one target, in a unit of work."""

    here: Installation
    session: Session
    now: datetime
    actor: Actor
    target: Target
    values: Mapping[str, Any] = field(default_factory=dict)
    powers: Powers | None = None  # of whoever acts; None: the command line
    locks: bool = False  # its game, for whoever changes it
    ahead: Any = None  # what `Action.ahead` has found out before the unit of work
    shown_at: datetime | None = None  # when its preview was made, to the second

    @property
    def site(self) -> Site:
        return self.here.site

    @property
    def author(self) -> Author:
        """The moderator as the one who causes an event."""
        return Author(self.actor.channel, self.actor.person_id, self.target.mail_id)

    @cached_property
    def game(self) -> Game:
        number = self.target.game_id
        lock = True if self.locks else None
        found = None if number is None else self.session.get(Game, number, with_for_update=lock)
        if found is None:
            sentence = f"There is no game {number}; look for it in the list."
            raise Refused("no-game", sentence)
        return found

    @property
    def seat(self) -> int:
        number = self.target.seat
        if number is None or number not in range(self.game.players):
            raise Refused("no-seat", "There is no such seat; choose one on the game's page.")
        return number

    @cached_property
    def person(self) -> Person:
        """The person an action is about: of the target, else the holder of the seat."""
        number = self.target.person_id
        if number is None and self.target.seat is not None:
            number = self.holder.person_id
        found = None if number is None else self.session.get(Person, number)
        if found is None or found.erased_at is not None:
            raise Refused("no-person", "There is no such person here (any more).")
        return found

    @property
    def holder(self) -> Holder:
        """Who holds the seat."""
        return self.holder_of(self.seat)

    def holder_of(self, seat: int) -> Holder:
        found = next((one for one in holders(self.session, self.game) if one.seat == seat), None)
        if found is None:
            raise Refused("not-begun", "The game has no seats before it begins.")
        return found

    def name_of(self, seat: int) -> str:
        names = {one.seat: one.name for one in holders(self.session, self.game)}
        return names.get(seat, f"seat {seat}")

    @cached_property
    def mail(self) -> Mail:
        number = self.target.mail_id
        found = None if number is None else self.session.get(Mail, number)
        if found is None:
            raise Refused("no-mail", "There is no such mail any more.")
        return found

    @cached_property
    def letter(self) -> Letter:
        number = self.target.letter_id
        found = None if number is None else self.session.get(Letter, number)
        if found is None:
            raise Refused("no-letter", "There is no such letter any more.")
        return found


@dataclass(frozen=True)
class Parameter:
    """Something that is asked.  ``kind`` names its reader (`pbem.moderation.parameters`);
    ``private`` values do not go into the audit; ``most`` bounds characters, or the number."""

    name: str
    label: str
    kind: str = "line"
    required: bool = True
    default: str | Callable[[Case], str] = ""
    choices: Sequence[tuple[str, str]] | Callable[[Case], Sequence[tuple[str, str]]] = ()
    hint: str = ""
    most: int = 200
    private: bool = False

    def default_in(self, case: Case) -> str:
        return self.default if isinstance(self.default, str) else self.default(case)

    def choices_in(self, case: Case) -> Sequence[tuple[str, str]]:
        return self.choices(case) if callable(self.choices) else self.choices


class Things(Protocol):
    """Many that something is done to, in the order of their numbers."""

    def count(self, case: Case) -> int:
        """How many there are now."""

    def some(self, case: Case, after: int, most: int) -> Sequence[tuple[int, Any]]:
        """The next of them after a number, each with its own."""


@dataclass(frozen=True)
class Many:
    """How something is done to many, one after the other (`pbem.moderation.bulk`).

    ``one`` does it, and returns the game or person it was done to; None where it cannot be
    done after all.  ``said`` tells it, by how many there are and which (none: too many to be
    named).  ``inverse`` is the action that takes it back; ``none`` and ``none_said`` the
    refusal where there is nothing to do."""

    things: Things
    one: Callable[[Case, Any], Game | Person | None]
    said: Callable[[Case, int, Sequence[Any]], tuple[str, ...]]
    inverse: str = ""
    none: str = "no-game"
    none_said: str = "None of these games can be changed so now."


def always(_case: Case) -> bool:
    return True


@dataclass(frozen=True)
class Action:
    """One thing a moderator can do.

    ``reach``: whose roles suffice: those of the game, of all games, or the owner.
    ``players``: whether somebody who plays at the table may: yes; only as the owner, because
    he would gain by it; never, because it would show him more than his seat sees.
    ``blind``: it lets a turn happen, so a rehearsal would show what comes off the stack (by
    its letters, too); its preview holds the sentences only.
    ``tells``: whether it can be done tells something of a hand, so the preview is written down.
    ``staff``: whoever has a role is the owner's to do it to.
    ``at``: the states of a game in which it is offered (empty: in all).
    """

    name: str
    title: str
    says: str
    scope: Scope
    act: Callable[[Case], Effect]
    parameters: tuple[Parameter, ...] = ()
    reach: Reach = "game"
    players: Players = "may"
    reason: bool = True
    blind: bool = False
    tells: bool = False
    staff: bool = False
    at: frozenset[str] = frozenset()
    fits: Callable[[Case], bool] = always
    unless: str = ""  # why it cannot be done where it does not fit
    ahead: Callable[[Installation, Target], Any] | None = None
    state: Callable[[Case], Any] | None = None  # beside the target's, what a preview rests on
    shows: Callable[[Case], Sequence[str]] | None = None  # to whoever has done it, for an hour
    many: Many | None = None  # how `act` does it to one after the other


RUNNING = frozenset({"running"})
INVITING = frozenset({"inviting"})
CLOSED = frozenset({"over", "expired", "ended"})
