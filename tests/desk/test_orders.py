"""Orders at the desk: done once, refused with reasons, never for a wrong moment."""

import pytest
from sqlmodel import select

from engine.moves import Board, Gather
from engine.record import replay
from engine.shuffle import Generator
from pbem.archive.records import record_of
from pbem.desk import Order
from pbem.installation import Installation
from pbem.jobs.bots import play_bots
from pbem.store import Address, Deed, Game, Person
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.positions import position_at
from tests.desk.table import Table


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation)


def test_a_turn_leaves_its_whole_trace(table: Table) -> None:
    card = table.view(0).display[0]
    answer = table.order(0, f"take {card}")
    assert answer.outcome == "done"
    game, event = table.game(), table.events()[-1]
    assert (event.kind, event.seat, event.channel) == ("turn", 0, "web")
    assert event.move == {"type": "gather", "take": card}
    assert game.decision == 1
    assert game.due_at is not None
    assert table.to_move() == (1,)
    kinds = {(letter.seat, letter.kind) for letter in table.letters() if letter.seq == game.seq}
    assert kinds == {(1, "your-turn"), (2, "what-happened")}


def test_a_refusal_changes_nothing_and_says_why(table: Table) -> None:
    hand = table.view(0).hand
    assert hand is not None
    before = table.game().seq
    answer = table.order(0, f"play {hand[0]} L9")
    assert answer.outcome == "refused"
    assert answer.lines[0].rules == ("R5.1",)
    assert answer.lines[0].message
    assert table.game().seq == before


def test_it_is_not_your_turn(table: Table) -> None:
    answer = table.order(1, f"take {table.view(1).display[0]}")
    assert answer.outcome == "refused"
    assert table.game().decision == 0


def test_the_same_command_for_the_same_decision_is_done_once(table: Table) -> None:
    card = table.view(0).display[0]
    first = table.order(0, f"take {card}", decision=0)
    again = table.order(0, f"Please take the {card}.", decision=0)
    assert (first.outcome, again.outcome) == ("done", "repeated")
    assert again.lines == first.lines
    assert table.game().decision == 1


def test_the_same_form_twice_is_done_once(table: Table) -> None:
    first = table.order(0, "say all: hello", message_id="web:1")
    again = table.order(0, "say all: hello", message_id="web:1")
    assert (first.outcome, again.outcome) == ("done", "repeated")
    assert [event.kind for event in table.events()].count("say") == 1


def test_an_aged_letter_never_moves_a_turn(table: Table) -> None:
    display = table.view(0).display
    table.order(0, f"take {display[0]}", decision=0)
    table.order(1, f"take {table.view(1).display[0]}")
    table.order(2, f"take {table.view(2).display[0]}")
    assert table.to_move() == (0,)
    answer = table.order(0, f"take {table.view(0).display[2]}", decision=0)
    assert answer.outcome == "aged"
    assert "would be legal" in answer.lines[0].message
    assert table.game().decision == 3
    assert table.order(0, "status", decision=0).outcome == "information"


def test_others_messages_do_not_age_a_letter(table: Table) -> None:
    table.order(1, "say all: hurry up")
    card = table.view(0).display[0]
    assert table.order(0, f"take {card}", decision=0).outcome == "done"


def test_one_refused_line_keeps_all_others_from_being_done(table: Table) -> None:
    card = table.view(0).display[0]
    answer = table.order(0, f"take {card}\nplay nonsense everywhere L1")
    assert answer.outcome == "refused"
    assert table.game().decision == 0
    assert {line.status for line in answer.lines} >= {"not tried"}


def test_say_is_exempt_from_the_position_but_sent_once(table: Table) -> None:
    text = "say Bo: psst\nplay nonsense L1"
    for _ in range(2):
        table.order(0, text, message_id="<m@example.net>")
    said = [event for event in table.events() if event.kind == "say"]
    assert len(said) == 1
    assert said[0].public == {}
    assert set(said[0].private) == {"0", "1"}
    assert [letter.seat for letter in table.letters(kind="message")] == [1]


def test_a_preview_does_nothing_and_hides_the_stack(table: Table) -> None:
    card = table.view(0).display[0]
    answer = table.order(0, f"preview take {card}")
    assert answer.outcome == "preview"
    assert table.game().decision == 0
    block = " ".join(answer.lines[0].block)
    assert "a card from the stack" in block
    assert "nothing from the stack" not in block


def test_a_question_answered_with_no_is_no_failure(table: Table) -> None:
    held = table.view(0).hand
    assert held is not None
    answer = table.order(0, f"take {held[0]}?")
    assert (answer.outcome, answer.lines[0].status) == ("information", "refused")
    assert table.order(0, f"take {held[0]}").outcome == "refused"


