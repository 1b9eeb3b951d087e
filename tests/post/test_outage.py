"""The relay is away for four days while a table goes on by web and mail: afterwards every
player gets exactly the newest state, all messages in their order, and every answer; a few
letters each, not a flood; nothing is lost and nothing goes twice."""

from collections import Counter
from datetime import timedelta

from sqlmodel import select

from pbem.clock import sweep
from pbem.desk import Order
from pbem.installation import Installation
from pbem.post.delivery import deliver_due
from pbem.store import Game, Letter
from pbem.store.log import Author
from pbem.store.positions import position_now
from tests.conftest import HandClock
from tests.intake.mails import receive
from tests.post.sending import deliver, nobody, read, states
from tests.tables import ADDRESSES, Table, open_table

DAYS = timedelta(days=4)


def order(table: Table, seat: int, text: str) -> str:
    """By the web page."""
    installation = table.installation
    with installation.store.work() as session:
        decision = session.get_one(Game, table.game_id).decision
        author = Author("web", person_id=table.people[seat])
        order = Order(text, author, table.game_id, seat, decision)
        return installation.desk.take_order(session, order).outcome


def to_move(table: Table) -> int:
    with table.installation.store.read() as session:
        return position_now(session.get_one(Game, table.game_id)).to_move[0]


def test_four_days_without_a_relay(installation: Installation, clock: HandClock) -> None:
    table = open_table(installation)
    begun, gone, step, moved = clock(), nobody(installation), 0, -1
    said: list[str] = []
    while clock() - begun < DAYS:
        mover = to_move(table)
        if step % 5 == 1:
            said.append(f"word {len(said)}")
            assert order(table, step % 3, f"say all: {said[-1]}") == "done"
        if step % 9 == 4:
            receive(installation, table.reply_address(mover), "status", sender=ADDRESSES[mover])
        if step % 4 == 0:  # in between they wait, and are reminded
            assert order(table, mover, table.legal(mover)[0]) == "done"
            moved = mover
        sweep(gone)
        deliver_due(gone)
        clock.advance(hours=5)
        step += 1
    assert "sent" not in states(table.letters())
    assert "failed" not in states(table.letters())

    # The relay is back.
    clock.advance(minutes=20)
    relay = deliver(installation)
    letters = table.letters()
    assert set(states(letters)) == {"sent", "replaced"}
    sent = [letter for letter in letters if letter.state == "sent"]
    taken = [read(one.content) for one in relay.taken]
    assert [str(one["Message-ID"]) for one in taken] == [letter.message_id for letter in sent]
    assert len({letter.message_id for letter in sent}) == len(relay.taken)  # none twice
    with installation.store.read() as session:
        game = session.get_one(Game, table.game_id)
        asked = position_now(game).to_move[0]
    for seat, address in enumerate(ADDRESSES):
        kinds = Counter(letter.kind for letter in sent if letter.seat == seat)
        showing = kinds - Counter({"begins": 99, "message": 99, "receipt": 99})
        assert showing.total() <= 1, kinds  # a letter a player and table
        assert showing or seat == moved  # who moved on the page has seen the table there
        if seat == asked:
            [letter] = [one for one in sent if one.seat == seat and one.kind in showing]
            assert (letter.kind in ("your-turn", "reminder"), letter.decision) == (
                True,
                game.decision,
            )
        texts = [str(one.get_body(("plain",)).get_content()) for one in taken  # type: ignore[union-attr]
                 if one["To"] == address and "table talk" in one["Subject"]]  # fmt: skip
        heard = [word for text in texts for word in said if f"│ {word}" in text.splitlines()]
        own = {word for number, word in enumerate(said) if (5 * number + 1) % 3 == seat}
        assert heard == [word for word in said if word not in own]
    receipts = [letter for letter in sent if letter.kind == "receipt"]
    assert len(receipts) == sum(number % 9 == 4 for number in range(step))
    assert all(clock() - (one.sent_at or begun) < timedelta(days=1) for one in receipts)


