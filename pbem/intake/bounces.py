"""Letters that came back.

Whatever arrives at a letter's return path is about that letter; where a provider wrote
to another address, the id of the returned letter tells which one it was.
"""

from datetime import datetime

from sqlmodel import Session

from pbem.intake.message import Message
from pbem.intake.recipients import answered_letter
from pbem.letters import Site
from pbem.post import consequences
from pbem.store import Letter

LONGEST_DIAGNOSTIC = 200  # characters
NOTED = "bounced:"


def settle_bounce(
    session: Session, site: Site, now: datetime, message: Message, letter_id: int | None
) -> str:
    """Note on the letter that it did not arrive, and do what follows from that; returns
    what the mail's row says.  A delay counts a little, once a letter: the relay goes on trying
    and telling, and whoever has got hold of one letter must not be able to pause its reader's
    by telling it every day."""
    letter = _letter(session, message, letter_id)
    if letter is None:
        return "a bounce of no letter of ours"
    bounce = message.bounce
    status = (bounce.status if bounce is not None else "") or "no status"
    diagnostic = "" if bounce is None else " ".join(bounce.diagnostic.split())
    failed_before, told_before = letter.state == "failed", (letter.error or "").startswith(NOTED)
    letter.error = f"{NOTED} {status} {diagnostic[:LONGEST_DIAGNOSTIC]}".rstrip()
    session.add(letter)
    # An unreadable notice at a return path still says that the letter is not there.
    if bounce is not None and not bounce.permanent:
        if not told_before:
            consequences.delayed(session, site, now, letter)
    elif not failed_before:
        letter.state = "failed"
        consequences.gone_for_good(session, site, now, letter, hard=status.startswith("5"))
    return f"letter {letter.id} bounced: {status}"


def _letter(session: Session, message: Message, letter_id: int | None) -> Letter | None:
    if letter_id is not None:
        return session.get(Letter, letter_id)
    return answered_letter(session, message.references)
