"""Stories of tables: their time, their turns, their seats (docs/stories.md)."""

from datetime import UTC, datetime, timedelta

from pbem.clock import sweep, tick
from pbem.desk import failing
from pbem.store import Game
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.roles import MODERATOR, grant
from pbem.store.sittings import open_sitting
from tests.browsers import PHONE
from tests.stories.hands import Keyboard
from tests.stories.house import BO, CY, FINISHED, MONDAY, SUNDAY, secret
from tests.stories.story import Story

THREE = ("Ann", "Bo", "Cy")


def test_somebody_moved_with_the_wrong_card_and_asks_for_it_back(story: Story) -> None:
    """Bo meant another card; nobody has moved since, and the others agree."""
    why = "Bo took the wrong card, and the others agree."
    seq, turn = story.table().game().seq, story.legal()
    assert story.answer("Bo", turn).state == "done"
    assert story.table().to_move() == (CY,)
    olive = story.moderator(with_axe=True)
    olive.go(f"/games/{SUNDAY}")
    olive.open_action("Roll back")
    shown = olive.preview(why)  # the newest turn is what is offered first
    assert f"goes back to how it stood after event {seq}" in shown
    assert "Bo has drawn a card from the stack meanwhile" in shown
    olive.confirm()
    assert olive.page.get_by_role("button", name="Let it stand again").count() == 1
    assert story.events() == ["rollback", "moderated"]
    assert story.letters() == [("rollback", name) for name in THREE]
    assert why.partition(",")[0] in story.read_by("Cy", "rollback")
    assert story.audit() == [("roll-back", "Olive", why)]
    assert story.table().to_move() == (BO,)
    assert story.answer("Bo", turn).state == "done"  # an answer to the letter that asks anew


def test_a_player_vanishes(story: Story) -> None:
    """Bo has missed his turn and answers nobody; nobody takes his seat, so a bot has it."""
    why, then = "Bo has not answered for days.", "Nobody has taken the seat."
    for hours in (49, 25):  # the deadline, and the grace after it
        story.clock.advance(hours=hours)
        sweep(story.here)
    story.days_later(0, "Max")
    one = story.moderator("Max")
    one.go("/games?q=sunday")
    one.follow("Sunday club")
    one.do("Invite a substitute", why, seat=BO)
    assert story.letters() == [("substitute-wanted", "Dan")]
    story.days_later(1, "Max")
    one.go()
    one.follow("Sunday club")  # it stands there: a seat without a player
    done = one.do("Let a bot play from now on", then, seat=BO)
    assert "who has it again with the first answer" in done
    assert story.events()[0] == "offered"
    assert story.events()[-2:] == ["left-to-bot", "moderated"]
    assert story.letters()[1:] == [
        ("seat-news", "Ann"), ("seat-news", "Cy"), ("seat-lost", "Bo"),
    ]  # fmt: skip
    assert story.audit() == [("invite-substitute", "Max", why), ("give-to-bot", "Max", then)]
    with story.here.store.read() as session:
        assert holders(session, session.get_one(Game, SUNDAY))[BO].bot


def test_a_power_cut_of_two_days(story: Story) -> None:
    """The server was off from Tuesday to Thursday: nobody has lost any time by that, and
    everybody gets another day."""
    why, before = "The server was off for two days.", story.due
    tick(story.here)
    story.days_later(2)
    tick(story.here)
    assert story.due == before + timedelta(days=2)
    olive = story.moderator()
    olive.go(f"/games/{SUNDAY}")
    assert "The server was not there for a while: the time of Bo is longer by that." in olive.text
    olive.go("/actions")
    olive.do("Give many tables more time", why, {"Games": "all", "How much more": "1d"})
    assert story.due == before + timedelta(days=3)
    for game_id in (SUNDAY, MONDAY):
        assert story.events(game_id) == ["deadline-moved", "moderated"]
    assert story.letters() == [("moderated", "Bo"), ("moderated", "Bo")]  # one a table
    assert f"Olive (moderator) has decided this. The reason: │ {why}" in story.read_by(
        "Bo", "moderated"
    )
    assert story.audit() == [("extend-many", "Olive", why)]


def test_a_halted_game(story: Story) -> None:
    """The clock failed at a table three times, so it was halted; a new version is installed.
    Olive works by keyboard alone."""
    why, before = "A new version is installed.", story.due
    with story.here.store.work() as session:
        game = session.get_one(Game, SUNDAY)
        failing.halt(session, story.here.site, story.clock(), Author("clock"), game)
    story.post()
    story.clock.advance(hours=5)
    olive = story.moderator(hands=Keyboard())
    olive.go()
    assert "Halted tables" in olive.text
    olive.follow("Let the table go on")
    olive.preview(why)
    olive.confirm()
    assert story.due == before + timedelta(hours=5)
    assert story.events() == ["mended", "deadline-moved", "moderated"]
    assert story.letters() == [("paused", name) for name in THREE]
    assert story.audit() == [("resume", "Olive", why)]
    story.post()
    olive.go()
    assert "Nothing needs you." in olive.text


