"""Many tables on one server that is killed again and again, played by real mails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from engine.moves import to_json
from engine.view import view
from pbem.store import Game
from tests.e2e.kills import assert_log_holds, send_into_a_kill
from tests.e2e.server import Server
from tests.e2e.sink import Sink
from tests.e2e.table import ANN, BO, CY, DI, EVE, Table

CREW = (ANN, BO, CY, DI, EVE)
BOTS = ("bot:random", "bot:greedy")


class Harbour:
    """The tables, and what was done at them.  Everything is drawn from one seed."""

    def __init__(self, server: Server, sink: Sink, seed: str, tables: int, kill_every: int) -> None:
        self.server, self.sink = server, sink
        self.rng = random.Random(seed)
        self.seed, self.kill_every = seed, kill_every
        self.counts: Counter[str] = Counter()
        self.sent: dict[str, int] = {}
        """Message-ID of every mail that was taken → how often it was sent."""
        self.all: list[Table] = []
        self.tables = [self._new_table() for _ in range(tables)]

    def step(self) -> None:
        """One turn at one of the tables, with a kill in its middle now and then; a table
        whose game is over makes place for a new one."""
        place = self.rng.randrange(len(self.tables))
        table = self.tables[place]
        if table.over():
            assert_log_holds(table)
            self.counts["games"] += 1
            self.tables[place] = self._new_table()
            return
        self._turn(table)

    def finish(self) -> None:
        """Let every game that has begun come to its end, without another kill."""
        self.kill_every = 0
        for table in self.tables:
            while not table.over():
                self._turn(table)
            assert_log_holds(table)
            self.counts["games"] += 1

    def _turn(self, table: Table) -> None:
        now = table.ready()
        if now.status == "over":
            return
        seat = self.rng.choice([one for one in now.position.to_move if now.addresses[one]])
        seen, letter = view(now.position, seat), table.letter_to(seat, now)
        move = table.choose(seen)
        self.counts["turns"] += 1
        said = f"say all: turn {self.counts['turns']}\n"
        text = said + table.writer.mail(move, seen, table.players[letter.envelope_to].name)
        message_id = table.new_id()
        raw = table.compose(letter, text, message_id)
        if self.kill_every and self.counts["turns"] % self.kill_every == 0:
            self.counts["kills"] += 1
            self.sent[message_id] = send_into_a_kill(table, raw, letter)
            assert_log_holds(table)
        else:
            self.server.send(raw, letter.envelope_to, letter.reply_address)
            self.sent[message_id] = 1
        table.settled(message_id)
        made = table.turns_of(message_id)
        assert [turn.move for turn in made] == [to_json(move)], text

    def _new_table(self) -> Table:
        number = len(self.all) + 1
        crew = self.rng.sample(CREW, self.rng.randint(2, 5))
        bots = self.rng.choices(BOTS, k=max(0, 3 - len(crew)))
        seats = [word for one in (*(p.written for p in crew), *bots) for word in ("--seat", one)]
        printed = self.server.printed(
            "new-game", "--name", f"Pier {number}", "--seed", f"{self.seed}-{number}",
            "--start", *seats,
        )  # fmt: skip
        game_id = int(printed.splitlines()[-1])
        table = Table(self.server, self.sink, game_id, crew, f"{self.seed}-{number}")
        self.all.append(table)
        return table

    def statuses(self) -> Counter[str]:
        with self.server.store.read() as session:
            return Counter(session.get_one(Game, table.game_id).status for table in self.all)


def resident(server: Server) -> int:
    """Kilobytes of memory the server's process has (0 where the system does not say)."""
    pid = getattr(server.process, "pid", None)
    status = Path(f"/proc/{pid}/status")
    return next(_resident(status), 0) if status.exists() else 0


def descriptors(server: Server) -> int:
    """Files and sockets the server's process holds open."""
    folder = Path(f"/proc/{getattr(server.process, 'pid', None)}/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def _resident(status: Path) -> Iterator[int]:
    for line in status.read_text().splitlines():
        if line.startswith("VmRSS:"):
            yield int(line.split()[1])
