"""What the archive calls a table, and those who play there."""

from datetime import UTC, datetime

import pytest

from pbem.archive.names import called_in, folded, table_title
from pbem.store import Game, Profile
from pbem.store.people import Holder

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def _game(name: str, archive: str) -> Game:
    return Game(
        id=7, name=name, archive=archive, players=3, turn_seconds=1, server_seed="", salt="",
        commitment="", seed="dealt here",
    )  # fmt: skip


def _held(*people: str) -> list[Holder]:
    return [Holder(seat, one, seat + 1, None, 0) for seat, one in enumerate(people)]


def _title(name: str, archive: str, *people: str, pseudonym: str = "") -> str:
    """`pseudonym`: what the first one goes by."""
    game, held = _game(name, archive), _held(*people)
    return table_title(game, called_in(game, held, _shown(pseudonym), earlier=EARLIER))


EARLIER = {1: ["Quill Quentin"]}
"""What the first one was called before."""


def _shown(pseudonym: str) -> dict[int, Profile]:
    key = folded(pseudonym)
    profile = Profile(id=1, person_id=1, name=pseudonym, name_key=key, public=True, created_at=NOW)
    return {1: profile} if pseudonym else {}


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


def test_a_title_does_not_tell_what_somebody_was_called_before() -> None:
    assert _title("Quill's table", "names-hidden", "Ann Archer", "Bo Baker") == "Table 7"
    assert _title("Quill's table", "open", "Ann Archer", pseudonym="Nemo") == "Table 7"
    assert _title("Quill's table", "open", "Ann Archer") == "Quill's table"


def test_a_title_does_not_tell_who_goes_by_a_pseudonym() -> None:
    people = ("Ann Archer", "Bo Baker", "Cy Cooper")
    assert _title("Ann's table", "open", *people, pseudonym="Nemo") == "Table 7"
    assert _title("Bo's table", "open", *people, pseudonym="Nemo") == "Bo's table"
    for own in ("ANN", "Ann Archer"):
        assert _title("Ann's table", "open", *people, pseudonym=own) == "Ann's table"


def test_a_number_does_not_tell_who_goes_by_a_pseudonym() -> None:
    game, held = _game("Old salts", "open"), _held("Ann Archer", "Ann Baker", "Ann Cooper")
    names = [one.name for one in called_in(game, held, _shown("Nemo"), earlier={})]
    assert names == ["Nemo", "Ann", "Ann (2)"]
    names = [one.name for one in called_in(game, held, _shown("Nemo"), True, earlier={})]
    assert names == ["Ann", "Ann (2)", "Ann (3)"]
