"""What happens at a deadline: the game's ladder, one rung at a time.

Each rung of `LADDER` either answers the case or leaves it to the next; the last one, the
missed turn, is done by the game's choice (`ON_MISS`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from sqlmodel import Session, func, select

from engine.bots import bot
from engine.game import legal_moves
from engine.moves import Move, Pet
from engine.shuffle import Generator
from engine.view import view
from pbem.desk import absences, banks, deadlines, offering, reliability, turns
from pbem.desk.deadlines import Away, absent
from pbem.desk.succession import MINIMAL, SUCCESSOR
from pbem.letters import Site, announce
from pbem.letters.announce.batch import Batch
from pbem.store import Game, Mail, Seat, Wait
from pbem.store.log import Author, append
from pbem.store.options import options_of
from pbem.store.people import Holder
from pbem.store.positions import position_now
from pbem.timing import GameOptions, Terms

CLOCK = Author("clock")
_UNREAD_SINCE = select(func.min(Mail.received_at)).where(Mail.state == "new")
AGAIN = timedelta(hours=24)  # to answer in after an absence that came of itself


class Late:
    """What is asked once about all the tables at which a deadline is over; the letters about
    them go into the outbox with `batch.put`."""

    def __init__(
        self, session: Session, site: Site, now: datetime, games: Sequence[Game],
        waits: Sequence[Wait],
    ) -> None:  # fmt: skip
        """`waits`: those whose time is over."""
        self._session, self._waits = session, waits
        self.batch = Batch(session, site, now, games)
        self._unread_since = session.exec(_UNREAD_SINCE).one()
        self._people = {game.id: self._people_of(game) for game in games}
        self._absences = absent(session, set().union(*self._people.values()))
        self._is_counted = False

    @cached_property
    def somebody_ready(self) -> bool:
        """Whether there are people to be asked to substitute."""
        return offering.somebody_ready(self._session)

    def count(self) -> None:
        """Turns are missed: how punctual the players are is looked up for all who are late."""
        if not self._is_counted:
            reliability.look_up(self._session, {wait.person_id for wait in self._waits})
            self._is_counted = True

    def away(self, game: Game) -> Away:
        """The absences of a table's people."""
        return Away(self._session, game, self._people[game.id], self._absences)

    def may_be_answered(self, due_at: datetime) -> bool:
        """Does a mail wait to be read that came before this deadline?  Whose it is, is not
        known before it is read."""
        return self._unread_since is not None and self._unread_since <= due_at

    def read_again(self, game: Game) -> None:
        """Something else was done at this table."""
        self.batch.read_again(game)
        self._people[game.id] = self._people_of(game)
        self._absences = absent(self._session, set().union(*self._people.values()))

    def _people_of(self, game: Game) -> set[int]:
        return {one.person_id for one in self.batch.held(game) if one.person_id is not None}


@dataclass(frozen=True)
class MissedDeadline:
    """A deadline that is over, at one seat."""

    session: Session
    site: Site
    now: datetime
    game: Game
    wait: Wait
    seat: Seat
    options: GameOptions
    late: Late

    @property
    def held(self) -> list[Holder]:
        return self.late.batch.held(self.game)

    @property
    def away(self) -> Away:
        return self.late.away(self.game)


@dataclass(frozen=True)
class Consequence:
    """What came of it: ``kind`` is absence, grace, wait, alone, offer, moderator, or what was
    done for the player (forced, default, bot, minimal); ``until`` the new deadline, if the
    table goes on waiting for him."""

    seat: int
    kind: str
    due_at: datetime | None
    until: datetime | None = None


def at_deadline(
    session: Session, site: Site, now: datetime, game: Game, seat: int,
    wait: Wait | None = None, late: Late | None = None,
) -> Consequence | None:  # fmt: skip
    """The deadline of a seat is over: do what the game has agreed on, and write it into the
    log.  None when nobody waits for that seat, or its time is not over.  `wait`: the open one
    of the seat, `late`: what is known of the table, for a caller who knows them, and who puts
    the letters into the outbox."""
    if wait is None:
        wait = next((one for one in deadlines.open_waits(session, game) if one.seat == seat), None)
    if wait is None or wait.ended_at is not None or wait.due_at is None or wait.due_at > now:
        return None
    if late is None:
        late = Late(session, site, now, [game], [wait])
        outcome = at_deadline(session, site, now, game, seat, wait, late)
        late.batch.put()
        return outcome
    [seat_id] = [one.seat_id for one in late.batch.held(game) if one.seat == seat]
    row = session.get_one(Seat, seat_id)
    case = MissedDeadline(session, site, now, game, wait, row, options_of(game), late)
    due_at = wait.due_at
    append(session, game, "deadline", now, CLOCK, public={"seats": [seat]})
    for rung in LADDER:
        if (kind := rung(case)) is not None:
            session.add(wait)
            session.add(row)
            return Consequence(seat, kind, due_at, None if wait.ended_at else wait.due_at)
    return None


