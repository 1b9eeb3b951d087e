"""Scenes of the clock's letters: a grace, an offered seat, one reminder for all tables,
somebody who is away."""

from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session

from pbem.letters import announce
from pbem.letters.queue import newest
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Letter, Wait
from pbem.store.rows import id_of
from pbem.timing import GameOptions, PerTurn, Terms, parse_control

SCENES = (
    "deadline-missed-grace", "deadline-missed-offer", "reminders", "digest", "digest-quiet",
    "absence", "absence-automatic",
    "pace",
)  # fmt: skip
DAYS = {"first": "2026-12-24", "last": "2027-01-02"}


def clock_scenes(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    """(name of the scene, its letter), each once."""
    stage = Stage(session, site, 3, "lighthouse", name="Slow boat").begin()
    mover = stage.position.to_move[0]
    other = (mover + 1) % 3
    game, due = stage.game, stage.game.due_at
    assert due is not None
    grace = due + timedelta(hours=24)
    announce.deadline_missed(session, site, due, game, [mover], what="grace", due=due, until=grace)
    yield "deadline-missed-grace", _newest(session, stage, mover, "deadline-missed")
    announce.deadline_missed(session, site, grace, game, [mover], what="offer", due=grace)
    yield "deadline-missed-offer", _newest(session, stage, other, "deadline-missed")
    second = Stage(session, site, 3, "lagoon", name="Second boat").begin()
    waits = [_waiting(session, one, hours) for one, hours in ((stage, 48), (second, 31))]
    person = stage.people[waits[0].seat]
    letter = announce.reminders(
        session, site, stage.now, person, [one.id for one in waits], once="reminders"
    )
    assert letter is not None
    yield "reminders", letter
    tables = [(id_of(one.game), waits[0].seat, 0, one.game.seq) for one in (stage, second)]
    digest = announce.digest(session, site, stage.now, person, tables, once="digest")
    assert digest is not None
    yield "digest", digest
    calm = (mover + 2) % 3
    second.until(lambda position: position.turn >= 4 and calm not in position.to_move)
    tables = [(id_of(second.game), calm, 3, second.game.seq)]
    digest = announce.digest(
        session, site, second.now, second.people[calm], tables, once="digest-quiet"
    )
    assert digest is not None
    yield "digest-quiet", digest
    away = {"seat": mover, "kind": "declared", **DAYS}
    announce.absence(session, site, stage.now, game, mover, away)
    yield "absence", _newest(session, stage, other, "absence")
    announce.absence(session, site, stage.now, game, mover, away | {"kind": "automatic"})
    yield "absence-automatic", _newest(session, stage, mover, "absence")
    game.options = GameOptions(control=parse_control("daily 20:00 Europe/Berlin mon-fri")).to_json()
    announce.pace(session, site, stage.now, game)
    yield "pace", _newest(session, stage, other, "pace")


def _waiting(session: Session, stage: Stage, hours: int) -> Wait:
    seat = stage.position.to_move[0]
    wait = Wait(
        game_id=id_of(stage.game), seat=seat, person_id=id_of(stage.people[seat]),
        decision=stage.game.decision, since=stage.now - timedelta(hours=24),
        due_at=stage.now + timedelta(hours=hours - 24),
        terms=Terms(PerTurn(seconds=hours * 3600)).to_json(),
    )  # fmt: skip
    session.add(wait)
    session.flush()
    return wait


def _newest(session: Session, stage: Stage, seat: int, kind: str) -> Letter:
    letter = newest(session, stage.game, seat, {kind})
    assert letter is not None
    return letter
