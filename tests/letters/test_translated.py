"""The letters in the other languages: word for word as they were, and as safe as in English.

After a wanted change: ``ARK_UPDATE_GOLDEN=1 pytest tests/letters/test_translated.py``.
Subjects and text parts are kept, a file a language; the HTML is built like the English one.
"""

import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.letters.plain import WIDTH, width
from pbem.letters.render import Rendered
from pbem.store import Letter
from tests.letters.conftest import gallery_in
from tests.letters.pieces import commands_in

GOLDEN = Path(__file__).parents[1] / "golden"
UPDATE = bool(os.environ.get("ARK_UPDATE_GOLDEN"))
LISTS = {"help", "legal"}  # forms with words to be filled in; names as English has them
FORMING = {"opened", "declined"}  # before a game has begun

Gallery = dict[str, tuple[Letter, Rendered]]


@pytest.mark.parametrize("language", ["de", "zh-Hant", "zh-Hans"])
def test_the_letters_of_a_language(language: str, gallery: Gallery) -> None:
    """All in one test, for a gallery takes as long to make as all that is asked of it."""
    ours = gallery_in(language)
    assert tuple(ours) == tuple(gallery)
    _as_they_were(language, ours)
    _no_commands(ours)
    _examples_are_understood(language, ours)
    for name, (_, letter) in ours.items():
        original = gallery[name][1]
        assert f'<html lang="{language if _known(ours[name][0]) else "en"}">' in letter.html, name
        assert _built(letter.html) == _built(original.html), name
        assert len(letter.html.encode()) < 90_000
        for line in letter.text.splitlines():
            assert width(line) <= WIDTH or " " not in line.strip(), (name, line)


def _known(row: Letter) -> bool:
    """Is the reader somebody whose language is known?"""
    return row.person_id is not None or "language" in row.context


def _as_they_were(language: str, ours: Gallery) -> None:
    told = "".join(
        f"════ {name}\nSubject: {letter.subject}\n\n{_without_secrets(letter)}\n"
        for name, (_, letter) in ours.items()
    )
    path = GOLDEN / f"letters-{language}.txt"
    if UPDATE:
        path.write_text(told, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == told


def _without_secrets(letter: Rendered) -> str:
    text = letter.text
    for secret in letter.secrets:
        text = text.replace(secret, "SECRET")
    return text


def _no_commands(ours: Gallery) -> None:
    assert commands_in(letter.text for _, letter in ours.values()) == []


def _examples_are_understood(language: str, ours: Gallery) -> None:
    context = Context(builtin_deck(), language=language, names=("Ann", "Bo", "Cy", "Di"))
    found = 0
    for name in ours.keys() - LISTS:
        reader = replace(context, forming=name in FORMING)
        for line in ours[name][1].text.splitlines():
            if line.startswith("› "):
                found += 1
                reading = read(line.removeprefix("› "), reader)
                assert all(one.command and not one.error for one in reading.lines), (name, line)
    assert found > 40


def _built(html: str) -> Counter[str]:
    """Which elements there are, and how many of each; emphasis and line breaks follow the
    words."""
    tags = re.findall(r"<([a-z0-9]+)", html)
    return Counter(tag for tag in tags if tag not in {"b", "br"})
