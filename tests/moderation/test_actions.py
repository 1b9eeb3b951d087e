"""Every action: its preview changes nothing, it is written down with who and why, whoever it
concerns is told, and its inverse brings back what was."""

import json

import pytest
from sqlmodel import col, select

from pbem.archive.records import record_of
from pbem.desk import Order
from pbem.desk.welcome import not_to_be_asked
from pbem.letters.render import render
from pbem.moderation import ACTIONS, Refused, Target, carry_out, prepare
from pbem.moderation.parameters import read_span
from pbem.moderation.tables import read_list
from pbem.store import Address, Event, Game, Letter
from pbem.store.log import Author
from pbem.store.people import holders
from tests.moderation.deeds import DEEDS
from tests.moderation.doing import REASON, audits, do, dump, powers, undo
from tests.moderation.world import RUNNING, World, essence

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
    mine = powers(here, olive.person_id)
    shown = prepare(here, olive, mine, name, target, given)
    assert shown.ok, shown.sentence
    assert shown.sentences
    assert dump(here) == before, "the preview has changed something"

    done = carry_out(here, olive, mine, name, target, given, shown.key)
    assert done.ok, done.sentence
    assert done.sentences == shown.sentences
    if not ACTIONS[name].blind:
        assert [one[2] for one in done.events] == [one[2] for one in shown.events]
        assert done.letters == shown.letters
    _its_letters_can_be_read(world, len(done.letters))
    row = audits(here)[-1]
    assert (row.action, row.person_id, row.reason) == (name, olive.person_id, REASON)
    assert row.id == done.audit_id
    if target.game_id is not None and name != "open-hand":  # told at the end (below)
        _is_in_the_log(world, name, target, olive.person_id)
    world.installation.clock.advance(seconds=deed.later)  # type: ignore[attr-defined]
    _undone(world, done.inverse is not None, name, was, done)


def _its_letters_can_be_read(world: World, count: int) -> None:
    with world.installation.store.read() as session:
        newest = session.exec(select(Letter).order_by(col(Letter.id).desc()).limit(count))
        for letter in {letter.kind: letter for letter in newest}.values():
            told = render(session, world.installation.site, letter)
            assert told.subject
            assert told.text
            assert "{" not in told.text, letter.kind


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


def test_an_opened_hand_is_told_at_the_end_and_not_before(world: World) -> None:
    here, target = world.installation, Target(RUNNING, 2)
    assert do(here, "open-hand", target, world.actor("of all games")).ok
    secret = world.table.events()[-1]
    assert (secret.kind, secret.public, secret.private) == ("hand-opened", {}, {})
    assert not world.table.letters(kind="moderated")
    assert do(here, "end", Target(RUNNING), world.actor(OWNER)).ok
    told = [event for event in world.table.events() if event.kind == "hands-opened"]
    assert [one["seat"] for event in told for one in event.public["hands"]] == [2]
    letters = world.table.letters(kind="moderated")
    assert len(letters) == 3
    assert {letter.context["reason"] for letter in letters} == {REASON}
    again = do(here, "reopen", Target(RUNNING), world.actor(OWNER))
    assert again.ok
    assert undo(here, again, world.actor(OWNER)).ok  # ended once more: told once
    events = [event.kind for event in world.table.events()]
    assert events.count("hands-opened") == 1
    with here.store.read() as session:  # ended twice: the record says why it is ended now
        record = record_of(session, session.get_one(Game, RUNNING))
        assert record.ended is not None


def test_nobody_who_plays_opens_a_hand(world: World) -> None:
    for role in ("of all, and plays", "owner, and plays"):
        assert do(world.installation, "open-hand", Target(RUNNING, 2), world.actor(role)).code


def test_whoever_was_removed_comes_back_by_a_moderator_only(world: World) -> None:
    here, target = world.installation, Target(RUNNING, 2)
    done = do(here, "remove", target, world.actor(OWNER))
    assert done.ok
    cy = Author("web", world.person("Cy"))
    with here.store.work() as session:
        for text in ("take fox", f"join {RUNNING}"):
            answer = here.desk.take_order(session, Order(text, cy, game_id=RUNNING, seat=2))
            assert answer.outcome == "refused"
    assert undo(here, done, world.actor(OWNER)).ok
    assert world.table.order(2, "status").outcome == "information"


