"""How fast mail is taken in, and how fast a mailed turn is done.

    python -m bench.intake [--mails N] [--turns N]

Each figure stands beside its floor, measured in the same run on the same disk: bare
aiosmtpd that commits every mail by itself, synced, with as many rows.
"""

import argparse
import multiprocessing
import os
import random
import smtplib
import socket
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from sqlmodel import func, select

from engine.game import legal_moves
from engine.moves import notation
from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.installation import Installation, open_installation
from pbem.intake.inbox import process_next
from pbem.intake.smtp import SmtpServer
from pbem.post.delivery import deliver_due
from pbem.settings import load_settings
from pbem.store import Event, Game, Letter, Mail, migrate
from pbem.store.log import Author
from pbem.store.positions import position_now
from pbem.store.tokens import Bearer, issue

CONNECTIONS = 8
PLAYERS = ("Ann", "Bo", "Cy")
MAIL = (
    "From: {sender}\r\nTo: {to}\r\nSubject: Re: Ark\r\n"
    "Message-ID: <{number}@bench.example>\r\n\r\n{text}\r\n"
)


@contextmanager
def installation(folder: Path) -> Iterator[Installation]:
    os.environ["ARK_INSTANCE"] = str(folder)
    folder.mkdir()
    mail, post = {"domain": "ark.example", "port": 0}, {"transport": "postroom"}
    opened = open_installation(load_settings(mail=mail, post=post))
    migrate.upgrade(opened.store)
    yield opened
    opened.close()


class Floor:
    """aiosmtpd's handler of the floor: one synced commit of `rows` rows a mail."""

    def __init__(self, path: Path, rows: int = 1) -> None:
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._database.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "CREATE TABLE mail (id INTEGER PRIMARY KEY, sender TEXT, recipients TEXT, raw BLOB)"
        )
        self._rows = rows

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        row = (envelope.mail_from, " ".join(envelope.rcpt_tos), envelope.content)
        self._database.execute("BEGIN IMMEDIATE")
        insert = "INSERT INTO mail (sender, recipients, raw) VALUES (?, ?, ?)"
        self._database.executemany(insert, [row] * self._rows)
        self._database.execute("COMMIT")
        return "250 taken"


@contextmanager
def floor(path: Path, rows: int = 1) -> Iterator[int]:
    controller = Controller(Floor(path, rows), hostname="127.0.0.1", port=free_port())
    controller.start()  # type: ignore[no-untyped-call]
    yield controller.port
    controller.stop()  # type: ignore[no-untyped-call]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def send_many(port: int, to: str, count: int, ready: Any = None) -> None:
    """One client: a connection, and one mail after another."""
    with smtplib.SMTP("127.0.0.1", port) as client:
        if ready is not None:
            ready.wait()
        for number in range(count):
            text = MAIL.format(sender="ann@example.org", to=to, number=number, text="take fox")
            client.sendmail("ann@example.org", [to], text.encode())


def accepting(port: int, to: str, mails: int) -> float:
    """Mails a second over several connections at once, clients in their own processes."""
    share, context = mails // CONNECTIONS, multiprocessing.get_context("spawn")
    ready = context.Barrier(CONNECTIONS + 1)
    clients = [
        context.Process(target=send_many, args=(port, to, share, ready)) for _ in range(CONNECTIONS)
    ]
    for client in clients:
        client.start()
    ready.wait()
    started = time.perf_counter()
    for client in clients:
        client.join()
    return share * CONNECTIONS / (time.perf_counter() - started)


def accept_rates(folder: Path, mails: int) -> tuple[float, float]:
    """(our rate, the floor's)."""
    with floor(folder / "floor.sqlite") as port:
        bare = accepting(port, "ark@ark.example", mails)
    with installation(folder / "accept") as ark:
        with ark.store.work() as session:
            token = issue(session, ark.keys, Bearer("person"), ark.clock())
        server = SmtpServer(ark)
        server.start()
        ours = accepting(server.port, ark.site.reply_address(token), mails)
        server.stop()
        with ark.store.read() as session:
            stored = session.exec(select(func.count()).select_from(Mail)).one()
        assert stored == mails // CONNECTIONS * CONNECTIONS, "a mail was lost"
    return ours, bare


def open_table(ark: Installation, seed: str) -> int:
    now, author = ark.clock(), Author("cli")
    with ark.store.work() as session:
        people = [
            find_or_add_person(session, now, name, f"{name.lower()}@example.org", confirmed=True)
            for name in PLAYERS
        ]
        game = tables.open_table(
            session, ark.site, now, ark.entropy, author, name="Bench",
            places=[tables.Place(one.id) for one in people], server_seed=seed, announced=False,
        )  # fmt: skip
        for one in tables.invitations(session, game):
            one.state = "accepted"
            session.add(one)
        tables.begin(session, ark.site, now, author, game, draw_seats=False)
        assert game.id is not None
        return game.id


def turn_mails(ark: Installation, turns: int) -> Iterator[tuple[str, str, bytes]]:
    """(sender, recipient, mail) of the next turn of random games, one game after another."""
    chance, number, game_id = random.Random(1), 0, open_table(ark, "0")
    while number < turns:
        with ark.store.read() as session:
            game = session.get_one(Game, game_id)
            position, decision = position_now(game), game.decision
        if position.phase == "over":
            game_id = open_table(ark, str(number))
            continue
        seat = position.to_move[0]
        text = notation(chance.choice(list(legal_moves(position, seat)))).replace(" + ", "\r\n")
        bearer = Bearer("seat", seat + 1, game_id, seat, decision=decision)
        to, sender = ark.site.reply_address(ark.keys.token(bearer)), f"{PLAYERS[seat]}@example.org"
        yield sender, to, MAIL.format(sender=sender, to=to, number=number, text=text).encode()
        number += 1


def timed(step: Callable[[], object]) -> float:
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


def turn_rates(folder: Path, turns: int) -> tuple[float, float]:
    """Turns a second from the first byte at our SMTP port to the commit with all letters,
    one after another, and the floor's mails a second with as many rows."""
    spent: list[float] = []
    with installation(folder / "turns") as ark:
        server = SmtpServer(ark)
        server.start()
        with smtplib.SMTP("127.0.0.1", server.port) as client:
            for sender, to, raw in turn_mails(ark, turns):

                def step(sender: str = sender, to: str = to, raw: bytes = raw) -> None:
                    client.sendmail(sender, [to], raw)
                    process_next(ark)

                spent.append(timed(step))
                deliver_due(ark)  # as it goes on meanwhile; not counted here
        server.stop()
        with ark.store.read() as session:
            counts = [
                session.exec(select(func.count()).select_from(table)).one()
                for table in (Mail, Event, Letter)
            ]
            done = session.exec(select(func.count()).where(Event.kind == "turn")).one()
        assert done == turns, f"{done} of {turns} turns were done"
    with floor(folder / "turns.sqlite", max(1, sum(counts) // turns)) as port:
        seconds = timed(lambda: send_many(port, "ark@ark.example", turns))
    return 1 / statistics.median(spent), turns / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.intake")
    parser.add_argument("--mails", type=int, default=4000)
    parser.add_argument("--turns", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("ARK_BENCH_FOLDER")) as name:
        ours, bare = accept_rates(Path(name), options.mails)
        print(f"accepting: {ours:.0f} mails/s, floor {bare:.0f} mails/s: {ours / bare:.0%}")
        ours, bare = turn_rates(Path(name), options.turns)
        print(f"mail to committed turn: {ours:.0f} turns/s, floor {bare:.0f}/s: {ours / bare:.0%}")


if __name__ == "__main__":
    main()
