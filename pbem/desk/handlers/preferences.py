"""What a person sets for himself."""

from pbem.commands import Line
from pbem.desk.counter import Counter, Handler
from pbem.desk.digesting import schedule
from pbem.desk.orders import AnswerLine, answered, done, nobody_known
from pbem.letters.moments import moment
from pbem.letters.names import table_name
from pbem.store.wishes import wish, wishes_of
from pbem.translation import _, later, sentences, speaking
from pbem.translation.catalogues import NAMES

LETTERS = {
    "every": later("Letters come after every turn."),
    "mine": later("Letters come only when you are to move."),
    "digest": later(
        "Letters come when you are to move; all else comes once a day in one letter about all "
        "your tables."
    ),
}
FORMATS = {
    "html": later("They come in HTML, with the ark drawn."),
    "text": later("They come as plain text only."),
}


def language(counter: Counter, line: Line) -> AnswerLine:
    """`language CODE`: of answers and letters."""
    if (person := counter.writer) is None:
        return nobody_known(line)
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
        return nobody_known(line)
    wanted = (line.args or {}).get("zone")
    if wanted is None:
        if not person.zone:
            return answered(line, _("Your time zone is not set: times are those of the table."))
        return answered(line, _("Your time zone is {zone}.", zone=person.zone))
    person.zone = str(wanted)
    schedule(counter.session, person, counter.now)
    return done(line, _("Your time zone is {zone} from now on.", zone=person.zone))


def mail(counter: Counter, line: Line) -> AnswerLine:
    """`mail html|text|every|mine|digest`: which letters come, and how; at the address of a
    table, of this table."""
    if (person := counter.writer) is None:
        return nobody_known(line)
    wanted = (line.args or {}).get("mail")
    game = counter.game if counter.order.addressed == "seat" else None
    game_id = None if game is None or counter.view is None else game.id
    if wanted in LETTERS:
        wish(counter.session, person, game_id, letters=str(wanted))
    elif wanted in FORMATS:
        wish(counter.session, person, game_id, mail_format=str(wanted))
    schedule(counter.session, person, counter.now)
    wishes = wishes_of(counter.session, person, game_id)
    told = [_(LETTERS[wishes.letters])]
    if wishes.letters == "digest" and person.digest_at is not None:
        at = moment(person.digest_at, person.zone)
        told.append(_("The next one comes {time}; your settings page sets the hour.", time=at))
    told.append(_(FORMATS[wishes.mail_format]))
    if wanted is not None and game is not None and game_id is not None:
        told.append(_("This holds for {game} alone.", game=table_name(game.name, 60)))
    said = sentences(told)
    return answered(line, said) if wanted is None else done(line, said)


HANDLERS: dict[str, Handler] = {
    "language": language,
    "timezone": timezone,
    "mail": mail,
}
