"""Scenes of the letters about what a moderator did."""

from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session, col, select

from engine.game import apply
from engine.moves import from_json
from pbem.letters import announce
from pbem.letters.queue import newest
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Event, Letter
from pbem.store.log import Author, append
from pbem.store.positions import first_position, store_position
from pbem.store.rows import id_of
from pbem.translation import later

SCENES = ("rollback", "rollback-other", "note", "note-person", "moderated", "moderated-person")
MOVED = later("You have until {time} for your turn now.")
MUTED = later("Your messages reach nobody at any table until {time}.")


def moderating_scenes(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    """(name of the scene, its letter), each once."""
    stage = Stage(session, site, 3, "pier", name="Low tide").begin()
    stage.until(lambda position: position.turn >= 9)
    game, moderator = stage.game, stage.people[0].id
    game.moderator_id = moderator
    undone = _take_back(session, stage, 3)
    announce.rolled_back(
        session, site, stage.now, game, undone=undone, by=moderator,
        reason="Bo’s mail was read wrongly:\nhe meant the other fox.",
    )  # fmt: skip
    [mover] = stage.position.to_move
    yield "rollback", _seat(session, stage, mover, "rollback")
    yield "rollback-other", _seat(session, stage, (mover + 1) % 3, "rollback")
    reader = id_of(stage.people[mover])
    text = "Please answer this week.\nA word is enough; a turn is better."
    for scene, table, seat in (("note", game, mover), ("note-person", None, None)):
        announce.note(
            session, site, stage.now, reader, by=moderator, text=text, game=table, seat=seat
        )
        yield scene, _last(session, "note")
    until = {"time": stage.now + timedelta(days=3)}
    announce.moderated(
        session, site, stage.now, reader, said=MOVED, facts=until, by=moderator,
        reason="You wrote that you are travelling.", game=game, seat=mover,
    )  # fmt: skip
    yield "moderated", _last(session, "moderated")
    announce.moderated(
        session, site, stage.now, reader, said=MUTED, facts=until, by=None, reason="See rule 3."
    )
    yield "moderated-person", _last(session, "moderated")


def _take_back(session: Session, stage: Stage, number: int) -> list[int]:
    """The last turns taken back; the numbers of their events."""
    log = session.exec(
        select(Event)
        .where(Event.game_id == stage.game.id, Event.kind == "turn")
        .order_by(col(Event.seq))
    ).all()
    position = first_position(stage.game)
    for event in log[:-number]:
        assert event.seat is not None and event.move is not None
        apply(position, event.seat, from_json(event.move))
    append(session, stage.game, "rollback", stage.now, Author("moderator"), public={})
    stage.game.decision += 1
    store_position(stage.game, position)
    return [event.seq for event in log[-number:]]


def _seat(session: Session, stage: Stage, seat: int, kind: str) -> Letter:
    letter = newest(session, stage.game, seat, {kind})
    assert letter is not None
    return letter


def _last(session: Session, kind: str) -> Letter:
    return session.exec(
        select(Letter).where(Letter.kind == kind).order_by(col(Letter.id).desc()).limit(1)
    ).one()
