"""Any bytes at all: a kind of the closed set, in seconds, in bounded memory."""

import random
import tracemalloc
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.intake.message import read_message
from tests.examples import examples
from tests.mails.fuzz import SENT, fault_of, mutated
from tests.mails.hostile import HOSTILE
from tests.mails.layouts import layouts
from tests.mails.sample import SAMPLE

SIZE = 1_000_000  # `make fuzz` reads each of them at full size


@cache
def corpus() -> list[bytes]:
    return [layout.raw for layout in layouts(SAMPLE)][::7]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_mail_is_read_without_a_fault(name: str) -> None:
    assert fault_of(HOSTILE[name](SIZE)) is None


@pytest.mark.parametrize("name", ["one line", "paragraphs"])
def test_a_hostile_mail_of_full_size(name: str) -> None:
    raw = HOSTILE[name](24_000_000)
    assert fault_of(raw) is None


def test_memory_is_bounded() -> None:
    """Some copies of the mail, not an object for each of its millions of lines."""
    raw = HOSTILE["line ends"](20_000_000)
    tracemalloc.start()
    read_message(raw, SENT)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * len(raw)


def test_ten_thousand_commands_are_read_as_commands() -> None:
    raw = b"Content-Type: text/plain\n\n" + b"take fox\n" * 10_000
    message = read_message(raw)
    assert message.kind == "commands"
    assert message.text.count("take fox") == 10_000


def test_a_long_line_is_shortened() -> None:
    message = read_message(b"\ntake fox\n" + b"x" * 1_000_000)
    assert message.text.startswith("take fox\n")
    assert len(message.text) < 5_000


@given(st.binary(max_size=400))
@examples(50)
def test_any_bytes_are_read_without_a_fault(raw: bytes) -> None:
    assert fault_of(raw) is None
    assert fault_of(b"Content-Type: text/html\n\n" + raw) is None


@given(st.integers(0, 2**32))
@examples(40)
def test_damaged_layouts_are_read_without_a_fault(seed: int) -> None:
    chance = random.Random(seed)
    assert fault_of(mutated(chance.choice(corpus()), corpus(), chance)) is None


def test_reading_does_not_change_the_bytes() -> None:
    for raw in corpus()[::20]:
        copy = bytes(bytearray(raw))
        read_message(raw, SENT)
        assert raw == copy
