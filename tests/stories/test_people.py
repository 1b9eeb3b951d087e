"""Stories of people, their mails and letters, and of the whole server (docs/stories.md)."""

from datetime import timedelta

from pbem.archive.records import record_of
from pbem.clock import sweep, tick
from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.store import Game
from pbem.store.decks import decks_offered
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.rows import id_of
from tests.intake.bounces import bounce
from tests.intake.mails import stored
from tests.moderation.deeds import CARDS
from tests.stories.house import ANN, BO, CY, FINISHED, MONDAY, SUNDAY
from tests.stories.story import Story

THREE = ("Ann", "Bo", "Cy")
CLUB = 4  # the first table that is opened in a story


def test_a_player_s_mail_bounces(story: Story) -> None:
    """Bo has left his provider: on three days his letters came back, so now they wait."""
    why = "He gave us the address on the phone."
    for letter in story.newest_letters("Bo", 3):
        bounce(story.here, letter, "ark@ark.example")
        story.days_later(1.01)
    story.table().order(ANN, "say all: Bo, are you there?")
    story.post()
    waiting = story.newest_letters("Bo")[0]
    assert waiting.state == "paused"
    olive = story.moderator()
    olive.go()
    assert "People mail does not reach" in olive.text
    olive.follow("Change the address")
    olive.preview(why, {"New address": "bo@new.example"})
    olive.confirm()
    assert story.letters() == [("address-confirm", "Bo")]
    assert story.answer("Bo", "confirm", "bo@new.example", "address-confirm").state == "done"
    olive.go()
    assert "People mail does not reach" not in olive.text
    story.post()
    arrived = story.letter(waiting.id)
    assert (arrived.state, arrived.to_address) == ("sent", "bo@new.example")
    assert story.letters()[1:] == [("address-changed", "Bo"), ("receipt", "Bo")]
    assert story.events() == []
    assert story.audit() == [("change-address", "Olive", why)]


def test_a_forged_mail(story: Story) -> None:
    """Somebody else has got hold of a reply address of Bo's, and plays for him."""
    why = "Bo did not write this."
    mail = story.answer("Bo", story.legal(), "bo@evil.example")
    assert mail.state == "held"
    olive = story.moderator()
    olive.go()
    olive.follow("Re: Ark")
    assert "bo@evil.example is no address of its person" in olive.text
    olive.press("Discard it …")
    assert "nothing has been done yet" in olive.text
    olive.confirm(why)
    assert stored(story.here, id_of(mail)).state == "discarded"
    assert story.events() == ["moderated"]  # and no turn
    assert story.table().to_move() == (BO,)
    assert story.letters() == []
    assert story.audit() == [("discard", "Olive", why)]


def test_a_held_mail_is_a_player_s_after_all(story: Story) -> None:
    """Bo wrote from his office.  Olive's browser has no scripts."""
    why = "He wrote from his office."
    mail = story.answer("Bo", story.legal(), "bo@office.example")
    olive = story.moderator(java_script_enabled=False)
    olive.go()
    olive.follow("Look at it")
    olive.follow("Treat it as from a seat")
    assert "The mail is then done." in olive.preview(why)
    olive.confirm()
    assert stored(story.here, id_of(mail)).state == "done"
    assert story.events() == ["moderated", "turn"]
    assert story.letters() == [("your-turn", "Cy"), ("what-happened", "Ann"), ("receipt", "Bo")]
    assert "Olive, who moderates here, has read a mail" in story.read_by("Bo", "receipt")
    assert story.audit() == [("treat-as", "Olive", why)]
    olive.go(f"/audit?game={SUNDAY}")  # with the preview, which tells of a hand
    assert "Treat it as from a seat" in olive.text
    assert why in olive.text


def test_an_abusive_message(story: Story) -> None:
    """Cy has insulted the others; Ann has sent the letter on to the moderator."""
    why = "We are kind to each other here."
    story.table().order(CY, "say all: you fools")
    olive = story.moderator()
    olive.go(f"/games/{SUNDAY}")
    assert "A message · Cy" in olive.text
    assert "fools" not in olive.text  # what people say to each other is not shown here
    olive.do("Mute at this table", why, seat=CY)
    assert story.events() == ["moderated"]
    assert story.letters() == [("moderated", "Cy")]
    assert "Your messages are not passed on at this table." in story.read_by("Cy", "moderated")
    assert story.audit() == [("mute-here", "Olive", why)]
    assert story.table().order(CY, "say all: you fools again").outcome == "refused"
    assert story.events() == ["moderated"]


