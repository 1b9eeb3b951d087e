"""Actions as the pages do them: prepared, then carried out with the key that gave."""

from sqlmodel import Session, col, select

from pbem.installation import Installation
from pbem.moderation import Outcome, Target, carry_out, prepare
from pbem.moderation.state import LOOKED_AT
from pbem.store import Audit, Event, Game, Letter
from pbem.store.audit import Actor
from pbem.store.roles import Powers, powers_of

REASON = "They asked for it."
COMMAND_LINE = Actor("cli", reason=REASON)


def powers(installation: Installation, person_id: int | None) -> Powers | None:
    if person_id is None:
        return None
    with installation.store.read() as session:
        return powers_of(session, person_id)


def do(
    installation: Installation, name: str, target: Target, actor: Actor = COMMAND_LINE,
    /, **given: str,
) -> Outcome:  # fmt: skip
    """Both steps; the outcome of the first that fails."""
    mine = powers(installation, actor.person_id)
    shown = prepare(installation, actor, mine, name, target, given)
    if not shown.ok:
        return shown
    return carry_out(installation, actor, mine, name, target, given, shown.key)


def undo(installation: Installation, done: Outcome, actor: Actor = COMMAND_LINE) -> Outcome:
    assert done.inverse is not None, done
    step = done.inverse
    return do(installation, step.action, step.target, actor, **step.values)


def dump(installation: Installation) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the database but previews that were written down."""
    with installation.store.read() as session:
        connection = session.connection()
        names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = sorted(str(row[0]) for row in names.fetchall())
        return {
            table: [
                tuple(row)
                for row in connection.exec_driver_sql(f'SELECT * FROM "{table}"')
                if table != "audit" or row.outcome != LOOKED_AT
            ]
            for table in tables
        }


def audits(installation: Installation) -> list[Audit]:
    with installation.store.read() as session:
        return list(session.exec(select(Audit).order_by(col(Audit.id))))


def kinds(session: Session, game: Game, after: int = 0) -> list[str]:
    rows = select(Event.kind).where(Event.game_id == game.id, col(Event.seq) > after)
    return list(session.exec(rows.order_by(col(Event.seq))))


def letters_to(installation: Installation, person_id: int) -> list[Letter]:
    with installation.store.read() as session:
        rows = select(Letter).where(Letter.person_id == person_id).order_by(col(Letter.id))
        return list(session.exec(rows))
