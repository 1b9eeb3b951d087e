"""Letters: the present one once more, one that has failed, and a moderator's own words."""

from pbem.desk.addresses import FOR_ONE_ADDRESS
from pbem.letters import announce
from pbem.letters.resending import Resent, resend_to
from pbem.moderation.model import Action, Case, Effect, Parameter, Refused
from pbem.store.people import address_of, holders

AGAIN = frozenset({"failed", "unknown", "retry", "paused"})
"""States a letter can be sent (once more) from."""
_RESENT = {
    Resent.TOO_MANY: "The present letter was sent to this seat often enough within the hour.",
    Resent.NO_SUCH_ADDRESS: "No letter reaches the player of this seat; change the address first.",
}


def resend(case: Case) -> Effect:
    came = resend_to(case.session, case.site, case.now, case.game, case.seat, case.person)
    if came is not Resent.SENT:
        raise Refused(came.value, _RESENT[came])
    return Effect((f"{case.name_of(case.seat)} gets the letter of the present position again.",))


def send_again(case: Case) -> Effect:
    """Let a letter go (again) now, under its own Message-ID, to the address its reader has
    by now."""
    letter = case.letter
    if letter.state not in AGAIN:
        raise Refused("on-its-way", "It is on its way already, or another took its place.")
    before, letter.state, letter.next_at = letter.state, "queued", case.now
    said = ["The letter goes out now, under its own Message-ID: nobody gets it twice."]
    reader = None if letter.person_id is None else address_of(case.session, letter.person_id)
    to = letter.to_address
    if reader is not None and reader.address != to and letter.kind not in FOR_ONE_ADDRESS:
        letter.to_address = reader.address
        said.append("It goes to the new address of its reader.")
    case.session.add(letter)
    return Effect(
        tuple(said),
        details={"state": before}, subject_id=letter.person_id,
    )  # fmt: skip


def write_to_seat(case: Case) -> Effect:
    return _written(case, case.person.id, case.seat)


def write_to_person(case: Case) -> Effect:
    return _written(case, case.person.id, None)


def write_to_table(case: Case) -> Effect:
    people = [one for one in holders(case.session, case.game) if one.person_id is not None]
    for one in people:
        _note(case, one.person_id, one.seat)
    return Effect((f"Letters with these words: {len(people)}, one to each person at the table.",))


def _written(case: Case, person_id: int | None, seat: int | None) -> Effect:
    if not _note(case, person_id, seat):
        raise Refused("no-address", "No letter reaches this person; change the address first.")
    return Effect((f"{case.person.name} gets a letter with these words and your name.",))


def _note(case: Case, person_id: int | None, seat: int | None) -> bool:
    letter = announce.note(
        case.session, case.site, case.now, person_id or 0, by=case.actor.person_id,
        text=case.values["text"], game=None if seat is None else case.game, seat=seat,
    )  # fmt: skip
    return letter is not None


TEXT = Parameter("text", "Your words", "text", most=4000, private=True)
ACTIONS = (
    Action(
        "resend", "Send the present letter again", "The letter of the present position, to the"
        " registered address.", "seat", resend, reason=False, at=frozenset({"running", "over"}),
        fits=lambda case: case.holder.person_id is not None,
    ),
    Action(
        "send-again", "Send it again", "Sends a letter that has failed, or of which nobody knows.",
        "letter", send_again, fits=lambda case: case.letter.state in AGAIN,
    ),
    Action(
        "write-to-seat", "Write to the player", "A letter with your words and your name.",
        "seat", write_to_seat, (TEXT,), reason=False,
        fits=lambda case: case.holder.person_id is not None,
    ),
    Action(
        "write-to-table", "Write to the table", "A letter to everybody who plays there.",
        "game", write_to_table, (TEXT,), reason=False,
        fits=lambda case: case.game.setup is not None,
    ),
    Action(
        "write-to-person", "Write a letter", "A letter with your words and your name.",
        "person", write_to_person, (TEXT,), reason=False, reach="everywhere",
    ),
)  # fmt: skip