@pytest.mark.parametrize(
    "text", ["status", "hand", "scores", "legal", "history", "rules", "rules fox", "help", "test"]
)
def test_questions_are_answered_and_change_nothing(table: Table, text: str) -> None:
    before = table.game().seq
    answer = table.order(0, text)
    assert answer.outcome == "information", answer
    assert table.game().seq == before


def test_the_present_letter_goes_to_ones_own_confirmed_addresses_only(table: Table) -> None:
    here = table.installation
    with here.store.work() as session:
        person = session.exec(select(Address).where(Address.address == "ann@example.net")).one()
        for name, confirmed in (("work", here.clock()), ("new", None)):
            session.add(
                Address(
                    person_id=person.person_id, address=f"ann@{name}.example", primary=False,
                    confirmed_at=confirmed, created_at=here.clock(),
                )
            )  # fmt: skip
    before = len(table.letters())
    for address in ("bo@example.net", "ann@new.example", "fay@example.org"):
        assert table.order(0, f"resend {address}").outcome == "refused"
    assert len(table.letters()) == before
    assert table.order(0, "resend Ann@Work.example").outcome == "done"
    sent, note = table.letters()[before:]
    assert (sent.kind, sent.to_address) == ("your-turn", "ann@work.example")
    assert (note.kind, note.to_address) == ("sent-elsewhere", "ann@example.net")


def test_why_names_every_broken_rule(table: Table) -> None:
    hand = table.view(0).hand
    assert hand is not None
    answer = table.order(0, f"why {hand[0]} L9")
    assert answer.lines[0].block[0].startswith("R5.1")


def test_a_hand_goes_to_a_confirmed_address_only(table: Table) -> None:
    assert table.order(0, "hand", confirmed=False).outcome == "refused"


def test_nobody_acts_for_a_seat_he_does_not_hold(table: Table) -> None:
    with table.installation.store.work() as session:
        stranger = Order("hand", Author("mail", 999), game_id=table.game_id, seat=0)
        answer = table.installation.desk.take_order(session, stranger)
    assert answer.outcome == "refused"
    assert answer.lines[0].code == "not-your-seat"


def test_resigning_is_asked_back_and_then_a_bot_plays(table: Table) -> None:
    assert table.order(0, "confirm").outcome == "refused"
    assert table.order(0, "resign").outcome == "information"
    assert table.letters(0, "confirm")
    assert table.to_move() == (0,)
    assert table.order(0, "confirm").lines[0].code == "confirm-by-letter"
    assert table.order(0, "resign\nconfirm").lines[1].code == "confirm-by-letter"
    pending = table.letters(0, "confirm")[-1].context["pending"]
    assert table.order(0, "confirm", confirms=pending).outcome == "done"
    assert play_bots(table.installation, table.game_id) == 1
    assert table.to_move() == (1,)
    assert table.order(0, "hand").outcome == "refused"


def test_two_of_one_name_are_told_apart(installation: Installation) -> None:
    """commands.md 3.13: what is said to Ann reaches one Ann."""
    table = Table.begun(installation)
    with installation.store.work() as session:
        for person in session.exec(select(Person)):
            person.name = "Ann"
    with installation.store.read() as session:
        names = [one.name for one in holders(session, session.get_one(Game, table.game_id))]
    assert names == ["Ann", "Ann 2", "Ann 3"]
    table.order(0, "say Ann 3: psst")
    assert [letter.seat for letter in table.letters(kind="message")] == [2]


def test_a_whole_game_ends_in_a_record_the_engine_agrees_with(installation: Installation) -> None:
    table = Table.begun(installation, players=3)
    chance = Generator("whole game")
    while (game := table.game()).status == "running":
        seat = table.to_move()[-1]
        moves = [
            move for move in table.view(seat).legal()
            if not isinstance(move, Board) or len(move.plays) == 1
        ]  # fmt: skip
        boards = [move for move in moves if not isinstance(move, Gather)]
        chosen = (boards or moves)[chance.below(len(boards or moves))]
        answer = table.play(chosen, seat)
        assert answer.outcome == "done", (answer, chosen)
    assert game.status == "over"
    with installation.store.read() as session:
        game = session.get_one(Game, table.game_id)
        record = record_of(session, game)
        assert replay(record).finished
        assert position_at(session, game, game.seq - 1) is not None
        assert session.exec(select(Deed)).first() is not None
    assert {letter.seat for letter in table.letters(kind="over")} == {0, 1, 2}


def test_a_table_of_bots_and_one_person(installation: Installation) -> None:
    table = Table.begun(installation, players=1, bots=("random", "greedy"))
    chance = Generator("with bots")
    while table.game().status == "running":
        play_bots(installation, table.game_id)
        if table.game().status != "running":
            break
        assert 0 in table.to_move()
        moves = table.view(0).legal()
        assert table.play(moves[chance.below(len(moves))], 0).outcome == "done"
    record_kinds = {letter.kind for letter in table.letters(0)}
    assert {"begins", "your-turn", "choose-pet", "over"} <= record_kinds
