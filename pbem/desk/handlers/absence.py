"""When a person can be waited for and reminded: `vacation`, `quiet`, `remind`."""

from collections.abc import Sequence
from datetime import date, timedelta

from pbem.commands import Line
from pbem.desk import absences
from pbem.desk.absences import AbsenceError, Share
from pbem.desk.counter import Counter, Handler
from pbem.desk.orders import AnswerLine, answered, done, nobody_known, refused
from pbem.letters.moments import span
from pbem.letters.names import table_name
from pbem.letters.times import day
from pbem.store import Absence, Person
from pbem.timing import Rung
from pbem.timing.off import LONGEST_NIGHT, length_of, parse_hours
from pbem.timing.reminders import ladder
from pbem.translation import _, later, listing, ngettext

MOST_RUNGS = 6
FAULTS = {
    "over": later("Those days are over."),
    "too-long": later("That is longer than a year; leave your tables with “resign” instead."),
    "too-far": later("That is too far ahead; say so again when it comes nearer."),
}


def vacation(counter: Counter, line: Line) -> AnswerLine:
    """`vacation DATE to DATE`, `vacation off`; alone, it says what is known."""
    if (person := counter.writer) is None:
        return nobody_known(line)
    args = line.args or {}
    if args.get("state") == "off":
        return _cancelled(counter, line, person)
    if "from" not in args:
        return _listed(counter, line, person)
    try:
        first, last = date.fromisoformat(args["from"]), date.fromisoformat(args["to"])
    except ValueError:  # a day of which the year is unknown, or one there never is
        return refused(line, "date-unknown", _("Which days are meant? Write them as 2026-12-24."))
    try:
        absence = absences.declare(
            counter.session, counter.site, counter.now, counter.order.author, person, first, last
        )
    except AbsenceError as error:
        return refused(line, error.code, _(FAULTS[error.code]))
    told = _(
        "You are away from {first} to {last}. Your time does not run then, and your tables are "
        "told. Your first turn ends it.",
        first=day(absence.first_day), last=day(absence.last_day),
    )  # fmt: skip
    return done(line, told, _short(absences.shares(counter.session, person)))


def quiet(counter: Counter, line: Line) -> AnswerLine:
    """`quiet HH:MM-HH:MM`, `quiet off`: no reminder comes then, and a game may have agreed
    that no time runs, from the next turn on."""
    if (person := counter.writer) is None:
        return nobody_known(line)
    args = line.args or {}
    if not args:
        if person.quiet is None:
            return answered(line, _("You have no quiet hours."))
        return answered(line, _("Your quiet hours are {hours}.", hours=person.quiet))
    if args.get("state") == "off":
        person.quiet = None
        counter.session.add(person)
        return done(line, _("You have no quiet hours any more."))
    wanted = f"{args['from']}-{args['to']}"
    hours = parse_hours(wanted)
    if hours is None or length_of(hours) > LONGEST_NIGHT:
        return refused(line, "quiet-length", _("Quiet hours are at most 12 hours a day."))
    person.quiet = wanted
    counter.session.add(person)
    told = _(
        "Your quiet hours are {hours}, in your time zone: no reminder comes then.", hours=wanted
    )
    if person.zone is None:
        zone = counter.site.settings.site.zone
        told += " " + _(
            "Your time zone is not known; that of the table counts ({zone}).", zone=zone
        )
    return done(line, told)


def remind(counter: Counter, line: Line) -> AnswerLine:
    """`remind on|off`, `remind 24h, 6h`: so long before a deadline."""
    if (person := counter.writer) is None:
        return nobody_known(line)
    args = line.args or {}
    if not args:
        return answered(line, _reminders(person))
    if "before" in args:
        before = sorted({int(one) for one in args["before"]}, reverse=True)
        if len(before) > MOST_RUNGS:
            return refused(
                line, "many-reminders",
                ngettext(
                    "At most {count} reminder a turn.",
                    "At most {count} reminders a turn.",
                    MOST_RUNGS,
                ),
            )  # fmt: skip
        person.reminders = [Rung.before(seconds).name for seconds in before]
    else:
        person.reminders = None if args.get("state") == "on" else []
    counter.session.add(person)
    return done(line, _reminders(person))


def _reminders(person: Person) -> str:
    rungs = ladder(person.reminders)
    if not rungs:
        return _("You are not reminded.")
    shares = [f"{round(rung.share * 100)} %" for rung in rungs if rung.share is not None]
    if shares:
        return _("You are reminded when {shares} of your time are over.", shares=listing(shares))
    before = listing([span(rung.span // timedelta(seconds=1)) for rung in rungs])
    return _("You are reminded {times} before a deadline.", times=before)


def _cancelled(counter: Counter, line: Line, person: Person) -> AnswerLine:
    gone = absences.cancel(counter.session, counter.site, counter.now, counter.order.author, person)
    if not gone:
        return answered(line, _("No absence of yours is known."))
    if all(counter.now < absence.starts_at for absence in gone):
        return done(line, _("Your absence is taken back; your time runs as before."))
    return done(line, _("You are there: your time runs again."))


def _listed(counter: Counter, line: Line, person: Person) -> AnswerLine:
    """What was said, what each table has granted of it, and how to say more."""
    coming = absences.coming(counter.session, person, counter.now)
    block = [_entry(one) for one in coming]
    for one in absences.shares(counter.session, person):
        block.append(
            _(
                "· {game} (game {number}): {granted} of {budget} days of absence used or planned",
                game=table_name(one.game.name, 60), number=one.game.id,
                granted=one.granted, budget=one.budget,
            )
        )  # fmt: skip
    if not coming:
        return answered(line, _("No absence of yours is known."), tuple(block))
    return answered(line, _("Your absences:"), tuple(block))


def _entry(absence: Absence) -> str:
    return _("· {first} to {last}", first=day(absence.first_day), last=day(absence.last_day))


def _short(shares: Sequence[Share]) -> tuple[str, ...]:
    """Where a table grants less than was asked for."""
    return tuple(
        _(
            "· {game} (game {number}) grants {granted} of its {budget} days: after them time "
            "runs there, unless its moderator gives you more.",
            game=table_name(one.game.name, 60), number=one.game.id,
            granted=one.granted, budget=one.budget,
        )
        for one in shares
        if one.short
    )  # fmt: skip


HANDLERS: dict[str, Handler] = {
    "vacation": vacation,
    "quiet": quiet,
    "remind": remind,
}