def automatic_absence(case: MissedDeadline) -> str | None:
    """For a player who has asked for it, once a game: he is away from now on."""
    until = absences.begin_automatic(case.session, case.site, case.now, case.game, case.wait)
    if until is None:
        return None
    case.late.read_again(case.game)
    _more_time(case, AGAIN, "absence")
    return "absence"


def grace(case: MissedDeadline) -> str | None:
    """More time, once a turn, and not more often than the game allows."""
    if case.wait.graced or not case.options.grace or case.seat.graces >= case.options.graces:
        return None
    case.wait.graced = True
    case.seat.graces += 1
    _more_time(case, case.options.grace, "grace")
    return "grace"


def nothing_to_choose(case: MissedDeadline) -> str | None:
    """The only legal move is nobody's miss: it is done, and the table goes on."""
    position = position_now(case.game)
    if position.phase == "main":
        return None  # there is always a choice
    moves = legal_moves(position, case.wait.seat)
    return _play(case, moves[0], "forced") if len(moves) == 1 else None


def no_pet(case: MissedDeadline) -> str | None:
    """No answer means no pet, as the letter had said (R7.1); it is no miss."""
    if position_now(case.game).phase != "pets":
        return None
    return _play(case, Pet(None), "default")


def alone(case: MissedDeadline) -> str | None:
    """Nobody else is kept waiting, so no time runs until he comes, or a long silence ends
    the game."""
    people = [one for one in case.held if one.person_id is not None]
    if len(people) > 1:
        return None
    offering.stand_still(case.session, case.game, case.wait, case.now, CLOCK, "alone")
    return "alone"


def missed(case: MissedDeadline) -> str:
    """The turn is missed: counted, and done by the game's choice."""
    case.wait.missed += 1
    case.seat.misses += 1
    if case.wait.bank_seconds is not None:
        case.seat.bank_seconds = 0
    append(
        case.session, case.game, "missed", case.now, CLOCK, seat=case.wait.seat,
        public={"seat": case.wait.seat, "misses": case.seat.misses} | banks.left_in(case.seat),
    )  # fmt: skip
    if case.seat.misses >= case.options.misses_before_offer:
        done = offering.offer(
            case.session, case.site, case.now, CLOCK, case.game, case.wait, case.seat,
            case.held, case.away, case.late.batch, somebody_ready=case.late.somebody_ready,
        )  # fmt: skip
        if done == "bot":  # it sits there now, and the table was told
            case.late.read_again(case.game)
        return done
    return ON_MISS[case.options.on_miss](case)


def wait_on(case: MissedDeadline) -> str:
    """The table waits on: the time of a turn begins anew."""
    terms = Terms.from_json(case.wait.terms)
    start = max(case.now, case.wait.due_at or case.now)
    due = terms.due(start, terms.filled(0))
    _more_time(case, timedelta() if due is None else due - start, "again")
    return "wait"


def by_bot(case: MissedDeadline) -> str:
    """A bot plays this one turn; it sees what the player sees."""
    seen = view(position_now(case.game), case.wait.seat)
    chance = Generator(f"{case.game.seed}/late/{case.game.seq}")
    return _play(case, bot(SUCCESSOR).choose(seen, chance), "bot")


def as_little(case: MissedDeadline) -> str:
    """The first display card, or in the end phase a pass."""
    seen = view(position_now(case.game), case.wait.seat)
    chance = Generator(f"{case.game.seed}/late/{case.game.seq}")
    return _play(case, bot(MINIMAL).choose(seen, chance), "minimal")


def pass_in_the_end(case: MissedDeadline) -> str:
    """A pass in the end phase; before it there is none (R4.1), and the table waits on."""
    in_the_end = position_now(case.game).phase == "end"
    return as_little(case) if in_the_end else wait_on(case)


def _play(case: MissedDeadline, move: Move, how: str) -> str:
    """Do the turn for the player, and tell him; his bank is used up."""
    if case.wait.bank_seconds is not None and how != "forced":
        case.seat.bank_seconds = 0
    case.session.add_all((case.wait, case.seat))
    case.late.count()
    alone = position_now(case.game).phase != "pets"  # where others are waited for, too
    turns.play(
        case.session, case.site, case.now, CLOCK, case.game, case.wait.seat, move,
        held=case.held, outcome=how, away=case.away,
        running=[case.wait] if alone else None, batch=case.late.batch,
    )  # fmt: skip
    if case.game.status == "running":
        announce.played_for_you(
            case.session, case.site, case.now, case.game, case.wait.seat, how, case.late.batch
        )
    return how


def _more_time(case: MissedDeadline, span: timedelta, why: str) -> None:
    """From the old deadline on; from now, if that was found late."""
    deadlines.extend(case.wait, max(case.now, case.wait.due_at or case.now), span)
    deadlines.move(case.session, case.game, case.wait, case.now, CLOCK, why, case.away)


Rung = Callable[[MissedDeadline], str | None]
LADDER: tuple[Rung, ...] = (
    nothing_to_choose, automatic_absence, grace, no_pet, alone, missed
)  # fmt: skip
ON_MISS: Mapping[str, Callable[[MissedDeadline], str]] = {
    "wait": wait_on, "bot": by_bot, "gather": as_little, "pass": pass_in_the_end,
}  # fmt: skip
