"""A player's time zone, guessed from his mail's own time: proposed once, never set."""

from pbem.commands.speech import command_word
from pbem.intake.case import MailCase
from pbem.letters.plain import EXAMPLE_MARK
from pbem.store import Person
from pbem.timing.zones import offset_name
from pbem.translation import _, language


def zone_proposal(case: MailCase) -> tuple[str, ...]:
    """What to say beside the answer to the first mail of somebody whose zone is unknown.

    A mail that gives its time in UTC says nothing: many programs do."""
    person_id, date = case.identity.person_id, case.message.date
    person = None if person_id is None else case.session.get(Person, person_id)
    if person is None or person.zone is not None or person.zone_proposed is not None:
        return ()
    offset = None if date is None else date.utcoffset()
    name = None if offset is None else offset_name(offset)
    if name is None:
        return ()
    person.zone_proposed = name
    case.session.add(person)
    said = _(
        "Your mail's time is {zone}. Times are told to you in the zone of the table until you "
        "name yours. A city is best, for it knows about summer time; this would do, too:",
        zone=name,
    )
    return said, f"{EXAMPLE_MARK}{command_word('timezone', language())} {name}"
