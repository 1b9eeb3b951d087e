"""Every letter, line by line, against the one kept.

After a wanted change: ``ARK_UPDATE_GOLDEN=1 pytest tests/letters/test_golden.py``, and
look at the difference.  HTML is kept one tag a line and without styles; how it looks is
seen in ``make screenshots``.
"""

import os
import re
from pathlib import Path

import pytest

from pbem.letters.render import Rendered
from pbem.letters.scenes import NAMES
from pbem.letters.templates import BUILT_IN
from pbem.store import Letter

GOLDEN = Path(__file__).parents[1] / "golden" / "letters"
UPDATE = bool(os.environ.get("ARK_UPDATE_GOLDEN"))


@pytest.mark.parametrize("name", NAMES)
def test_the_letter_is_as_it_was(gallery: dict[str, tuple[Letter, Rendered]], name: str) -> None:
    _, letter = gallery[name]
    head = f"Subject: {letter.subject}\nReply-To: {letter.reply_address}\n\n"
    _compare(GOLDEN / f"{name}.txt", head + letter.text)
    _compare(GOLDEN / f"{name}.html", _plain_html(letter.html))


def test_every_letter_there_is_has_a_scene(gallery: dict[str, tuple[Letter, Rendered]]) -> None:
    folders = {path.name for path in BUILT_IN.iterdir() if path.is_dir() and path.name != "_base"}
    assert folders == {row.kind for row, _ in gallery.values()}
    assert tuple(gallery) == NAMES


def test_nothing_else_is_kept() -> None:
    kept = {path.stem for path in GOLDEN.iterdir()}
    assert kept == set(NAMES)


def _compare(path: Path, text: str) -> None:
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def _plain_html(html: str) -> str:
    body = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    body = re.sub(
        r' style="[^"]*"| (role|cellspacing|cellpadding|width|aria-hidden)="?[^\s">]*"?', "", body
    )
    lines = (line.strip() for line in body.replace("<", "\n<").split("\n"))
    return (
        "\n".join(
            line for line in lines if line and not re.fullmatch(r"</(td|tr|b|span|p|div|th)>", line)
        )
        + "\n"
    )
