"""What a person sets for himself."""

from collections.abc import Callable

from pbem.commands import Line
from pbem.desk.counter import Counter
from pbem.desk.orders import AnswerLine, answered, done, refused

LANGUAGES = {"en": "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文", "de": "Deutsch"}
LETTERS = {"every": "after every turn", "mine": "only when you are to move"}
FORMATS = {"html": "with pictures in HTML", "text": "as plain text only"}


def language(counter: Counter, line: Line) -> AnswerLine:
    """`language CODE`: of answers and letters."""
    if (person := counter.writer) is None:
        return _unknown(line)
    wanted = (line.args or {}).get("language")
    if wanted is None:
        return answered(line, f"Your language is {LANGUAGES[person.language]}.")
    person.language = str(wanted)
    counter.session.add(person)
    told = f"Your language is {LANGUAGES[person.language]} from now on."
    if person.language != "en":
        told += " Card names and commands follow it; letters are in English still."
    return done(line, told)


def timezone(counter: Counter, line: Line) -> AnswerLine:
    """`timezone ZONE`: of every time this person reads."""
    if (person := counter.writer) is None:
        return _unknown(line)
    wanted = (line.args or {}).get("zone")
    if wanted is None:
        zone = person.zone or "not set: times are those of the table"
        return answered(line, f"Your time zone is {zone}.")
    person.zone = str(wanted)
    counter.session.add(person)
    return done(line, f"Your time zone is {person.zone} from now on.")


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
        return refused(line, "not-yet", f'"mail {wanted}" is understood, but not done here yet.')
    counter.session.add(person)
    told = f"Letters come {LETTERS[person.letters]}, {FORMATS[person.mail_format]}."
    return answered(line, told) if wanted is None else done(line, told)


def _unknown(line: Line) -> AnswerLine:
    return refused(line, "unknown", "This address is not known here, so there is nothing to set.")


HANDLERS: dict[str, Callable[[Counter, Line], AnswerLine]] = {
    "language": language,
    "timezone": timezone,
    "mail": mail,
}
