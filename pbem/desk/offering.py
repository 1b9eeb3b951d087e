"""A seat whose holder does not answer is offered: to people who are ready to substitute, to a
friend, to a bot, or to the moderator's judgement.  Until it is taken, his turn ends the offer."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.desk import deadlines, reliability
from pbem.desk.deadlines import Away
from pbem.desk.succession import give_to_bot, give_to_person, next_offer_end
from pbem.desk.welcome import not_to_be_asked
from pbem.letters import Site, announce
from pbem.letters.announce.batch import Batch
from pbem.store import Game, Person, Seat, SeatOffer, Wait
from pbem.store.log import Author, append
from pbem.store.moderated import has_opened
from pbem.store.options import options_of
from pbem.store.people import Holder, holders, seat_of
from pbem.store.rows import id_of
from pbem.store.tenures import seats_held
from pbem.translation import _

ASKED_AT_ONCE = 5  # people of the waiting list
ASKED_A_DAY = 2  # one person, by the waiting list
MOST_FRIENDS = 5  # of one offer


class OfferError(ValueError):
    """A seat that cannot be taken or offered: ``code``, and a sentence with the next step."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def offer(
    session: Session, site: Site, now: datetime, author: Author, game: Game, wait: Wait, seat: Seat,
    held: Sequence[Holder], away: Away, batch: Batch, *, somebody_ready: bool,
) -> str:  # fmt: skip
    """Offer a seat by the game's choice; its clock stands still.  What was done: bot
    (it has the seat already), moderator, or offer.  `held`, `away`: the table's holders and
    their absences, `batch`: that which the letters go with; `somebody_ready`: there is a
    waiting list at all."""
    options = options_of(game)
    append(session, game, "offered", now, author, seat=seat.number, public={"seat": seat.number})
    stand_still(session, game, wait, now, author, "offered", away)
    if options.on_offer == "bot":
        give_to_bot(session, site, now, author, game, seat.number, "late")
        return "bot"
    asks_moderator = options.on_offer == "moderator" and game.moderator_id is not None
    span = (
        timedelta(hours=options.moderator_hours)
        if asks_moderator
        else timedelta(days=options.offer_days)
    )
    seat.offered_at, seat.offer_ends_at = now, now + span
    session.add(seat)
    next_offer_end(session, game, held)
    if asks_moderator:
        announce.seat_decision(session, site, now, game, seat.number, seat.offer_ends_at, batch)
        return "moderator"
    if somebody_ready:
        ask_waiting_list(session, site, now, game, seat, held)
    return "offer"


def stand_still(
    session: Session, game: Game, wait: Wait, now: datetime, author: Author, why: str,
    away: Away | None = None,
) -> None:  # fmt: skip
    """No time runs for a wait any more; its turn may come whenever it comes.  `away`: the
    absences of the table's people, for a caller who knows them."""
    wait.standing = True
    game.active_at = now  # a silence is counted from here
    deadlines.move(session, game, wait, now, author, why, away)


def wait_anew(session: Session, now: datetime, author: Author, game: Game, seat: int) -> bool:
    """Take an offer back, as the moderator: the table waits for its holder again, with the
    whole time of a turn.  False where the seat is not offered."""
    row = seat_row(session, game, seat)
    if row.offered_at is None:
        return False
    row.offered_at = row.offer_ends_at = None
    row.misses = 0
    session.add(row)
    next_offer_end(session, game)
    for wait in deadlines.open_waits(session, game):
        if wait.seat == seat:
            terms = deadlines.Times.of(session, game, wait).terms
            due = terms.due(now, terms.filled(0))
            wait.standing = False
            deadlines.extend(wait, now, timedelta() if due is None else due - now)
            deadlines.move(session, game, wait, now, author, "moderator")
    deadlines.set_alarm(session, game, now)
    return True


def take(
    session: Session, site: Site, now: datetime, author: Author, game: Game, person: Person
) -> int:
    """Somebody takes the first seat of a game that is offered; its number.  `OfferError`."""
    person_id = id_of(person)
    if seat_of(session, game, person_id) is not None:
        raise OfferError("at-the-table", _("You sit at that table already."))
    if game.halted_at is not None:
        raise OfferError("halted", _("That table is halted; whoever runs this server has to look."))
    seat = open_seat(session, game)
    if seat is None:
        raise OfferError("no-seat", _("No seat of that table is free."))
    if was_there(session, game, seat.number, person_id):
        raise OfferError("at-the-table", _("You have played at that table; its cards are known."))
    if not reliability.suffices(session, options_of(game), person_id):
        raise OfferError(
            "reliability", _("That table asks for players who answer in time more often.")
        )
    give_to_person(session, site, now, author, game, seat.number, person_id)
    return seat.number


