"""One thing for many tables, or a letter to many people."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import ColumnElement
from sqlmodel import col, select

from pbem.desk import deadlines, pace, pausing
from pbem.letters import announce
from pbem.letters.moments import span
from pbem.moderation.deadlines import MORE_TIME_SAID
from pbem.moderation.may import refusal
from pbem.moderation.model import Action, Case, Effect, Parameter, Refused, Step, Target
from pbem.moderation.state import states_of_games
from pbem.moderation.telling import tell_at
from pbem.store import Game, Person, Seat, Tenure
from pbem.store.log import append
from pbem.store.moderated import MODERATED
from pbem.store.rows import id_of

LONGEST = 60 * 86400  # seconds
MOST_NAMED = 20  # games in a sentence
TOGETHER = 100
"""So many games, with their positions, are in memory at a time; all are of one transaction."""
TO = (("players", "Everybody who plays at these games"), ("all", "Everybody known here"))


def extend(case: Case) -> Effect:
    """More time for every seat that one of the games waits for."""
    seconds: int = case.values["span"]
    seats, touched = 0, []
    for game in _games(case, "extend-many"):
        here = 0
        for wait in deadlines.open_waits(case.session, game):
            if pace.give_time(
                case.session, case.now, case.author, game, wait.seat, timedelta(seconds=seconds)
            ):
                here += 1
                tell_at(case, game, wait.seat, wait.person_id, MORE_TIME_SAID, due=wait.due_at)
        if here:
            touched.append(_noted(case, game, "extend-many"))
        seats += here
    return _effect(touched, f"get {span(seconds)} more for {seats} turns.")


def pause(case: Case) -> Effect:
    def one(game: Game) -> bool:
        return pausing.pause(case.session, case.site, case.now, case.author, game, "moderator")

    return _each(case, "pause-many", "resume-many", "stand still.", one)


def resume(case: Case) -> Effect:
    def one(game: Game) -> bool:
        return pausing.resume(case.session, case.site, case.now, case.author, game)

    return _each(case, "resume-many", "pause-many", "go on.", one)


def letter_to_all(case: Case) -> Effect:
    people = _people(case)
    if not people:
        raise Refused("nobody", "Nobody would get this letter.")
    for person_id in people:
        announce.note(
            case.session, case.site, case.now, person_id, by=case.actor.person_id,
            text=case.values["text"],
        )  # fmt: skip
    return Effect(
        (f"People who get a letter with these words: {len(people)}.",),
        details={"people": len(people)},
    )


def _each(case: Case, name: str, inverse: str, said: str, one: Callable[[Game], bool]) -> Effect:
    """Do one thing to each of the games (True where it was done); `inverse` takes it back."""
    touched = [_noted(case, game, name) for game in _games(case, name) if one(game)]
    games = ", ".join(str(number) for number in touched)
    return replace(_effect(touched, said), inverse=Step(inverse, case.target, {"games": games}))


def _games(case: Case, name: str) -> Iterator[Game]:
    """The running games that are named and that he may act on."""
    action = next(one for one in ACTIONS if one.name == name)
    numbers = case.session.exec(select(Game.id).where(*_running(case)).order_by(col(Game.id))).all()
    for start in range(0, len(numbers), TOGETHER):
        part = col(Game.id).in_(numbers[start : start + TOGETHER])
        games = select(Game).where(part, *_running(case)).order_by(col(Game.id)).with_for_update()
        for game in case.session.exec(games).all():
            if refusal(case.session, action, case.powers, Target(game.id)) is None:
                yield game
        case.session.flush()  # what is written is let go of


def _running(case: Case) -> list[ColumnElement[bool]]:
    """What the running games that are named have in common (none named: all running ones)."""
    numbers: tuple[int, ...] = case.values["games"] or ()
    named = [col(Game.id).in_(numbers)] if numbers else []
    return [col(Game.status) == "running", *named]


def _noted(case: Case, game: Game, name: str) -> int:
    """The game's log names who did it; its number."""
    facts = {"action": name, "by": case.actor.person_id}
    append(case.session, game, MODERATED, case.now, case.author, public=facts)
    case.session.add(game)
    return id_of(game)


def _effect(touched: list[int], said: str) -> Effect:
    if not touched:
        raise Refused("no-game", "None of these games can be changed so now.", "games")
    named = ", ".join(str(number) for number in touched[:MOST_NAMED])
    more = f" and {len(touched) - MOST_NAMED} more" if len(touched) > MOST_NAMED else ""
    return Effect((f"Games {named}{more} {said}",), details={"games": touched})


def _people(case: Case) -> list[int]:
    known = select(Person.id).where(
        col(Person.erased_at).is_(None), col(Person.blocked_at).is_(None)
    )
    if case.values["to"] == "players":
        numbers: tuple[int, ...] = case.values["games"] or ()
        seated = (
            select(Tenure.person_id)
            .join(Seat, col(Seat.id) == col(Tenure.seat_id))
            .join(Game, col(Game.id) == col(Seat.game_id))
            .where(Game.status == "running", col(Tenure.until_seq).is_(None))
        )
        if numbers:
            seated = seated.where(col(Game.id).in_(numbers))
        known = known.where(col(Person.id).in_(seated))
    found = case.session.exec(known.order_by(col(Person.id)))
    return [number for number in found if number is not None]


def _state(case: Case) -> object:
    return states_of_games(case.session, _running(case))


_GAMES = Parameter(
    "games", "Games", "numbers", hint="Their numbers: 1, 2, 5-9; or: all.", most=2000
)
ACTIONS = (
    Action(
        "extend-many", "Give many tables more time", "For every turn these tables wait for.",
        "selection", extend,
        (_GAMES, Parameter("span", "How much more", "span", default="24h", most=LONGEST)),
        reach="everywhere", players="owner", state=_state,
    ),
    Action(
        "pause-many", "Pause many tables", "Stops their clocks.", "selection", pause, (_GAMES,),
        reach="everywhere", state=_state,
    ),
    Action(
        "resume-many", "Let many tables go on", "Lets their clocks run.", "selection", resume,
        (_GAMES,), reach="everywhere", state=_state,
    ),
    Action(
        "letter-to-all", "Write to many", "One letter each, with your words and your name.",
        "selection", letter_to_all,
        (Parameter("to", "To whom", "choice", choices=TO, default="players"),
         Parameter("games", "Games", "numbers", required=False,
                   hint="Of the players: 1, 2, 5-9; empty: all running games.", most=2000),
         Parameter("text", "Your words", "text", most=4000, private=True)),
        reach="everywhere",
    ),
)  # fmt: skip
