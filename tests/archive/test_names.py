"""What the archive calls a table whose names are hidden."""

import pytest

from pbem.archive.names import table_title
from pbem.store import Game
from pbem.store.people import Holder


def _title(name: str, archive: str, *people: str) -> str:
    game = Game(
        id=7, name=name, archive=archive, players=3, turn_seconds=1, server_seed="", salt="",
        commitment="",
    )  # fmt: skip
    held = [Holder(seat, one, seat + 1, None, 0) for seat, one in enumerate(people)]
    return table_title(game, held)


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("Ann's table", "Ann Archer"), ("ANNS TISCH", "Ann"), ("Archers", "Ann Archer"),
        ("陳大文的方舟", "陳大文"), ("Anna Lena", "Annalena"), ("At X", "X"),
    ],
)  # fmt: skip
def test_a_title_does_not_tell_a_hidden_name(name: str, person: str) -> None:
    assert _title(name, "names-hidden", person, "Zed") == "Table 7"
    assert _title(name, "open", person, "Zed") == name


@pytest.mark.parametrize("name", ["Sunday club", "Xylophones", "Old salts"])
def test_a_title_that_tells_nobody_stays(name: str) -> None:
    assert _title(name, "names-hidden", "Ann Archer", "X", "Bo Baker") == name
