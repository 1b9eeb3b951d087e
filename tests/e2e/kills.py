"""A server that dies in the middle of a mail, and what has to hold afterwards."""

from __future__ import annotations

import smtplib
import threading
import time

from engine.game import apply
from engine.moves import from_json
from pbem.store import Game
from pbem.store.log import events_of
from pbem.store.positions import first_position
from tests.e2e.sink import Delivery
from tests.e2e.table import Table

HARDLY_UP = 0.25  # of the kills are followed by another one while the server starts
LONGEST = 0.4  # seconds from the beginning of the SMTP session to the kill


def send_into_a_kill(table: Table, raw: bytes, letter: Delivery) -> int:
    """Send a mail, the server dying meanwhile or soon after; bring the server up again, and
    send the mail again if it was not taken, as every mail server does.  How often it was sent."""
    server = table.server
    delay = table.rng.uniform(0.0, LONGEST)
    killer = threading.Thread(target=lambda: (time.sleep(delay), server.kill()))
    killer.start()
    try:
        server.send(raw, letter.envelope_to, letter.reply_address)
        taken = True
    except (OSError, smtplib.SMTPException):
        taken = False
    killer.join()
    if table.rng.random() < HARDLY_UP:  # once more, before it has come up again
        server.launch()
        time.sleep(table.rng.uniform(0.0, LONGEST))
        server.kill()
    server.start()
    if not taken:
        server.send(raw, letter.envelope_to, letter.reply_address)
    return 1 if taken else 2


def assert_log_holds(table: Table) -> None:
    """The replay of the log is the cached position, and no number is missing in the log."""
    with table.server.store.read() as session:
        game = session.get_one(Game, table.game_id)
        events = events_of(session, game)
        position = first_position(game)
        assert [event.seq for event in events] == list(range(1, game.seq + 1))
        for event in events:
            if event.kind == "turn":
                assert event.seat is not None
                assert event.move is not None
                apply(position, event.seat, from_json(event.move))
    assert position == table.now().position