def test_a_deadline_is_extended_for_a_hospital_stay(story: Story) -> None:
    """Ann has told the moderator that Bo is in hospital."""
    why = "Get well soon."
    olive = story.moderator()
    olive.go(f"/games/{SUNDAY}")
    olive.open_action("Set the deadline", BO)
    assert "at least an hour" in olive.fault(why, {"Until": "2026-11-11 20:00"})
    shown = olive.preview(why, {"Until": "2026-12-11 20:00"})
    assert "Fri 11 Dec, 20:00 UTC" in shown
    olive.confirm()
    assert story.due == datetime(2026, 12, 11, 20, tzinfo=UTC)
    assert story.events() == ["deadline-moved", "moderated"]
    assert story.letters() == [("moderated", "Bo")]
    letter = story.read_by("Bo", "moderated")
    assert "The deadline of your turn is now Fri 11 Dec, 20:00 UTC." in letter
    assert why in letter
    assert story.audit() == [("set-deadline", "Olive", why)]


def test_some_tables_pause_over_the_holidays(story: Story) -> None:
    """Two tables of a club stand still for ten days."""
    why, then, before = "Happy holidays.", "The holidays are over.", story.due
    olive = story.moderator()
    olive.go("/games?q=club")
    olive.unfold("The running games of this page together")
    olive.follow("Pause many tables")
    assert "Games 1, 2 stand still." in olive.preview(why)
    olive.confirm()
    done = olive.page.url
    story.days_later(10)
    sweep(story.here)
    olive.page.goto(done)
    olive.take_back(then)
    assert story.due == before + timedelta(days=10)
    for game_id in (SUNDAY, MONDAY):
        assert story.events(game_id) == [
            "paused", "deadline-moved", "moderated", "resumed", "deadline-moved", "moderated",
        ]  # fmt: skip
    assert story.letters() == [("paused", name) for name in THREE] * 4
    assert story.audit() == [("pause-many", "Olive", why), ("resume-many", "Olive", then)]


def test_the_deputy_acts_where_the_moderator_plays(story: Story) -> None:
    """Ann moderates, and plays at the table where somebody asks for more time."""
    why, number = "Ann asked me to: she plays there.", story.number("Ann")
    with story.here.store.work() as session:
        grant(session, story.clock(), number, MODERATOR)
        open_sitting(session, story.clock(), number, secret("Ann"))
    ann = story.moderator("Ann")
    ann.go(f"/games/{SUNDAY}")
    ann.unfold("What can be done with the seat of Bo")
    assert "You play at this table: a deputy or the owner does this." in ann.text
    assert ann.page.get_by_role("link", name="Give more time").count() == 0
    ann.go(f"/people/{story.number('Bo')}")
    assert "bo@example.net" not in ann.text
    deputy = story.moderator("Max")
    deputy.go(f"/games/{SUNDAY}")
    deputy.do("Give more time", why, {"How much more": "12h"}, seat=BO)
    assert story.events() == ["deadline-moved", "moderated"]
    assert story.letters() == [("moderated", "Bo")]
    assert story.audit() == [("more-time", "Max", why)]


def test_a_hand_is_opened_and_told_at_the_end(story: Story) -> None:
    """Cy says that his letter shows cards he does not have."""
    why, then = "Cy says that his letter is wrong.", "They all want to stop."
    hand = story.table().view(CY).hand or ()
    olive = story.moderator()
    olive.go(f"/games/{SUNDAY}")
    done = olive.do("Open the hand", why, seat=CY)
    assert all(card.split("-")[0] in done for card in hand)
    shown = olive.page.url
    assert story.events() == ["hand-opened"]
    assert story.table().events()[-1].public == {}
    assert story.letters() == []
    story.clock.advance(hours=2)
    olive.page.goto(shown)
    assert "What you see now" not in olive.text
    olive.go(f"/games/{SUNDAY}")
    olive.do("End the game", then)
    assert "hands-opened" in story.events()
    told = [one for one in story.letters() if one[0] == "moderated"]
    assert told == [("moderated", name) for name in THREE]
    assert "the hand of Cy was opened" in story.read_by("Ann", "moderated")
    assert story.audit() == [("open-hand", "Olive", why), ("end", "Olive", then)]


def test_a_game_is_voided(story: Story) -> None:
    """Two have told each other their hands.  Olive sits in the train with a telephone."""
    why = "Two players told each other their hands."
    olive = story.moderator(viewport=PHONE)
    olive.go("/games")
    olive.follow("Old salts")
    olive.do("Void the game", why)
    assert olive.page.get_by_role("button", name="Let the game count again").count() == 1
    assert story.events(FINISHED) == ["moderated"]
    assert story.letters() == [("moderated", name) for name in THREE]
    assert "This game does not count" in story.read_by("Ann", "moderated")
    assert story.audit() == [("void", "Olive", why)]
    assert story.table(FINISHED).game().voided_at == story.clock()


def test_the_archive_of_a_game_becomes_members_only(story: Story) -> None:
    """Cy does not want strangers to read a game that is over."""
    why, page = "Cy asked for it.", f"{story.base}/games/{FINISHED}"
    olive = story.moderator()
    request = olive.page.context.request
    assert request.get(page).status == 200
    olive.go(f"/games/{FINISHED}")
    olive.do("Change who may read it", why, {"Who may read it": "Whoever has played"})
    assert request.get(page).status == 404
    assert story.events(FINISHED) == ["moderated"]
    assert story.letters() == [("moderated", name) for name in THREE]
    assert "only those who have played may read this game" in story.read_by("Ann", "moderated")
    assert story.audit() == [("visibility", "Olive", why)]
