"""The server is killed (`kill -9`) at random moments of a game: nothing is lost, and
nothing happens twice."""

from __future__ import annotations

from collections import Counter

from sqlmodel import col, select

from engine.moves import to_json
from engine.view import view
from pbem.post.delivery import LOTS, TOGETHER
from pbem.store import Event, Letter, Mail
from tests.e2e.kills import assert_log_holds, send_into_a_kill
from tests.e2e.server import Server, wait_until
from tests.e2e.sink import Sink
from tests.e2e.table import ANN, BO, CY, Table

KILLS = 20
SPARED = 3  # every third turn is left in peace


def test_nothing_is_lost_or_done_twice_by_twenty_kills(server: Server, sink: Sink) -> None:
    server.start()
    players = (ANN, BO, CY)
    seats = [word for player in players for word in ("--seat", player.written)]
    printed = server.printed("new-game", "--name", "Stormy", "--seed", "storm", "--start", *seats)
    table = Table(server, sink, int(printed.splitlines()[-1]), players, "kill")
    kills = turns = 0
    tried: dict[str, int] = {}
    while not table.over():
        turns += 1
        now = table.now()
        seat = now.position.to_move[0]
        seen, letter = view(now.position, seat), table.letter_to(seat, now)
        move = table.choose(seen)
        said = f"say all: turn {turns}\n"
        text = said + table.writer.mail(move, seen, table.players[letter.envelope_to].name)
        message_id = table.new_id()
        raw = table.compose(letter, text, message_id)
        if kills < KILLS and turns % SPARED:
            tried[message_id] = send_into_a_kill(table, raw, letter)
            kills += 1
        else:
            server.send(raw, letter.envelope_to, letter.reply_address)
            tried[message_id] = 1
        table.settled(message_id)
        made = table.turns_of(message_id)
        assert [turn.move for turn in made] == [to_json(move)], text
        assert_log_holds(table)
    assert kills == KILLS
    wait_until(table.outbox_empty, "the last letters to be delivered")
    assert_nothing_lost(table, turns)
    assert_delivered(table, tried)
    assert server.stop() == 0


def assert_nothing_lost(table: Table, turns: int) -> None:
    """Every turn and every message is in the log once, every mail was dealt with."""
    with table.server.store.read() as session:
        kinds = Counter(session.exec(select(Event.kind).where(Event.game_id == table.game_id)))
        said = session.exec(select(Event.public).where(Event.kind == "say")).all()
        states = set(session.exec(select(Mail.state)))
    assert kinds["turn"] == kinds["say"] == turns
    assert {part["text"] for part in said} == {f"turn {number + 1}" for number in range(turns)}
    assert states == {"done"}


def assert_delivered(table: Table, tried: dict[str, int]) -> None:
    """Every letter was delivered at least once, copies only under one Message-ID; no mail has
    more answers than it was sent times."""
    deliveries = table.sink.all()
    came = Counter(one.message_id for one in deliveries)
    with table.server.store.read() as session:
        letters = session.exec(select(Letter).order_by(col(Letter.id))).all()
    sent = [letter.message_id for letter in letters if letter.state != "replaced"]
    assert {letter.state for letter in letters} <= {"sent", "replaced"}
    assert len(set(sent)) == len(sent)
    assert set(sent) <= set(came)
    assert set(came) <= {letter.message_id for letter in letters}
    copies = sum(came.values()) - len(came)
    assert copies <= KILLS * LOTS * TOGETHER, "letters came twice without a kill"
    for message_id, times in tried.items():
        answers = {one.message_id for one in deliveries if one.in_reply_to == message_id}
        assert 1 <= len(answers) <= times, message_id
