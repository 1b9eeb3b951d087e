"""Time: more of it, another deadline, a reminder now, another time control."""

from datetime import datetime, timedelta

from pbem.desk import absences, deadlines, pace
from pbem.letters import announce
from pbem.letters.moments import moment, span
from pbem.moderation.model import (
    RUNNING,
    Action,
    Case,
    Change,
    Effect,
    FollowUp,
    Parameter,
    Refused,
)
from pbem.moderation.parameters import SPANS, zone_name
from pbem.moderation.telling import tell
from pbem.store import Wait
from pbem.store.options import options_of
from pbem.timing import PerTurn, Terms, print_control
from pbem.timing.off import Calendar, Off
from pbem.translation import later

LEAST = timedelta(hours=1)  # nobody's deadline is nearer than that
LONGEST = 60 * 86400  # seconds that are given at once
MORE_TIME_SAID = later("You have more time for your turn: until {due}.")
NO_DEADLINE = "No deadline runs for this seat; nothing is to be moved."


def wait_of(case: Case) -> Wait:
    """The open wait for the seat."""
    waits = deadlines.open_waits(case.session, case.game)
    found = next((wait for wait in waits if wait.seat == case.target.seat), None)
    if found is None:
        raise Refused("not-waiting", "The table does not wait for this seat now.")
    return found


def is_waited_for(case: Case) -> bool:
    waits = deadlines.open_waits(case.session, case.game)
    return any(wait.seat == case.target.seat for wait in waits)


def has_deadline(case: Case) -> bool:
    waits = deadlines.open_waits(case.session, case.game)
    return any(wait.seat == case.target.seat and wait.due_at is not None for wait in waits)


def said(case: Case, at: datetime | None) -> str:
    """A time as the moderator reads it."""
    return "none" if at is None else str(moment(at, zone_name(case)))


def more_time(case: Case) -> Effect:
    seconds: int = case.values["span"]
    was = wait_of(case).due_at
    if not pace.give_time(
        case.session, case.now, case.author, case.game, case.seat, timedelta(seconds=seconds)
    ):
        raise Refused("no-deadline", NO_DEADLINE)
    due = wait_of(case).due_at
    tell(case, case.holder.person_id, MORE_TIME_SAID, due=due)
    return _moved(case, was, due, f"{case.name_of(case.seat)} gets {span(seconds)} more.")


def set_deadline(case: Case) -> Effect:
    """One wait ends at exactly this instant, whatever its time control says."""
    at: datetime = case.values["at"]
    wait, was = wait_of(case), wait_of(case).due_at
    if at < case.now + LEAST:
        raise Refused("too-near", "A deadline lies at least an hour from now.", "at")
    if at > case.now + timedelta(seconds=LONGEST):
        raise Refused("too-far", "A deadline lies at most 60 days from now.", "at")
    if case.game.paused_at is not None or wait.standing:
        raise Refused("stands", "No time runs for this seat; let the clocks run first.")
    # All hours count from now on but absences and outages: it is exactly the one that was set.
    times = deadlines.Times.of(case.session, case.game, wait)
    left = Off.of(None, times.absences, times.outages).counted(wait.since, at)
    control = PerTurn(seconds=max(1, round(left.total_seconds())))
    wait.terms = Terms(control, calendar=Calendar(case.game.zone)).to_json()
    wait.extended_at = None
    why = "moderator" if was is None or at >= was else "earlier"  # only more time is news for all
    deadlines.move(case.session, case.game, wait, case.now, case.author, why)
    deadlines.set_alarm(case.session, case.game, case.now)
    tell(
        case, case.holder.person_id, later("The deadline of your turn is now {due}."),
        due=wait.due_at,
    )  # fmt: skip
    return _moved(case, was, wait.due_at, f"{case.name_of(case.seat)} has another deadline.")


def remind_now(case: Case) -> Effect:
    wait, key = wait_of(case), f"remind:{case.game.id}:{case.seat}:{case.now.isoformat()}"
    letter = announce.reminder(
        case.session, case.site, case.now, case.game, case.seat, 2, due=wait.due_at, once=key
    )
    if letter is None:
        raise Refused("no-address", "No letter reaches the player of this seat.")
    return Effect((f"{case.name_of(case.seat)} is reminded of the turn by letter, now.",))


def change_control(case: Case) -> Effect:
    before = print_control(options_of(case.game).control)
    if not pace.change_control(
        case.session, case.site, case.now, case.author, case.game, case.values["control"]
    ):
        raise Refused("no-change", "The table plays by that already.", "control")
    after = print_control(options_of(case.game).control)
    return Effect(
        ("The table plays by another time control; nobody's running time gets shorter.",),
        changes=(Change("time control", before, after),),
        inverse=FollowUp("pace", case.target, {"control": before}),
    )


def more_absence(case: Case) -> Effect:
    days: int = case.values["days"]
    if not days:
        raise Refused("no-change", "Give at least one day.", "days")
    total = absences.grant_days(case.session, case.now, case.author, case.game, case.seat, days)
    tell(
        case, case.holder.person_id,
        later("You may be away {days} days more at this table: {total} in all."),
        days=days, total=total,
    )  # fmt: skip
    name = case.name_of(case.seat)
    return Effect((f"{name} may be away {days} days more at this table: {total} in all.",))


def _moved(case: Case, was: datetime | None, due: datetime | None, sentence: str) -> Effect:
    inverse = None
    if was is not None and was >= case.now + LEAST:
        inverse = FollowUp("set-deadline", case.target, {"at": was.isoformat()})
    return Effect(
        (sentence,),
        changes=(Change("deadline", said(case, was), said(case, due)),),
        inverse=inverse,
    )


def _control_now(case: Case) -> str:
    return print_control(options_of(case.game).control)


MORE_TIME = Action(
    "more-time", "Give more time", "Moves the deadline of the turn the table waits for.",
    "seat", more_time,
    (Parameter("span", "How much more", "span", default="24h", most=LONGEST, hint=SPANS),),
    players="owner", at=RUNNING, fits=has_deadline, unless=NO_DEADLINE,
)  # fmt: skip
_HELD = Parameter("days", "Days more", "whole", default="7", most=366)
ACTIONS = (
    MORE_TIME,
    Action(
        "set-deadline", "Set the deadline", "Sets the deadline of the present turn, later or"
        " earlier, to an exact time.", "seat", set_deadline,
        (Parameter("at", "Until", "time", hint="Your time, as 2027-03-01 20:00."),),
        players="owner", at=RUNNING, fits=has_deadline, unless=NO_DEADLINE,
    ),
    Action(
        "remind-now", "Remind now", "Sends the reminder of the present turn at once.",
        "seat", remind_now, reason=False, at=RUNNING, fits=is_waited_for,
    ),
    Action(
        "pace", "Change the time control", "Lets the table play by another time control; no"
        " deadline that runs is made earlier by it.", "game", change_control,
        (Parameter("control", "Time control", "control", default=_control_now,
                   hint="48h; bank 5d + 8h cap 10d; daily 20:00 Asia/Hong_Kong mon-fri; none"),),
        players="owner", at=RUNNING,
    ),
    Action(
        "more-absence", "Give more days of absence", "Beyond the days the game gives everybody.",
        "seat", more_absence, (_HELD,), players="owner", at=RUNNING,
        fits=lambda case: case.holder.person_id is not None,
    ),
)  # fmt: skip
