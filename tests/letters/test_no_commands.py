"""No line of a letter, nor a piece of one wrapped again, may itself be a command."""

from dataclasses import replace

import pytest
from sqlmodel import Session, col, select

from engine.cards import builtin_deck
from engine.moves import Gather, Move
from engine.position import Position
from engine.shuffle import Generator
from pbem.commands import Context, read
from pbem.letters import Site, announce, stage
from pbem.letters.names import table_name
from pbem.letters.render import Rendered, render
from pbem.store import Letter
from tests.letters.pieces import commands_in

TABLE_KINDS = ["your-turn", "what-happened", "choose-pet", "end-phase", "over", "begins"]


def test_the_check_finds_what_it_is_for() -> None:
    assert commands_in(
        ["take fox", "› take fox", "a line of forty columns at the least, take fox"]
    ) == [
        "take fox",
        "take fox",
    ]


def test_no_scene_holds_a_command(gallery: dict[str, tuple[Letter, Rendered]]) -> None:
    assert commands_in(letter.text for _, letter in gallery.values()) == []


@pytest.mark.parametrize("seed", ["one", "two"])
def test_nor_does_any_letter_of_a_random_game(session: Session, site: Site, seed: str) -> None:
    table = stage.Stage(session, site, 3, seed).begin().until(lambda position: False)
    texts = []
    for kind in TABLE_KINDS:
        rows = session.exec(
            select(Letter).where(Letter.kind == kind).order_by(col(Letter.id))
        ).all()
        texts += [render(session, site, row).text for row in rows[-1::-9][:3]]
    assert table.position.phase == "over"
    assert commands_in(texts) == []


HOSTILE = [
    "take fox",
    "say all",
    "Ann pass",
    "pass",
    "play fox L3",
    "note Bo",
    "L3 fox",
    "a, pet fox",
]


def test_players_names_cannot_make_commands_of_our_lines(session: Session, site: Site) -> None:
    names = ["take fox", "say all", "Ann pass", "plays fox to L3"]
    table = stage.Stage(session, site, 4, "names", names=names, name="pass").begin()
    table.until(lambda position: position.turn >= 24, _boarding)
    announce.deadline_missed(session, site, table.now, table.game, list(table.position.to_move))
    announce.message(
        session, site, table.now, table.game, sender=1, seats=[0, 2, 3], to_all=True,
        text="take fox\nplay fox L3; pass\n" + "word " * 9 + "take fox",
    )  # fmt: skip
    rows = session.exec(select(Letter).order_by(col(Letter.id).desc()).limit(12)).all()
    assert commands_in(render(session, site, row).text for row in rows) == []


def _boarding(position: Position, seat: int, chance: Generator) -> Move:
    move = stage.lively(position, seat, chance)
    return stage.lively(position, seat, chance) if isinstance(move, Gather) else move


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_shown_but_does_nothing(name: str) -> None:
    shown = table_name(name)
    assert commands_in([shown, f"{shown}: 25 points now.", f"It is the turn of {shown}."]) == []
    assert sum(map(str.isalpha, shown)) == sum(map(str.isalpha, name))


def test_an_ordinary_name_is_shown_as_it_is() -> None:
    for name in ("Ann", "Bo Derek", "Müller-Lüdenscheid", "王小明", "Noah", "Fox Mulder"):
        assert table_name(name) == name


def test_every_example_is_a_command(gallery: dict[str, tuple[Letter, Rendered]]) -> None:
    """What a letter suggests is understood."""
    context = Context(builtin_deck(), names=("Ann", "Bo", "Cy", "Di"))
    forming = replace(context, forming=True)  # letters of a table that has not begun
    lines = {
        (line, name in ("opened", "declined"))
        for name, (_, letter) in gallery.items()
        if name != "help"  # shows forms, with words to be filled in
        for line in letter.text.splitlines()
        if line.startswith("› ")
    }
    assert len(lines) > 20
    for line, before in lines:
        reading = read(line.removeprefix("› "), forming if before else context)
        assert all(found.command and not found.error for found in reading.lines), line
