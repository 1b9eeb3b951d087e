"""Who may do what: every role at every action, against the table of docs/moderators.md."""

import re
from pathlib import Path

import pytest

from pbem.moderation import ACTIONS, FAMILIES, Target, offered, prepare
from tests.moderation.deeds import DEEDS
from tests.moderation.doing import dump, powers
from tests.moderation.world import ENDED, FILLING, RUNNING, World

DOCS = Path(__file__).parents[2] / "docs" / "moderators.md"
_ROW = re.compile(r"^\| `(?P<name>[a-z-]+)` \| (?P<title>[^|]+) \| (?P<who>[^|]+) \|"
                  r" (?P<players>[^|]+) \| (?P<back>[^|]*)\|$", re.M)  # fmt: skip
REACH = {
    "game": {"owner", "of all games", "of this game", "of all, and plays", "owner, and plays"},
    "all games": {"owner", "of all games", "of all, and plays", "owner, and plays"},
    "owner": {"owner", "owner, and plays"},
}
PLAYERS = {
    "yes": set(),
    "owner only": {"of all, and plays"},
    "no": {"of all, and plays", "owner, and plays"},
}
NEEDS_ANOTHER = frozenset({"resume", "start-all", "withdraw-offer", "restore", "count-again"}) | {
    name for name, deed in DEEDS.items() if deed.before
}
ROWS = {row["name"]: row.groupdict() for row in _ROW.finditer(DOCS.read_text(encoding="utf-8"))}


def test_the_docs_list_every_action_as_it_is() -> None:
    assert {name: row["title"] for name, row in ROWS.items()} == {
        name: action.title for name, action in ACTIONS.items()
    }
    assert list(ROWS) == [action.name for _title, family in FAMILIES for action in family]


@pytest.mark.parametrize("role", ["owner", "of all games", "of this game", "of another game",
                                  "of all, and plays", "owner, and plays", "none"])  # fmt: skip
def test_a_role_may_what_the_docs_say(untouched: World, role: str) -> None:
    here, actor = untouched.installation, untouched.actor(role)
    mine, before = powers(here, actor.person_id), dump(here)
    if role == "none":
        assert mine is None  # no page knows him; nothing is asked of the registry
        return
    for name, deed in DEEDS.items():
        if name in NEEDS_ANOTHER:
            continue  # the same as its inverse, which is tried
        row, target = ROWS[name], deed.target(untouched)
        may = role in REACH[row["who"]]
        if target.game_id == ENDED and row["who"] == "game":
            may = role != "of this game"  # which is another one
        elif target.game_id == FILLING and role == "of this game":
            may = False
        closed = role in PLAYERS[row["players"]]
        if ACTIONS[name].scope == "mail":  # closed to whoever plays, until the owner opens it
            closed = role in ("of all, and plays", "owner, and plays")
        shown = prepare(here, actor, mine, name, target, deed.given_in(untouched))
        expected = "" if may and not closed else "plays" if may else "not-yours"
        if expected == "plays" and ACTIONS[name].scope == "selection":
            expected = "no-game"  # his own tables are left out
        assert shown.code == expected, (role, name, shown.sentence)
    assert dump(here) == before


@pytest.mark.parametrize("place", [
    {}, {"game": RUNNING}, {"game": RUNNING, "seat": 1}, {"game": FILLING}, {"person": 3},
    {"mail": 1}, {"letter": 1},
])  # fmt: skip
def test_what_is_offered_can_be_prepared(untouched: World, place: dict[str, int]) -> None:
    here, actor = untouched.installation, untouched.actor("owner")
    mine = powers(here, actor.person_id)
    with here.store.read() as session:
        offers = offered(here, session, actor, mine, **place)
    assert offers
    for offer in offers:
        assert not offer.refused
        shown = prepare(here, actor, mine, offer.action.name, offer.target, {})
        # without its values it asks for them, and for nothing else
        assert shown.code in ("", "parameter", "name", "no-change", "asked", "deck-name")


def test_whoever_moderates_one_game_is_offered_nothing_elsewhere(untouched: World) -> None:
    here, actor = untouched.installation, untouched.actor("of this game")
    mine = powers(here, actor.person_id)
    with here.store.read() as session:
        for place in ({}, {"game": FILLING}, {"person": 3}):
            assert not offered(here, session, actor, mine, **place)
        assert offered(here, session, actor, mine, game=RUNNING)


def test_whoever_plays_is_told_who_else_acts(untouched: World) -> None:
    here, actor = untouched.installation, untouched.actor("of all, and plays")
    mine = powers(here, actor.person_id)
    with here.store.read() as session:
        offers = {
            one.action.name: one.refused
            for one in offered(here, session, actor, mine, game=RUNNING, seat=2)
        }
    assert "deputy or the owner" in offers["open-hand"]
    assert offers["resend"] == ""


def test_no_target_and_no_action_are_values(untouched: World) -> None:
    here, actor = untouched.installation, untouched.actor("owner")
    mine = powers(here, actor.person_id)
    for name in ACTIONS:
        for target in (Target(), Target(99, 9), Target(RUNNING, 9), Target(None, None, 99, 99, 99)):
            shown = prepare(here, actor, mine, name, target, {})
            assert shown.code != "failed", (name, target)
    assert prepare(here, actor, mine, "nothing", Target(), {}).code == "no-action"
