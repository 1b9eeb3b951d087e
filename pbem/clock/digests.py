"""The day's letter about all tables: at each reader's own hour, if there is anything to tell."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from pbem.desk.digesting import schedule
from pbem.installation import Installation
from pbem.letters import announce
from pbem.store import Event, Game, Letter, Person, Wait
from pbem.store.log import last_turn_of
from pbem.store.rows import id_of
from pbem.store.tenures import tables_of
from pbem.store.wishes import wishes_of

PEOPLE_A_UNIT = 20
DAY = timedelta(days=1)


def send_digests(installation: Installation, limit: int = 200) -> int:
    """Write what is due by now; returns to how many people.  One that is late (the server
    was down) comes once and tells all."""
    now, sent = installation.clock(), 0
    with installation.store.read() as session:
        due = session.exec(
            select(Person.id).where(col(Person.digest_at) <= now).order_by(col(Person.digest_at))
        ).fetchmany(limit)
    for start in range(0, len(due), PEOPLE_A_UNIT):
        with installation.store.work() as session:
            for number in due[start : start + PEOPLE_A_UNIT]:
                person = session.get_one(Person, number)
                if person.digest_at is not None and person.digest_at <= now:
                    sent += _send(session, installation, person, now)
    return sent


def _send(session: Session, installation: Installation, person: Person, now: datetime) -> bool:
    due = person.digest_at
    since = session.exec(
        select(func.max(Letter.created_at)).where(
            Letter.person_id == person.id, Letter.kind == "digest", Letter.state != "replaced"
        )
    ).one()
    schedule(session, person, now)
    tables = list(_tables(session, person, since or now - DAY))
    if not tables or due is None:
        return False
    key = f"digest:{person.id}:{due.isoformat()}"
    return announce.digest(session, installation.site, now, person, tables, once=key) is not None


def _tables(
    session: Session, person: Person, since: datetime
) -> Iterator[tuple[int, int, int, int]]:
    """(game, seat, after, upto) of each table of the letter that has news or waits for him."""
    rows = session.exec(
        tables_of(id_of(person))
        .where((col(Game.status) == "running") | (col(Game.finished_at) > since))
        .order_by(col(Game.id))
    ).all()
    for game, seat in rows:
        if wishes_of(session, person, game.id).letters != "digest":
            continue
        before = session.exec(
            select(func.max(Event.seq)).where(Event.game_id == game.id, col(Event.at) <= since)
        ).one()
        after = max(before or 0, last_turn_of(session, game, seat))
        waits = session.exec(
            select(Wait.id).where(
                Wait.game_id == game.id, Wait.seat == seat, col(Wait.ended_at).is_(None)
            )
        ).first()
        if game.seq > after or waits is not None:
            yield id_of(game), seat, after, game.seq
