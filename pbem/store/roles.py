"""Who may do what beside playing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from pbem.store.models import Game, Invitation, Person, Role, Seat, Sitting, Tenure

OWNER, MODERATOR = "owner", "moderator"


@dataclass(frozen=True)
class Powers:
    """All roles of one person together."""

    person_id: int
    owner: bool
    everywhere: bool  # moderator of all games; an owner is
    games: frozenset[int]  # moderator of these

    def reaches(self, game_id: int | None) -> bool:
        """Whether a game, or what belongs to none (None), is in these hands."""
        return self.everywhere or game_id in self.games

    @property
    def title(self) -> str:
        if self.owner:
            return OWNER
        if self.everywhere:
            return "moderator of all games"
        numbers = ", ".join(str(number) for number in sorted(self.games))
        return f"moderator of game {numbers}"


def powers_of(session: Session, person_id: int) -> Powers | None:
    """What a person may do; None for somebody without any role, erased or blocked."""
    person = session.get(Person, person_id)
    if person is None or person.erased_at is not None or person.blocked_at is not None:
        return None
    held = roles_of(session, person_id)
    if not held:
        return None
    owner = any(role.kind == OWNER for role in held)
    everywhere = owner or any(role.game_id is None for role in held)
    games = frozenset(role.game_id for role in held if role.game_id is not None)
    return Powers(person_id, owner, everywhere, games)


def roles_of(session: Session, person_id: int) -> list[Role]:
    """The roles a person holds now."""
    return list(
        session.exec(
            select(Role).where(Role.person_id == person_id, col(Role.revoked_at).is_(None))
        )
    )


def all_with_roles(session: Session) -> list[Person]:
    """Everybody who holds a role now, by name."""
    holding = select(Role.person_id).where(col(Role.revoked_at).is_(None))
    people = session.exec(
        select(Person).where(col(Person.id).in_(holding), col(Person.erased_at).is_(None))
    )
    return sorted(people, key=lambda person: (person.name.casefold(), person.id))


def grant(
    session: Session, now: datetime, person_id: int, kind: str,
    *, game_id: int | None = None, by: int | None = None,
) -> Role:  # fmt: skip
    """Give a person a role; one that he holds already is not given twice."""
    for role in roles_of(session, person_id):
        if (role.kind, role.game_id) == (kind, game_id):
            return role
    role = Role(person_id=person_id, kind=kind, game_id=game_id, granted_at=now, granted_by=by)
    session.add(role)
    session.flush()
    return role


def revoke(session: Session, now: datetime, role: Role) -> None:
    """Take one role away; without any left, his browsers are closed."""
    role.revoked_at = now
    session.add(role)
    session.flush()
    if not roles_of(session, role.person_id):
        revoke_all(session, now, role.person_id)


def owners(session: Session) -> set[int]:
    """Everybody who is an owner now."""
    held = select(Role.person_id).where(Role.kind == OWNER, col(Role.revoked_at).is_(None))
    return set(session.exec(held))


def revoke_all(session: Session, now: datetime, person_id: int) -> int:
    """Take all roles from a person and close his browsers; returns how many roles it were."""
    held = roles_of(session, person_id)
    for role in held:
        role.revoked_at = now
        session.add(role)
    sittings = select(Sitting).where(
        Sitting.person_id == person_id, col(Sitting.revoked_at).is_(None)
    )
    for sitting in session.exec(sittings):
        sitting.revoked_at = now
        session.add(sitting)
    return len(held)


def plays_in(session: Session, person_id: int) -> frozenset[int]:
    """The games a person holds a seat of now, is about to, or left to a bot and may come back
    to: what he must not read about as a moderator.  One that ended before its last turn is
    among them, for it may be let go on."""
    seated = session.exec(
        select(Seat.game_id)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Tenure.person_id == person_id, col(Tenure.until_seq).is_(None))
    )
    asked = session.exec(
        select(Invitation.game_id)
        .join(Game, col(Game.id) == col(Invitation.game_id))
        .where(
            Invitation.person_id == person_id,
            Game.status == "inviting",
            col(Invitation.state).in_(("invited", "accepted")),
        )
    )
    left = session.exec(
        select(Seat.game_id)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .join(Game, col(Game.id) == col(Seat.game_id))
        .where(
            Tenure.person_id == person_id,
            col(Game.status).in_(("running", "ended")),
            *may_come_back(Tenure),
        )
    )
    return frozenset(seated) | frozenset(asked) | frozenset(left)


def may_come_back(tenure: Any) -> Sequence[ColumnElement[bool]]:
    """The conditions that a past tenure is the last one of a person at its seat, so that he
    comes back with his first answer, or when a moderator lets him."""
    later = aliased(Tenure)
    other = select(later.id).where(
        later.seat_id == tenure.seat_id,
        later.id > tenure.id,
        col(later.person_id).is_not(None),
    )
    return col(tenure.until_seq).is_not(None), ~other.exists()


def players_of(session: Session, game_ids: frozenset[int]) -> frozenset[int]:
    """Everybody who holds a seat of one of these games, or is asked to one."""
    seated = session.exec(
        select(Tenure.person_id)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(
            col(Seat.game_id).in_(game_ids),
            col(Tenure.person_id).is_not(None),
            col(Tenure.until_seq).is_(None),
        )
    )
    asked = session.exec(
        select(Invitation.person_id).where(
            col(Invitation.game_id).in_(game_ids), col(Invitation.person_id).is_not(None)
        )
    )
    return frozenset(one for one in (*seated, *asked) if one is not None)
