"""All games of a person, by what waits for him."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlmodel import Session, col, select

from engine.scoring import score
from pbem.store import Game, Invitation, Person
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.tenures import tables_of

_MOST_FINISHED = 50
_LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class OwnGame:
    """One game on the list.  ``waits``: the table waits for this person."""

    game: Game
    seat: int
    waits: bool
    phase: str
    waiting_for: tuple[str, ...]
    points: int | None = None
    won: bool = False


@dataclass(frozen=True)
class OwnInvitation:
    """An invitation, who asks, and of the others who is there and who has not answered."""

    invitation: Invitation
    game: Game
    organiser: str
    there: tuple[str, ...]
    unanswered: tuple[str, ...]


def running(session: Session, person_id: int) -> list[OwnGame]:
    """The running games, those first that wait for him, the earliest deadline on top."""
    rows = [_running(session, game, seat) for game, seat in _seated(session, person_id, "running")]
    return sorted(rows, key=lambda row: (not row.waits, row.game.due_at or _LATEST))


def finished(session: Session, person_id: int) -> list[OwnGame]:
    """The games that are over, or ended before their last turn, the newest first."""
    games = [*_seated(session, person_id, "over"), *_seated(session, person_id, "ended")]
    games.sort(key=lambda one: (one[0].finished_at or _LATEST, one[0].id), reverse=True)
    return [_finished(game, seat) for game, seat in games[:_MOST_FINISHED]]


def asked(session: Session, person_id: int) -> list[OwnInvitation]:
    """The tables that have not begun and to which he is invited or has agreed to come."""
    rows = session.exec(
        select(Invitation, Game)
        .join(Game, col(Game.id) == col(Invitation.game_id))
        .where(
            Invitation.person_id == person_id,
            Game.status == "inviting",
            col(Invitation.state).in_(["invited", "accepted", "declined"]),
        )
        .order_by(col(Game.expires_at))
    ).all()
    return [_asked(session, invitation, game) for invitation, game in rows]


def _seated(session: Session, person_id: int, status: str) -> list[tuple[Game, int]]:
    rows = session.exec(
        tables_of(person_id)
        .where(Game.status == status)
        .order_by(col(Game.finished_at).desc(), col(Game.id).desc())
        .limit(None if status == "running" else _MOST_FINISHED)
    )
    return [(game, seat) for game, seat in rows]


def _running(session: Session, game: Game, seat: int) -> OwnGame:
    position = position_now(game)
    names = [holder.name for holder in holders(session, game)]
    waiting = tuple(names[other] for other in position.to_move if other != seat)
    return OwnGame(game, seat, seat in position.to_move, position.phase, waiting)


def _finished(game: Game, seat: int) -> OwnGame:
    if game.status == "ended":
        return OwnGame(game, seat, False, "ended", ())
    result = score(position_now(game))
    return OwnGame(game, seat, False, "over", (), result.totals[seat], seat in result.winners)


def _asked(session: Session, invitation: Invitation, game: Game) -> OwnInvitation:
    organiser = "" if game.organiser_id is None else _person_name(session, game.organiser_id)
    others = session.exec(
        select(Person.name, Invitation.state)
        .join(Invitation, col(Invitation.person_id) == col(Person.id))
        .where(Invitation.game_id == game.id, Invitation.id != invitation.id)
        .order_by(col(Invitation.place))
    ).all()
    there, unanswered = (
        tuple(name for name, state in others if state == wanted)
        for wanted in ("accepted", "invited")
    )
    return OwnInvitation(invitation, game, organiser, there, unanswered)


def _person_name(session: Session, person_id: int) -> str:
    person = session.get(Person, person_id)
    return "" if person is None else person.name
