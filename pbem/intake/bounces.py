"""Letters that came back.

Whatever arrives at a letter's return path is about that letter; where a provider wrote
to another address, the id of the returned letter tells which one it was.
"""

from sqlmodel import Session

from pbem.intake.message import Message
from pbem.intake.recipients import answered_letter
from pbem.store import Letter


def settle_bounce(session: Session, message: Message, letter_id: int | None) -> str:
    """Note on the letter that it did not arrive; returns what the mail's row says.

    A delay is noted only: the relay goes on trying."""
    letter = _letter(session, message, letter_id)
    if letter is None:
        return "a bounce of no letter of ours"
    bounce = message.bounce
    status = (bounce.status if bounce is not None else "") or "no status"
    letter.error = f"bounced: {status}"
    # An unreadable notice at a return path still says that the letter is not there.
    if bounce is None or bounce.permanent:
        letter.state = "failed"
    session.add(letter)
    return f"letter {letter.id} {letter.error}"


def _letter(session: Session, message: Message, letter_id: int | None) -> Letter | None:
    if letter_id is not None:
        return session.get(Letter, letter_id)
    return answered_letter(session, message.references)
