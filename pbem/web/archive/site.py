"""The archive as a folder of pages that open from the disk: an index, the statistics, and for
every public game its page with the replay and its record, which can be brought in again."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, render_template
from sqlmodel import Session

from pbem.archive import exporting
from pbem.archive.records import dump
from pbem.archive.search import Wanted
from pbem.store import Store
from pbem.translation import speaking
from pbem.web.archive import figures, listing
from pbem.web.archive.listing import ListedGame
from pbem.web.archive.one_page import one_page
from pbem.web.archive.reader import for_everybody

GAMES = "games"
PAGE_SIZE = 200


@dataclass(frozen=True)
class Sheet:
    """One page of the index; the first one is `index.html`."""

    number: int
    listed: tuple[ListedGame, ...]
    is_last: bool

    @property
    def file(self) -> str:
        return sheet_file(self.number)


def sheet_file(number: int) -> str:
    return "index.html" if number == 1 else f"index-{number}.html"


def build(app: Flask, store: Store, folder: Path, language: str) -> int:
    """Write the site into a folder, over what an earlier one has left there; returns how many
    games it holds."""
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    with app.test_request_context(), speaking(language):
        count = _write_games(store, folder)
        with store.read() as session:
            for sheet in _sheets(session):
                page = render_template(
                    "archive/site_index.html", sheet=sheet, count=count, sheet_file=sheet_file
                )
                (folder / sheet.file).write_text(page, encoding="utf-8")
            tables = figures.tables(session, None, None)
            page = render_template("archive/site_statistics.html", tables=tables)
            (folder / "statistics.html").write_text(page, encoding="utf-8")
    return count


def _write_games(store: Store, folder: Path) -> int:
    count = 0
    for session, game in exporting.listed_games(store):
        here = for_everybody(session, game)
        page = render_template(
            "archive/one_page.html", back="../index.html", **one_page(session, here)
        )
        (folder / GAMES / f"{game.id}.html").write_text(page, encoding="utf-8")
        record = exporting.public_record(session, game, here.called)
        (folder / GAMES / f"{game.id}.ark.json").write_text(dump(record), encoding="utf-8")
        count += 1
    return count


def _sheets(session: Session) -> Iterator[Sheet]:
    number, before = 1, None
    while True:
        found = listing.page_of(session, Wanted(), before, None, PAGE_SIZE)
        yield Sheet(number, found.listed, found.older is None)
        if found.older is None:
            return
        number, before = number + 1, found.older
