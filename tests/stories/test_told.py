"""The page of the stories and their tests tell the same ones."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "stories.md"


def test_each_story_of_the_page_has_its_test() -> None:
    told = re.findall(r"^### (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    names = ["test_" + re.sub(r"[^a-z0-9]+", "_", title.lower()) for title in told]
    source = "".join(
        (HERE / name).read_text("utf-8") for name in ("test_tables.py", "test_people.py")
    )
    assert len(names) >= 20
    assert sorted(names) == sorted(re.findall(r"^def (test_\w+)", source, re.MULTILINE))
