"""What the moderator of a table decides about a seat that is offered."""

from datetime import datetime

from sqlmodel import Session

from pbem.desk import offering
from pbem.desk.succession import give_to_bot
from pbem.letters import Site
from pbem.store import Game
from pbem.store.log import Author

DECISIONS = ("wait", "ask", "bot")


def decide(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int,
    decision: str,
) -> bool:  # fmt: skip
    """Wait for its holder with a whole time, ask the people who are ready to substitute, or
    give it to a bot; False where the seat is not offered."""
    if seat not in range(game.players) or game.status != "running":
        return False
    row = offering.seat_row(session, game, seat)
    if row.offered_at is None:
        return False
    if decision == "wait":
        return offering.wait_anew(session, now, author, game, seat)
    if decision == "bot":
        give_to_bot(session, site, now, author, game, seat, "moderator")
    else:
        offering.ask_waiting_list(session, site, now, game, row)
    return True
