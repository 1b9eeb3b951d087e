"""Games as ark-record: out of the database, and into it."""

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from engine.cards import cards_form
from engine.moves import from_json, to_json
from engine.record import Record, RecordError, Turn, read, replay, walk, write
from engine.scoring import score
from engine.shuffle import SHUFFLE_NAME
from pbem.store import Event, Game, Invitation, Person, Seat, Tenure
from pbem.store.log import Author, append, events_of
from pbem.store.people import holders
from pbem.store.positions import deck_of, position_now, store_position

RULES = "ark-1"
WHY_ENDED = {
    "consent": "all people at the table agreed",
    "moderator": "its moderator decided so",
    "silence": "nobody had done or said anything for long",
}


def record_of(session: Session, game: Game) -> Record:
    """The record of a game that has begun.  While it runs it holds secrets: for the
    operator's backup only."""
    if game.setup is None:
        raise ValueError(f"game {game.id} has not begun: there is nothing to record yet")
    turns = [
        Turn(event.seat, from_json(event.move))
        for event in events_of(session, game)
        if event.kind == "turn" and event.seat is not None
    ]
    over = game.status == "over"
    return Record(
        deck=deck_of(game),
        players=game.players,
        setup=game.setup,
        turns=turns,
        names=[holder.name for holder in holders(session, game)],
        rules=RULES,
        result=dict(score(position_now(game)).to_json()) if over else None,
        proof=proof_of(session, game) if over and game.seed is not None else None,
        ended=_ended(session, game) if game.status == "ended" else None,
    )


def _ended(session: Session, game: Game) -> dict[str, Any]:
    """Why a game has no result: by consent, by its moderator, in silence."""
    by = session.exec(
        select(Event.public).where(Event.game_id == game.id, Event.kind == "ended")
    ).one()["by"]
    return {"by": by, "why": WHY_ENDED[by]}


def proof_of(session: Session, game: Game) -> dict[str, Any]:
    """How the deal of a finished game can be verified (`python -m engine verify`); the
    words stand by seat."""
    words = session.exec(
        select(Invitation.word)
        .where(Invitation.game_id == game.id, Invitation.state == "accepted")
        .order_by(col(Invitation.place))
    ).all()
    order = game.seating if game.seating is not None else list(range(game.players))
    proof: dict[str, Any] = {
        "commitment": game.commitment,
        "server_seed": game.server_seed,
        "salt": game.salt,
        "words": [words[index] for index in order],
        "shuffle": SHUFFLE_NAME,
    }
    return proof if game.seating is None else {**proof, "seating": game.seating}


def dump(record: Record) -> str:
    """The text of a `.ark.json` file."""
    return write(record) + "\n"


def import_records(session: Session, text: str, now: datetime) -> list[int]:
    """Bring the finished games of a record file in; `RecordError` at the first one that
    the rules do not agree with, and then nothing is brought in."""
    return [_import(session, record, now) for record in read(text)]


def _import(session: Session, record: Record, now: datetime) -> int:
    if not replay(record).finished:
        raise RecordError("only finished games can be brought in; this one is not over")
    proof = record.proof or {}
    game = Game(
        name="Imported game",
        status="over",
        players=record.players,
        deck=record.deck.name,
        cards=None if record.deck.builtin else cards_form(record.deck),
        turn_seconds=1,
        created_at=now,
        started_at=now,
        finished_at=now,
        server_seed=str(proof.get("server_seed", "")),
        salt=str(proof.get("salt", "")),
        commitment=str(proof.get("commitment", "")),
        setup=record.setup,
    )
    session.add(game)
    session.flush()
    author = Author("cli")
    people = [_person(session, record, seat, now) for seat in range(record.players)]
    seats = [{"person": person.id, "bot": None} for person in people]
    started = append(session, game, "started", now, author, public={"seats": seats})
    for number, person in enumerate(people):
        seat = Seat(game_id=_id(game), number=number)
        session.add(seat)
        session.flush()
        session.add(Tenure(seat_id=_id(seat), person_id=person.id, from_seq=started.seq))
    for turn, happenings, position in walk(record):
        append(
            session, game, "turn", now, author,
            seat=turn.seat, move=to_json(turn.move), happenings=happenings,
        )  # fmt: skip
        game.decision += 1
        store_position(game, position)
    session.add(game)
    return _id(game)


def _person(session: Session, record: Record, seat: int, now: datetime) -> Person:
    """Somebody known by name only: a record says nothing about who that is."""
    name = record.names[seat] if record.names else f"Seat {seat}"
    person = Person(name=name[:24] or f"Seat {seat}", created_at=now)
    session.add(person)
    session.flush()
    return person


def _id(row: Game | Seat) -> int:
    if row.id is None:
        raise ValueError("this row has not been stored yet")
    return row.id
