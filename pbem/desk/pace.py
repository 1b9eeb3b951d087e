"""Changing a table's time control while it plays."""

from datetime import datetime, timedelta

from sqlmodel import Session

from pbem.desk import deadlines
from pbem.desk.options import seconds_of
from pbem.letters import Site, announce
from pbem.store import Game, Person
from pbem.store.log import Author, append
from pbem.store.options import options_of
from pbem.timing import Control, Terms


def change_control(
    session: Session, site: Site, now: datetime, author: Author, game: Game, control: Control
) -> bool:
    """Let a table play by another time control, and tell it; False if it does already.

    It holds from the next wait on.  A clock that runs keeps its deadline, or gets a whole
    new allowance from now if that ends later: nobody's time is shortened."""
    options = options_of(game)
    if options.control == control:
        return False
    game.options = options.model_copy(update={"control": control}).to_json()
    game.turn_seconds = seconds_of(control)
    append(session, game, "pace", now, author, public={"control": control.model_dump(mode="json")})
    if game.status == "running":
        for wait in deadlines.open_waits(session, game):
            person = session.get_one(Person, wait.person_id)
            terms = Terms.of(options_of(game), person.zone or game.zone, person.quiet)
            deadlines.change_terms(session, game, wait, now, author, terms)
        deadlines.set_alarm(session, game, now)
    session.add(game)
    announce.pace(session, site, now, game)
    return True


def give_time(
    session: Session, now: datetime, author: Author, game: Game, seat: int, span: timedelta
) -> bool:
    """Give a seat the table waits for more time, as its moderator; False where it has no
    deadline."""
    for wait in deadlines.open_waits(session, game):
        if wait.seat == seat and wait.due_at is not None:
            start = max(now, wait.due_at)
            deadlines.extend(wait, start, span)
            deadlines.move(session, game, wait, now, author, "moderator")
            deadlines.set_alarm(session, game, now)
            return True
    return False
