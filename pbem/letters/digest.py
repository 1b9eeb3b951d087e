"""The day's letter about all tables of one reader: what happened, and which wait for him."""

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from engine.view import view
from pbem.letters.cards import cards_of
from pbem.letters.moments import moment
from pbem.letters.names import table_name, table_names
from pbem.letters.sentences import Teller
from pbem.store import Game, Letter, Person, Wait
from pbem.store.log import events_of, seen_by
from pbem.store.people import holders
from pbem.store.positions import position_at
from pbem.store.tenures import spans_of
from pbem.translation import listing

MOST_SENTENCES = 20
"""Of one table; what is older than the newest of them is on its page."""


def digest_words(session: Session, letter: Letter, person: Person | None) -> dict[str, Any]:
    """The tables of the letter: those that wait for its reader first."""
    told = [_table(session, person, *map(int, one)) for one in letter.context["tables"]]
    told.sort(key=lambda one: not one["mine"])
    return {"tables": told, "waiting": [one for one in told if one["mine"]]}


def _table(
    session: Session, person: Person | None, game_id: int, seat: int, after: int, upto: int
) -> dict[str, Any]:
    game = session.get_one(Game, game_id)
    names = table_names(holder.name for holder in holders(session, game))
    seen = view(position_at(session, game, upto), seat)
    spans = spans_of(session, game, seat, upto)
    teller = Teller(cards_of(seen.deck), names, seat)
    news = teller.tell(seen_by(events_of(session, game, after, upto), seat, spans))
    over = seen.phase == "over" or game.status != "running"
    return {
        "id": game_id,
        "name": table_name(game.name, 60),
        "turn": seen.turn + 1,
        "over": over,
        "mine": not over and seat in seen.to_move,
        "movers": listing(names[other] for other in seen.to_move),
        "deadline": _deadline(session, person, game, seat),
        "news": news[-MOST_SENTENCES:],
        "more": len(news) > MOST_SENTENCES,
    }


def _deadline(session: Session, person: Person | None, game: Game, seat: int) -> str:
    due: datetime | None = session.exec(
        select(Wait.due_at).where(
            Wait.game_id == game.id, Wait.seat == seat, col(Wait.ended_at).is_(None)
        )
    ).first()
    due = due or game.due_at
    zone = None if person is None else person.zone
    return "" if due is None else str(moment(due, zone, game.zone))
