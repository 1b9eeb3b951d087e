"""The letters about letters, for the gallery and the golden tests."""

from collections.abc import Iterator

from sqlmodel import Session, col, select

from pbem.letters import announce
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Address, Letter

SCENES = ("letter-lost", "letters-paused", "what-happened-unreached", "sent-elsewhere")


def arriving_scenes(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    """(name of the scene, its letter): mail to a player does not arrive."""
    stage = Stage(session, site, 3, "squall", name="Rough sea").begin()
    stage.until(lambda position: position.turn >= 4 and position.to_move[0] > 0)
    game, mover = stage.game, stage.position.to_move[0]
    lost = stage.people[mover]
    assert lost.id is not None
    for name, status, paused in (
        ("letter-lost", "5.2.2", False),
        ("letters-paused", "5.1.1", True),
    ):
        announce.unreachable(
            session, site, stage.now, lost.id, game, status=status, paused=paused, once=name
        )
        yield name, _last(session, "unreachable")
    address = session.exec(select(Address).where(Address.person_id == lost.id)).one()
    address.paused_at = stage.now
    session.add(address)
    yield "what-happened-unreached", _last(session, "what-happened")
    address.paused_at = None
    reader = stage.people[mover - 1]
    announce.sent_elsewhere(session, site, stage.now, reader, game, "ann@work.example")
    yield "sent-elsewhere", _last(session, "sent-elsewhere")


def _last(session: Session, kind: str) -> Letter:
    query = select(Letter).where(Letter.kind == kind, Letter.state != "replaced")
    return session.exec(query.order_by(col(Letter.id).desc()).limit(1)).one()
