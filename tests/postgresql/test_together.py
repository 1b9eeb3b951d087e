"""What happens at the same time on several machines: each of them is an installation with
connections of its own, on one database."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeVar

import pytest
from sqlmodel import col, select

from pbem.archive.filing import file_due
from pbem.clock import sweep
from pbem.desk import Answer, Order
from pbem.installation import Installation, open_installation
from pbem.intake.handling import read_mail
from pbem.jobs.bots import play_bots
from pbem.post.claiming import Claimed, claim
from pbem.post.pace import Pace
from pbem.settings import Settings
from pbem.store import Event, Game, Letter, Person, Reliability, Statistic
from pbem.store.log import Author, append
from pbem.store.people import holders
from tests.archive.games import brought_in, played
from tests.conftest import CountedEntropy, HandClock
from tests.desk.table import Table, written
from tests.intake.mails import deposit
from tests.intake.mails import written as mail
from tests.intake.people import reply_to

MACHINES = 4
UPDATES = 400  # of 1,200 SQLite's driver, left to itself, lost 696
T = TypeVar("T")


@pytest.fixture
def machines(settings: Settings, clock: HandClock) -> Iterator[list[Installation]]:
    with ExitStack() as stack:
        opened = [
            open_installation(settings, clock=clock, entropy=CountedEntropy())
            for _ in range(MACHINES)
        ]
        for one in opened:
            stack.callback(one.close)
        yield opened


def together(machines: list[Installation], work: Callable[[Installation], T]) -> list[T]:
    """The same work on every machine, begun at once; what each of them gives."""
    barrier = threading.Barrier(len(machines))
    found: list[T] = []
    failed: list[BaseException] = []

    def begin(machine: Installation) -> None:
        barrier.wait()
        try:
            found.append(work(machine))
        except BaseException as error:  # noqa: BLE001 - raised below
            failed.append(error)

    threads = [threading.Thread(target=begin, args=(one,)) for one in machines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return found


def test_no_update_is_lost(machines: list[Installation]) -> None:
    """Neither of units of work alone, nor of those at one table, nor between the two."""
    table = Table.begun(machines[0])

    def count_up(machine: Installation) -> None:
        for number in range(UPDATES // MACHINES):
            with machine.store.work(table.game_id if number % 3 else None) as session:
                game = session.get_one(Game, table.game_id)
                game.outage_id += 1
                session.add(game)

    together(machines, count_up)
    assert table.game().outage_id == UPDATES


def test_units_of_work_at_different_tables_do_not_wait_for_each_other(
    machines: list[Installation],
) -> None:
    """Both are in the middle of theirs at the same time, or this ends with a broken barrier."""
    tables = [Table.begun(machines[0], seed=str(number)) for number in range(2)]
    inside = threading.Barrier(2, timeout=30)

    def meet(machine: Installation) -> None:
        with machine.store.work(tables[machines.index(machine)].game_id):
            inside.wait()

    together(machines[:2], meet)


def test_whoever_works_alone_waits_for_those_at_a_table(machines: list[Installation]) -> None:
    table = Table.begun(machines[0])
    begun, ended = threading.Event(), threading.Event()

    def alone() -> None:
        begun.set()
        with machines[1].store.work():
            assert ended.is_set()

    thread = threading.Thread(target=alone)
    with machines[0].store.work(table.game_id):
        thread.start()
        assert begun.wait(30)
        thread.join(0.2)
        assert thread.is_alive()
        ended.set()
    thread.join(30)
    assert not thread.is_alive()


def test_a_mail_that_is_nothing_but_a_turn_writes_to_its_table_only(
    machines: list[Installation],
) -> None:
    machine, table = machines[0], Table.begun(machines[0])
    (asking,) = table.letters(0, "your-turn") or table.letters(0, "game-begins")
    address, turn = reply_to(machine, asking), written(table.view(0).legal()[0])
    for text, only in (
        (turn, table.game_id),
        (f"preview {turn}\n{turn}\n\nBest wishes from the sea.", table.game_id),
        (f"{turn}\nlanguage de", None),
        ("vacation 2026-12-05 to 2026-12-06", None),
    ):
        raw = mail(text, "Ann <ann@example.net>", to=address)
        number = deposit(machine, raw, address, "ann@example.net")
        assert read_mail(machine, number).only_table == only, text


def test_of_turns_from_one_seat_at_once_one_is_done(machines: list[Installation]) -> None:
    table = Table.begun(machines[0])
    for _round in range(5):
        seat = table.to_move()[0]
        moves = [written(move) for move in table.view(seat).legal()][: len(machines)]
        before = table.game()

        def move(
            machine: Installation, seat: int = seat, moves: list[str] = moves, at: Game = before
        ) -> Answer:
            text = moves[machines.index(machine)]
            return _ordered(machine, table, seat, text, at.decision, at_table=True)

        answers = together(machines, move)
        told = Counter(one.outcome for one in answers)
        assert told == {"done": 1, "aged": len(machines) - 1}, told
        after = table.game()
        assert (after.seq, after.decision) == (before.seq + 1, before.decision + 1)
    assert [event.seq for event in table.events()] == list(range(1, table.game().seq + 1))


def test_the_same_turn_from_all_machines_is_done_once(machines: list[Installation]) -> None:
    table = Table.begun(machines[0])
    text = written(table.view(0).legal()[0])
    answers = together(machines, lambda machine: _ordered(machine, table, 0, text, 0))
    assert Counter(one.outcome for one in answers) == {"done": 1, "repeated": len(machines) - 1}
    assert sum(event.kind == "turn" for event in table.events()) == 1


def test_bots_of_one_game_on_all_machines(machines: list[Installation]) -> None:
    table = Table.begun(machines[0], players=1, bots=("greedy", "random"))
    for _round in range(4):
        table.play(table.view(0).legal()[0])
        together(machines, lambda machine: play_bots(machine, table.game_id))
        assert table.to_move() == (0,)
    turns = [event for event in table.events() if event.kind == "turn"]
    assert [event.seat for event in turns] == [0, 1, 2] * 4


def test_turns_of_one_person_at_two_tables_are_both_counted(machines: list[Installation]) -> None:
    tables = [Table.begun(machines[0], seed=str(number)) for number in range(len(machines))]

    def move(machine: Installation) -> Answer:
        table = tables[machines.index(machine)]
        return _ordered(machine, table, 0, written(table.view(0).legal()[0]), 0, at_table=True)

    assert [one.outcome for one in together(machines, move)] == ["done"] * len(machines)
    with machines[0].store.read() as session:
        ann = session.exec(select(Person.id).where(Person.name == "Ann")).one()
        assert session.get_one(Reliability, ann).on_time == len(machines)


def test_whoever_is_back_at_one_table_is_back_at_all_of_them(
    machines: list[Installation], clock: HandClock
) -> None:
    """Her other table is written at meanwhile, and neither of the two is lost."""
    here, there = (Table.begun(machines[0], seed=str(number)) for number in range(2))
    away = here.order(0, "vacation 2026-12-01 to 2026-12-10")
    assert away.outcome == "done", away
    clock.advance(hours=1)
    text, before = written(here.view(0).legal()[0]), there.game().outage_id

    def work(machine: Installation) -> None:
        if machine is machines[0]:
            assert _ordered(machine, here, 0, text, 0, at_table=True).outcome == "done"
            return
        for _ in range(10):
            with machine.store.work(there.game_id) as session:
                game = session.get_one(Game, there.game_id)
                append(session, game, "say", clock(), Author("cli"), public={"text": "…"})
                game.outage_id += 1
                session.add(game)

    together(machines, work)
    assert there.game().outage_id == before + 10 * (len(machines) - 1)
    for table in (here, there):
        events = table.events()
        assert [one.seq for one in events] == list(range(1, table.game().seq + 1))
        assert sum(one.kind == "back" for one in events) == 1


def test_of_all_machines_one_reads_the_mailbox(machines: list[Installation]) -> None:
    one, other = machines[0].store, machines[1].store
    with one.only_one("mailbox a") as first, other.only_one("mailbox b") as another:
        assert first
        assert another
        with other.only_one("mailbox a") as second:
            assert not second
    with other.only_one("mailbox a") as next_one:
        assert next_one


def test_sweeps_on_all_machines_remind_once(machines: list[Installation], clock: HandClock) -> None:
    tables = [Table.begun(machines[0], seed=str(number), hours=48) for number in range(3)]
    for hours in (26, 22):  # reminders, and the deadline
        clock.advance(hours=hours)
        together(machines, sweep)
    with machines[0].store.read() as session:
        letters = session.exec(select(Letter)).all()
        keys = [one.once for one in letters if one.once is not None]
        assert len(keys) == len(set(keys))
        for table in tables:
            log = select(Event).where(Event.game_id == table.game_id).order_by(col(Event.seq))
            events = session.exec(log).all()
            assert [one.seq for one in events] == list(range(1, table.game().seq + 1))
            assert sum(one.kind == "deadline" for one in events) == 1


def test_no_letter_is_claimed_twice(machines: list[Installation], clock: HandClock) -> None:
    for number in range(4):
        Table.begun(machines[0], seed=str(number))

    def take(machine: Installation) -> list[Claimed]:
        found: list[Claimed] = []
        while True:
            with machine.store.work() as session:
                pace = Pace(machine.settings.post.model_copy(update={"per_domain_per_minute": 0}))
                some = claim(session, clock(), pace, 2)
            if not some:
                return found
            found += some

    taken = [one.letter.id for some in together(machines, take) for one in some]
    assert len(taken) == len(set(taken))
    with machines[0].store.read() as session:
        waiting = session.exec(select(Letter.id).where(Letter.state == "sending")).all()
    assert set(waiting) == set(taken) != set()


def test_a_game_that_is_over_is_filed_once(machines: list[Installation]) -> None:
    brought_in(machines[0], played("filed"))
    together(machines, lambda machine: file_due(machine.store))
    with machines[0].store.read() as session:
        games = session.exec(
            select(Statistic.count).where(Statistic.what == "games", Statistic.key == "turns")
        ).all()
    assert sum(games) == 1


def _ordered(
    machine: Installation, table: Table, seat: int, text: str, decision: int,
    at_table: bool = False,
) -> Answer:  # fmt: skip
    """An order in answer to the letter of a decision."""
    with machine.store.work(table.game_id if at_table else None) as session:
        game = session.get_one(Game, table.game_id)
        person_id = holders(session, game)[seat].person_id
        order = Order(
            text, Author("web", person_id), game_id=table.game_id, seat=seat, decision=decision
        )
        return machine.desk.take_order(session, order)
