"""Who plays on when somebody leaves a seat, and who takes it over: always a new tenure, so
that history, statistics and reliability stay with who played."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.desk import voting, waits
from pbem.letters import Site, announce
from pbem.store import Game, Seat, SeatOffer, Tenure
from pbem.store.log import Author, append
from pbem.store.options import options_of
from pbem.store.people import Holder
from pbem.store.positions import position_now
from pbem.store.tenures import last_person_at, tenure_of

SUCCESSOR = "greedy"
MINIMAL = "minimal"
REMOVED = "removed"
"""Why somebody has left who cannot come back by himself."""


def hand_over(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int
) -> None:
    """Somebody leaves of his own will: a bot plays on, or does as little as the rules ask,
    by the game's choice."""
    bot = MINIMAL if options_of(game).on_resign == "minimal" else SUCCESSOR
    _pass_on(session, site, now, author, game, seat, "resigned", {"bot": bot}, bot=bot)
    announce.resigned(session, site, now, game, seat)


def give_to_bot(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int, why: str
) -> None:
    """A bot plays a seat whose holder does not; he may come back, unless he was removed.
    `why`: late, moderator, removed."""
    held = tenure_of(session, game, seat)
    said = "moderator" if why == REMOVED else why
    facts = {"seat": seat, "why": said, "bot": SUCCESSOR}
    _pass_on(session, site, now, author, game, seat, "left-to-bot", facts, bot=SUCCESSOR, left=why)
    announce.seat_news(session, site, now, game, seat, said, before=held.person_id)
    if why != REMOVED:
        announce.seat_lost(session, site, now, game, seat, held.person_id, "bot")


def give_to_person(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int,
    person_id: int,
) -> None:  # fmt: skip
    """Somebody takes over a seat, or comes back to his own that a bot holds."""
    held = tenure_of(session, game, seat)
    back = returns_to(session, game, seat, person_id)
    kind = "returned" if back else "substituted"
    left = "back" if held.bot is not None else "late"
    facts = {"seat": seat, "person": person_id}
    _pass_on(session, site, now, author, game, seat, kind, facts, person_id=person_id, left=left)
    announce.seat_news(session, site, now, game, seat, kind, before=held.person_id)
    if not back:
        announce.substitute_welcome(session, site, now, game, seat)
    if held.person_id is not None:
        announce.seat_lost(session, site, now, game, seat, held.person_id, "substitute")
    announce.ask(session, site, now, game, seat)


def returns_to(session: Session, game: Game, seat: int, person_id: int | None) -> str | None:
    """Why the last person who held a seat that a bot holds now has left it, if that is he;
    else None: it is not his to come back to, or he was removed."""
    if person_id is None or game.status != "running":
        return None
    held = tenure_of(session, game, seat)
    if held.bot is None:
        return None
    last = last_person_at(session, held.seat_id)
    if last is None or last.person_id != person_id or last.left == REMOVED:
        return None
    return last.left or "resigned"


def _pass_on(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int,
    kind: str, facts: Mapping[str, object], *,
    person_id: int | None = None, bot: str | None = None, left: str = "resigned",
) -> None:  # fmt: skip
    event = append(session, game, kind, now, author, seat=seat, public=facts)
    held = tenure_of(session, game, seat)
    held.until_seq, held.left = event.seq, left
    session.add(held)
    session.add(Tenure(seat_id=held.seat_id, person_id=person_id, bot=bot, from_seq=event.seq))
    row = session.get_one(Seat, held.seat_id)
    row.misses = 0
    row.offered_at = row.offer_ends_at = None
    if kind == "substituted":  # who comes back to his seat has of both what he had left
        row.graces, row.bank_seconds = 0, None
    session.add(row)
    session.flush()
    _close_offers(session, now, game, seat, person_id)
    next_offer_end(session, game)
    position = position_now(game)
    game.bot_waits = waits.moves_at_once(session, game, position)
    waits.follow(session, game, position, now)
    session.add(game)
    voting.recount(session, site, now, game)


def next_offer_end(session: Session, game: Game, held: Sequence[Holder] | None = None) -> None:
    """Keep with the game when the first of its offered seats goes to a bot.  `held`: the
    table's holders, for a caller who knows them."""
    if held is None:
        seats = session.exec(select(Seat).where(Seat.game_id == game.id)).all()
    else:
        seats = [session.get_one(Seat, one.seat_id) for one in held]
    ends = [one.offer_ends_at for one in seats if one.offer_ends_at is not None]
    game.offers_end_at = min(ends, default=None)
    session.add(game)


def _close_offers(
    session: Session, now: datetime, game: Game, seat: int, person_id: int | None
) -> None:
    for offer in session.exec(
        select(SeatOffer).where(
            SeatOffer.game_id == game.id, SeatOffer.seat == seat,
            SeatOffer.person_id == person_id, col(SeatOffer.taken_at).is_(None),
        )
    ):  # fmt: skip
        offer.taken_at = now
        session.add(offer)