def test_a_host_sets_up_twelve_tables_for_fifty_people(story: Story) -> None:
    """A club meets on Saturday; its list is a file."""
    why, guests = "The club asked for it.", [f"Guest {number}" for number in range(1, 51)]
    lines = [
        f"Saturday {number % 12 + 1},{name},guest{number + 1}@club.example"
        for number, name in enumerate(guests)
    ]
    olive = story.moderator()
    olive.go("/actions")
    olive.open_action("Open tables from a list")
    olive.attach("or a file", "club.csv", "\n".join(["table,name,address", *lines]))
    shown = olive.preview(why, {"Time control": "72h"})
    assert "Opened: 12 tables" in shown
    assert "Saturday 12: Guest 12, Guest 24, Guest 36, Guest 48." in shown
    assert "Done" in olive.confirm()
    assert sorted(story.letters()) == sorted(("invitation", name) for name in guests)
    assert story.audit() == [("open-tables", "Olive", why)]
    assert story.events(CLUB) == ["opened", *["invited"] * 5]
    for name in guests[::12]:
        assert story.answer(name, "accept", kind="invitation").state == "done"
    assert story.table(CLUB).game().status == "running"
    assert story.table(CLUB + 1).game().status == "inviting"


def test_a_wrong_address_is_corrected_and_the_letter_sent_again(story: Story) -> None:
    """Ann has invited Fay to a table, with a slip in the address."""
    why, then = "There was a slip in it.", "It went to the wrong address."
    _invite_fay(story, "fay@exmaple.net")
    letter = story.newest_letters("Fay")[0]
    story.fails(letter, "550 5.1.1 no such user")
    olive = story.moderator()
    olive.go()
    olive.follow("Invitation")
    assert "550 5.1.1 no such user" in olive.text
    olive.follow("Fay")
    olive.do("Change the address", why, {"New address": "fay@example.net"})
    assert story.answer("Fay", "confirm", "fay@example.net", "address-confirm").state == "done"
    olive.go()
    olive.follow("Send it again")
    assert "It goes to the new address of its reader." in olive.preview(then)
    olive.confirm()
    story.post()
    sent = story.letter(letter.id)
    assert (sent.state, sent.to_address) == ("sent", "fay@example.net")
    assert sent.message_id == letter.message_id
    assert story.answer("Fay", "accept", "fay@example.net", "invitation").state == "done"
    assert story.events(CLUB) == ["accepted"]
    assert story.letters()[0] == ("address-confirm", "Fay")
    assert story.audit() == [("change-address", "Olive", why), ("send-again", "Olive", then)]


def test_a_person_asks_to_be_exported_and_erased(story: Story) -> None:
    """Cy wants his data, and then to be forgotten."""
    why, number = "He asked for it by letter.", story.number("Cy")
    with story.here.store.read() as session:
        record = record_of(session, session.get_one(Game, FINISHED))
    olive = story.moderator()
    olive.go("/people?q=cy@example.net")
    olive.follow("Cy")
    olive.do("Send the personal data", why)
    assert story.letters() == [("my-data", "Cy")]
    olive.follow(f"person {number}: Cy")
    olive.open_action("Anonymise")
    assert "Write the name exactly" in olive.fault(why, {"Name of the person": "Cyd"})
    olive.preview(why, {"Name of the person": "Cy"})
    olive.confirm()
    olive.go(f"/people/{number}")
    assert "a former player erased" in olive.text
    assert "cy@example.net" not in olive.text
    for game_id in (SUNDAY, MONDAY):
        assert "resigned" in story.events(game_id)
        with story.here.store.read() as session:
            assert holders(session, session.get_one(Game, game_id))[CY].bot
    with story.here.store.read() as session:
        assert record_of(session, session.get_one(Game, FINISHED)).turns == record.turns
    told = {one for one in story.letters() if one[1] not in ("Ann", "Bo")}
    assert told == {("forgotten", "cy@example.net")}
    assert sorted(set(story.letters()) - told) == [("resigned", "Ann"), ("resigned", "Bo")]
    assert story.audit() == [("export", "Olive", why), ("anonymise", "Olive", why)]


