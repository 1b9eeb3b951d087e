"""Attempts to do or to learn more than a role allows."""

import pytest
from sqlmodel import Session, col, select

from pbem.desk import offering, succession
from pbem.desk.offering import OfferError
from pbem.moderation import Target, carry_out, offered, prepare
from pbem.moderation.closed import Closed
from pbem.moderation.state import LOOKED_AT
from pbem.store import Game, Person
from pbem.store.log import Author
from pbem.store.moderated import HAND_OPENED, PublicDeed, public_deeds
from pbem.store.roles import MODERATOR, grant, plays_in, powers_of
from pbem.web.moderator.game_page import game_page
from tests.moderation.deeds import DEEDS
from tests.moderation.doing import audits, do, dump, powers
from tests.moderation.world import ANN, BO, CY, ENDED, RUNNING, World

HAL = "of another game"
SEES_NO_HAND = ("open-hand", "act-for")


@pytest.mark.parametrize("name", ["read-again", "discard", "send-again"])
def test_a_number_of_ones_own_game_opens_no_other(untouched: World, name: str) -> None:
    here, hal = untouched.installation, untouched.actor(HAL)
    target = Target(ENDED, 0, None, untouched.mail_id, untouched.letter_id)
    assert prepare(here, hal, powers(here, hal.person_id), name, target, {}).code == "not-yours"


@pytest.mark.parametrize("name", SEES_NO_HAND)
def test_a_number_of_somebody_elsewhere_opens_no_hand(untouched: World, name: str) -> None:
    here, ann = untouched.installation, untouched.actor("of all, and plays")
    target = Target(RUNNING, 1, person_id=untouched.person("Dan"))
    given = {"commands": untouched.legal()}
    assert prepare(here, ann, powers(here, ann.person_id), name, target, given).code == "plays"


def test_who_may_come_back_to_a_seat_still_plays(world: World) -> None:
    here, ann = world.installation, world.actor("of all, and plays")
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        succession.give_to_bot(
            session, here.site, here.clock(), Author("clock"), game, 0, "late"
        )  # fmt: skip
    mine = powers(here, ann.person_id)
    assert prepare(here, ann, mine, "open-hand", Target(RUNNING, 1), {}).code == "plays"
    olive = world.actor("owner")
    assert do(here, "replace", Target(RUNNING, 0), olive, who="dan@example.net").ok
    with here.store.read() as session:
        assert RUNNING not in plays_in(session, ANN)  # somebody else's seat now


def test_who_has_opened_a_hand_takes_no_seat_there(world: World) -> None:
    here, max_ = world.installation, world.actor("of all games")
    assert do(here, "open-hand", Target(RUNNING, 2), max_).ok
    himself = str(max_.person_id)
    refused = do(here, "replace", Target(RUNNING, 1), max_, who=himself)
    assert refused.code == "at-the-table", refused.sentence
    assert do(here, "invite-substitute", world.mover(), world.actor("owner")).ok
    with here.store.work() as session:
        game, person = session.get_one(Game, RUNNING), session.get_one(Person, max_.person_id)
        with pytest.raises(OfferError, match="cards are known"):
            offering.take(session, here.site, here.clock(), Author("web", person.id), game, person)


def test_a_game_that_ended_early_stays_closed_for_it_may_go_on(untouched: World) -> None:
    here, ann = untouched.installation, untouched.actor("of all, and plays")
    mine = powers(here, ann.person_id)
    assert prepare(here, ann, mine, "reopen", Target(ENDED), {}).code == "plays"
    with here.store.read() as session:
        assert mine is not None
        assert Closed(session, mine).hides_letter(ENDED, BO)
        assert not Closed(session, mine).hides_letter(None, None)
        assert game_page(session, session.get_one(Game, ENDED), mine, here.clock()).plays


@pytest.mark.parametrize("name", ["change-address", "rename-person", "block", "mute"])
def test_whoever_has_a_role_is_for_the_owner(untouched: World, name: str) -> None:
    here, max_ = untouched.installation, untouched.actor("of all games")
    owner = Target(person_id=untouched.person("Olive"))
    given = {"address": "max@elsewhere.example", "name": "Oliver"}
    shown = prepare(here, max_, powers(here, max_.person_id), name, owner, given)
    assert shown.code == "staff", shown.sentence
    assert prepare(here, max_, powers(here, max_.person_id), name, Target(person_id=CY), given).ok
    with here.store.read() as session:
        mine = powers_of(session, max_.person_id or 0)
        offers = offered(here, session, max_, mine, person=owner.person_id)
        refused = {one.action.name: one.refused for one in offers}
    assert "owner does this" in refused[name]


