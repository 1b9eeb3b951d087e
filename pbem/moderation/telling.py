"""Who is told what a moderator has done: the people concerned, by letter."""

from typing import Any

from sqlmodel import col, select

from pbem.letters import announce
from pbem.letters.moderating import DECIDED
from pbem.moderation.model import Case
from pbem.store import Game, Letter
from pbem.store.people import holders


def tell(
    case: Case, person_id: int | None, said: str, *,
    at_table: bool = True, turn: int | None = None, **facts: Any,
) -> None:  # fmt: skip
    """Tell one person; nobody is told what he has done himself.  `said` is marked with
    `translation.later`; for `turn` and `facts` see `announce.moderated`."""
    if person_id is None or person_id == case.actor.person_id:
        return
    game = case.game if at_table and case.target.game_id is not None else None
    seat = None
    if game is not None:
        held = (one.seat for one in holders(case.session, game) if one.person_id == person_id)
        seat = next(held, None)
    tell_at(case, game, seat, person_id, said, turn=turn, **facts)


def tell_at(
    case: Case, game: Game | None, seat: int | None, person_id: int, said: str, *,
    turn: int | None = None, **facts: Any,
) -> None:  # fmt: skip
    """The same for one of many tables."""
    if person_id == case.actor.person_id:
        return
    announce.moderated(
        case.session, case.site, case.now, person_id, said=said, by=case.actor.person_id,
        reason=case.actor.told, facts=facts, game=game, seat=seat, turn=turn,
    )  # fmt: skip


def sign(case: Case, after: int) -> None:
    """The letters about the table that this action has queued since that one name who decided,
    and why, as every letter about a moderator's action does."""
    queued = select(Letter).where(col(Letter.id) > after, col(Letter.kind).in_(DECIDED))
    for letter in case.session.exec(queued):
        decided = {"by": case.actor.person_id, "reason": case.actor.told}
        letter.context = letter.context | {"decided": decided}
        case.session.add(letter)


def tell_table(case: Case, said: str, *, but: tuple[int | None, ...] = (), **facts: Any) -> None:
    """Tell everybody who holds a seat."""
    for one in holders(case.session, case.game):
        if one.person_id not in but:
            tell(case, one.person_id, said, **facts)
