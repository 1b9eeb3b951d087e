"""Who is called what in a finished game, as everybody may read it.

A game says itself who may read the names (`Game.archive`); whoever shows himself to all
(`Profile`) is called as he wishes there, whatever the game says, bots keep their names."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from pbem.store import EarlierName, Game, Profile
from pbem.store.people import Holder
from pbem.store.titles import tells
from pbem.translation import _

_BOTS = ("Bot ", "a bot")


@dataclass(frozen=True)
class Called:
    """A seat's holder on the pages of the archive."""

    name: str
    profile_id: int | None = None  # of his own page, if he shows himself
    is_own: bool = True
    """Is it the name he plays by, which then is no secret?"""
    names: tuple[str, ...] = ()
    """What he is or was called at tables; for nobody's eyes."""


def folded(name: str) -> str:
    """The form in which names are looked for."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def first_names(names: Iterable[str]) -> list[str]:
    """The first names, told apart by number where two are alike; bots keep theirs."""
    return told_apart(map(first_name, names))


def first_name(name: str) -> str:
    return name if name.startswith(_BOTS) else (name.split() or [_("somebody")])[0]


def told_apart(names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        others = sum(other == name or other.startswith(f"{name} (") for other in found)
        found.append(f"{name} ({others + 1})" if others else name)
    return found


def called(
    session: Session, game: Game, held: Sequence[Holder], member: bool = False
) -> list[Called]:
    """By seat.  A member, who played in the game, reads the names he knew."""
    people = [one.person_id for one in held]
    return called_in(
        game, held, profiles(session, people), member, earlier=earlier_names(session, people)
    )


def profiles(session: Session, people: Iterable[int | None]) -> dict[int, Profile]:
    """Those of these people who show themselves to all."""
    numbers = {one for one in people if one is not None}
    rows = session.exec(
        select(Profile).where(col(Profile.public), col(Profile.person_id).in_(numbers))
    )
    return {row.person_id: row for row in rows}


def earlier_names(session: Session, people: Iterable[int | None]) -> dict[int, list[str]]:
    """What these people were called before, of those who were called otherwise."""
    numbers = {one for one in people if one is not None}
    found: dict[int, list[str]] = {}
    for row in session.exec(select(EarlierName).where(col(EarlierName.person_id).in_(numbers))):
        found.setdefault(row.person_id, []).append(row.name)
    return found


def called_in(
    game: Game, held: Sequence[Holder], shown: Mapping[int, Profile], member: bool = False,
    *, earlier: Mapping[int, Sequence[str]],
) -> list[Called]:  # fmt: skip
    """The same for whoever knows already who shows himself, and who was called otherwise.  A
    game that was brought in calls its players as its record does: `Seat A` is no first name."""
    is_open = member or game.archive == "open"
    found = []
    for holder in held:
        first = holder.name if game.seed is None else first_name(holder.name)
        profile = None if holder.person_id is None else shown.get(holder.person_id)
        name, is_own = first, True
        if profile is not None and not member:
            name = profile.name
            is_own = folded(name) in (folded(first), folded(holder.name))
        elif holder.person_id is not None and not is_open:
            name, is_own = seat_name(holder.seat), False
        known = (holder.name, *earlier.get(holder.person_id or 0, ()))
        found.append(Called(name, None if profile is None else profile.id, is_own, known))
    # Only now: a number behind a name must not tell that a pseudonym hides the same one.
    names = told_apart(one.name for one in found)
    return [replace(one, name=name) for one, name in zip(found, names, strict=True)]


def seat_name(seat: int) -> str:
    """What somebody is called whose name is nobody's business."""
    return _("Seat {letter}", letter="ABCDE"[seat])


def table_title(game: Game, names: Sequence[Called]) -> str:
    """What a table was called; its number alone, where that would tell whom one of these
    names stands for."""
    is_hidden = any(tells(game.name, name) for one in names if not one.is_own for name in one.names)
    return _("Table {number}", number=game.id) if is_hidden or not game.name else game.name