def test_a_letter_goes_to_all_players(story: Story) -> None:
    """The server moves to another house on Sunday."""
    why = "The server moves."
    olive = story.moderator()
    olive.go("/actions")
    olive.open_action("Write to many")
    shown = olive.preview(why, {"Your words": "On Sunday the server moves.\nNo deadline runs."})
    assert "People who get a letter with these words: 3." in shown
    olive.confirm()
    assert story.letters() == [("note", name) for name in THREE]
    for name in THREE:
        assert "Olive (moderator) wrote to you:" in story.read_by(name, "note")
    assert "On Sunday the server moves." in story.read_by("Ann", "note")
    assert story.events() == []
    assert story.audit() == [("letter-to-all", "Olive", why)]


def test_a_deck_is_uploaded_with_faults_and_then_right(story: Story) -> None:
    """A club has cards of its own; the last line of the file is missing, and a fox weighs 9."""
    why = "The club's own cards."
    olive = story.moderator()
    olive.go("/actions")
    olive.open_action("Upload a deck")
    wrong = CARDS.replace("fox,1", "fox,9").rpartition("\n")[0]
    told = olive.fault(why, {"Name": "club", "Cards": wrong})
    assert "fox weighs 9: weights are 0 to 4." in told
    assert "there are 54 cards: a deck has 55." in told
    assert story.audit() == []
    olive.preview(why, {"Cards": CARDS})
    olive.confirm()
    with story.here.store.read() as session:
        assert [deck.name for deck in decks_offered(session)] == ["club"]
    assert (story.events(), story.letters()) == ([], [])
    assert story.audit() == [("upload-deck", "Olive", why)]


def test_the_panic_switch(story: Story) -> None:
    """Letters go astray, and nobody knows why: no deadline runs until that is found out."""
    why, then, before = "Letters go astray.", "They arrive again.", story.due
    olive = story.moderator()
    olive.go("/actions")
    olive.do("Stop all clocks", why)
    done = olive.page.url
    story.days_later(3)
    sweep(story.here)
    assert story.events() == []  # nobody has missed anything
    olive.go()
    assert "The clock was stopped: no time runs, nothing is due." in olive.text
    olive.page.goto(done)
    olive.take_back(then)
    tick(story.here)
    assert story.due == before + timedelta(days=3)
    assert story.events() == ["deadline-moved"]
    assert story.letters() == []
    assert story.audit() == [("stop-all", "Olive", why), ("start-all", "Olive", then)]


def test_letters_that_failed_are_sent_again(story: Story) -> None:
    """The relay refused everything for an hour."""
    why = "The relay takes our letters again."
    letters = [story.newest_letters(name)[0] for name in ("Ann", "Cy")]
    for letter in letters:
        story.fails(letter, "554 5.7.1 refused")
    olive = story.moderator()
    for _letter in letters:
        olive.go("/outbox?state=failed")
        olive.follow("Send it again")
        olive.preview(why)
        olive.confirm()
    olive.go("/outbox?state=failed")
    assert "No letter is like that." in olive.text
    story.post()
    for letter in letters:
        sent = story.letter(letter.id)
        assert (sent.state, sent.message_id) == ("sent", letter.message_id)
    assert (story.events(), story.letters()) == ([], [])
    assert story.audit() == [("send-again", "Olive", why)] * 2


def _invite_fay(story: Story, address: str) -> None:
    with story.here.store.work() as session:
        now = story.clock()
        ann, bo, fay = (
            find_or_add_person(session, now, name, one, confirmed=name != "Fay").id
            for name, one in [
                ("Ann", "ann@example.net"), ("Bo", "bo@example.net"), ("Fay", address),
            ]
        )  # fmt: skip
        game = tables.open_table(
            session, story.here.site, now, story.here.entropy, Author("cli"), name="Spring club",
            places=[Place(ann), Place(bo), Place(fay)], organiser_id=ann,
        )  # fmt: skip
        assert game.id == CLUB
