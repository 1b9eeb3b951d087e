"""Every layout is read as meant: exactly the new text, nothing of the letter."""

import pytest

from pbem.intake.message import letter_texts, read_message
from tests.mails.layouts import Layout, layouts
from tests.mails.sample import SAMPLE

LAYOUTS = list(layouts(SAMPLE))
SENT = letter_texts(SAMPLE.text, SAMPLE.html)


def test_there_are_enough_layouts() -> None:
    assert len(LAYOUTS) >= 500


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_layout(layout: Layout) -> None:
    message = read_message(layout.raw, SENT)
    assert message.text == layout.new
    assert message.kind == "commands"
    assert frozenset(message.cut) == layout.cut
    if not layout.needs_sent:
        assert read_message(layout.raw).text == layout.new, "without the letter known"
