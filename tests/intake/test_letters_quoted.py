"""Replies around every letter the server writes: read as meant, and nothing of it obeyed."""

from collections.abc import Iterator

import pytest

from pbem.commands import Context, read
from pbem.intake.message import letter_texts, read_message
from pbem.letters.render import render
from pbem.letters.scenes import scenes
from pbem.letters.stage import open_store, site
from pbem.settings import Settings
from tests.mails.layouts import Layout, layouts
from tests.mails.sample import Letter

STRIDE = 101  # each letter gets every 101st layout, each letter others


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> list[Letter]:
    folder = tmp_path_factory.mktemp("letters")
    store = open_store(f"sqlite:///{folder}/letters.sqlite")
    our = site(Settings(instance=folder / "instance"))
    with store.work() as session:
        rendered = [render(session, our, letter) for _, letter in scenes(session, our)]
    store.close()
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
        for one in rendered
    ]


def some(letters: list[Letter]) -> Iterator[tuple[Letter, Layout]]:
    for number, letter in enumerate(letters):
        for layout in list(layouts(letter))[2 * number :: STRIDE]:
            yield letter, layout


def test_every_letter_is_subtracted(letters: list[Letter]) -> None:
    texts = {letter.text: letter_texts(letter.text, letter.html) for letter in letters}
    every_text = [text for own in texts.values() for text in own]
    for letter, layout in some(letters):
        own = texts[letter.text]
        assert read_message(layout.raw, own).text == layout.new, layout.name
        assert read_message(layout.raw, every_text).text == layout.new, layout.name
        if not layout.needs_sent:
            assert read_message(layout.raw).text == layout.new, layout.name


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
