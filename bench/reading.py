"""How fast a mail is read: from its bytes to the new text, and to the commands in it.

    python -m bench.reading [--rounds 5]

The floor is what the standard library needs to take the same mails apart, which is the
least any reader does; it stands beside each figure, measured in the same run.
"""

import argparse
import email
import email.policy
import platform
import statistics
import time
from collections.abc import Callable, Sequence

from bench.machine import processor
from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.intake.message import letter_texts, read_message
from tests.mails.layouts import layouts
from tests.mails.sample import SAMPLE, TEXT, Letter

LARGE = 100_000  # bytes
LETTERS = 60  # of a seat in the middle of a long game


def letters_of_a_seat(count: int) -> list[str]:
    """The texts of a seat's letters, all different, the newest first."""
    texts: list[str] = []
    for turn in range(count, 0, -1):
        text = TEXT.replace("sheep 2", f"sheep {turn}").replace("31 points", f"{turn} points")
        texts += letter_texts(
            f"{text}\nTurn {turn}\n", SAMPLE.html.replace("sheep 2", f"sheep {turn}")
        )
    return [*letter_texts(SAMPLE.text, SAMPLE.html), *texts]


def large_mails() -> list[bytes]:
    """Answers over a long thread, 100 kB each, marked and bare."""
    long = Letter(
        TEXT * (LARGE // len(TEXT)), SAMPLE.html * 12, SAMPLE.sender_name, SAMPLE.address,
        SAMPLE.subject, SAMPLE.message_id, (),
    )  # fmt: skip
    wanted = ("gmail/en/one/", "outlook/en/top", "nothing/bare/top")
    return [layout.raw for layout in layouts(long) if layout.name.startswith(wanted)]


def measure(mails: Sequence[bytes], once: Callable[[bytes], object], rounds: int) -> float:
    """The median over the rounds of the median time of a mail, in milliseconds."""
    medians = []
    for _ in range(rounds):
        times = []
        for raw in mails:
            began = time.process_time()
            once(raw)
            times.append(time.process_time() - began)
        medians.append(statistics.median(times))
    return 1000 * statistics.median(medians)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    context = Context(builtin_deck(), sender="Cy Miller")
    one, many = letter_texts(SAMPLE.text, SAMPLE.html), letters_of_a_seat(LETTERS)

    def floor(raw: bytes) -> object:
        return email.message_from_bytes(raw, policy=email.policy.compat32)

    def whole(raw: bytes) -> object:
        message = read_message(raw, many)
        return read(message.text, context, message.breaks)

    small = [layout.raw for layout in layouts(SAMPLE)]
    large = large_mails()
    print(f"{processor()}, Python {platform.python_version()}; median of {options.rounds} rounds")
    for name, mails, target in (("layouts", small, 2.0), ("100 kB", large, 20.0)):
        size = statistics.median(map(len, mails))
        print(f"{name}: {len(mails)} mails, median {size:,.0f} bytes")
        rows: list[tuple[str, Callable[[bytes], object]]] = [
            ("floor: email.message_from_bytes", floor),
            ("read_message, no letter known", read_message),
            ("read_message, one letter known", lambda raw: read_message(raw, one)),
            (f"read_message, {LETTERS} letters known", lambda raw: read_message(raw, many)),
            (f"… and its commands read (target {target:g} ms)", whole),
        ]
        base = 0.0
        for label, once in rows:
            once(mails[0])
            took = measure(mails, once, options.rounds)
            base = base or took
            print(f"  {label:42} {took:8.3f} ms  {took / base:6.1f} x the floor")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
