"""Every layout is read as meant: exactly the new text, nothing of the letter."""

import pytest

from pbem.intake.message import letter_texts, read_message
from tests.mails.layouts import FAMILIES, Layout, layouts
from tests.mails.sample import SAMPLE

SENT = letter_texts(SAMPLE.text, SAMPLE.html)


def test_there_are_enough_layouts() -> None:
    assert sum(1 for _ in layouts(SAMPLE)) >= 500


@pytest.mark.parametrize("family", range(FAMILIES))
def test_the_layouts_of_a_family(family: int) -> None:
    """A table, for there are more than a thousand; what is wrong is told by name."""
    wrong = {
        layout.name: faults for layout in layouts(SAMPLE, [family]) if (faults := _faults(layout))
    }
    assert wrong == {}


def _faults(layout: Layout) -> dict[str, object]:
    """What was read otherwise than meant."""
    message = read_message(layout.raw, SENT)
    faults: dict[str, object] = {}
    if message.text != layout.new:
        faults["text"] = message.text
    if message.kind != "commands":
        faults["kind"] = message.kind
    if frozenset(message.cut) != layout.cut:
        faults["cut"] = message.cut
    if not layout.needs_sent and (text := read_message(layout.raw).text) != layout.new:
        faults["without the letter known"] = text
    return faults
