"""Letters of a running game and its end."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from engine.game import Position
from pbem.letters.announce.batch import Batch
from pbem.letters.announce.mailing import Mailing
from pbem.letters.queue import NEWS, STATE, oldest, queue_to
from pbem.letters.site import Site
from pbem.store import Game, Letter, Person, Seat, Tenure
from pbem.store.people import Holder, holders
from pbem.store.positions import position_now
from pbem.store.rows import id_of
from pbem.store.wishes import letters_wanted, wishes_at


def game_begins(session: Session, site: Site, now: datetime, game: Game) -> None:
    """Everybody learns who is who; whoever is to move is asked for the first turn."""
    mailing = Mailing(session, site, now, game)
    for seat, _ in mailing.people():
        mailing.post("begins", seat, context=_until(game))
    _ask(mailing, game, position_now(game))
    mailing.send()


def after_turn(
    session: Session, site: Site, now: datetime, game: Game, mover: int,
    held: Sequence[Holder] | None = None, batch: Batch | None = None,
) -> None:  # fmt: skip
    """Those to move are asked, all others told, but for the mover, who knows."""
    position = position_now(game)
    mailing = Mailing(session, site, now, game, held, batch)
    mailing.withdraw(mover, STATE | {"reminder"})
    if position.phase == "pets" and not _just_begun(position):
        mailing.send()
        return  # nothing of a single choice is public (R10.1)
    _ask(mailing, game, position)
    number = id_of(game)
    wishes = wishes_at(session, [number])[number] if batch is None else batch.wishes(game)
    for seat, person in mailing.people():
        if seat == mover or seat in position.to_move:
            continue
        if letters_wanted(person, wishes.get(id_of(person))) != "every":
            continue
        kind = _news_kind(mailing, position, seat)
        mailing.post(kind, seat, NEWS, context=_until(game))
    mailing.send()


def game_over(session: Session, site: Site, now: datetime, game: Game) -> None:
    """The result, to all at the table and to an organiser who does not play."""
    mailing = Mailing(session, site, now, game)
    told = set()
    for seat, person in mailing.people():
        mailing.withdraw(seat, STATE | {"reminder"})
        mailing.post("over", seat)
        told.add(person.id)
    mailing.send()
    if game.organiser_id is not None and game.organiser_id not in told:
        queue_to(session, site, now, "over", game.organiser_id, game=game)


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
    mailing = Mailing(session, site, now, game)
    for seat, person in mailing.people():
        if seat in seats and seat != sender and person.table_talk:
            mailing.post("message", seat, {"message"}, context=context)
    mailing.send()


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
    context = {"left": seat, "who": _last_person(session, game, seat), **_until(game)}
    mailing = Mailing(session, site, now, game)
    mailing.withdraw(seat, STATE | {"reminder"})
    for other, _ in mailing.people():
        mailing.post("resigned", other, NEWS, context=context)
    mailing.send()


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
    until = Mailing(session, site, now, game).until(seat)
    return _to_seat(session, site, now, kind, game, seat, person, context=until, follows=follows)


def _ask(mailing: Mailing, game: Game, position: Position) -> None:
    kind = "choose-pet" if position.phase == "pets" else "your-turn"
    for seat, _ in mailing.people():
        if seat in position.to_move:
            mailing.post(kind, seat, context=mailing.until(seat))


def _just_begun(position: Position) -> bool:
    return len(position.to_move) == position.players


def _news_kind(mailing: Mailing, position: Position, seat: int) -> str:
    """The first news after a change of phase has a letter of its own."""
    if position.phase == "end" and not mailing.has(seat, "end-phase"):
        return "end-phase"
    if position.rain >= 2 and not mailing.has(seat, "pets-chosen"):
        return "pets-chosen"
    return "what-happened"


def _person_at(session: Session, game: Game, seat: int) -> Person | None:
    held = next((one for one in holders(session, game) if one.seat == seat), None)
    return None if held is None or held.person_id is None else session.get(Person, held.person_id)


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
