"""Seats that change hands: offered, taken over, left to a bot, taken back."""

from datetime import timedelta

import pytest
from sqlmodel import select

from engine.moves import Gather, Pass
from pbem.desk import Order, offering
from pbem.desk.succession import hand_over
from pbem.installation import Installation
from pbem.jobs.bots import play_bots
from pbem.letters.render import render
from pbem.store import Game, Letter, Person, SeatOffer
from pbem.store.log import Author
from tests.clock.people import change, events, person_id, seat_row, settle, take_first, waits
from tests.conftest import HandClock
from tests.desk.seats import SOON, holder, late, lost, somebody, tenures, write
from tests.desk.table import Table, written


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, **SOON)


def test_an_offered_seat_goes_to_the_first_of_the_waiting_list(
    table: Table, clock: HandClock
) -> None:
    fay, gus = somebody(table.installation), somebody(table.installation, "Gus")
    late(table, clock)
    with table.installation.store.read() as session:
        asked = [one.person_id for one in session.exec(select(SeatOffer))]
    assert asked == [fay, gus]
    ann = person_id(table, 0)
    assert write(table.installation, gus, f"join {table.game_id}") == "done"
    assert holder(table, 0) == (gus, None)
    assert write(table.installation, fay, f"join {table.game_id}") == "refused"
    old, new = tenures(table, 0)
    assert (old.person_id, old.left, old.until_seq) == (ann, "late", new.from_seq)
    (wait,) = waits(table)
    assert (wait.person_id, wait.due_at) == (gus, clock() + timedelta(hours=10))
    assert [one.kind for one in table.letters(0)][-3:] == [
        "substitute-welcome", "seat-lost", "your-turn"
    ]  # fmt: skip
    assert table.letters(1, "seat-news")[0].context["before"] == ann
    assert (seat_row(table, 0).misses, seat_row(table, 0).offered_at) == (0, None)


def test_who_comes_new_gets_the_hand_and_the_log_but_no_words_of_the_other(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, **SOON)
    for _ in range(3):
        take_first(table)
    table.order(0, "note the deer is mine")
    table.order(1, "say Ann: let us drown Cy")
    table.order(1, "say all: good luck")
    fay = somebody(installation)
    late(table, clock)
    write(installation, fay, f"join {table.game_id}")
    with installation.store.read() as session:
        for kind in ("substitute-welcome", "your-turn"):
            row = table.letters(0, kind)[-1]
            text = render(session, installation.site, row).text
            assert "drown" not in text
            assert "the deer is mine" not in text
            assert "YOUR HAND" in text
    answer = table.order(0, "history 9")
    assert len(answer.lines[0].block) == 3


def test_the_turn_of_its_holder_ends_an_offer(table: Table, clock: HandClock) -> None:
    late(table, clock)
    assert waits(table)[0].due_at is None
    assert take_first(table) == "done"
    assert seat_row(table, 0).offered_at is None
    fay = somebody(table.installation)
    assert write(table.installation, fay, f"join {table.game_id}") == "refused"
    late(table, clock, 72)
    assert holder(table, 0)[1] is None


def test_nobody_takes_it_and_a_bot_has_it_until_he_is_back(table: Table, clock: HandClock) -> None:
    ann = person_id(table, 0)
    lost(table, clock)
    assert holder(table, 0) == (None, "greedy")
    play_bots(table.installation, table.game_id)
    assert table.to_move() == (1,)
    assert table.letters(0, "seat-lost")[-1].person_id == ann
    with table.installation.store.work() as session:
        order = Order("sorry, I am there again", Author("mail", ann), table.game_id, 0)
        answer = table.installation.desk.take_order(session, order)
    assert answer.notes[-1:] == ("Welcome back: the seat is yours again.",)
    assert holder(table, 0) == (ann, None)
    assert [one.kind for one in events(table, "left-to-bot", "returned")] == [
        "left-to-bot", "returned"
    ]  # fmt: skip


def test_who_has_resigned_comes_back_by_join_only(table: Table, clock: HandClock) -> None:
    ann = person_id(table, 0)
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        hand_over(session, table.installation.site, clock(), Author("mail", ann), game, 0)
    for text, outcome in (("status", "refused"), (f"join {table.game_id}", "done")):
        with table.installation.store.work() as session:
            order = Order(text, Author("mail", ann), table.game_id, 0)
            assert table.installation.desk.take_order(session, order).outcome == outcome
    assert holder(table, 0) == (ann, None)


def test_no_letter_shows_the_hand_to_whom_it_does_not_belong_any_more(
    table: Table, clock: HandClock
) -> None:
    ann, fay = person_id(table, 0), somebody(table.installation)
    late(table, clock)
    write(table.installation, fay, f"join {table.game_id}")
    with table.installation.store.work() as session:
        order = Order("status", Author("mail", ann), table.game_id, 0)
        answer = table.installation.desk.take_order(session, order)
    assert answer.lines[0].code == "not-your-seat"
    with table.installation.store.read() as session:
        row = session.exec(select(Letter).where(Letter.kind == "refusal")).one()
        assert (row.person_id, row.game_id, row.seat) == (ann, None, None)


def test_a_friend_is_asked_by_name_of_address(table: Table, clock: HandClock) -> None:
    assert table.order(1, "invite joe@example.net").lines[0].code == "no-seat"
    late(table, clock)
    assert table.order(1, "invite joe@example.net").outcome == "done"
    joe = somebody(table.installation, "joe", ready=False)
    with table.installation.store.read() as session:
        (offer,) = session.exec(select(SeatOffer)).all()
    assert (offer.person_id, offer.asked_by) == (joe, person_id(table, 1))
    assert write(table.installation, joe, f"join {table.game_id}") == "done"
    assert holder(table, 0) == (joe, None)


