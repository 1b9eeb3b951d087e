"""All chance in the engine: one documented generator, one documented shuffle.

**Generator** (name `sha256-ctr/1`).  The words of a seed are unsigned 64-bit numbers, taken big
end first from the digests SHA-256(seed + ":" + 0), SHA-256(seed + ":" + 1), …, four from each; the
text is encoded in UTF-8, the counter is decimal.  `below(n)` takes the next word that is less than
the greatest multiple of n up to 2**64, modulo n; so every result is equally likely.

**Shuffle** (Fisher-Yates).  For i from the last index down to 1: swap element i with element
`below(i + 1)`.

Nothing here depends on the Python version or the machine.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from struct import unpack
from typing import TypeVar

Item = TypeVar("Item")

SHUFFLE_NAME = "sha256-ctr/1"
"""Names this generator and shuffle, as used by the deal of `engine.setup`."""

_WORDS = 1 << 64


class Generator:
    """A stream of random numbers that follows from its seed alone."""

    __slots__ = ("_next",)

    def __init__(self, seed: str) -> None:
        self._next = _stream(seed).__next__

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; n is positive and at most 2**64."""
        word = self._next()
        while word >= _WORDS - _WORDS % n:
            word = self._next()
        return word % n

    def shuffle(self, items: list[Item]) -> None:
        """Shuffle the list in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def _stream(seed: str) -> Iterator[int]:
    start = sha256(seed.encode("utf-8", "surrogatepass") + b":")
    for block in count():
        digest = start.copy()
        digest.update(str(block).encode())
        yield from unpack(">4Q", digest.digest())
