"""Something done to many: at once where they are few, else a few at a time, so that no turn
waits for all of them (`pbem.moderation.going_on`)."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlmodel import col, func, select

from pbem.moderation.model import Case, Effect, FollowUp, Many, Refused
from pbem.moderation.parameters import Numbers
from pbem.moderation.state import states_of_games
from pbem.store import BulkAction, Game
from pbem.store.log import append
from pbem.store.moderated import MODERATED
from pbem.store.rows import id_of

AT_ONCE = 20
"""So many are dealt with in one unit of work, and named in a sentence."""
GRADUALLY = (
    "They are too many for one go: the server does them a few at a time, each with its letters,"
    " also when it is restarted meanwhile. What has ended or changed by then is left out."
)
CUT_SHORT = "What that entry of the audit has not come to yet is left as it is."


def at(many: Many) -> Callable[[Case], Effect]:
    """The function of an action on many."""

    def act(case: Case) -> Effect:
        said = _cut_short(case)
        total = count(case, many)
        if total > AT_ONCE:
            words = many.said(case, total, "")
            return Effect((words, *said), (GRADUALLY,), details={"total": total}, left=total)
        touched = [id_of(one) for one in some(case, many, 0, AT_ONCE) if do(case, many, one)]
        if not touched:
            raise Refused(many.none, many.none_said, "games")
        named = ", ".join(str(number) for number in touched)
        is_games = many.of is Game
        return Effect(
            (many.said(case, len(touched), named), *said),
            inverse=FollowUp(many.inverse, case.target, {"games": named}) if many.inverse else None,
            details={"games": touched} if is_games else {"people": len(touched)},
        )

    return act


def state(many: Many) -> Callable[[Case], Any]:
    """What the preview rests on: on each of a few; what has changed among many is left out
    when its turn comes."""

    def rests_on(case: Case) -> Any:
        if (total := count(case, many)) > AT_ONCE or many.of is not Game:
            return "many" if total > AT_ONCE else total
        return states_of_games(case.session, many.which(case))

    return rests_on


def count(case: Case, many: Many) -> int:
    """How many there are to be dealt with."""
    query = select(func.count()).select_from(many.of).where(*many.which(case))
    return case.session.exec(query).one()


def some(case: Case, many: Many, after: int, most: int) -> Sequence[Any]:
    """The next of them, in the order of their numbers."""
    number = col(many.of.id)
    return case.session.exec(
        select(many.of)
        .where(number > after, *many.which(case))
        .order_by(number)
        .limit(most)
        .with_for_update()
    ).all()


def do(case: Case, many: Many, one: Any) -> bool:
    """Do it to one of them; the log of a game names who did it."""
    if not many.one(case, one):
        return False
    if isinstance(one, Game):
        facts = {"action": many.name, "by": case.actor.person_id}
        append(case.session, one, MODERATED, case.now, case.author, public=facts)
        case.session.add(one)
    return True


def end(row: BulkAction, case: Case) -> None:
    """Nothing more of it is done, and what was said for it is not kept."""
    row.ended_at, row.values = case.now, {}
    case.session.add(row)


def _cut_short(case: Case) -> tuple[str, ...]:
    """Whoever takes back what is still going on wants no more of it."""
    games: Numbers | None = case.values["games"]
    number = None if games is None else games.audit
    row = None if number is None else case.session.get(BulkAction, number, with_for_update=True)
    if row is None or row.ended_at is not None:
        return ()
    end(row, case)
    return (CUT_SHORT,)
