"""A simulated year: games, people, troubles, on a clock that is set by hand.

What happens next is the earliest of: somebody answers, an alarm of the clock, a trouble of the
server.  Everything people do goes through the desk, as text.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

from sqlmodel import col, func, select, update

from engine.moves import notation
from engine.view import view
from pbem.clock import Steady, confirm, sweep, tick
from pbem.desk import Order, deadlines, tables
from pbem.desk.options import options_for
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.jobs.bots import play_bots
from pbem.store import Game, Heartbeat, Letter, Pending, Wait
from pbem.store.log import Author
from pbem.store.people import holders, seat_of
from pbem.store.positions import position_now
from pbem.store.rows import id_of
from tests.conftest import HandClock
from tests.year.people import Player, made_up
from tests.year.watch import Watch

CONTROLS = (
    "48h", "48h", "24h", "72h", "bank 3d + 12h cap 6d", "daily 20:00 Europe/Berlin mon-fri",
    "daily 02:30 America/New_York", "36h", "none",
)  # fmt: skip
SEATS = ((3, 0), (3, 0), (2, 1), (4, 0), (1, 2), (3, 1))  # people, bots
Action = Callable[[], None]


class World:
    """`run` lets the time pass; afterwards `down` holds when the server was not there."""

    def __init__(
        self, installation: Installation, clock: HandClock, *, games: int, days: int, seed: int,
        starting: float = 0.5, patience: float | None = None,
    ) -> None:  # fmt: skip
        """Games begin in the first `starting` of the days; with `patience` all people of a
        table agree to end after about so many days."""
        self.installation, self.clock = installation, clock
        self.chance = random.Random(seed)
        self.days = days
        self.start, self.end = clock(), clock() + timedelta(days=days)
        self.patience = patience
        self.watch = Watch()
        self.done: Counter[str] = Counter()
        self.down: list[tuple[datetime, datetime]] = []
        self._order = count()
        self._coming: list[tuple[datetime, int, Action]] = []
        self._asked: set[int] = set()
        self._letter_id = 0
        self.players = {one.person_id: one for one in self._people(max(6, games))}
        for number in range(games):
            at = self.start + timedelta(days=days * starting * self.chance.random())
            self._at(at, lambda number=number: self._open(number))
        self._troubles()

    # -- the loop

    def run(self) -> None:
        while (at := self._next()) is not None and at <= self.end:
            self.clock.now = max(self.clock.now, at)
            if self._coming and self._coming[0][0] <= self.clock.now:
                heapq.heappop(self._coming)[2]()
            else:
                self._sweep()
        self.clock.now = max(self.clock.now, self.end)
        with self.installation.store.read() as session:
            for game in session.exec(select(Game).where(Game.status == "running")):
                self.watch.look(session, game, deadlines.open_waits(session, game))

    def _next(self) -> datetime | None:
        with self.installation.store.read() as session:
            alarm = session.exec(select(func.min(Game.alarm_at))).one()
        times = [one for one in (alarm, self._coming[0][0] if self._coming else None) if one]
        return min(times, default=None)

    def _at(self, at: datetime, action: Action) -> None:
        heapq.heappush(self._coming, (at, next(self._order), action))

    def _sweep(self) -> None:
        now = self.clock()
        with self.installation.store.work() as session:
            due = session.exec(select(Game.id).where(col(Game.alarm_at) <= now)).all()
            session.exec(update(Heartbeat).values(at=now))
        sweep(self.installation)
        self.done["sweeps"] += 1
        for game_id in due:
            self._follow(game_id or 0)
        self._deliver()

    def _follow(self, game_id: int) -> None:
        """Let bots move, look at the table, and note who is asked now."""
        game, waits = self._look(game_id)
        if game.bot_waits:
            play_bots(self.installation, game_id)
            game, waits = self._look(game_id)
        for wait in waits:
            if wait.id not in self._asked and wait.person_id in self.players:
                self._asked.add(id_of(wait))
                player = self.players[wait.person_id]
                at = player.answers_at(max(wait.since, self.clock()), self.chance)
                self._at(at, lambda wait=wait: self._answer(wait))

    def _look(self, game_id: int) -> tuple[Game, list[Wait]]:
        """A table and its open waits, watched."""
        with self.installation.store.read() as session:
            game = session.get_one(Game, game_id)
            waits = deadlines.open_waits(session, game)
            self.watch.look(session, game, waits)
            return game, waits

    def _deliver(self) -> None:
        """The post has sent all there is; whoever is asked to substitute may answer."""
        with self.installation.store.read() as session:
            if session.exec(select(func.max(Letter.id))).one() == self._letter_id:
                return
        with self.installation.store.work() as session:
            wanted = session.exec(
                select(Letter.person_id, Letter.game_id).where(
                    Letter.kind == "substitute-wanted", col(Letter.id) > self._letter_id
                )
            ).all()
            self._letter_id = session.exec(select(func.max(Letter.id))).one() or 0
            session.exec(
                update(Letter)
                .where(col(Letter.state) == "queued")
                .values(state="sent", sent_at=self.clock())
            )
        for person_id, game_id in wanted:
            if self.chance.random() < 0.6 and person_id in self.players:
                at = self.players[person_id].answers_at(self.clock(), self.chance)
                self._at(at, lambda p=person_id, g=game_id: self._join(p, g))

    # -- what people do

    def _people(self, number: int) -> list[Player]:
        found = []
        with self.installation.store.work() as session:
            for one in range(number):
                person = find_or_add_person(
                    session, self.clock(), f"P{one}", f"p{one}@example.net", confirmed=True
                )
                player = made_up(id_of(person), self.start, self.days, self.chance)
                person.zone = player.zone
                if player.night is not None:
                    person.quiet = f"{player.night[0]:02}:00-{player.night[1]:02}:00"
                person.substitute_since = self.clock() if player.substitute else None
                person.automatic_absence = self.chance.random() < 0.2
                person.play_forced = self.chance.random() < 0.5
                session.add(person)
                found.append(player)
        for player in found:
            if player.kind in ("absent", "slow"):
                for part in range(max(1, self.days // 90)):
                    at = self.start + timedelta(days=part * 90 + self.chance.uniform(3, 60))
                    self._at(at, lambda player=player: self._go_away(player))
        return found

    def _open(self, number: int) -> None:
        chance, now = self.chance, self.clock()
        people, bots = chance.choice(SEATS)
        chosen = chance.sample(sorted(self.players), people)
        options = options_for(self.installation.settings, chance.choice(CONTROLS)).model_copy(
            update={
                "nights_count": chance.random() < 0.7,
                "weekends_count": chance.random() < 0.8,
                "grace_hours": chance.choice([0, 12, 24]),
                "on_miss": chance.choice(["wait", "bot", "gather", "pass"]),
                "on_offer": chance.choice(["substitute", "substitute", "bot", "moderator"]),
                "on_resign": chance.choice(["bot", "minimal"]),
                "misses_before_offer": chance.choice([1, 2, 3]),
                "silence_days": chance.choice([30, 60]),
                "on_silence": chance.choice(["none", "standings"]),
            }
        )
        with self.installation.store.work() as session:
            game = tables.open_table(
                session, self.installation.site, now, self.installation.entropy, Author("cli"),
                name=f"Game {number}", organiser_id=chosen[0], options=options,
                places=[*(Place(one) for one in chosen), *[Place(bot="greedy")] * bots],
                server_seed=f"{number}", announced=False,
            )  # fmt: skip
            if chance.random() < 0.97:
                for one in tables.invitations(session, game):
                    one.state = "accepted"
                tables.begin(session, self.installation.site, now, Author("cli"), game)
            game_id = id_of(game)
        self._follow(game_id)
        if self.patience is not None:
            at = min(now + timedelta(days=self.patience * chance.uniform(0.5, 1.5)), self.end)
            self._at(at, lambda: self._agree_to_end(game_id))
        for _ in range(people):
            if chance.random() < 0.25:
                at = now + timedelta(days=chance.uniform(2, 40))
                self._at(at, lambda: self._something_else(game_id))

    def _agree_to_end(self, game_id: int) -> None:
        """All people at a table vote for its end, whatever it was asked before."""
        for text in ("vote no", "vote end"):
            with self.installation.store.read() as session:
                game = session.get_one(Game, game_id)
                if game.status != "running":
                    return
                if text == "vote no" and game.vote_ends_at is None:
                    continue
                held = [one for one in holders(session, game) if one.person_id is not None]
            for one in held:
                self._say(game_id, one.seat, one.person_id, text)

    def _answer(self, wait: Wait) -> None:
        """A turn, if it is still this player's to do; late at times, when a bot sits there."""
        with self.installation.store.read() as session:
            game = session.get_one(Game, wait.game_id)
            if game.status != "running":
                return
            seen = view(position_now(game), wait.seat)
            moves = seen.legal()
            held = holders(session, game)[wait.seat]
        if held.person_id != wait.person_id and held.bot is None:
            return
        text = notation(moves[self.chance.randrange(len(moves))]) if moves else "status"
        if self.players[wait.person_id].kind == "quitter" and self.chance.random() < 0.05:
            self._resign(wait)
            return
        outcome = self._write(wait.person_id, text, wait.game_id, wait.seat)
        self.done[f"turn {outcome}"] += 1

    def _resign(self, wait: Wait) -> None:
        self._write(wait.person_id, "resign", wait.game_id, wait.seat)
        with self.installation.store.read() as session:
            pending = session.exec(
                select(Pending.id)
                .where(Pending.game_id == wait.game_id, Pending.seat == wait.seat)
                .order_by(col(Pending.id).desc())
            ).first()
        outcome = self._write(
            wait.person_id, "confirm", wait.game_id, wait.seat, purpose="confirm", confirms=pending
        )
        self.done[f"resign {outcome}"] += 1

    def _something_else(self, game_id: int) -> None:
        """A vote, a pause, an end, by anybody at the table; the others say what they like."""
        with self.installation.store.read() as session:
            game = session.get_one(Game, game_id)
            if game.status != "running":
                return
            held = [one for one in holders(session, game) if one.person_id is not None]
        if not held:
            return
        one, *others = self.chance.sample(held, len(held))
        text = self.chance.choice(
            ["pause", "pause now", "vote end", "vote time 60h", "resume", "say all: hello"]
        )
        outcome = self._write(one.person_id or 0, text, game_id, one.seat)
        self.done[f"{text} {outcome}"] += 1
        willing = self.chance.random()
        for other in others:
            if self.chance.random() < 0.9:
                answer = "vote yes" if self.chance.random() < willing else "vote no"
                at = self.clock() + timedelta(hours=self.chance.uniform(1, 100))
                self._at(at, lambda o=other, a=answer: self._say(game_id, o.seat, o.person_id, a))
        if text.startswith("pause") and self.chance.random() < 0.7:
            at = self.clock() + timedelta(days=self.chance.uniform(1, 12))
            self._at(at, lambda: self._say(game_id, one.seat, one.person_id, "resume"))

    def _say(self, game_id: int, seat: int, person_id: int | None, text: str) -> None:
        with self.installation.store.read() as session:
            game = session.get_one(Game, game_id)
            sits = game.status == "running" and seat_of(session, game, person_id or 0) == seat
        if sits:
            outcome = self._write(person_id or 0, text, game_id, seat)
            self.done[f"{text} {outcome}"] += 1

    def _join(self, person_id: int, game_id: int | None) -> None:
        outcome = self._write(person_id, f"join {game_id}", None, None)
        self.done[f"join {outcome}"] += 1
        self._follow(game_id or 0)

    def _go_away(self, player: Player) -> None:
        first = self.clock() + timedelta(days=self.chance.randrange(1, 4))
        last = first + timedelta(days=self.chance.randrange(2, 9))
        player.away.append((first, last + timedelta(days=1)))
        text = f"vacation {first.date()} to {last.date()}"
        self.done[f"vacation {self._write(player.person_id, text, None, None)}"] += 1
        self._watch_all(player.person_id)

    def _write(
        self, person_id: int, text: str, game_id: int | None, seat: int | None, **details: object
    ) -> str:
        order = Order(
            text, Author("mail", person_id), game_id=game_id, seat=seat,
            addressed="person" if seat is None else "seat", **details,
        )  # type: ignore[arg-type]  # fmt: skip
        with self.installation.store.work() as session:
            outcome = self.installation.desk.take_order(session, order).outcome
        if game_id is not None:
            self._follow(game_id)
        self._deliver()
        return outcome

    def _watch_all(self, person_id: int) -> None:
        with self.installation.store.read() as session:
            games = session.exec(
                select(Wait.game_id).where(
                    Wait.person_id == person_id, col(Wait.ended_at).is_(None)
                )
            ).all()
        for game_id in games:
            self._follow(game_id)

    # -- troubles of the server

    def _troubles(self) -> None:
        for _ in range(max(2, self.days // 20)):
            at = self.start + timedelta(days=self.days * self.chance.random())
            self._at(at, self._outage)
        for _ in range(max(1, self.days // 60)):
            at = self.start + timedelta(days=self.days * self.chance.random())
            self._at(at, self._jump)
        self._at(self.start, self._first_beat)

    def _first_beat(self) -> None:
        tick(self.installation)

    def _outage(self) -> None:
        """Nothing works for a while; then the server is started and finds out by itself."""
        since = self.clock()
        self._beat(since)
        until = since + timedelta(hours=self.chance.choice([0.2, 1, 5, 14, 30]))
        self.down.append((since, until))
        self._coming = [(max(at, until), number, action) for at, number, action in self._coming]
        heapq.heapify(self._coming)
        self.clock.now = until
        self._tick()
        self.done["outages"] += 1

    def _jump(self) -> None:
        """The machine's clock is wrong for a while: nothing is done, until somebody looks."""
        now = self.clock()
        self._beat(now, Steady("boot", 1000.0))
        with self.installation.store.read() as session:
            before = session.exec(select(func.max(Game.seq), func.sum(Game.seq))).one()
        self.clock.now = now + timedelta(days=self.chance.choice([-3, 2, 300]))
        tick(self.installation, Steady("boot", 1060.0))
        with self.installation.store.read() as session:
            after = session.exec(select(func.max(Game.seq), func.sum(Game.seq))).one()
        assert before == after, "something was done by a wrong clock"
        self.clock.now = now + timedelta(minutes=2)
        self.down.append((now, self.clock.now))
        with self.installation.store.work() as session:
            confirm(session, self.clock())
        self._tick()
        self.done["jumps"] += 1

    def _beat(self, now: datetime, steady: Steady | None = None) -> None:
        """The server was there until now."""
        with self.installation.store.work() as session:
            boot, seconds = ("", 0.0) if steady is None else (steady.boot, steady.seconds)
            session.exec(update(Heartbeat).values(at=now, boot=boot, steady=seconds))

    def _tick(self) -> None:
        tick(self.installation)
        self._beat(self.clock())
        with self.installation.store.read() as session:
            running = session.exec(select(Game.id).where(Game.status == "running")).all()
        for game_id in running:
            self._follow(game_id or 0)
        self._deliver()
