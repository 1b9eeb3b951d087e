"""The two steps: a preview changes nothing, a key does one thing once."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.installation import Installation
from pbem.moderation import Target, carry_out, prepare
from pbem.store.audit import Actor
from tests.desk.table import Table
from tests.moderation.doing import COMMAND_LINE, REASON, audits, do, dump, undo


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation)


def test_a_preview_changes_nothing(installation: Installation, table: Table) -> None:
    target = Target(table.game_id, table.to_move()[0])
    before = dump(installation)
    shown = prepare(installation, COMMAND_LINE, None, "more-time", target, {"span": "24h"})
    assert shown.ok
    assert shown.changes[0].what == "deadline"
    assert [kind for _game, _seq, kind in shown.events] == ["deadline-moved", "moderated"]
    assert [kind for kind, _person in shown.letters] == ["moderated"]
    assert dump(installation) == before


def test_what_was_shown_is_done_and_written_down(installation: Installation, table: Table) -> None:
    target = Target(table.game_id, table.to_move()[0])
    was = table.game().due_at
    done = do(installation, "more-time", target, span="24h")
    assert done.ok, done.sentence
    assert was is not None
    assert (table.game().due_at - was).total_seconds() == 86400  # type: ignore[operator]
    row = audits(installation)[-1]
    assert (row.action, row.reason, row.seat) == ("more-time", REASON, target.seat)
    assert row.details["values"] == {"span": "86400"}
    event = table.events()[-1]
    assert event.public["action"] == "more-time"
    assert event.public["person"] is not None
    assert undo(installation, done).ok
    assert table.game().due_at == was


def test_the_same_key_does_nothing_twice(installation: Installation, table: Table) -> None:
    target, given = Target(table.game_id), {}
    shown = prepare(installation, COMMAND_LINE, None, "pause", target, given)
    first = carry_out(installation, COMMAND_LINE, None, "pause", target, given, shown.key)
    before = dump(installation)
    again = carry_out(installation, COMMAND_LINE, None, "pause", target, given, shown.key)
    assert first.ok
    assert again.repeated
    assert (again.sentences, again.audit_id) == (first.sentences, first.audit_id)
    assert dump(installation) == before


def test_a_table_that_moved_meanwhile_is_left_alone(
    installation: Installation, table: Table
) -> None:
    target = Target(table.game_id)
    shown = prepare(installation, COMMAND_LINE, None, "pause", target, {})
    table.order(0, "say all: hello")
    before = dump(installation)
    done = carry_out(installation, COMMAND_LINE, None, "pause", target, {}, shown.key)
    assert done.code == "stale"
    assert dump(installation) == before


@pytest.mark.parametrize("key", ["", "x", "20261201T090000-0", "20251201T090000-0", "é-1"])
def test_a_made_up_key_opens_nothing(installation: Installation, table: Table, key: str) -> None:
    done = carry_out(installation, COMMAND_LINE, None, "pause", Target(table.game_id), {}, key)
    assert done.code == "stale"


def test_without_a_reason_nothing_is_done(installation: Installation, table: Table) -> None:
    mute = Actor("cli")
    target = Target(table.game_id)
    shown = prepare(installation, mute, None, "pause", target, {})
    assert carry_out(installation, mute, None, "pause", target, {}, shown.key).code == "reason"


def test_two_who_confirm_at_once_do_it_once(installation: Installation, table: Table) -> None:
    target = Target(table.game_id)
    shown = prepare(installation, COMMAND_LINE, None, "pause", target, {})

    def confirm(_number: int) -> bool:
        done = carry_out(installation, COMMAND_LINE, None, "pause", target, {}, shown.key)
        assert done.ok, done.sentence
        return done.repeated

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(confirm, range(4))) == [False, True, True, True]
    assert [row.action for row in audits(installation)] == ["pause"]
    assert [event.kind for event in table.events()].count("paused") == 1