def open_seat(session: Session, game: Game) -> Seat | None:
    """The seat of a running game that is offered, the longest first."""
    if game.status != "running":
        return None
    return session.exec(
        select(Seat)
        .where(Seat.game_id == game.id, col(Seat.offered_at).is_not(None))
        .order_by(col(Seat.offered_at), col(Seat.number))
        .limit(1)
    ).first()


def was_there(session: Session, game: Game, seat: int, person_id: int) -> bool:
    """Whether somebody has seen another hand of this game: whoever held another seat has, or,
    as a moderator, opened one."""
    held_another = bool(seats_held(session, game, person_id) - {seat})
    return held_another or has_opened(session, game, person_id, seat)


def somebody_ready(session: Session) -> bool:
    """Whether anybody is on the waiting list of substitutes."""
    waiting = col(Person.substitute_since).is_not(None), col(Person.erased_at).is_(None)
    return session.exec(select(Person.id).where(*waiting).limit(1)).first() is not None


def ask_waiting_list(
    session: Session, site: Site, now: datetime, game: Game, seat: Seat,
    held: Sequence[Holder] | None = None,
) -> list[int]:  # fmt: skip
    """Ask those who have been ready to substitute for the longest, nobody twice about one
    offer; the numbers of them.  `held`: the table's holders, for a caller who knows them."""
    at_table = {one.person_id for one in held or holders(session, game)}
    asked: list[int] = []
    for person_id in session.exec(_ready(game, seat, now)):
        if (
            person_id is None
            or person_id in at_table
            or was_there(session, game, seat.number, person_id)
            or not reliability.suffices(session, options_of(game), person_id)
            or not_to_be_asked(session, site, now, person_id) is not None
        ):
            continue
        _ask(session, site, now, game, seat, person_id, None)
        asked.append(person_id)
        if len(asked) == ASKED_AT_ONCE:
            break
    return asked


def _ready(game: Game, seat: Seat, now: datetime) -> SelectOfScalar[int | None]:
    """The query for people of the waiting list who may be asked about a seat now."""
    of_person = col(SeatOffer.person_id) == col(Person.id)
    lately = (
        select(func.count(col(SeatOffer.id)))
        .where(of_person, col(SeatOffer.created_at) > now - timedelta(days=1))
        .scalar_subquery()
    )
    this_offer = select(SeatOffer.id).where(
        of_person,
        SeatOffer.game_id == game.id,
        SeatOffer.seat == seat.number,
        SeatOffer.offered_at == seat.offered_at,
    )
    return (
        select(col(Person.id))
        .where(
            col(Person.substitute_since).is_not(None),
            col(Person.erased_at).is_(None),
            lately < ASKED_A_DAY,
            ~this_offer.exists(),
        )
        .order_by(col(Person.substitute_since), col(Person.id))
    )


def ask_friend(
    session: Session, site: Site, now: datetime, game: Game, person_id: int, asked_by: int
) -> None:
    """Ask somebody whom a person at the table has named.  `OfferError`."""
    seat = open_seat(session, game)
    if seat is None or seat.offered_at is None:
        raise OfferError("no-seat", _("No seat of this table is free."))
    if (trouble := not_to_be_asked(session, site, now, person_id)) is not None:
        raise OfferError(*trouble)
    if was_there(session, game, seat.number, person_id):
        raise OfferError("at-the-table", _("Whoever has played at this table knows its cards."))
    offers = session.exec(
        select(SeatOffer).where(
            SeatOffer.game_id == game.id, SeatOffer.offered_at == seat.offered_at
        )
    ).all()
    if any(one.person_id == person_id for one in offers):
        return
    if sum(one.asked_by is not None for one in offers) >= MOST_FRIENDS:
        sentence = _("{count} people were asked already.", count=MOST_FRIENDS)
        raise OfferError("too-many", sentence)
    _ask(session, site, now, game, seat, person_id, asked_by)


def end_offers(session: Session, site: Site, now: datetime, author: Author, game: Game) -> None:
    """Nobody has taken an offered seat in time: a bot has it."""
    due = session.exec(
        select(Seat).where(Seat.game_id == game.id, col(Seat.offer_ends_at) <= now)
    ).all()
    for seat in due:
        give_to_bot(session, site, now, author, game, seat.number, "late")
    next_offer_end(session, game)


def seat_row(session: Session, game: Game, seat: int) -> Seat:
    return session.exec(select(Seat).where(Seat.game_id == game.id, Seat.number == seat)).one()


def _ask(
    session: Session, site: Site, now: datetime, game: Game, seat: Seat, person_id: int,
    asked_by: int | None,
) -> None:  # fmt: skip
    session.add(SeatOffer(
        game_id=id_of(game), seat=seat.number, person_id=person_id, asked_by=asked_by,
        offered_at=seat.offered_at or now, created_at=now,
    ))  # fmt: skip
    session.flush()
    announce.substitute_wanted(
        session, site, now, game, seat.number, person_id, asked_by, seat.offer_ends_at
    )