def test_whoever_is_muted_plays_and_speaks_to_nobody(world: World) -> None:
    here, olive = world.installation, world.actor(OWNER)
    for name, target in (("mute-here", Target(RUNNING, 1)), ("mute", Target(person_id=2))):
        done = do(here, name, target, olive)
        assert done.ok
        answer = world.table.order(1, "say all: hello")
        assert [line.code for line in answer.lines] == ["muted"]
        assert world.table.order(1, "say moderator: why?").outcome == "done"
        assert undo(here, done, olive).ok
    assert world.table.order(1, "say all: hello").outcome == "done"
    assert world.table.order(1, world.legal()).outcome == "done"


def test_whoever_is_blocked_is_out_but_for_his_data(world: World) -> None:
    here, olive = world.installation, world.actor(OWNER)
    assert do(here, "block", Target(person_id=2), olive).ok
    bo = Author("web", 2)
    with here.store.work() as session:
        for text, code in (("say all: hello", "not-your-seat"), ("status", "not-your-seat")):
            order = Order(text, bo, game_id=RUNNING, seat=1)
            assert here.desk.take_order(session, order).lines[0].code == code
        for text, outcome in (("new game Storm with cy@example.net", "refused"), ("my data", "")):
            order = Order(text, bo, addressed="server")
            answer = here.desk.take_order(session, order)
            assert (answer.outcome == outcome) is bool(outcome), text
    refused = do(here, "replace", Target(RUNNING, 2), olive, who="bo@example.net")
    assert "is blocked here" in refused.sentence
    assert do(here, "restore", Target(RUNNING, 1), olive).code == "blocked"
    with here.store.read() as session:
        game = session.get_one(Game, RUNNING)
        assert [one.bot for one in holders(session, game)] == [None, "greedy", None]
        assert not_to_be_asked(session, here.site, here.clock(), 2) is not None


def test_an_act_for_somebody_is_a_turn_and_nothing_else(world: World) -> None:
    here, target = world.installation, world.mover()
    for text, code in (
        ("say all: hello", "turn-only"), ("resign", "turn-only"), ("hello there", "no-turn"),
        ("take", "no-turn"), (world.legal() + "\nsay all: hello", "turn-only"),
    ):  # fmt: skip
        assert do(here, "act-for", target, world.actor(OWNER), commands=text).code == code, text
    done = do(here, "act-for", target, world.actor(OWNER), commands=world.legal())
    assert done.ok
    turn = next(event for event in reversed(world.table.events()) if event.kind == "turn")
    assert (turn.channel, turn.person_id) == ("moderator", world.actor(OWNER).person_id)
    copies = [one for one in world.table.letters(1, "moderated") if "done for you" in
              one.context["said"]]  # fmt: skip
    assert len(copies) == 1


def test_a_preview_of_a_turn_tells_nothing_it_brings(world: World) -> None:
    here, olive = world.installation, world.actor(OWNER)
    mine = powers(here, olive.person_id)
    for name in ("act-for", "play-once", "treat-as", "read-again"):
        deed = DEEDS[name]
        given = deed.given_in(world)
        shown = prepare(here, olive, mine, name, deed.target(world), given)
        assert shown.ok
        assert not shown.events
        assert not shown.letters
        assert not shown.changes


def test_one_fault_in_a_list_is_one_sentence() -> None:
    with pytest.raises(Refused) as refused:
        read_list("Red,Ann,ann@one.example\nRed,Bo,bo@two.example\nRed,Cy,cy", "ark.example")
    assert refused.value.sentence.startswith("Line 3: ")
    assert refused.value.sentence.count("Red") == 0
    with pytest.raises(Refused) as refused:
        read_list("Red,Ann,ann@one.example", "ark.example")
    assert "Red has 1 player;" in refused.value.sentence


@pytest.mark.parametrize("head", ["Tisch;Name;Adresse", "Table;Player;E-Mail", "桌;姓名;信箱"])
def test_a_list_may_name_its_columns_in_other_words(head: str) -> None:
    lines = "".join(f"Nord;{name};{name}@one.example\n" for name in ("ann", "bo", "cy"))
    (table,) = read_list(f"{head}\n{lines}", "ark.example")
    assert table.players[0] == ("ann", "ann@one.example")


