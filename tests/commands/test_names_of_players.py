"""What a player may be called (commands.md 3.13)."""

import pytest

from pbem.commands.player_names import name_fault


@pytest.mark.parametrize("name", ["Ann", "Bo 2", "李明", "Eve Smith", "Fox", "x" * 24, "Passer"])
def test_a_name_that_may_be_taken_has_no_fault(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "length"),
        ("   ", "length"),
        ("x" * 25, "length"),
        ("A\nB", "length"),
        ("A:B", "sign"),
        ("A：B", "sign"),
        ("A, B", "sign"),
        ("A，B", "sign"),
        ("all", "reserved"),
        ("ALLE", "reserved"),
        ("所有人", "reserved"),
        ("Table", "reserved"),
        ("Moderator", "reserved"),
        ("Pass", "reserved"),
        ("nimm", "reserved"),
        ("放棄", "reserved"),
        ("New Game", "reserved"),
        ("ＡＮＮ", "taken"),
        ("ann", "taken"),
    ],
)
def test_a_name_that_may_not_be_taken_is_told_why(name: str, fault: str) -> None:
    assert name_fault(name, taken=["Ann", "Bo"]) == fault