def test_the_newest_word_does_not_overtake_the_older_ones(
    installation: Installation, clock: HandClock
) -> None:
    table = open_table(installation)
    gone = nobody(installation)
    for word in range(6):
        assert order(table, 0, f"say all: word {word}") == "done"
        deliver_due(gone)
        clock.advance(minutes=7)
    assert order(table, 0, "say all: word 6") == "done"  # due at once, the others not yet
    relay = deliver(installation)
    words = [
        line[7:]
        for one in relay.taken
        if one.recipient == ADDRESSES[1]
        for line in read(one.content).get_body(("plain",)).get_content().splitlines()  # type: ignore[union-attr]
        if line.startswith("│ word ")
    ]
    assert words == list("0123456")


def test_while_the_relay_is_away_one_letter_at_a_time_asks_for_it(
    installation: Installation, clock: HandClock
) -> None:
    table = open_table(installation)
    gone, tries = nobody(installation), 0
    for _ in range(20):
        tries += deliver_due(gone)
        clock.advance(minutes=15)
    letters = table.letters()
    assert states(letters) == ["retry"] * len(letters)
    assert {letter.delayed_by for letter in letters} == {"relay"}
    # The oldest one asks, every quarter of an hour or so; the others were never tried.
    assert [letter.attempts for letter in letters] == [tries, *[0] * (len(letters) - 1)]
    assert 10 <= tries <= 20


def test_a_refusal_of_one_letter_shows_that_the_relay_is_back(
    installation: Installation, clock: HandClock
) -> None:
    table = open_table(installation)
    deliver_due(nobody(installation))
    clock.advance(minutes=2)
    relay = deliver(installation, {"RCPT": ["451 greylisted", "250 fine"]})
    assert states(table.letters()) == ["retry", *["sent"] * (len(table.letters()) - 1)]
    assert len(relay.taken) == len(table.letters()) - 1
    assert table.letters()[0].delayed_by == "letter"


def test_a_newer_state_takes_the_place_of_one_that_still_waits_in_any_state(
    installation: Installation, clock: HandClock
) -> None:
    for state in ("queued", "retry", "unknown", "paused"):
        table = open_table(installation, name=f"Table {state}", seed=state)
        deliver(installation)
        mover = to_move(table)
        with installation.store.work() as session:
            old = session.exec(
                select(Letter).where(Letter.game_id == table.game_id, Letter.kind == "your-turn")
            ).one()
            old.state, old.next_at = state, clock() + timedelta(hours=1)
            session.add(old)
        assert order(table, mover, table.legal(mover)[0]) == "done"
        with installation.store.work() as session:  # whoever is asked now has the old seat's
            new = session.exec(
                select(Letter).where(
                    Letter.game_id == table.game_id, Letter.kind == "your-turn",
                    Letter.id != old.id,
                )
            ).one()  # fmt: skip
            assert new.seat != old.seat
        for _ in range(2):
            seat = to_move(table)
            assert order(table, seat, table.legal(seat)[0]) == "done"
        clock.advance(hours=2)
        relay = deliver(installation)
        assert old.message_id not in [read(one.content)["Message-ID"] for one in relay.taken]
        with installation.store.read() as session:
            assert session.get_one(Letter, old.id).state == "replaced"


def test_a_relay_lost_within_a_lot_puts_the_rest_back(
    installation: Installation, clock: HandClock
) -> None:
    table = open_table(installation)
    relay = deliver(installation, {"MAIL": ["250 fine", "421 closing"]}, {"greeting": "421 no"})
    letters = table.letters()
    assert len(relay.taken) == 1
    assert states(letters) == ["sent", *["retry"] * (len(letters) - 1)]
    assert [letter.attempts for letter in letters[:3]] == [1, 1, 0]
    assert len({letter.next_at for letter in letters[1:]}) == 1
