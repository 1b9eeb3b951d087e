"""What those concerned read of a moderator's action: what was done, by whom, and why."""

import pytest

from pbem.letters.render import render
from pbem.moderation import Target
from pbem.store.audit import UNGIVEN, Actor
from tests.moderation.deeds import DEEDS
from tests.moderation.doing import REASON, do
from tests.moderation.world import RUNNING, World

OWNER = "owner"


@pytest.mark.parametrize(
    ("name", "target", "kind", "given"),
    [
        ("pause", Target(RUNNING), "paused", {}),
        ("pace", Target(RUNNING), "pace", {"control": "72h"}),
        ("end", Target(RUNNING), "ended", {}),
        ("give-to-bot", Target(RUNNING, 2), "seat-news", {}),
        ("give-to-bot", Target(RUNNING, 2), "seat-lost", {}),
    ],
)
def test_a_letter_about_the_table_says_who_decided_and_why(
    world: World, name: str, target: Target, kind: str, given: dict[str, str]
) -> None:
    here = world.installation
    assert do(here, name, target, world.actor(OWNER), **given).ok
    letters = world.table.letters(kind=kind)
    assert letters
    with here.store.read() as session:
        for letter in letters:
            text = render(session, here.site, letter).text
            assert "(moderator) has decided this.\nThe reason:\n│ " + REASON in text
            assert "not answered" not in text  # nobody was late


def test_a_turn_that_a_bot_does_for_a_moderator_is_told_as_such(world: World) -> None:
    here, deed = world.installation, DEEDS["play-once"]
    target = deed.target(world)
    assert do(here, "play-once", target, world.actor(OWNER)).ok
    assert not world.table.letters(kind="played-for-you")
    copies = world.table.letters(target.seat, "moderated")
    assert [one.context["reason"] for one in copies if one.context["turn"]] == [REASON]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("act-for", "Your turn was done for you."),
        ("play-once", "A bot has done this turn for you."),
    ],
)
def test_a_turn_that_was_done_for_somebody_is_told_in_a_sentence(
    world: World, name: str, said: str
) -> None:
    here, deed = world.installation, DEEDS[name]
    target = deed.target(world)
    assert do(here, name, target, world.actor(OWNER), **deed.given_in(world)).ok
    [letter] = world.table.letters(target.seat, "moderated")
    with here.store.read() as session:
        told = render(session, here.site, letter)
    first, second, _rest = told.text.split("\n", 2)
    assert first == said
    assert second.startswith(("You took the ", "You boarded the "))
    assert "You " in told.html
    assert "·horse" not in told.text


@pytest.mark.parametrize(
    ("name", "kind"), [("pause", "paused"), ("visibility", "moderated"), ("roll-back", "rollback")]
)
def test_a_letter_gives_no_reason_where_none_was_given(world: World, name: str, kind: str) -> None:
    here, deed = world.installation, DEEDS[name]
    actor = Actor("cli", reason=UNGIVEN)
    assert do(here, name, deed.target(world), actor, **deed.given_in(world)).ok
    letters = world.table.letters(kind=kind)
    assert letters
    with here.store.read() as session:
        for letter in letters:
            told = render(session, here.site, letter)
            assert "reason" not in told.text
            assert "reason:" not in told.html


def test_nobody_in_particular_lets_the_clocks_run_from_the_command_line(world: World) -> None:
    here, actor = world.installation, Actor("cli", reason=UNGIVEN)
    for name in ("pause", "resume"):
        assert do(here, name, Target(RUNNING), actor).ok
    with here.store.read() as session:
        text = render(session, here.site, world.table.letters(kind="paused")[-1]).text
    assert text.startswith("The clocks run again.")
    assert "Somebody" not in text
