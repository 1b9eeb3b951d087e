"""Replies around every letter the server writes: read as meant, and nothing of it obeyed."""

from collections.abc import Iterator

import pytest

from pbem.commands import Context, read
from pbem.intake.message import letter_texts, read_message
from tests.letters.conftest import gallery_in
from tests.mails.layouts import FAMILIES, Layout, layouts
from tests.mails.sample import Letter

STRIDE = 29  # each letter gets every 29th layout of two families, each letter others
OFTEN = 3  # every third is compared with all letters at once, too, which takes long


@pytest.fixture(scope="module")
def letters() -> list[Letter]:
    return [
        Letter(
            one.text,
            one.html,
            "Ark, Sunday club",
            "t-k3j5q7z2m4x6w8a2@ark.example.org",
            one.subject,
            "<letter.27@ark.example.org>",
            tuple(line[2:] for line in one.text.split("\n") if line.startswith("› "))[:2],
        )
        for _, one in gallery_in("en").values()
    ]


def some(letters: list[Letter]) -> Iterator[tuple[Letter, Layout]]:
    for number, letter in enumerate(letters):
        families = number % FAMILIES, (number + 3) % FAMILIES
        for layout in list(layouts(letter, families))[2 * number % STRIDE :: STRIDE]:
            yield letter, layout


def test_every_letter_is_subtracted(letters: list[Letter]) -> None:
    texts = {letter.text: letter_texts(letter.text, letter.html) for letter in letters}
    every_text = [text for own in texts.values() for text in own]
    count = 0
    for count, (letter, layout) in enumerate(some(letters), 1):
        own = texts[letter.text]
        assert read_message(layout.raw, own).text == layout.new, layout.name
        if count % OFTEN == 0:
            assert read_message(layout.raw, every_text).text == layout.new, layout.name
        if not layout.needs_sent:
            assert read_message(layout.raw).text == layout.new, layout.name
    assert count > 800


def test_a_quoted_letter_gives_no_order(letters: list[Letter]) -> None:
    """A letter sent back without any answer, in any form, orders nothing, known or not."""
    for letter in letters:
        for body in (letter.text, "\n".join(f"> {line}" for line in letter.text.split("\n"))):
            raw = f"Content-Type: text/plain; charset=utf-8\n\n{body}".encode()
            assert read_message(raw, letter_texts(letter.text, letter.html)).kind == "empty"
            reading = read(read_message(raw).text, Context())
            assert reading.turn is None
        raw = f"Content-Type: text/html; charset=utf-8\n\n{letter.html}".encode()
        assert read_message(raw, letter_texts(letter.text, letter.html)).kind == "empty"
        assert read(read_message(raw).text, Context()).turn is None
