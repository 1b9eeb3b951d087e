"""Letters of a running game and its end."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from engine.game import Position
from pbem.letters.queue import ASKING, NEWS, STATE, newest, oldest, queue_to, withdraw
from pbem.letters.site import Site
from pbem.store import Game, Letter, Person, Seat, Tenure
from pbem.store.people import Holder, holders
from pbem.store.positions import position_now


def game_begins(session: Session, site: Site, now: datetime, game: Game) -> None:
    """Everybody learns who is who; whoever is to move is asked for the first turn."""
    for holder, person in _people(session, game):
        _to_seat(session, site, now, "begins", game, holder.seat, person, context=_until(game))
    _ask(session, site, now, game, position_now(game))


def after_turn(session: Session, site: Site, now: datetime, game: Game, mover: int) -> None:
    """Those to move are asked, all others told, but for the mover, who knows."""
    position = position_now(game)
    withdraw(session, game, mover, STATE | {"reminder"})
    if position.phase == "pets" and not _just_begun(position):
        return  # nothing of a single choice is public (R10.1)
    _ask(session, site, now, game, position)
    for holder, person in _people(session, game):
        if holder.seat == mover or holder.seat in position.to_move or person.letters != "every":
            continue
        kind = _news_kind(session, game, position, holder.seat)
        _to_seat(
            session, site, now, kind, game, holder.seat, person,
            context=_until(game), follows=oldest(session, game, holder.seat, NEWS),
        )  # fmt: skip


def game_over(session: Session, site: Site, now: datetime, game: Game) -> None:
    """The result, to all at the table and to an organiser who does not play."""
    told = set()
    for holder, person in _people(session, game):
        withdraw(session, game, holder.seat, STATE | {"reminder"})
        _to_seat(session, site, now, "over", game, holder.seat, person)
        told.add(person.id)
    if game.organiser_id is not None and game.organiser_id not in told:
        queue_to(session, site, now, "over", game.organiser_id, game=game)


def reminder(
    session: Session, site: Site, now: datetime, game: Game, seat: int, rung: int
) -> Letter | None:
    """Remind a seat of its turn; once a wait and rung (1 …)."""
    withdraw(session, game, seat, {"reminder"})
    person = _person_at(session, game, seat)
    if person is None or game.waiting_since is None:
        return None
    return _to_seat(
        session, site, now, "reminder", game, seat, person,
        context={**_until(game), "rung": rung},
        follows=newest(session, game, seat, ASKING),
        once=f"remind:{game.id}:{seat}:{game.waiting_since.isoformat()}:{rung}",
    )  # fmt: skip


def deadline_missed(
    session: Session, site: Site, now: datetime, game: Game, seats: Sequence[int]
) -> None:
    """Tell the table, those who are late and the organiser; once a deadline."""
    late = {"late": list(seats), **_until(game)}
    key = f"late:{game.id}:{game.due_at.isoformat() if game.due_at else game.seq}"
    for holder, person in _people(session, game):
        if person.id == game.organiser_id and holder.seat not in seats:
            continue
        _to_seat(
            session, site, now, "deadline-missed", game, holder.seat, person, context=late,
            follows=oldest(session, game, holder.seat, NEWS), once=f"{key}:{holder.seat}",
        )  # fmt: skip
    if game.organiser_id is not None:
        queue_to(
            session, site, now, "deadline-missed-organiser", game.organiser_id, game=game,
            context=late, once=f"{key}:organiser",
        )  # fmt: skip


def message(
    session: Session,
    site: Site,
    now: datetime,
    game: Game,
    *,
    sender: int,
    seats: Sequence[int],
    text: str,
    to_all: bool = False,
) -> None:
    """Bring one player's words to the people at these seats (never back to himself)."""
    context = {"from": sender, "to": None if to_all else list(seats), "text": text}
    for holder, person in _people(session, game):
        if holder.seat in seats and holder.seat != sender:
            _to_seat(
                session, site, now, "message", game, holder.seat, person, context=context,
                follows=oldest(session, game, holder.seat, {"message"}),
            )  # fmt: skip


def message_to_moderator(
    session: Session, site: Site, now: datetime, game: Game, sender: int, text: str
) -> Letter | None:
    """Bring a player's words to the moderator of the table."""
    if game.moderator_id is None:
        return None
    return queue_to(
        session, site, now, "message-moderator", game.moderator_id, game=game,
        context={"from": sender, "text": text},
    )  # fmt: skip


def resigned(session: Session, site: Site, now: datetime, game: Game, seat: int) -> None:
    """Tell the others that a bot plays this seat from now on."""
    withdraw(session, game, seat, STATE | {"reminder"})
    context = {"left": seat, "who": _last_person(session, game, seat), **_until(game)}
    for holder, person in _people(session, game):
        _to_seat(
            session, site, now, "resigned", game, holder.seat, person, context=context,
            follows=oldest(session, game, holder.seat, NEWS),
        )  # fmt: skip


def resend(session: Session, site: Site, now: datetime, game: Game, seat: int) -> Letter | None:
    """The letter of the present position once more."""
    person = _person_at(session, game, seat)
    if person is None:
        return None
    position = position_now(game)
    if position.phase == "over":
        kind = "over"
    elif seat in position.to_move:
        kind = "choose-pet" if position.phase == "pets" else "your-turn"
    else:
        kind = "what-happened"
    follows = oldest(session, game, seat, NEWS) if kind == "what-happened" else None
    return _to_seat(
        session, site, now, kind, game, seat, person, context=_until(game), follows=follows
    )


def _ask(session: Session, site: Site, now: datetime, game: Game, position: Position) -> None:
    kind = "choose-pet" if position.phase == "pets" else "your-turn"
    for holder, person in _people(session, game):
        if holder.seat in position.to_move:
            _to_seat(session, site, now, kind, game, holder.seat, person, context=_until(game))


def _just_begun(position: Position) -> bool:
    return len(position.to_move) == position.players


def _news_kind(session: Session, game: Game, position: Position, seat: int) -> str:
    """The first news after a change of phase has a letter of its own."""
    if position.phase == "end" and newest(session, game, seat, {"end-phase"}) is None:
        return "end-phase"
    if position.rain >= 2 and newest(session, game, seat, {"pets-chosen"}) is None:
        return "pets-chosen"
    return "what-happened"


def _people(session: Session, game: Game) -> Iterator[tuple[Holder, Person]]:
    """The seats that a person holds."""
    for holder in holders(session, game):
        if holder.person_id is not None:
            person = session.get(Person, holder.person_id)
            if person is not None:
                yield holder, person


def _person_at(session: Session, game: Game, seat: int) -> Person | None:
    return next((person for holder, person in _people(session, game) if holder.seat == seat), None)


def _last_person(session: Session, game: Game, seat: int) -> int | None:
    """Who held the seat before the present holder."""
    return session.exec(
        select(Tenure.person_id)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(Seat.game_id == game.id, Seat.number == seat, col(Tenure.until_seq).is_not(None))
        .order_by(col(Tenure.id).desc())
        .limit(1)
    ).first()


def _to_seat(
    session: Session, site: Site, now: datetime, kind: str, game: Game, seat: int,
    person: Person, **details: Any,
) -> Letter | None:  # fmt: skip
    assert person.id is not None
    return queue_to(session, site, now, kind, person.id, game=game, seat=seat, **details)


def _until(game: Game) -> dict[str, Any]:
    """The deadline as it was told; it may move afterwards."""
    return {} if game.due_at is None else {"due": game.due_at.isoformat()}
