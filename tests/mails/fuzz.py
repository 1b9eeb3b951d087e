"""Reading mails nobody would send, for as long as you like.

    python -m tests.mails.fuzz --minutes 5 [--seed 1] [--save FOLDER]

Mutated layouts, spliced together and damaged, and hostile mails at full size.  Each must
get a kind of the closed set within seconds, with a text that can be stored and shown.
A mail that does not is saved, and the exit status is 1.
"""

import argparse
import gc
import hashlib
import json
import logging
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pbem.intake.classify import KINDS
from pbem.intake.message import letter_texts, read_message
from tests.mails.hostile import HOSTILE
from tests.mails.layouts import layouts
from tests.mails.sample import SAMPLE

SECONDS = 3.0
"""Of the processor, for any mail: it takes a third of one here, but a busy machine counts more,
and what is done badly takes minutes."""
FULL_SIZE = 24_000_000
SENT = letter_texts(SAMPLE.text, SAMPLE.html)
_TOKENS = (
    b"\0", b"\r", b"\n", b"\n\n", b"--", b"-- \n", b">", b"> ", b"|", b"=?utf-8?B?", b"?=", b"\xff",
    b"<blockquote>", b"</div>", b"<!--", b"-->", b"&#x", b"Content-Type: multipart/mixed; boundary=",
    b"Content-Transfer-Encoding: base64\n", b"charset=utf-16", b"On 2 Dec 2026 x@y.zz wrote:\n",
    b"From: a\nSent: b\nTo: c\nSubject: d\n", b"\xe2\x80\xba ", b"take fox\n", b"\x1b$B", b"=\n", b":",
)  # fmt: skip


class Collector(logging.Handler):
    """`read_message` swallows every exception and logs it: here each is a fault."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.faults.append(self.format(record))


def fault_of(raw: bytes, seconds: float = SECONDS) -> str | None:
    """What is wrong with how a mail is read; None: nothing."""
    collector = Collector()
    logger = logging.getLogger("pbem.intake.message")
    logger.addHandler(collector)
    gc.freeze()  # what other tests left in this process is not the reader's to look through
    began = time.process_time()
    try:
        message = read_message(raw, SENT)
    finally:
        took = time.process_time() - began
        gc.unfreeze()
        logger.removeHandler(collector)
    if collector.faults:
        return collector.faults[0]
    if message.kind not in KINDS:
        return f"kind {message.kind!r}"
    if took > seconds:
        return f"took {took:.2f} s"
    try:
        json.dumps(asdict(message), default=str).encode("utf-8")
        f"{message.text}{message.subject}{message.sender_name}".encode()
    except (ValueError, TypeError) as error:
        return f"cannot be shown: {error}"
    if "\r" in message.text or "\0" in message.text:
        return "control characters in the text"
    return None


def mutated(raw: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A mail damaged in a few ways."""
    data = bytearray(raw)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(data) + 1)
        span = min(chance.choice((1, 4, 40, 400)), len(data) - at)
        way = chance.randrange(6)
        if way == 0:
            del data[at : at + span]
        elif way == 1:
            data[at:at] = chance.choice(_TOKENS) * chance.choice((1, 1, 3, 50))
        elif way == 2:
            data[at : at + span] = chance.randbytes(span)
        elif way == 3:
            data[at:at] = data[at : at + span] * chance.choice((1, 2, 30))
        elif way == 4:
            other = chance.choice(others)
            begin = chance.randrange(len(other) + 1)
            data[at:at] = other[begin : begin + chance.choice((20, 300, 5000))]
        elif data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--save", type=Path, default=Path("fuzz"), help="where faulty mails go")
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    chance = random.Random(seed)
    print(f"seed {seed}, {options.minutes:g} minutes", flush=True)
    end = time.monotonic() + 60 * options.minutes
    corpus = [layout.raw for layout in layouts(SAMPLE)]
    count = faults = 0
    queue: list[tuple[str, bytes]] = []
    hostile = iter(chance.sample(sorted(HOSTILE), len(HOSTILE)))
    while time.monotonic() < end:
        if count % 200 == 0 and (name := next(hostile, None)) is not None:
            queue.append((f"hostile: {name}", HOSTILE[name](FULL_SIZE)))
        queue.append(("mutated", mutated(chance.choice(corpus), corpus, chance)))
        while queue:
            what, raw = queue.pop()
            count += 1
            fault = fault_of(raw)
            if fault is not None:
                faults += 1
                options.save.mkdir(parents=True, exist_ok=True)
                path = options.save / f"{hashlib.sha256(raw).hexdigest()[:16]}.eml"
                path.write_bytes(raw)
                print(f"{what}: {fault.splitlines()[-1]} — {path}", flush=True)
    print(f"{count:,} mails, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
