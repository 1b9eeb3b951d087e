"""What is brought in is checked, and let in once; what was taken out comes in again."""

import json
import zipfile
from pathlib import Path

import pytest
from sqlmodel import select

from engine.cards import builtin_deck, cards_form
from engine.proof import verify
from engine.record import RecordError, read, write
from pbem.archive import exporting, importing
from pbem.archive.filing import file_all
from pbem.archive.importing import AlreadyThere, ImportFault
from pbem.installation import Installation
from pbem.store import FinishedGame, Game, Person
from tests.archive.games import brought_in, dealt_here, people, played, record_lines
from tests.conftest import START


def test_the_same_game_is_let_in_once(installation: Installation) -> None:
    brought_in(installation, played("once"))
    renamed = json.loads(played("once")) | {"names": ["Ann", "Bo", "Cy"]}
    with pytest.raises(AlreadyThere, match="already, as game 1"):
        brought_in(installation, json.dumps(renamed))
    with installation.store.read() as session:
        assert len(session.exec(select(Game)).all()) == 1


def test_a_file_is_brought_in_whole_or_not_at_all(installation: Installation) -> None:
    twice = "\n".join([*record_lines()[:3], record_lines()[0]])
    with pytest.raises(AlreadyThere):
        brought_in(installation, twice)
    with installation.store.read() as session:
        assert session.exec(select(Game)).all() == []
        assert session.exec(select(Person)).all() == []


def _tampered(change: str) -> str:
    form = json.loads(played("tampered"))
    if change == "a move":
        form["turns"][3], form["turns"][4] = form["turns"][4], form["turns"][3]
    elif change == "the result":
        form["result"]["totals"][0] += 1
    elif change == "the deal":
        hands = form["setup"]["hands"]
        hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    elif change == "the seed":
        form["proof"]["server_seed"] = "another"
    elif change == "half a sign":
        form["proof"]["x-note"] = ["\ud800"]
    elif change == "a deck called NUL":
        form |= {"deck": "\0", "cards": cards_form(builtin_deck())}
    elif change == "the end":
        form["turns"].pop()
        del form["result"]
    return json.dumps(form)


@pytest.mark.parametrize("change", [
    "a move", "the result", "the deal", "the seed", "half a sign", "a deck called NUL", "the end",
])  # fmt: skip
def test_a_record_that_was_tampered_with_is_refused(
    installation: Installation, change: str
) -> None:
    with pytest.raises(RecordError):
        brought_in(installation, _tampered(change))
    with installation.store.read() as session:
        assert session.exec(select(Game)).all() == []


def _archive(installation: Installation) -> None:
    """A game open to all, one with hidden names, one for members, one that is void."""
    with installation.store.work() as session:
        ann, bo, cy = people(session, "Ann Bo Cy", START)
        for number, archive in enumerate(("open", "names-hidden", "members", "open")):
            game = dealt_here(
                session, played(f"out {number}"), [ann, bo, cy], START, archive=archive
            )
            game.voided_at = START if number == 3 else None
            game.seed = None  # the proof of these is not of this server
    file_all(installation.store)


@pytest.mark.parametrize("name", ["all.jsonl", "all.zip"])
def test_what_was_taken_out_comes_in_again(
    installation: Installation, tmp_path: Path, name: str
) -> None:
    _archive(installation)
    file = tmp_path / name
    assert exporting.export(installation.store, file) == 2
    assert list(tmp_path.glob("*.part")) == []
    texts = list(importing.records_in(file))
    records = [record for _, text in texts for record in read(text)]
    assert [one.names for one in records] == [["Ann", "Bo", "Cy"], ["Seat A", "Seat B", "Seat C"]]
    with installation.store.work() as session:
        for game in session.exec(select(Game)):
            game.voided_at = START
    file_all(installation.store)
    for _, text in texts:
        for number in brought_in(installation, text):
            with installation.store.read() as session:
                game = session.get_one(Game, number)
                assert game.finished_at == START
                assert session.get_one(FinishedGame, number).seconds == 9 * 86400


def test_a_bomb_in_a_zip_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST_BYTES", 1000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("game.ark.json", " " * 1001)
    with pytest.raises(ImportFault, match="larger than"):
        list(importing.records_in(tmp_path / "bomb.zip"))


@pytest.mark.parametrize(
    ("place", "byte"), [(8, 0x01), (10, 0x63), (16, 0xFF)], ids=["locked", "packing", "damaged"]
)
def test_a_zip_that_cannot_be_unpacked_gets_a_sentence(
    tmp_path: Path, place: int, byte: int
) -> None:
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("game.ark.json", "{}")
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\1\2") + place] ^= byte  # APPNOTE 4.3.12: flags, method, CRC
    path.write_bytes(content)
    with pytest.raises(ImportFault, match="cannot be unpacked"):
        list(importing.records_in(path))


def test_what_is_no_text_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "picture.jsonl").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(ImportFault, match="not UTF-8"):
        list(importing.records_in(tmp_path))


def test_free_keys_of_a_record_may_say_anything(installation: Installation) -> None:
    form = json.loads(record_lines()[0])
    form["names"] = ["\0\x1b[2J", "An\nn", "\u202eob", *form.get("names", [])[3:]]
    form["names"] = [*form["names"], "x", "y"][: form["players"]]
    form |= {"x-begun": "0001-01-01T00:00:00+23:59", "x-finished": "9999-12-31T23:59:59-23:59"}
    form["x-table"] = "two\nlines"
    with installation.store.work() as session:
        [number] = importing.import_records(session, json.dumps(form), START)
        game = session.get_one(Game, number)
        assert (game.name, game.finished_at) == ("Imported game", START)
        for person in session.exec(select(Person)):
            assert person.name.isprintable()
            assert person.name.strip()


def test_what_is_taken_out_again_is_what_was_brought_in(installation: Installation) -> None:
    form = json.loads(played("there and back")) | {
        "names": ["Ann Archer", "Seat B", "Bot A"], "variants": [],
        "x-table": "Old salts", "x-begun": "2026-01-02T03:04:05+00:00",
        "x-finished": "2026-02-03T04:05:06+00:00",
    }  # fmt: skip
    text = json.dumps(form)
    for _ in range(2):  # and what was taken out once more, too
        [number] = brought_in(installation, text)
        with installation.store.work() as session:
            game = session.get_one(Game, number)
            record = exporting.public_record(session, game)
            assert json.loads(write(record)) == form
            assert verify(record) == []
            text = write(record)
            game.voided_at = START  # so that it may be brought in once more
        file_all(installation.store)
