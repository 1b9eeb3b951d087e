"""How long a turn letter takes to render, text and HTML.

    python -m bench.letters [--seed S]

Milliseconds a letter of CPU time, medians of the turn letters of five four-player games: the
whole, as the post does it; the database's part of that (rows, log and position, read anew each
time); what is left (view, fits, examples, sentences, picture, templates), which has the target;
and, as a floor, the templates alone.  Each game is rendered for the first time, after another one,
as on a server that runs; ``again`` is the second time, when every line and cabin is known.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlmodel import Session, select

from engine.view import view
from pbem.letters import stage, templates
from pbem.letters.context import context_of
from pbem.letters.names import table_names
from pbem.letters.render import fill, render
from pbem.letters.site import Site
from pbem.letters.styles import styles_in
from pbem.letters.table import Table, laid_out
from pbem.settings import Settings
from pbem.store import Letter
from pbem.store.log import events_of, last_turn_of, seen_by
from pbem.store.people import holders
from pbem.store.positions import position_at

RUNS = 5
TARGET = 1.5  # milliseconds, without the database


@contextmanager
def played(seed: str) -> Iterator[tuple[Session, Site, stage.Stage, list[Letter]]]:
    """A finished game and its letters that ask for a turn."""
    with tempfile.TemporaryDirectory() as folder:
        store = stage.open_store(f"sqlite:///{folder}/bench.sqlite")
        site = stage.site(Settings(instance=Path(folder) / "instance"))
        with store.work() as session:
            table = stage.Stage(session, site, 4, seed).begin().until(lambda position: False)
            letters = session.exec(select(Letter).where(Letter.kind == "your-turn")).all()
            yield session, site, table, list(letters)
        store.close()


def timed(work: Callable[[], object], letters: int) -> float:
    """Milliseconds a letter."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000 / letters


def measure(seed: str) -> dict[str, float]:
    """The figures of one game."""
    styles = styles_in(templates.BUILT_IN)
    with played(seed) as (session, site, table, letters):
        game = table.game
        names = table_names(holder.name for holder in holders(session, game))
        context = context_of(session, site, letters[0], styles)
        known = []
        for letter in letters:
            assert letter.seat is not None
            assert letter.seq is not None
            last = last_turn_of(session, game, letter.seat, letter.seq)
            seen = seen_by(events_of(session, game, last, letter.seq), letter.seat)
            known.append((position_at(session, game, letter.seq), letter.seat, seen))
        tables: list[Table] = []

        def compose() -> None:
            tables.clear()
            for position, seat, seen in known:
                shown = laid_out(view(position, seat), names, seen, seen, styles, first=False)
                tables.append(shown)
                fill(site, "your-turn", {**context, "table": shown})

        def filled() -> None:
            for shown in tables:
                fill(site, "your-turn", {**context, "table": shown})

        count = len(letters)
        first, again = timed(compose, count), timed(compose, count)
        whole = timed(lambda: [render(session, site, letter) for letter in letters], count)
        floor = timed(filled, count)
    return {
        "whole": whole - again + first, "database": whole - again, "letter": first,
        "again": again, "templates": floor,
    }  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description="Rendering a turn letter, text and HTML.")
    options.add_argument("--seed", default="bench")
    seed = options.parse_args().seed
    measure(f"{seed}-before")
    games = [measure(f"{seed}-{number}") for number in range(RUNS)]
    for name in games[0]:
        value = statistics.median(game[name] for game in games)
        note = f"  (target {TARGET} ms)" if name == "letter" else ""
        print(f"{name:<10} {value:6.2f} ms{note}")


if __name__ == "__main__":
    main()
