"""Games as ark-record, out of the database."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session, col, select

from engine.moves import from_json
from engine.record import Record, Turn, write
from engine.scoring import score
from engine.shuffle import SHUFFLE_NAME
from pbem.store import Event, Game, Invitation
from pbem.store.log import events_of
from pbem.store.people import holders
from pbem.store.positions import deck_of, position_now

WHY_ENDED = {
    "consent": "all people at the table agreed",
    "moderator": "its moderator decided so",
    "silence": "nobody had done or said anything for long",
}


def record_of(session: Session, game: Game, seq: int | None = None) -> Record:
    """The record of a game that has begun, or (`seq`) its moves as they stood after that
    event.  While it runs it holds secrets: for the operator's backup only."""
    if game.setup is None:
        raise ValueError(f"game {game.id} has not begun: there is nothing to record yet")
    over = game.status == "over" and seq is None
    kept = brought_in(session, game) if game.seed is None else {}
    return Record(
        deck=deck_of(game),
        players=game.players,
        setup=game.setup,
        turns=moves_of(session, game, seq),
        names=[holder.name for holder in holders(session, game)],
        rules=game.rules,
        result=dict(score(position_now(game)).to_json()) if over else None,
        variants=kept.get("variants"),
        proof=(proof_of(session, game) if game.seed else kept.get("proof")) if over else None,
        ended=_ended(session, game) if game.status == "ended" else None,
    )


def moves_of(session: Session, game: Game, seq: int | None = None) -> list[Turn]:
    """The turns that stand (after event `seq`, or now), in order."""
    return [
        Turn(event.seat, from_json(event.move))
        for event in standing_turns(session, game, seq)
        if event.seat is not None
    ]


def standing_turns(session: Session, game: Game, seq: int | None = None) -> list[Event]:
    """The events of these turns: what was taken back is not among them."""
    return [event for event in events_of(session, game, upto=seq) if event.kind == "turn"]


def _ended(session: Session, game: Game) -> dict[str, Any]:
    """Why a game has no result: by consent, by its moderator, in silence."""
    by = early_end(session, game)["by"]
    return {"by": by, "why": WHY_ENDED[by]}


def brought_in(session: Session, game: Game) -> Mapping[str, Any]:
    """What the record of a game that was dealt elsewhere said of it beside the game itself,
    as it was when the game was brought in (`pbem.archive.importing`)."""
    started: Mapping[str, Any] | None = session.exec(
        select(Event.public).where(Event.game_id == game.id, Event.kind == "started")
    ).first()
    found: Mapping[str, Any] = (started or {}).get("record", {})
    return found


def early_end(session: Session, game: Game) -> Mapping[str, Any]:
    """What is written down of the end of a game that ended before its last turn: `by`, and
    the `points` that were kept with it or None.  The newest end holds: a moderator may have
    let the game go on in between."""
    return session.exec(
        select(Event.public)
        .where(Event.game_id == game.id, Event.kind == "ended")
        .order_by(col(Event.seq).desc())
        .limit(1)
    ).one()


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
