"""Hands that a moderator has opened: kept in the log for nobody to see, told when the game is
over."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.letters import Site, announce
from pbem.store import Audit, Event, Game
from pbem.store.log import Author, append
from pbem.store.moderated import HAND_OPENED, HANDS_TOLD
from pbem.store.people import holders
from pbem.translation import later

_SAID = later("At {time}, while the game was running, the hand of {who} was opened.")


def tell_opened(session: Session, site: Site, now: datetime, author: Author, game: Game) -> None:
    """The game is over: write into its log whose hands were opened, when and by whom, and tell
    everybody at the table; each opening once."""
    told = session.exec(
        select(Event.seq)
        .where(Event.game_id == game.id, Event.kind == HANDS_TOLD)
        .order_by(col(Event.seq).desc())
        .limit(1)
    ).first()
    openings = session.exec(
        select(Event)
        .where(Event.game_id == game.id, Event.kind == HAND_OPENED, col(Event.seq) > (told or 0))
        .order_by(col(Event.seq))
    ).all()
    if not openings:
        return
    facts = [{"seat": one.seat, "by": one.person_id, "at": one.at.isoformat()} for one in openings]
    append(session, game, HANDS_TOLD, now, author, public={"hands": facts})
    held = holders(session, game)
    for one in openings:
        reason = _reason(session, game, one)
        for holder in held:
            if holder.person_id is not None:
                announce.moderated(
                    session, site, now, holder.person_id, said=_SAID, by=one.person_id,
                    reason=reason, facts={"time": one.at, "who": {"seat": one.seat}},
                    game=game, seat=holder.seat,
                )  # fmt: skip


def _reason(session: Session, game: Game, opening: Event) -> str:
    row = session.exec(
        select(Audit.reason)
        .where(
            Audit.game_id == game.id,
            Audit.action == "open-hand",
            col(Audit.seat) == opening.seat,
            Audit.at == opening.at,
        )
        .limit(1)
    ).first()
    return row or ""
