"""One thing for many tables, or a letter to many people."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement
from sqlmodel import col, or_, select

from pbem.desk import deadlines, pace, pausing
from pbem.letters import announce
from pbem.letters.moments import span
from pbem.moderation import bulk
from pbem.moderation.bulk import Rows
from pbem.moderation.deadlines import MORE_TIME_SAID
from pbem.moderation.model import Action, Case, Many, Parameter
from pbem.moderation.parameters import Numbers
from pbem.moderation.telling import tell_at
from pbem.store import BulkGame, Game, Person, Seat, Tenure, Wait
from pbem.store.log import append
from pbem.store.moderated import MODERATED
from pbem.store.roles import plays_in
from pbem.store.rows import id_of

LONGEST = 60 * 86400  # seconds
TO = (("players", "Everybody who plays at these games"), ("all", "Everybody known here"))


def extend(case: Case, game: Game) -> Game | None:
    """More time for every seat that a game waits for."""
    more, is_done = timedelta(seconds=case.values["span"]), False
    for wait in deadlines.open_waits(case.session, game):
        if pace.give_time(case.session, case.now, case.author, game, wait.seat, more):
            tell_at(case, game, wait.seat, wait.person_id, MORE_TIME_SAID, due=wait.due_at)
            is_done = True
    return _noted(case, game, "extend-many") if is_done else None


def pause(case: Case, game: Game) -> Game | None:
    if pausing.pause(case.session, case.site, case.now, case.author, game, "moderator"):
        return _noted(case, game, "pause-many")
    return None


def resume(case: Case, game: Game) -> Game | None:
    if pausing.resume(case.session, case.site, case.now, case.author, game):
        return _noted(case, game, "resume-many")
    return None


def write(case: Case, person: Person) -> Person | None:
    letter = announce.note(
        case.session, case.site, case.now, id_of(person), by=case.actor.person_id,
        text=case.values["text"],
    )  # fmt: skip
    return None if letter is None else person


def _noted(case: Case, game: Game, name: str) -> Game:
    """The game's log names who did it."""
    facts = {"action": name, "by": case.actor.person_id}
    append(case.session, game, MODERATED, case.now, case.author, public=facts)
    case.session.add(game)
    return game


def _running(case: Case) -> list[ColumnElement[bool]]:
    """What the running games that are meant have in common."""
    games: Numbers = case.values["games"] or Numbers()
    found: list[ColumnElement[bool]] = [col(Game.status) == "running"]
    if case.shown_at is not None:
        found.append(or_(col(Game.started_at).is_(None), col(Game.started_at) <= case.shown_at))
    if games.named:
        found.append(col(Game.id).in_(games.named))
    if games.audit is not None:
        touched = select(BulkGame.game_id).where(BulkGame.audit_id == games.audit)
        found.append(col(Game.id).in_(touched))
    return found


def _that_run(case: Case) -> list[ColumnElement[bool]]:
    """With clocks that run: those of a halted table stand, and are set on when it is mended."""
    return [*_running(case), col(Game.paused_at).is_(None), col(Game.halted_at).is_(None)]


def _that_stand(case: Case) -> list[ColumnElement[bool]]:
    return [*_running(case), col(Game.paused_at).is_not(None)]


def _that_wait(case: Case) -> list[ColumnElement[bool]]:
    """With a deadline; none that he would gain by."""
    waited_for = select(Wait.game_id).where(
        col(Wait.ended_at).is_(None), col(Wait.due_at).is_not(None)
    )
    found = [*_running(case), col(Game.id).in_(waited_for)]
    if case.powers is not None and not case.powers.owner:
        found.append(col(Game.id).not_in(plays_in(case.session, case.powers.person_id)))
    return found


def _addressed(case: Case) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [
        col(Person.erased_at).is_(None), col(Person.blocked_at).is_(None)
    ]  # fmt: skip
    if case.shown_at is not None:
        found.append(col(Person.created_at) <= case.shown_at)
    if case.values["to"] == "players":
        found.append(
            col(Person.id).in_(
                select(Tenure.person_id)
                .join(Seat, col(Seat.id) == col(Tenure.seat_id))
                .join(Game, col(Game.id) == col(Seat.game_id))
                .where(*_running(case), col(Tenure.until_seq).is_(None))
            )
        )
    return found


def _games(said: str) -> Callable[[Case, int, Sequence[Game]], tuple[str, ...]]:
    def words(_case: Case, total: int, games: Sequence[Game]) -> tuple[str, ...]:
        named = ", ".join(str(game.id) for game in games)
        return (f"{f'Games {named}' if named else f'{total:,} games'} {said}",)

    return words


def _more_time(case: Case, total: int, games: Sequence[Game]) -> tuple[str, ...]:
    more = f"get {span(case.values['span'])} more for every turn they wait for."
    return _games(more)(case, total, games)


def _letters(_case: Case, total: int, _people: Sequence[Person]) -> tuple[str, ...]:
    return (f"People who get a letter with these words: {total:,}.",)


EXTEND = Many(Rows(Game, _that_wait), extend, _more_time)
PAUSE = Many(Rows(Game, _that_run), pause, _games("stand still."), "resume-many")
RESUME = Many(Rows(Game, _that_stand), resume, _games("go on."), "pause-many")
WRITE = Many(
    Rows(Person, _addressed), write, _letters,
    none="nobody", none_said="Nobody would get this letter.",
)  # fmt: skip
_GAMES = Parameter(
    "games", "Games", "numbers", most=2000,
    hint="Their numbers: 1, 2, 5-9; or: all; or, of an entry of the audit: audit 17.",
)  # fmt: skip
ACTIONS = (
    Action(
        "extend-many", "Give many tables more time", "For every turn these tables wait for.",
        "selection", bulk.at(EXTEND),
        (_GAMES, Parameter("span", "How much more", "span", default="24h", most=LONGEST)),
        reach="everywhere", players="owner", state=bulk.state(EXTEND), many=EXTEND,
    ),
    Action(
        "pause-many", "Pause many tables", "Stops their clocks.", "selection", bulk.at(PAUSE),
        (_GAMES,), reach="everywhere", state=bulk.state(PAUSE), many=PAUSE,
    ),
    Action(
        "resume-many", "Let many tables go on", "Lets their clocks run.", "selection",
        bulk.at(RESUME), (_GAMES,), reach="everywhere", state=bulk.state(RESUME), many=RESUME,
    ),
    Action(
        "letter-to-all", "Write to many", "One letter each, with your words and your name.",
        "selection", bulk.at(WRITE),
        (Parameter("to", "To whom", "choice", choices=TO, default="players"),
         Parameter("games", "Games", "numbers", required=False,
                   hint="Of the players: 1, 2, 5-9; empty: all running games.", most=2000),
         Parameter("text", "Your words", "text", most=4000, private=True)),
        reach="everywhere", state=bulk.state(WRITE), many=WRITE,
    ),
)  # fmt: skip
