"""Every action: its preview changes nothing, it is written down with who and why, whoever it
concerns is told, and its inverse brings back what was."""

import pytest
from sqlmodel import select

from pbem.moderation import ACTIONS, Target, prepare
from pbem.store import Event
from tests.moderation.deeds import DEEDS
from tests.moderation.doing import REASON, audits, do, dump, powers, undo
from tests.moderation.world import World, essence

OWNER = "owner"


def test_every_action_has_its_case() -> None:
    assert set(DEEDS) == set(ACTIONS)


def _done_before(world: World, name: str) -> None:
    for other in DEEDS[name].before:
        deed = DEEDS[other]
        done = do(
            world.installation, other, deed.target(world), world.actor(OWNER),
            **deed.given_in(world),
        )  # fmt: skip
        assert done.ok, (other, done.sentence)


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_from_preview_to_inverse(world: World, name: str) -> None:
    deed, here, olive = DEEDS[name], world.installation, world.actor(OWNER)
    _done_before(world, name)
    target, given = deed.target(world), deed.given_in(world)
    before = dump(here)
    with here.store.read() as session:
        was = essence(session)
    shown = prepare(here, olive, powers(here, olive.person_id), name, target, given)
    assert shown.ok, shown.sentence
    assert shown.sentences
    assert dump(here) == before, "the preview has changed something"

    done = do(here, name, target, olive, **given)
    assert done.ok, done.sentence
    assert done.sentences == shown.sentences
    if not ACTIONS[name].blind:
        assert [one[2] for one in done.events] == [one[2] for one in shown.events]
        assert done.letters == shown.letters
    row = audits(here)[-1]
    assert (row.action, row.person_id, row.reason) == (name, olive.person_id, REASON)
    assert row.id == done.audit_id
    if target.game_id is not None:
        _is_in_the_log(world, name, target, olive.person_id)
    world.installation.clock.advance(seconds=deed.later)  # type: ignore[attr-defined]
    _undone(world, done.inverse is not None, name, was, done)


def _is_in_the_log(world: World, name: str, target: Target, by: int | None) -> None:
    with world.installation.store.read() as session:
        rows = session.exec(select(Event).where(Event.game_id == target.game_id)).all()
        assert any(
            row.kind == "moderated"
            and row.public["action"] == name
            and row.public["by"] == by
            and ("person" in row.public) == (target.seat is not None)
            for row in rows
        )


def _undone(world: World, invertible: bool, name: str, was: object, done: object) -> None:
    if not invertible:
        return
    back = undo(world.installation, done, world.actor(OWNER))  # type: ignore[arg-type]
    assert back.ok, back.sentence
    if DEEDS[name].restored:
        with world.installation.store.read() as session:
            assert essence(session) == was
