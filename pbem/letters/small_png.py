"""Screenshots made small: a picture of at most 256 colours takes a third of the room.

For the pictures in the docs.  Reads what browsers write: 8 bits a sample, colour with or
without transparency, not interlaced (PNG, ISO/IEC 15948).
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_COLOURS = 256
_SAMPLES = {2: 3, 6: 4}  # by the colour type


def small_png(png: bytes) -> bytes:
    """The same picture with a palette: its most frequent colours, each other one as the
    nearest of them.  ValueError for a picture of another kind."""
    wide, high, pixels = _pixels(png)
    seen = Counter(pixels)
    palette = [colour for colour, _ in seen.most_common(MOST_COLOURS)]
    index = {colour: number for number, colour in enumerate(palette)}
    for colour in seen:
        if colour not in index:
            index[colour] = min(range(len(palette)), key=lambda at: _apart(palette[at], colour))
    numbers = bytes(index[pixel] for pixel in pixels)
    rows = b"".join(b"\0" + numbers[row * wide : (row + 1) * wide] for row in range(high))
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    return SIGNATURE + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", head), (b"PLTE", b"".join(palette)),
            (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""),
        )
    )  # fmt: skip


def _apart(one: bytes, other: bytes) -> int:
    red, green, blue = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    return red * red + green * green + blue * blue


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height, and the colour (red, green, blue) of every pixel."""
    chunks = list(_chunks(png))
    wide, high, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", dict(chunks)[b"IHDR"])
    if depth != 8 or kind not in _SAMPLES or interlaced:
        raise ValueError("only 8 bits a sample in colour, not interlaced")
    samples = _SAMPLES[kind]
    data = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    pixels: list[bytes] = []
    above = bytearray(wide * samples)
    for row in range(high):
        start = row * (wide * samples + 1)
        above = _row(data[start], data[start + 1 : start + 1 + wide * samples], above, samples)
        pixels += [bytes(above[at : at + 3]) for at in range(0, len(above), samples)]
    return wide, high, pixels


def _row(method: int, filtered: bytes, above: bytearray, samples: int) -> bytearray:
    """One row without its filter (section 9.2)."""
    row = bytearray(filtered)
    for at, value in enumerate(filtered):
        left = row[at - samples] if at >= samples else 0
        corner = above[at - samples] if at >= samples else 0
        row[at] = (value + _guess(method, left, above[at], corner)) & 255
    return row


def _guess(method: int, left: int, up: int, corner: int) -> int:
    match method:
        case 0:
            return 0
        case 1:
            return left
        case 2:
            return up
        case 3:
            return (left + up) // 2
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))