@pytest.mark.parametrize(
    ("said", "hours"),
    [("1 day", 24), ("2 days", 48), ("24", 24), ("24h", 24), ("3d", 72), ("3 Tage", 72),
     ("1 day and 12 hours", 36), ("0", None), ("soon", None), ("1 day and", None), ("", None)],
)  # fmt: skip
def test_a_length_of_time_is_read_as_the_pages_write_it(said: str, hours: int | None) -> None:
    assert read_span(said) == (None if hours is None else hours * 3600)


def test_a_list_with_faults_opens_nothing(world: World) -> None:
    here, olive = world.installation, world.actor(OWNER)
    lists = {
        "": "parameter",
        "table,name,address": "list",
        "North,Ann": "list",
        "North,Ann,ann": "list",
        "North,Ann,ann@example.net\nNorth,Ann,ANN@example.net": "list",
        "North,A,a@x.example\nNorth,B,b@x.example": "list",
        '"North': "list",
    }
    for text, code in lists.items():
        given = {"list": text, "deck": "house", "archive": "open"}
        shown = do(here, "open-tables", Target(), olive, **given)
        assert (shown.code, shown.about) == (code, "list"), text


def test_tables_of_a_list_are_confirmed_by_mail(world: World) -> None:
    here, olive = world.installation, world.actor(OWNER)
    done = do(here, "open-tables", Target(), olive, **DEEDS["open-tables"].given)
    assert [kind for kind, _person in done.letters] == ["invitation"] * 6
    with here.store.read() as session:
        numbers = audits(here)[-1].details["games"]
        games = [session.get_one(Game, number) for number in numbers]
        assert [(one.name, one.status, one.archive, one.organiser_id) for one in games] == [
            ("North", "inviting", "open", olive.person_id),
            ("South", "inviting", "open", olive.person_id),
        ]
        people = session.exec(select(Address).where(Address.address == "fay@club.example")).one()
        assert people.confirmed_at is None


def test_the_audit_names_no_person_and_keeps_no_words(world: World) -> None:
    here, olive = world.installation, world.actor(OWNER)
    for name in ("write-to-person", "change-address", "replace", "rename-person", "act-for"):
        deed = DEEDS[name]
        assert do(here, name, deed.target(world), olive, **deed.given_in(world)).ok
        kept = json.dumps(audits(here)[-1].details)
        for word in ("Good evening", "cy@new", "Cyd", "dan@", "Dan", "Cy"):
            assert word not in kept


@pytest.mark.parametrize("at", ["2026-12-02 08:00", "2026-12-09 12:00"])
def test_a_deadline_is_exactly_the_one_that_was_set(world: World, at: str) -> None:
    """Also where an absence lies in between, and an outage."""
    here, target = world.installation, world.mover()
    assert do(here, "more-absence", target, world.actor(OWNER), days="7").ok
    assert world.table.order(1, "vacation 2026-12-04 to 2026-12-06").outcome == "done"
    assert do(here, "pause", Target(RUNNING), world.actor(OWNER)).ok
    here.clock.advance(hours=2)  # type: ignore[attr-defined]
    assert do(here, "resume", Target(RUNNING), world.actor(OWNER)).ok
    done = do(here, "set-deadline", target, world.actor(OWNER), at=at)
    assert done.ok, done.sentence
    due = world.table.game().due_at
    assert due is not None
    assert f"{due:%Y-%m-%d %H:%M}" == at


def test_a_seat_that_a_bot_has_can_be_offered(world: World) -> None:
    here, target, olive = world.installation, Target(RUNNING, 2), world.actor(OWNER)
    assert do(here, "remove", target, olive).ok
    done = do(here, "invite-substitute", target, olive, who="dan@example.net")
    assert done.ok, done.sentence
    assert done.letters == (("substitute-wanted", world.person("Dan")),)
    _its_letters_can_be_read(world, 1)
    here.clock.advance(days=30)  # type: ignore[attr-defined]
    dan = Author("web", world.person("Dan"))
    with here.store.work() as session:
        assert session.get_one(Game, RUNNING).offers_end_at is None
        order = Order(f"join {RUNNING}", dan, addressed="server")
        assert here.desk.take_order(session, order).outcome == "done"
        held = holders(session, session.get_one(Game, RUNNING))
        assert held[2].person_id == dan.person_id