def test_whoever_has_seen_another_hand_cannot_take_a_seat(table: Table, clock: HandClock) -> None:
    bo = person_id(table, 1)
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        hand_over(session, table.installation.site, clock(), Author("mail", bo), game, 1)
    late(table, clock)
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        person = session.get_one(Person, bo)
        with pytest.raises(offering.OfferError, match="cards are known"):
            offering.take(
                session, table.installation.site, clock(), Author("mail", bo), game, person
            )


@pytest.mark.parametrize(
    ("choice", "kinds"), [("bot", ["left-to-bot"]), ("moderator", ["offered"])]
)
def test_the_other_choices_of_a_game(
    installation: Installation, clock: HandClock, choice: str, kinds: list[str]
) -> None:
    table = Table.begun(installation, on_offer=choice, **SOON)
    late(table, clock)
    assert [one.kind for one in events(table, "offered", "left-to-bot")][-1:] == kinds
    if choice == "moderator":
        (letter,) = [one for one in table.letters() if one.kind == "seat-decision"]
        assert letter.person_id == table.game().moderator_id
        late(table, clock, 71)
        assert holder(table, 0)[1] is None
        late(table, clock, 1)
    assert holder(table, 0) == (None, "greedy")


def test_the_moderator_may_wait_on(installation: Installation, clock: HandClock) -> None:
    table = Table.begun(installation, on_offer="moderator", **SOON)
    late(table, clock)
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        author = Author("moderator", game.moderator_id)
        assert offering.wait_anew(session, clock(), author, game, 0)
        assert not offering.wait_anew(session, clock(), author, game, 0)
    (wait,) = waits(table)
    assert wait.due_at == clock() + timedelta(hours=10)
    assert table.game().alarm_at is not None


def test_nobody_is_asked_twice_about_one_offer(table: Table, clock: HandClock) -> None:
    installation = table.installation
    fay = somebody(installation)
    late(table, clock)
    gus = somebody(installation, "Gus")
    for asked in ([gus], []):
        with installation.store.work() as session:
            game, seat = session.get_one(Game, table.game_id), seat_row(table, 0)
            found = offering.ask_waiting_list(session, installation.site, clock(), game, seat)
            assert found == asked
    with installation.store.read() as session:
        assert [one.person_id for one in session.exec(select(SeatOffer))] == [fay, gus]


@pytest.mark.parametrize(
    ("on_miss", "how"), [("bot", "bot"), ("gather", "minimal"), ("pass", "wait")]
)
def test_what_is_done_about_a_missed_turn(
    installation: Installation, clock: HandClock, on_miss: str, how: str
) -> None:
    table = Table.begun(installation, hours=10, grace_hours=0, on_miss=on_miss)
    first = table.view(0).display[0]
    late(table, clock)
    assert seat_row(table, 0).misses == 1
    if how == "wait":
        assert table.to_move() == (0,)
        return
    assert table.to_move() == (1,)
    assert table.letters(0, "played-for-you")[0].context == {"how": how}
    (event,) = events(table, "turn")
    assert event.channel == "clock"
    if how == "minimal":
        assert event.move == {"type": "gather", "take": first}
    for _ in range(2):
        assert take_first(table) == "done"
    late(table, clock)
    assert seat_row(table, 0).offered_at == clock()


def test_no_answer_means_no_pet_and_is_no_miss(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, **SOON)
    while len(table.to_move()) < 3:
        assert take_first(table) == "done"
    late(table, clock)
    assert len(table.to_move()) == 1
    assert [one.move for one in events(table, "turn")][-3:] == [{"type": "pet", "card": None}] * 3
    assert [one.outcome for one in waits(table, ended=True)][-4:-1] == ["default"] * 3
    assert seat_row(table, 0).misses == 0


def test_an_only_legal_move_is_nobodys_miss_and_done_at_once_for_who_wants_that(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, bots=("minimal",), players=2, hours=10, grace_hours=0)
    settle(table, 1, play_forced=True)
    while table.game().status == "running":
        play_bots(installation, table.game_id)
        if table.game().status != "running":
            break
        seat = table.to_move()[0]
        view = table.view(seat)
        if view.phase == "end" and len(view.legal()) == 1:
            assert seat == 0
            late(table, clock)
        else:
            table.order(seat, _simple(table, seat))
    outcomes = {one.outcome for one in waits(table, ended=True)}
    assert "forced" in outcomes
    assert seat_row(table, 0).misses == seat_row(table, 1).misses == 0


def _simple(table: Table, seat: int) -> str:
    view = table.view(seat)
    if view.phase == "main":
        return f"take {view.display[0]}"
    if view.phase == "pets":
        return "pet none"
    return written(next(one for one in view.legal() if not isinstance(one, Pass)))


def test_nobody_is_replaced_at_a_table_where_nobody_else_waits(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, players=1, bots=("greedy", "greedy"), **SOON)
    play_bots(installation, table.game_id)
    late(table, clock)
    assert events(table, "missed", "offered") == []
    assert waits(table)[0].standing
    late(table, clock, 24 * 53)
    assert [one.kind for one in events(table, "silence")] == ["silence"]
    late(table, clock, 24 * 7 + 1)
    assert table.game().status == "ended"
    assert events(table, "ended")[0].public["by"] == "silence"


def test_old_turns_stay_with_who_played_them(table: Table, clock: HandClock) -> None:
    ann = person_id(table, 0)
    table.play(Gather(table.view(0).display[0]))
    take_first(table)
    take_first(table)
    fay = somebody(table.installation)
    late(table, clock)
    write(table.installation, fay, f"join {table.game_id}")
    take_first(table)
    assert [one.person_id for one in events(table, "turn") if one.seat == 0] == [ann, fay]
    change(table, status="over")
