"""`python -m tests.soak`: a server under mails and kills for a while, and what was found."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from sqlmodel import col, func, select

from pbem.post.delivery import LOTS, TOGETHER
from pbem.store import Event, Letter, Mail
from tests.e2e.server import Server, server_at, wait_until
from tests.e2e.sink import sink_at_work
from tests.soak.harbour import Harbour, descriptors, resident


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--tables", type=int, default=6)
    options.add_argument("--kill-every", type=int, default=25, help="turns")
    options.add_argument("--seed", default="soak")
    wanted = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="ark-soak-"))
    began = time.monotonic()
    with sink_at_work() as sink, server_at(folder / "instance", sink.port) as server:
        server.start()
        harbour = Harbour(server, sink, wanted.seed, wanted.tables, wanted.kill_every)
        next_line = 0.0
        while (spent := time.monotonic() - began) < wanted.minutes * 60:
            harbour.step()
            if spent >= next_line:
                print(_line(spent, harbour, server), flush=True)
                next_line = spent + wanted.minutes * 3
        harbour.finish()
        wait_until(harbour.tables[0].outbox_empty, "the last letters to be delivered", 300)
        _check(harbour)
        print(_line(time.monotonic() - began, harbour, server))
        assert server.stop() == 0
    print("all held")
    return 0


def _line(spent: float, harbour: Harbour, server: Server) -> str:
    counts = harbour.counts
    size = (server.folder / "ark.sqlite").stat().st_size
    return (
        f"{spent / 60:6.1f} min | {counts['turns']} turns | {counts['games']} games | "
        f"{counts['kills']} kills | {len(harbour.sink.all())} letters | "
        f"{resident(server) / 1024:.0f} MB | {descriptors(server)} files | "
        f"database {size / 1e6:.1f} MB"
    )


def _check(harbour: Harbour) -> None:
    """Nothing lost, nothing twice, over everything that was ever sent."""
    deliveries = harbour.sink.all()
    came = Counter(one.message_id for one in deliveries)
    with harbour.server.store.read() as session:
        assert set(session.exec(select(Mail.state))) == {"done"}
        kinds = Counter(session.exec(select(Event.kind).where(col(Event.mail_id).is_not(None))))
        letters = session.exec(select(Letter.message_id, Letter.state)).all()
        said = session.exec(select(func.count()).where(Event.kind == "say")).one()
    assert kinds["turn"] == said == harbour.counts["turns"]
    assert harbour.statuses() == {"over": len(harbour.all)}
    assert {state for _, state in letters} <= {"sent", "replaced"}
    assert {message_id for message_id, state in letters if state == "sent"} <= set(came)
    copies = sum(came.values()) - len(came)
    assert copies <= harbour.counts["kills"] * LOTS * TOGETHER, "letters came twice without a kill"
    answers = Counter({one.message_id: one.in_reply_to for one in deliveries}.values())
    for message_id, times in harbour.sent.items():
        assert 1 <= answers[message_id] <= times, message_id


if __name__ == "__main__":
    sys.exit(main())
