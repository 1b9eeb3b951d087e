"""The bell that wakes whoever reads the inbox or empties the outbox."""

import threading
import time

from pbem.post.bell import Bell


def test_a_ring_ends_the_wait_at_once() -> None:
    bell = Bell()
    threading.Timer(0.05, bell.ring).start()
    started = time.monotonic()
    assert bell.wait(600)
    assert time.monotonic() - started < 120


def test_a_ring_before_the_wait_is_heard_once() -> None:
    bell = Bell()
    bell.ring()
    bell.ring()
    assert bell.wait(600)
    assert not bell.wait(0.01)
