"""Who plays on when somebody has left: a bot."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.desk import waits
from pbem.letters import Site, announce
from pbem.store import Game, Seat, Tenure
from pbem.store.log import Author, append
from pbem.store.positions import position_now

SUCCESSOR = "greedy"


def hand_over(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int
) -> None:
    """A new tenure of the seat, a bot's: history stays with who played."""
    event = append(session, game, "resigned", now, author, seat=seat, public={"bot": SUCCESSOR})
    row = session.exec(select(Seat).where(Seat.game_id == game.id, Seat.number == seat)).one()
    held = session.exec(
        select(Tenure).where(Tenure.seat_id == row.id, col(Tenure.until_seq).is_(None))
    ).one()
    held.until_seq = event.seq
    session.add(held)
    session.add(Tenure(seat_id=held.seat_id, bot=SUCCESSOR, from_seq=event.seq))
    session.flush()
    position = position_now(game)
    game.bot_waits = bool(waits.bots_to_move(session, game, position))
    waits.follow(session, game, position, now)
    session.add(game)
    announce.resigned(session, site, now, game, seat)
