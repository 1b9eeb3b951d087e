"""Every rule has a test that carries its number."""

from __future__ import annotations

import re
from pathlib import Path

RULES = {"R1": 5, "R2": 3, "R3": 4, "R4": 5, "R5": 7, "R6": 10, "R7": 2, "R8": 4, "R9": 4, "R10": 3}


def test_every_rule_is_tested_by_number() -> None:
    numbers = {f"{part}_{number}" for part in RULES for number in range(1, RULES[part] + 1)}
    tested: set[str] = set()
    for path in Path(__file__).parent.glob("test_r*.py"):
        for name in re.findall(r"^def test_(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            tested.update(re.findall(r"R\d+_\d+(?=_)", name))
    assert tested == numbers
