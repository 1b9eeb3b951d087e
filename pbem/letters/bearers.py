"""The secrets a letter carries: its reply address and the link to the reader's page.

They are made known to the database when the letter is queued and computed anew when it
is rendered; the row of the letter holds none."""

from datetime import datetime

from sqlmodel import Session

from pbem.letters.site import Site
from pbem.store import Letter
from pbem.store.tokens import Bearer, issue


def reply_bearer(letter: Letter) -> Bearer | None:
    """Whom an answer to this letter comes from; None: the server's own address will do."""
    if letter.kind == "confirm" and letter.context.get("pending") is not None:
        return Bearer(
            "confirm",
            person_id=letter.person_id,
            game_id=letter.game_id,
            seat=letter.seat,
            decision=letter.decision,
            generation=letter.context["pending"],
        )
    if letter.game_id is not None and letter.seat is not None:
        return Bearer(
            "seat",
            person_id=letter.person_id,
            game_id=letter.game_id,
            seat=letter.seat,
            decision=letter.decision,
        )
    invitation_id = letter.context.get("invitation")
    if invitation_id is not None:
        return Bearer(
            "invitation",
            person_id=letter.person_id,
            game_id=letter.game_id,
            invitation_id=invitation_id,
        )
    return None if letter.person_id is None else Bearer("person", person_id=letter.person_id)


def page_bearer(letter: Letter) -> Bearer | None:
    """Whose page the letter links to."""
    return None if letter.person_id is None else Bearer("page", person_id=letter.person_id)


def issue_tokens(session: Session, site: Site, letter: Letter, now: datetime) -> None:
    """Make the letter's tokens known, in the transaction that queues it."""
    for bearer in (reply_bearer(letter), page_bearer(letter)):
        if bearer is not None:
            issue(session, site.keys, bearer, now)
