"""How fast mail is taken in, and how fast a mailed turn is done.

    python -m bench.intake [--mails N] [--turns N] [--rounds N] [--readers N]

Each figure stands beside its floor, measured in the same round on the same disk: bare
aiosmtpd that commits every mail by itself, synced, with as many rows (`bench.floor`).
"""

import argparse
import os
import platform
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlmodel import SQLModel, col, func, select

from bench.floor import CONNECTIONS, Sent, floor_rate, sending
from bench.instance import installation
from bench.machine import processor
from engine.game import legal_moves
from engine.moves import notation
from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.intake.arrival import Arrival, store_mail
from pbem.intake.inbox import Inbox
from pbem.intake.readers import Pool
from pbem.intake.smtp import SmtpServer
from pbem.post.delivery import deliver_due
from pbem.store import Event, Game, Mail
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.rows import id_of
from pbem.store.tokens import Bearer, issue

TABLES = 24  # games that are played at the same time
PLAYERS = ("Ann", "Bo", "Cy")
MAIL = (
    "From: {sender}\r\nTo: {to}\r\nSubject: Re: Ark\r\n"
    "Message-ID: <{number}@bench.example>\r\n\r\n{text}\r\n"
)


def accepting(folder: Path, count: int) -> tuple[float, float]:
    """(mails a second, the floor's)."""
    with installation(folder / "accept", limits={"mails_per_minute": 10_000_000}) as ark:
        with ark.store.work() as session:
            token = issue(session, ark.keys, Bearer("person"), ark.clock())
        to, sender = ark.site.reply_address(token), "ann@example.org"
        mails = [
            (sender, to, MAIL.format(sender=sender, to=to, number=one, text="take fox").encode())
            for one in range(count)
        ]
        bare = floor_rate(folder / "accept.sqlite", mails)
        server = SmtpServer(ark)
        server.start()
        before = memory()
        ours = sending(server.port, mails)
        grown = memory() - before
        server.stop()
        with ark.store.read() as session:
            stored = session.exec(select(func.count()).select_from(Mail)).one()
        assert stored == count, f"{count - stored} mails were lost"
    print(f"  {count} mails stored; the process grew by {grown / 1024:.1f} MB", flush=True)
    return ours, bare


def memory() -> int:
    """The most memory this process has used, in kB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def turns(folder: Path, count: int, readers: int) -> tuple[float, float]:
    """(turns a second from the inbox to the commit with all letters, the floor's mails a
    second with as many rows)."""
    spent, done, sent = 0.0, 0, list[Sent]()
    with installation(folder / "turns") as ark:
        games = [open_table(ark, str(number)) for number in range(TABLES)]
        inbox = Inbox(ark, Pool(ark.settings, readers, 20.0) if readers else None)
        chance = random.Random(1)
        play(ark, inbox, next_turns(ark, games, chance, 0))  # the readers start with it
        rows = count_rows(ark)
        while done < count:
            mails = next_turns(ark, games, chance, done + TABLES)
            assert mails, "all games are over; play more tables or fewer turns"
            spent += play(ark, inbox, mails)
            done += len(mails)
            sent += mails
        inbox.close()
        rows = count_rows(ark) - rows
        with ark.store.read() as session:
            made = session.exec(select(func.count()).where(Event.kind == "turn")).one()
        assert made == done + TABLES, f"{made} of {done + TABLES} turns were done"
    print(f"  {done} turns, {rows / done:.1f} rows each", flush=True)
    return done / spent, floor_rate(folder / "turns.sqlite", sent, round(rows / done))


def play(ark: Installation, inbox: Inbox, mails: Sequence[Sent]) -> float:
    """Seconds from mails that lie in the inbox to the last commit; then the letters are
    delivered, as it goes on meanwhile, not counted here."""
    with ark.store.work() as session:
        for sender, to, raw in mails:
            store_mail(session, ark.clock(), Arrival(raw, sender, (to,), "smtp"))
    seconds = timed(lambda: finish(inbox))
    while deliver_due(ark):
        pass
    return seconds


def finish(inbox: Inbox) -> None:
    while inbox.work() or inbox.is_busy:
        pass


def timed(step: Callable[[], object]) -> float:
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


def next_turns(
    ark: Installation, games: Sequence[int], chance: random.Random, number: int
) -> list[Sent]:
    """A mail with the next turn of every game that goes on."""
    mails: list[Sent] = []
    with ark.store.read() as session:
        for game in session.exec(select(Game).where(col(Game.id).in_(games))):
            position = position_now(game)
            if position.phase == "over":
                continue
            seat = position.to_move[0]
            move = chance.choice(list(legal_moves(position, seat)))
            text = notation(move).replace(" + ", "\r\n")
            holder = holders(session, game)[seat]
            bearer = Bearer("seat", holder.person_id, game.id, seat, decision=game.decision)
            to = ark.site.reply_address(ark.keys.token(bearer))
            sender = address(PLAYERS[seat], game.name)
            raw = MAIL.format(sender=sender, to=to, number=number + len(mails), text=text)
            mails.append((sender, to, raw.encode()))
    return mails


def open_table(ark: Installation, seed: str) -> int:
    now, author = ark.clock(), Author("cli")
    with ark.store.work() as session:
        people = [
            find_or_add_person(session, now, name, address(name, seed), confirmed=True)
            for name in PLAYERS
        ]
        game = tables.open_table(
            session, ark.site, now, ark.entropy, author, name=seed,
            places=[tables.Place(one.id) for one in people], server_seed=seed, announced=False,
        )  # fmt: skip
        tables.begin_as_invited(session, ark.site, now, author, game)
        return id_of(game)


def address(player: str, table: str) -> str:
    """Everybody plays at one table."""
    return f"{player.lower()}.{table}@example.org"


def count_rows(ark: Installation) -> int:
    """The rows of all tables."""
    with ark.store.read() as session:
        every = SQLModel.metadata.sorted_tables
        return sum(session.exec(select(func.count()).select_from(one)).one() for one in every)


def report(name: str, target: str, figures: Sequence[tuple[float, float]]) -> None:
    ours = statistics.median(own for own, _ in figures)
    bare = statistics.median(floor for _, floor in figures)
    share = statistics.median(own / floor for own, floor in figures)
    print(f"{name}: {ours:.0f}/s, floor {bare:.0f}/s: {share:.0%} ({target})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.intake")
    parser.add_argument("--mails", type=int, default=4000)
    parser.add_argument("--turns", type=int, default=480)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--readers", type=int, default=2)
    options = parser.parse_args()
    print(f"{processor()}, Python {platform.python_version()}; median of {options.rounds} rounds")
    print(f"{CONNECTIONS} connections; {TABLES} tables; {options.readers} readers of mails")
    accepted, played = [], []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory(dir=os.environ.get("ARK_BENCH_FOLDER")) as name:
            if options.mails:
                accepted.append(accepting(Path(name), options.mails))
            if options.turns:
                played.append(turns(Path(name), options.turns, options.readers))
    if accepted:
        report("mails accepted", "target 70 %", accepted)
    if played:
        report("inbox to committed turn", "target 50 %, 200/s", played)


if __name__ == "__main__":
    main()
