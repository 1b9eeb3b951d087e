"""Taking a finished game into the archive's lists, statistics and ratings.

What is due is told by the games themselves (`Game.filed_as` against `archive`, `status` and
`voided_at`): whatever ends a game, voids it, takes turns back or changes who may read it
needs to know nothing of the archive.  Each game is filed in a unit of work of its own, in
the order in which they ended, and costs the same however many there are; ratings that follow
from an earlier game are counted anew afterwards (`ratings.recount`)."""

import logging
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlmodel import Session, col, delete, select

from engine.record import RecordError
from pbem.archive import counting, ratings
from pbem.archive.facts import Facts, digest_of, facts_of
from pbem.archive.names import first_name, folded
from pbem.archive.records import record_of
from pbem.store import (
    Category,
    DriveOut,
    FinishedGame,
    FinishedSeat,
    Game,
    Rating,
    Recount,
    Seat,
    Statistic,
    Store,
    Tenure,
)
from pbem.store.models.games import UNFILED
from pbem.store.people import Holder, holders
from pbem.store.rows import id_of
from pbem.store.trouble import is_the_databases_own

log = logging.getLogger(__name__)

BATCH = 200
OPEN, MEMBERS = "open", "members"
UNREADABLE = "unreadable"
"""In place of `archive` where the rules do not agree with a game's moves: it is left out,
and looked at by `replay-all`."""


def file_due(store: Store, limit: int = BATCH) -> int:
    """File (or take out) up to `limit` of the games that are due; returns how many were."""
    with store.read() as session:
        due = session.exec(
            select(Game.id)
            .where(text(UNFILED), col(Game.filed_as).is_distinct_from(UNREADABLE))
            .order_by(col(Game.finished_at), col(Game.id))
            .limit(limit)
        ).all()
    for game_id in due:
        try:
            with store.work() as session:
                file(session, session.get_one(Game, game_id))
        except Exception as error:  # of this game alone: all others are filed all the same
            if is_the_databases_own(error):
                raise  # it says nothing against the game
            log.exception("game %s cannot be filed", game_id)
            with store.work() as session:
                session.get_one(Game, game_id).filed_as = UNREADABLE
    return len(due)


def file(session: Session, game: Game) -> None:
    """Bring what the archive knows of a game up to date, in the caller's unit of work."""
    take_out(session, game)
    game.filed_as = None
    if game.status == "over" and game.voided_at is None:
        game.filed_as = game.archive if _take_in(session, game) else UNREADABLE
    session.add(game)


def take_out(session: Session, game: Game) -> None:
    """As if the game had never been filed."""
    row = session.get(FinishedGame, game.id)
    if row is None:
        return
    category = session.get_one(Category, row.category_id)
    try:
        counts = counting.counts_of(facts_of(record_of(session, game, row.seq)), row.seconds)
    except (RecordError, ValueError):
        counts = {}  # the rules have changed since: `archive rebuild` counts anew
    if category.listed:
        counting.store(session, category.deck, category.players, counts, sign=-1)
    counted = session.exec(
        select(col(FinishedSeat.person_id)).where(
            FinishedSeat.game_id == game.id, col(FinishedSeat.mu).is_not(None)
        )
    ).all()
    for table in (DriveOut, FinishedSeat):
        session.exec(delete(table).where(col(table.game_id) == game.id))
    session.delete(row)
    session.flush()
    people = [person_id for person_id in counted if person_id is not None]
    ratings.take_out(session, (row.finished_at, row.game_id), people)


def rebuild(store: Store) -> int:
    """Forget all that follows from the games, and work it out anew; returns how many games
    there are.  Profiles stay."""
    with store.work() as session:
        for table in (DriveOut, FinishedSeat, FinishedGame, Category, Statistic, Rating, Recount):
            session.exec(delete(table))
        session.connection().execute(
            text("UPDATE game SET filed_as = NULL WHERE filed_as IS NOT NULL")
        )
    return file_all(store)


def file_all(store: Store) -> int:
    """File whatever is due, and count ratings to the end; returns how many games were due."""
    count = 0
    while done := file_due(store):
        count += done
    while ratings.recount(store):
        pass
    return count


def _take_in(session: Session, game: Game) -> bool:
    try:
        record = record_of(session, game)
        facts = facts_of(record)
    except (RecordError, ValueError):
        return False
    finished_at = game.finished_at or game.created_at
    seconds = max(0, int((finished_at - (game.started_at or finished_at)).total_seconds()))
    category = _category(session, game, facts)
    session.add(
        FinishedGame(
            game_id=id_of(game),
            category_id=id_of(category),
            listed=category.listed,
            finished_at=finished_at,
            turns=facts.turns,
            seconds=seconds,
            best=facts.best,
            margin=facts.margin,
            swing=facts.swing.points,
            swing_turn=facts.swing.turn,
            seq=game.seq,
            digest=digest_of(record),
        )
    )
    session.flush()
    seats = _seats(session, game, facts, finished_at)
    session.add_all(seats)
    session.add_all(
        DriveOut(
            game_id=id_of(game),
            category_id=id_of(category),
            finished_at=finished_at,
            turn=one.turn,
            seat=one.seat,
            driver=one.driver,
            victim=one.victim,
        )
        for one in facts.drive_outs
    )
    session.flush()
    if category.listed:  # the figures of one game among few would tell how it went
        counting.store(session, game.deck, game.players, counting.counts_of(facts, seconds))
    ratings.take_in(session, seats)
    return True


def _category(session: Session, game: Game, facts: Facts) -> Category:
    wanted: dict[str, Any] = {
        "deck": game.deck,
        "players": game.players,
        "length": facts.length_class,
        "result": facts.result_class,
        "listed": game.archive != MEMBERS,
    }
    found = session.exec(select(Category).filter_by(**wanted)).first()
    if found is None:
        found = Category(**wanted)
        session.add(found)
        session.flush()
    return found


def _seats(session: Session, game: Game, facts: Facts, finished_at: datetime) -> list[FinishedSeat]:
    held = holders(session, game)
    always = _one_holder(session, game)
    won = counting.shares(facts)
    return [
        FinishedSeat(
            game_id=id_of(game),
            seat=seat,
            person_id=held[seat].person_id,
            name_key=_name_key(game, held[seat]),
            finished_at=finished_at,
            total=facts.result.totals[seat],
            place=facts.places[seat],
            won=won[seat],
            rated=seat in always and held[seat].person_id is not None,
        )
        for seat in range(game.players)
    ]


def _name_key(game: Game, holder: Holder) -> str | None:
    """What a seat is found by; None: its name is nobody's business."""
    is_named = game.archive == OPEN and holder.person_id is not None
    return folded(first_name(holder.name)) if is_named else None


def _one_holder(session: Session, game: Game) -> set[int]:
    """The seats that one person held from the deal to the end.  A game that was brought in
    says names only, and nobody knows whose: it was not dealt here and has no seed."""
    if game.seed is None:
        return set()
    rows = session.exec(
        select(Seat.number, Tenure.person_id)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Seat.game_id == game.id)
        .distinct()
    ).all()
    seats = [seat for seat, _ in rows]
    return {seat for seat, person in rows if person is not None and seats.count(seat) == 1}
