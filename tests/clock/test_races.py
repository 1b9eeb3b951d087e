"""What happens at the same time: mail and deadline, a moved deadline and its reminder, two
sweeps, and a sweep that is killed.  Real threads, real processes, a real clock."""

import random
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlmodel import col, select

from pbem.clock import sweep
from pbem.desk import pace
from pbem.installation import Installation, open_installation
from pbem.intake.inbox import drain
from pbem.settings import Settings
from pbem.store import Event, Game, Letter, Mail, Reminder
from pbem.store.log import Author
from tests.clock.people import events, letters, seat_row, waits
from tests.clock.sweeping import sweeping
from tests.conftest import CountedEntropy, HandClock
from tests.desk.table import Table
from tests.intake.people import reply_to
from tests.intake.taking import serving

TABLES = 12
MOST_KILLS = 20
LONGEST_LIFE = 0.15  # seconds
SPREAD = 0.2  # seconds around the deadline in which mails come


def at_once(*works: Callable[[], object]) -> None:
    """Do all of it in threads of their own that begin together."""
    barrier = threading.Barrier(len(works))

    def begin(work: Callable[[], object]) -> None:
        barrier.wait()
        work()

    threads = [threading.Thread(target=begin, args=(one,)) for one in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_turns_mailed_in_the_second_of_the_deadline(settings: Settings) -> None:
    """Whatever came before its deadline is no miss, however sweeps and reading fall."""
    installation = open_installation(
        settings, clock=lambda: datetime.now(UTC), entropy=CountedEntropy()
    )
    tables = [
        Table.begun(installation, seed=str(n), time="2s", grace_hours=0, misses_before_offer=9)
        for n in range(TABLES)
    ]
    chance = random.Random(1)
    over = threading.Event()

    def keep(work: Callable[[Installation], int]) -> None:
        while not over.is_set():
            work(installation)

    def mail(table: Table, port: int) -> None:
        (asking,) = table.letters(0, "your-turn") or table.letters(0, "game-begins")
        address = reply_to(installation, asking)
        text = (
            f"From: Ann@example.net\r\nTo: {address}\r\nSubject: my turn\r\n"
            f"Message-ID: <{table.game_id}@example.net>\r\n\r\n"
            f"take {table.view(0).display[0]}\r\n"
        )
        due = waits(table)[0].due_at
        assert due is not None
        at = due + timedelta(seconds=chance.uniform(-SPREAD, SPREAD))
        time.sleep(max(0.0, (at - datetime.now(UTC)).total_seconds()))
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail("Ann@example.net", [address], text.encode())

    with serving(installation) as server:
        workers = [threading.Thread(target=keep, args=(one,)) for one in (sweep, sweep, drain)]
        for worker in workers:
            worker.start()
        at_once(*[lambda table=table: mail(table, server.port) for table in tables])
        drain(installation)
        over.set()
        for worker in workers:
            worker.join()
    with installation.store.read() as session:
        came = dict(session.exec(select(Mail.game_id, Mail.received_at)).all())
    seen = Counter[bool]()
    for table in tables:
        first = waits(table, ended=True)[0]
        turn = next(one for one in events(table, "turn"))
        assert (turn.seat, turn.channel) == (0, "mail")
        called = [one for one in events(table, "deadline", "missed") if one.seq < turn.seq]
        due = first.since + timedelta(seconds=2)
        in_time = came[table.game_id] <= due
        seen[in_time] += 1
        assert not (in_time and called), (came[table.game_id], due)
        assert first.missed == sum(one.kind == "missed" for one in called)
    assert sum(seen.values()) == TABLES  # on a machine that is not too busy, of both kinds
    installation.close()


def test_a_deadline_moved_while_its_reminder_is_sent(
    installation: Installation, clock: HandClock
) -> None:
    tables = [Table.begun(installation, seed=str(n), hours=100) for n in range(4)]

    def give(table: Table) -> None:
        with installation.store.work() as session:
            game = session.get_one(Game, table.game_id)
            author = Author("moderator")
            assert pace.give_time(session, clock(), author, game, 0, timedelta(hours=50))

    clock.advance(hours=80)
    at_once(
        lambda: sweep(installation), lambda: sweep(installation),
        *[lambda table=table: give(table) for table in tables],
    )  # fmt: skip
    assert [waits(table)[0].due_at for table in tables] == [clock() + timedelta(hours=70)] * 4
    early = len(letters(tables[0], "reminders"))
    clock.advance(hours=69)  # 95 % of the new time are over, for each of the tables
    sweep(installation)
    sweep(installation)
    sent = letters(tables[0], "reminders")
    assert len(sent) == early + 1
    assert len({one.once for one in sent}) == len(sent)
    with installation.store.read() as session:
        reminded = session.exec(select(Reminder)).all()
    last = [one for one in reminded if one.letter_id == sent[-1].id]
    assert {one.wait_id for one in last} == {waits(table)[0].id for table in tables}


def test_sweeps_that_are_killed_and_two_processes_at_once(
    installation: Installation, settings: Settings, clock: HandClock
) -> None:
    """`kill -9` at random moments loses nothing and repeats nothing; nor do two at once."""
    tables = [Table.begun(installation, seed=str(n), hours=48) for n in range(30)]
    clock.advance(hours=48)
    chance, killed = random.Random(2), 0
    while True:
        process = sweeping(settings.instance, clock())
        longest = LONGEST_LIFE * (killed + 1) / MOST_KILLS  # short at first: machines differ
        process.join(chance.uniform(0.0, longest) if killed < MOST_KILLS else None)
        if process.exitcode is not None:
            break
        process.kill()
        process.join()
        killed += 1
    assert process.exitcode == 0
    assert killed > 1
    assert_once(installation, tables, 1)
    clock.advance(hours=24)  # the end of the grace
    two = [sweeping(settings.instance, clock()) for _ in range(2)]
    for process in two:
        process.join()
    assert [process.exitcode for process in two] == [0, 0]
    assert_once(installation, tables, 2)
    assert [seat_row(table, 0).misses for table in tables] == [1] * len(tables)


def assert_once(installation: Installation, tables: list[Table], deadlines: int) -> None:
    """So many deadlines at each table, each told once to everybody, and a whole log."""
    for table in tables:
        assert len(events(table, "deadline")) == deadlines
        for seat in range(3):
            assert len(table.letters(seat, "deadline-missed")) == deadlines
    with installation.store.read() as session:
        keys = session.exec(select(Letter.once).where(col(Letter.once).is_not(None))).all()
        assert len(keys) == len(set(keys))
        for table in tables:
            log = select(Event.seq).where(Event.game_id == table.game_id).order_by(col(Event.seq))
            numbers = session.exec(log).all()
            assert numbers == list(range(1, table.game().seq + 1))
