"""`/moderator`: what needs a human today."""

from dataclasses import dataclass

from flask import render_template
from sqlmodel import Session, col, func, select

from pbem.store import Game, Letter, Mail
from pbem.web import installation
from pbem.web.moderator.guard import blueprint, signed_in
from pbem.web.moderator.worklist import concerns, urgent


@dataclass(frozen=True)
class ServerWork:
    """What waits for the server itself, and how many games run."""

    running: int
    letters: int
    mails: int


@blueprint.get("")
def today() -> str:
    """The worklist; with a script it is asked for again every minute."""
    return _page("moderator/today.html")


@blueprint.get("/today")
def worklist() -> str:
    """The part of the page that is exchanged, with the title and its count."""
    return _page("moderator/worklist.html")


def _page(template: str) -> str:
    here, who = installation(), signed_in()
    with here.store.read() as session:
        found = concerns(session, who.powers, here.clock())
        queue = _queue(session) if who.powers.everywhere else None
    return render_template(template, concerns=found, urgent=urgent(found), queue=queue)


def _queue(session: Session) -> ServerWork:
    letters = select(func.count()).where(col(Letter.state).in_(("queued", "retry", "sending")))
    mails = select(func.count()).where(Mail.state == "new")
    games = select(func.count()).where(Game.status == "running")
    return ServerWork(
        session.exec(games).one(), session.exec(letters).one(), session.exec(mails).one()
    )
