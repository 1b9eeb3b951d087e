"""Going back: the position is the one that was, whatever was gone back to before; the record
holds the line that stands, and all that reads the log agrees."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlmodel import Session

from engine.game import Position, legal_moves
from engine.moves import notation, to_json
from engine.record import read, replay
from pbem.archive.filing import file
from pbem.archive.records import dump, record_of
from pbem.desk import rolling_back, turns
from pbem.desk.deadlines import open_waits
from pbem.installation import Installation
from pbem.moderation import Case, Target, prepare
from pbem.moderation.rolling_back import turns_offered
from pbem.store import Event, FinishedGame, Game, Letter
from pbem.store.line import stands, undone
from pbem.store.log import Author, events_of, last_turn_of
from pbem.store.positions import position_at, position_now, replayed
from tests.desk.table import Table
from tests.examples import examples
from tests.moderation.doing import COMMAND_LINE, do, undo
from tests.moderation.world import RUNNING, World


class _TakenBack(Exception):
    """So that the next example finds the same database."""


def _move(session: Session, installation: Installation, game: Game, chance: random.Random) -> None:
    position = position_now(game)
    seat = position.to_move[0]
    move = chance.choice(legal_moves(position, seat))
    turns.play(session, installation.site, installation.clock(), Author("cli"), game, seat, move)


STEPS = st.lists(st.tuples(st.booleans(), st.integers(0, 10_000)), min_size=3, max_size=14)


@examples(8, HealthCheck.function_scoped_fixture)
@given(steps=STEPS, seed=st.integers(0, 1000))
def test_a_rollback_is_the_position_that_was(
    untouched: World, steps: list[tuple[bool, int]], seed: int
) -> None:
    """Turns and rollbacks in any order, to any event: also to one that was undone before."""
    here, chance = untouched.installation, random.Random(seed)
    with suppress(_TakenBack), here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        first = next(one.seq for one in events_of(session, game) if one.kind == "started")
        known: dict[int, Position] = {
            seq: position_at(session, game, seq) for seq in range(first, game.seq + 1)
        }
        decisions = game.decision
        for back, number in steps:
            before = game.seq
            if back and game.seq > first:
                to = first + number % (game.seq - first)
                rolling_back.roll_back(session, here.clock(), Author("cli"), game, to)
                assert position_now(game) == known[to]
                decisions += 1
            elif game.status == "running":
                pets = position_now(game).phase == "pets"
                _move(session, here, game, chance)
                decisions += not pets
            session.flush()
            for seq in range(before + 1, game.seq + 1):
                known[seq] = position_now(game)
        assert game.decision == decisions
        _all_agree(session, game, known)
        raise _TakenBack


def _all_agree(session: Session, game: Game, known: dict[int, Position]) -> None:
    assert replayed(session, game) == position_now(game)
    for seq, position in list(known.items())[::5]:
        assert replayed(session, game, seq) == position
    standing = [event for event in events_of(session, game) if event.kind == "turn"]
    record = record_of(session, game)
    assert [to_json(turn.move) for turn in record.turns] == [one.move for one in standing]
    assert len(standing) == position_now(game).turn
    replay(read(dump(record))[0])
    for seat in range(game.players):
        own = [event.seq for event in standing if event.seat == seat]
        assert last_turn_of(session, game, seat) == max(own, default=0)
    gaps = undone(game)
    every = events_of(session, game, every=True)
    assert [one.seq for one in every if one.kind == "turn" and stands(one, gaps)] == [
        one.seq for one in standing
    ]


@pytest.fixture
def table(installation: Installation) -> Table:
    """Nine turns old, with a message to all after the sixth."""
    table = Table.begun(installation)
    for turn in range(9):
        position = position_now(table.game())
        table.play(legal_moves(position, position.to_move[0])[0])
        if turn == 5:
            table.order(0, "say all: a mistake!")
    return table


def _turns(table: Table) -> list[Event]:
    return [event for event in table.events() if event.kind == "turn"]


def test_the_table_is_told_and_asked_anew(table: Table) -> None:
    here, clock = table.installation, table.installation.clock
    clock.advance(hours=5)  # type: ignore[attr-defined]
    gone = [event.seq for event in _turns(table)[-2:]]
    done = do(here, "roll-back", Target(table.game_id), to=str(gone[0] - 1), messages="keep")
    assert done.ok, done.sentence
    assert [kind for kind, _person in done.letters] == ["rollback"] * 3
    assert [one.before for one in done.changes] != [one.after for one in done.changes]
    game, event = table.game(), table.events()[-2]
    assert (event.kind, event.public["to"], event.public["undone"]) == (
        "rollback", gone[0] - 1, gone,
    )  # fmt: skip
    assert table.to_move() == (7 % 3,)
    assert game.due_at is not None
    assert game.waiting_since == clock()
    assert [one.seq for one in _turns(table)][-1] < gone[0]
    assert undo(here, done).ok
    assert [one.seq for one in _turns(table)][-2:] == gone


def test_a_letter_of_the_line_that_was_taken_back_is_aged(table: Table) -> None:
    decision = table.game().decision
    to = str(_turns(table)[-1].seq - 1)
    assert do(table.installation, "roll-back", Target(table.game_id), to=to, messages="keep").ok
    position = position_now(table.game())
    seat = position.to_move[0]
    turn = notation(legal_moves(position, seat)[0])
    assert table.order(seat, turn, decision=decision).outcome == "aged"
    assert table.order(seat, turn, decision=table.game().decision).outcome == "done"


@pytest.mark.parametrize(("choice", "seen"), [("keep", True), ("take-back", False)])
def test_messages_since_stay_or_go(table: Table, choice: str, seen: bool) -> None:
    to = str(_turns(table)[4].seq)
    done = do(table.installation, "roll-back", Target(table.game_id), to=to, messages=choice)
    assert done.ok
    with table.installation.store.read() as session:
        said = [one for one in events_of(session, table.game()) if one.kind == "say"]
    assert bool(said) is seen
    assert bool(table.letters(kind="message")) is True
    assert any(one.state == "replaced" for one in table.letters(kind="message")) is not seen


def test_it_warns_of_hidden_cards_that_were_seen(table: Table) -> None:
    gathers = [
        event for event in _turns(table)
        for part in event.happenings if part["kind"] == "gather"
    ]  # fmt: skip
    to = str(gathers[0].seq - 1)
    target = Target(table.game_id)
    given = {"to": to, "messages": "keep"}
    shown = prepare(table.installation, COMMAND_LINE, None, "roll-back", target, given)
    assert any("has drawn" in warning for warning in shown.warnings)


def test_the_turn_that_is_chosen_goes(table: Table) -> None:
    """What the list says of a turn is what becomes of it."""
    here, last = table.installation, _turns(table)[-1].seq
    with here.store.read() as session:
        case = Case(here, session, here.clock(), COMMAND_LINE, Target(table.game_id))
        to, label = turns_offered(case)[0]
    assert label.startswith(f"take back event {last}, ")
    assert do(here, "roll-back", Target(table.game_id), to=to, messages="keep").ok
    assert last not in [one.seq for one in _turns(table) if stands(one, undone(table.game()))]


@pytest.mark.parametrize("to", ["0", "1", "99999", "x", "-1"])
def test_an_event_that_is_none_is_refused(table: Table, to: str) -> None:
    target, given = Target(table.game_id), {"to": to, "messages": "keep"}
    shown = prepare(table.installation, COMMAND_LINE, None, "roll-back", target, given)
    assert shown.code in ("no-event", "parameter")
    assert shown.about == "to"


def test_a_game_that_is_over_goes_on(untouched: World) -> None:
    """The last turn was wrong: taken back, the game runs and the archive lets go of it."""
    here, chance = untouched.installation, random.Random(1)
    with suppress(_TakenBack), here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        while game.status == "running":
            _move(session, here, game, chance)
        session.flush()
        file(session, game)
        assert session.get(FinishedGame, RUNNING) is not None
        last = [one.seq for one in events_of(session, game) if one.kind == "turn"][-1]
        rolling_back.roll_back(session, here.clock(), Author("cli"), game, last - 1)
        assert (game.status, game.finished_at) == ("running", None)
        assert position_now(game).phase == "end"
        assert [wait.seat for wait in open_waits(session, game)] == list(position_now(game).to_move)
        file(session, game)
        assert session.get(FinishedGame, RUNNING) is None
        _move(session, here, game, chance)
        assert game.status == "over"
        replay(read(dump(record_of(session, game)))[0])
        raise _TakenBack


def test_a_reminder_of_what_was_taken_back_goes_out_to_nobody(world: World) -> None:
    here = world.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        [wait, *_others] = open_waits(session, game)
        wait.reminded_at = here.clock()
        letter = Letter(
            kind="reminders", person_id=wait.person_id, to_address="x@example.net",
            message_id="<reminders@x>", created_at=here.clock(), next_at=here.clock(),
            context={"waits": [wait.id]},
        )  # fmt: skip
        session.add_all([wait, letter])
        session.flush()
        turns_done = [one for one in events_of(session, game) if one.kind == "turn"]
        rolling_back.roll_back(
            session, here.clock(), Author("moderator"), game, turns_done[-1].seq - 1
        )
        assert letter.state == "replaced"
