"""A mail taken up again: as the mail room does it (`pbem.intake.again`), for the registry.

The commands of a mail may be a turn, so the preview says what becomes of each line and shows
nothing of what it brings."""

from collections.abc import Sequence
from typing import Any

from pbem.installation import Installation
from pbem.intake import again
from pbem.intake.again import DISCARD, READ_AGAIN, Redone, obstacle
from pbem.moderation.may import refusal
from pbem.moderation.model import Action, Case, Effect, Parameter, Refused, Target
from pbem.moderation.parameters import is_number
from pbem.store import Game
from pbem.store.people import holders


def _read(here: Installation, target: Target) -> Any:
    """What the mail says: found out before the unit of work, for reading takes its time."""
    if target.mail_id is None:
        raise Refused("no-mail", "There is no such mail any more.")
    return again.understood(here, target.mail_id)


def read_again(case: Case) -> Effect:
    _check(case, READ_AGAIN)
    message, identity = _seen(case)
    return _effect(
        case, again.reread(case.here, case.session, case.mail, case.actor, message, identity)
    )


def treat_as(case: Case) -> Effect:
    """Do what a mail orders as if the holder of a seat had sent it."""
    _check(case, READ_AGAIN)
    message, _identity = _seen(case)
    game_id, _slash, seat = str(case.values["seat"]).partition("/")
    if not (is_number(game_id) and is_number(seat)):
        raise Refused("no-seat", "Write the game and the seat, as 12/0.", "seat")
    target = Target(int(game_id), int(seat))
    if (refused := refusal(case.session, TREAT_AS, case.powers, target)) is not None:
        raise refused
    return _effect(
        case,
        again.treated(
            case.here, case.session, case.mail, case.actor, message, int(game_id), int(seat)
        ),
    )


def discard(case: Case) -> Effect:
    _check(case, DISCARD)
    again.put_aside(case.here, case.session, case.mail, case.actor)
    return Effect(("The mail is put aside; nothing in it is done, and it can be read again.",))


def seats_offered(case: Case) -> Sequence[tuple[str, str]]:
    """The seats of the table a mail belongs to."""
    game = None if case.mail.game_id is None else case.session.get(Game, case.mail.game_id)
    if game is None or game.setup is None:
        return []
    return [
        (f"{game.id}/{one.seat}", f"{one.name}, {game.name} (game {game.id})")
        for one in holders(case.session, game)
        if one.person_id is not None
    ]


def _likely(case: Case) -> str:
    """The seat a mail is taken for, as the form has it."""
    mail = case.mail
    return "" if mail.game_id is None or mail.seat is None else f"{mail.game_id}/{mail.seat}"


def _check(case: Case, action: str) -> None:
    if (fault := obstacle(case.session, case.mail, action)) is not None:
        raise Refused(fault.code, fault.sentence)


def _seen(case: Case) -> Any:
    if isinstance(case.ahead, Redone):
        raise Refused(case.ahead.code, case.ahead.sentence)
    return case.ahead


def _effect(case: Case, redone: Redone) -> Effect:
    if not redone.ok:
        raise Refused(redone.code, redone.sentence)
    lines = () if redone.answer is None else redone.answer.lines
    return Effect(
        (
            f"The mail is then {redone.state}.",
            *(f"“{line.text[:100]}”: {line.status}" for line in lines if line.text.strip()),
        ),
        subject_id=case.mail.person_id,
    )


def _state(case: Case) -> Any:
    """The decision of the table the mail is treated as for."""
    number = str(case.values.get("seat", "")).partition("/")[0]
    game = case.session.get(Game, int(number)) if is_number(number) else None
    return None if game is None else (game.decision, game.status)


def _kept(case: Case) -> bool:
    return obstacle(case.session, case.mail, READ_AGAIN) is None


NOT_AGAIN = "Nothing is done twice: what it orders was done already, or only its receipt is kept."
# What becomes of its lines tells of the hand: nobody who plays there may try.
TREAT_AS = Action(
    again.TREAT_AS, "Treat it as from a seat", "Does what it says as if the holder of the seat had"
    " sent it; he gets the answer, which names you.", "mail", treat_as,
    (Parameter("seat", "Seat", "seat", choices=seats_offered, default=_likely,
               hint="The number of the game and of the seat, as 12/0.", most=20),),
    players="never", blind=True, tells=True, fits=_kept, unless=NOT_AGAIN, ahead=_read,
    state=_state,
)  # fmt: skip
ACTIONS = (
    Action(
        again.READ_AGAIN, "Read it again", "Reads and settles it as if it had just come.",
        "mail", read_again, players="owner", blind=True, tells=True, fits=_kept, unless=NOT_AGAIN,
        ahead=_read,
    ),
    TREAT_AS,
    Action(
        DISCARD, "Discard it", "Puts it aside; nothing in it is done.", "mail", discard,
        players="owner",
        fits=lambda case: obstacle(case.session, case.mail, DISCARD) is None,
        unless="Nothing is done twice: it is put aside already, or what it orders was done.",
    ),
)  # fmt: skip