def test_a_blocked_moderator_has_no_powers(world: World) -> None:
    here, olive, max_ = world.installation, world.actor("owner"), world.actor("of all games")
    assert do(here, "block", Target(person_id=max_.person_id), olive).ok
    with here.store.read() as session:
        assert powers_of(session, max_.person_id or 0) is None


@pytest.mark.parametrize("games", ["9-5", ",", ", ,", "1,5-2"])
def test_no_game_is_not_all_games(untouched: World, games: str) -> None:
    here, olive = untouched.installation, untouched.actor("owner")
    mine = powers(here, olive.person_id)
    shown = prepare(here, olive, mine, "pause-many", Target(), {"games": games})
    assert (shown.code, shown.about) == ("parameter", "games")


@pytest.mark.parametrize("text", ["Good\0evening", "\x1b[2J", "x" * 4001])
def test_what_is_no_text_is_not_passed_on(untouched: World, text: str) -> None:
    here, olive = untouched.installation, untouched.actor("owner")
    mine = powers(here, olive.person_id)
    shown = prepare(here, olive, mine, "write-to-table", Target(RUNNING), {"text": text})
    assert (shown.code, shown.about) == ("parameter", "text")


@pytest.mark.parametrize("name", ["act-for", "treat-as", "read-again"])
def test_a_look_that_tells_of_a_hand_is_in_the_audit(world: World, name: str) -> None:
    here, olive = world.installation, world.actor("owner")
    deed, mine = DEEDS[name], powers(here, olive.person_id)
    target, given = deed.target(world), deed.given_in(world)
    shown = prepare(here, olive, mine, name, target, given)
    assert shown.ok
    row = audits(here)[-1]
    assert (row.action, row.outcome, row.person_id) == (name, LOOKED_AT, olive.person_id)
    assert row.game_id == RUNNING
    if name == "act-for":
        refused = prepare(here, olive, mine, name, target, {"commands": "take"})
        assert audits(here)[-1].details["code"] == refused.code == "no-turn"
    count = len(audits(here))
    assert prepare(here, world.actor(HAL), powers(here, world.actor(HAL).person_id), name,
                   target, given).code == "not-yours"  # fmt: skip
    assert len(audits(here)) == count  # it told him nothing
    assert carry_out(here, olive, mine, name, target, given, shown.key).ok


def test_a_preview_that_tells_nothing_is_nowhere(untouched: World) -> None:
    here, olive = untouched.installation, untouched.actor("owner")
    before, count = dump(here), len(audits(here))
    assert prepare(here, olive, powers(here, olive.person_id), "pause", Target(RUNNING), {}).ok
    assert (dump(here), len(audits(here))) == (before, count)


def test_opened_hands_are_told_with_the_rest_when_it_is_over(world: World) -> None:
    here, olive = world.installation, world.actor("owner")
    assert do(here, "open-hand", Target(RUNNING, 2), olive).ok
    assert do(here, "pause", Target(RUNNING), olive).ok
    with here.store.read() as session:
        assert [one.action for one in _deeds(session)] == ["pause"]
    assert do(here, "end", Target(RUNNING), olive).ok
    with here.store.read() as session:
        told = {one.action: one for one in _deeds(session)}
    assert (told["open-hand"].by, told["open-hand"].seat) == ("Olive", 2)
    assert world.table.events()[-1].kind != HAND_OPENED


def _deeds(session: Session) -> list[PublicDeed]:
    return public_deeds(session, session.exec(select(Game).where(col(Game.id) == RUNNING)).one())


def test_a_role_of_one_game_does_not_reach_its_players_elsewhere(world: World) -> None:
    here = world.installation
    with here.store.work() as session:
        grant(session, here.clock(), world.person("Dan"), MODERATOR, game_id=RUNNING)
        dan = powers_of(session, world.person("Dan"))
        assert dan is not None
        assert not dan.reaches(None)
        for seat in (ANN, BO, CY):
            for offer in offered(here, session, world.actor("none"), dan, person=seat):
                pytest.fail(f"{offer.action.name} is offered")
