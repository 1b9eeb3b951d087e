"""Something done to many: at once where they are few, else a few at a time, so that no turn
waits for all of them (`pbem.moderation.going_on`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, func, select

from pbem.moderation.model import Case, Effect, FollowUp, Many, Refused
from pbem.moderation.parameters import Numbers
from pbem.moderation.state import states_of_games
from pbem.store import Audit, BulkAction, Game, Person
from pbem.store.rows import id_of

AT_ONCE = 20
"""So many are dealt with in one unit of work, and named in a sentence."""
GRADUALLY = (
    "They are too many for one go: the server does them a few at a time, each with its letters,"
    " also when it is restarted meanwhile. What has ended or changed by then is left out."
)
CUT_SHORT = "What that entry of the audit has not come to yet is left as it is."


@dataclass(frozen=True)
class Rows:
    """Games or people for which the conditions of ``which`` hold now."""

    of: type[Game] | type[Person]
    which: Callable[[Case], Sequence[ColumnElement[bool]]]

    def count(self, case: Case) -> int:
        query = select(func.count()).select_from(self.of).where(*self.which(case))
        return case.session.exec(query).one()

    def some(self, case: Case, after: int, most: int) -> Sequence[tuple[int, Any]]:
        number = col(self.of.id)
        query = select(self.of).where(number > after, *self.which(case))
        found: Sequence[Any] = case.session.exec(
            query.order_by(number).limit(most).with_for_update()
        ).all()
        return [(id_of(one), one) for one in found]


def at(many: Many) -> Callable[[Case], Effect]:
    """The function of an action on many."""

    def act(case: Case) -> Effect:
        said = _cut_short(case, many)
        total = many.things.count(case)
        if total > AT_ONCE:
            words = many.said(case, total, ())
            return Effect((*words, *said), (GRADUALLY,), details={"total": total}, left=total)
        done = [many.one(case, one) for _number, one in many.things.some(case, 0, AT_ONCE)]
        touched = [one for one in done if one is not None]
        if not touched:
            raise Refused(many.none, many.none_said, "games")
        numbers = [id_of(one) for one in touched]
        back = {"games": ", ".join(map(str, numbers))}
        return Effect(
            (*many.said(case, len(touched), touched), *said),
            inverse=FollowUp(many.inverse, case.target, back) if many.inverse else None,
            details={"games": numbers}
            if isinstance(touched[0], Game)
            else {"people": len(numbers)},
        )

    return act


def state(many: Many) -> Callable[[Case], Any]:
    """What the preview rests on: on each of a few; what has changed among many is left out
    when its turn comes."""

    def rests_on(case: Case) -> Any:
        total, things = many.things.count(case), many.things
        if isinstance(things, Rows) and things.of is Game and total <= AT_ONCE:
            return states_of_games(case.session, things.which(case))
        return min(total, AT_ONCE + 1)

    return rests_on


def end(row: BulkAction, case: Case) -> None:
    """Nothing more of it is done, and what was said for it is not kept."""
    row.ended_at, row.values = case.now, {}
    case.session.add(row)


def _cut_short(case: Case, many: Many) -> tuple[str, ...]:
    """Whoever takes back what is still going on wants no more of it; who does something else at
    the same tables does."""
    games: Numbers | None = case.values.get("games")
    number = None if games is None else games.audit
    row = None if number is None else case.session.get(BulkAction, number, with_for_update=True)
    if row is None or row.ended_at is not None:
        return ()
    if case.session.get_one(Audit, row.audit_id).action != many.inverse:
        return ()
    end(row, case)
    return (CUT_SHORT,)
