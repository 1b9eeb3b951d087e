"""What is due at the tables, done once: reminders, missed deadlines, expiry.

What is due is data (`Game.alarm_at`), so a restart loses nothing; every letter has a key,
so a second firing sends nothing.  A unit of work holds a few tables, so that no turn waits
for long; one that fails is tried again table by table, and a table that fails three times
is halted alone.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import chain

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.clock import canary, credits, pulse, templates
from pbem.clock.affairs import look_after
from pbem.clock.digests import send_digests
from pbem.clock.ladder import Consequence, Late, at_deadline
from pbem.clock.reminders import Round
from pbem.clock.steady import Steady
from pbem.desk import deadlines, failing, tables, waits
from pbem.desk.deadlines import Times
from pbem.installation import Installation
from pbem.letters import announce
from pbem.store import Game, Wait
from pbem.store.bounded import Span, rest
from pbem.store.log import Author
from pbem.store.positions import position_now
from pbem.store.rows import id_of

log = logging.getLogger(__name__)

CLOCK = Author("clock")
TABLES_A_UNIT = 12
UNREAD_MAIL = timedelta(seconds=30)  # a deadline waits for a mail that came before it
TOLD_AS = {
    "grace": "grace", "wait": "wait", "alone": "wait", "offer": "offer", "moderator": "offer",
}  # fmt: skip
"""What came of a deadline, as the letter about it says it; all else has a letter of its own."""
AS_BEFORE = frozenset({"grace", "wait", "alone", "offer", "moderator"})
"""After these the table waits for the same people, and as many are away."""
PLAYED = frozenset({"forced", "default", "bot", "minimal"})
"""After these it waits for others, and the clock has followed already."""

Work = Callable[[Session, Sequence[Game]], Sequence[Game]]
"""Does something at these tables; returns those it has left to the next unit of work."""


def tick(installation: Installation, steady: Steady | None = None) -> int:
    """What the scheduler calls: beat, credit, and do what is due; returns at how many
    tables something was done."""
    now = installation.clock()
    with installation.store.work() as session:
        alive = pulse.beat(session, now, steady)
    done = sweep(installation) + send_digests(installation) if alive else 0
    done += templates.alert(installation)
    with installation.store.work() as session:
        canary.alert(session, now)
    return done


def sweep(installation: Installation, limit: int = 200) -> int:
    """Do what is due by now at up to `limit` tables, and credit as many with outages;
    returns how many were dealt with.  Nothing, while the clock may not work."""
    now = installation.clock()
    with installation.store.read() as session:
        if not pulse.may_work(session):
            return 0
        owed = credits.owed(session, limit)
        due = session.exec(
            select(Game.id)
            .where(col(Game.alarm_at) <= now)
            .order_by(col(Game.alarm_at))
            .limit(limit)
        ).all()
    _each(installation, owed, now, lambda session, games: _credit(session, games, now))
    return _each(
        installation, [one for one in due if one is not None], now,
        lambda session, games: _wake(session, installation, games, now),
    )  # fmt: skip


def _each(installation: Installation, game_ids: Sequence[int], now: datetime, work: Work) -> int:
    """Do a piece of work at these tables, in each unit of work as many as there was time
    for in the one before, and one more."""
    done, size, waiting = 0, TABLES_A_UNIT, list(game_ids)
    while waiting:
        some, waiting = waiting[:size], waiting[size:]
        if done:
            rest()
        left: list[int] = []
        try:
            left = _together(installation, some, work)
        except Exception as error:  # noqa: BLE001 - logged by `_failed`
            if len(some) == 1:
                _failed(installation, some[0], now, error)
            else:  # which one is it?
                for game_id in some:
                    _each(installation, [game_id], now, work)
        done += len(some) - len(left)
        waiting = left + waiting
        size = len(some) - len(left) if left else min(size + 1, TABLES_A_UNIT)
    return done


def _together(installation: Installation, game_ids: Sequence[int], work: Work) -> list[int]:
    """One unit of work at a few tables, which are locked where the database can do that;
    returns those it has left to the next one."""
    with installation.store.work() as session:
        games = session.exec(_TABLES, params={"games": list(game_ids)}).all()
        left = work(session, games)
        for game in games:
            if game.failures and game not in left:
                game.failures = 0
                session.add(game)
        return [id_of(game) for game in left]


_TABLES = (
    select(Game)
    .where(col(Game.id).in_(bindparam("games", expanding=True)))
    .order_by(col(Game.id))
    .with_for_update()
)


def _failed(installation: Installation, game_id: int, now: datetime, error: Exception) -> None:
    """One table's trouble is not the next one's."""
    log.error("the clock could not deal with game %s", game_id, exc_info=error)
    failing.failed_alone(installation.store, installation.site, now, CLOCK, game_id, error)


def _credit(session: Session, games: Sequence[Game], now: datetime) -> Sequence[Game]:
    for game in games:
        credits.credit(session, game, now)
    return ()


def _wake(
    session: Session, installation: Installation, games: Sequence[Game], now: datetime
) -> Sequence[Game]:
    due = [game for game in games if _is_due(game, now)]
    running = [game for game in due if _is_played(game)]
    reminding = Round(session, installation.site, now, running)
    over = {
        game.id: [one for one in reminding.waits(game) if _is_over(one, now)] for game in running
    }
    overdue = [game for game in running if over[game.id]]
    late = None
    if overdue:
        late = Late(session, installation.site, now, overdue, [*chain(*over.values())])
    left: Sequence[Game] = ()
    span = Span()
    for number, game in enumerate(due):  # those that are not due were done meanwhile
        if number and span.is_over:
            left = due[number:]
            break
        if credits.credit_ends(session, game, now) and not _is_due(game, now):
            continue
        if game.status == "inviting":
            if game.expires_at is not None and game.expires_at <= now:
                tables.expire(session, installation.site, now, game)
            else:
                tables.remind_invited(session, installation.site, now, game)
        elif _is_looked_after(game) and look_after(
            session, installation.site, now, game,
            reminding.waits(game) if _is_played(game) else None,
        ):  # fmt: skip
            continue  # what else is due follows from what has just been done
        elif _is_played(game):
            _wake_running(session, installation, game, reminding, late, now)
        elif _is_looked_after(game):
            deadlines.set_alarm(session, game, now)
        else:
            game.alarm_at = None
            session.add(game)
    if late is not None:
        late.batch.put()
    reminding.write()
    return left


def _is_over(wait: Wait, now: datetime) -> bool:
    return wait.due_at is not None and wait.due_at <= now


def _is_due(game: Game, now: datetime) -> bool:
    return game.alarm_at is not None and game.alarm_at <= now


def _is_looked_after(game: Game) -> bool:
    return game.status == "running" and game.halted_at is None


def _is_played(game: Game) -> bool:
    return _is_looked_after(game) and game.paused_at is None


def _wake_running(
    session: Session, installation: Installation, game: Game, reminding: Round,
    late: Late | None, now: datetime,
) -> None:  # fmt: skip
    """Reminders, and what the game has agreed on for those whose time is over."""
    running = reminding.waits(game)
    credited = credits.credit(session, game, now, running)
    if credited and not _is_due(game, now):
        return
    if not running:  # nobody's clock runs, which is mended if it should
        waits.follow(session, game, position_now(game), now)
        return
    outcomes: list[Consequence] = []
    postponed = False
    for wait in running:
        due_at = wait.due_at
        if due_at is None or due_at > now:
            reminding.remind(game, reminding.times(game, wait))
        elif late is not None and late.may_be_answered(due_at):
            postponed = True
        else:
            outcome = at_deadline(session, installation.site, now, game, wait.seat, wait, late)
            outcomes += [] if outcome is None else [outcome]
    _tell(session, installation, game, outcomes, late, now)
    followed = len(outcomes) == len(running) and all(one.kind in PLAYED for one in outcomes)
    if game.status == "running" and not followed:
        same = all(one.kind in AS_BEFORE for one in outcomes)
        known = None
        if same and late is not None and outcomes:
            known = [Times.of(session, game, wait, late.away(game)) for wait in running]
        elif same:
            known = [reminding.times(game, wait) for wait in running]
        deadlines.set_alarm(session, game, now, known)
        if postponed:
            game.alarm_at = now + UNREAD_MAIL
            session.add(game)


def _tell(
    session: Session, installation: Installation, game: Game, outcomes: Sequence[Consequence],
    late: Late | None, now: datetime,
) -> None:  # fmt: skip
    """One letter to each at the table for all whose time was over in the same way."""
    for kind, due_at, until in dict.fromkeys((one.kind, one.due_at, one.until) for one in outcomes):
        seats = [one.seat for one in outcomes if (one.kind, one.due_at, one.until)
                 == (kind, due_at, until)]  # fmt: skip
        if kind in TOLD_AS:
            announce.deadline_missed(
                session, installation.site, now, game, seats,
                what=TOLD_AS[kind], due=due_at, until=until,
                batch=None if late is None else late.batch,
            )  # fmt: skip
