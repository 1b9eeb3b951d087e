"""What a person sets for himself."""

from collections.abc import Callable

from pbem.commands import Line, print_command
from pbem.desk.counter import Counter
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.translation import _, later, sentences, speaking
from pbem.translation import language as spoken_language
from pbem.translation.catalogues import NAMES

LETTERS = {
    "every": later("Letters come after every turn."),
    "mine": later("Letters come only when you are to move."),
}
FORMATS = {
    "html": later("They come in HTML, with the ark drawn."),
    "text": later("They come as plain text only."),
}


def language(counter: Counter, line: Line) -> AnswerLine:
    """`language CODE`: of answers and letters."""
    if (person := counter.writer) is None:
        return _unknown(line)
    wanted = (line.args or {}).get("language")
    if wanted is None:
        return answered(line, _("Your language is {language}.", language=NAMES[person.language]))
    person.language = str(wanted)
    counter.session.add(person)
    with speaking(person.language):
        told = _("From now on we write to you in {language}.", language=NAMES[person.language])
    return done(line, told)


def timezone(counter: Counter, line: Line) -> AnswerLine:
    """`timezone ZONE`: of every time this person reads."""
    if (person := counter.writer) is None:
        return _unknown(line)
    wanted = (line.args or {}).get("zone")
    if wanted is None:
        if not person.zone:
            return answered(line, _("Your time zone is not set: times are those of the table."))
        return answered(line, _("Your time zone is {zone}.", zone=person.zone))
    person.zone = str(wanted)
    counter.session.add(person)
    return done(line, _("Your time zone is {zone} from now on.", zone=person.zone))


def mail(counter: Counter, line: Line) -> AnswerLine:
    """`mail html|text|every|mine`: which letters come, and how."""
    if (person := counter.writer) is None:
        return _unknown(line)
    wanted = (line.args or {}).get("mail")
    if wanted in LETTERS:
        person.letters = str(wanted)
    elif wanted in FORMATS:
        person.mail_format = str(wanted)
    elif wanted is not None:
        sentence = _(
            "“{command}” is understood, but this server cannot do it yet.",
            command=print_command("mail", {"mail": wanted}, spoken_language()),
        )
        return refused(line, "not-yet", sentence)
    counter.session.add(person)
    told = sentences((_(LETTERS[person.letters]), _(FORMATS[person.mail_format])))
    return answered(line, told) if wanted is None else done(line, told)


def _unknown(line: Line) -> AnswerLine:
    return refused(
        line, "unknown", _("This address is not known here, so there is nothing to set.")
    )


HANDLERS: dict[str, Callable[[Counter, Line], AnswerLine]] = {
    "language": language,
    "timezone": timezone,
    "mail": mail,
}
