"""What one finished game adds to the statistics: whole numbers, so that a game that does
not count after all can be taken out again without a trace."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, delete

from engine.cards import KINDS
from pbem.archive.facts import Facts
from pbem.store.models import Statistic
from pbem.store.models.archive import SHARES

TIMBERS = "timbers"
PACES = (3600, 6 * 3600, 24 * 3600, 48 * 3600)
"""Upper ends of the classes of pace, in seconds for a turn; the last class is open."""
STEP_OF_TURNS, STEP_OF_TOTALS = 5, 5


@dataclass
class Count:
    count: int = 0
    won: int = 0
    points: int = 0

    def add(self, won: int = 0, points: int = 0) -> None:
        self.count += 1
        self.won += won
        self.points += points


Counts = dict[tuple[str, str], Count]
"""By what is counted and which of it: ("card", "fox")."""


def counts_of(facts: Facts, seconds: int) -> Counts:
    """What a game adds; `seconds` is how long it took."""
    counts: Counts = defaultdict(Count)
    won = shares(facts)
    counts["games", "turns"].add(points=facts.turns)
    counts["games", "seconds"].add(points=seconds)
    counts["games", facts.result_class].add(points=facts.best)
    counts["length", str(facts.turns // STEP_OF_TURNS * STEP_OF_TURNS)].add()
    counts["pace", str(pace_class(seconds / facts.turns))].add()
    for seat in range(facts.players):
        total = facts.result.totals[seat]
        counts["seat", str(seat)].add(won[seat], total)
        counts["total", str(total // STEP_OF_TOTALS * STEP_OF_TOTALS)].add(won[seat])
        counts["pet", _pet_class(facts, seat)].add(won[seat], facts.pet_points[seat])
        counts["kind", TIMBERS].add(won[seat], facts.result.timbers[seat])
        for kind in KINDS:
            counts["kind", kind].add(won[seat], facts.result.scoring[kind][seat])
        for card in sorted(facts.boarded[seat]):
            counts["card", card].add(won[seat], total)
    for one in facts.drive_outs:
        counts["drive-out", f"{one.driver}/{one.victim}"].add(won[one.seat])
    return counts


def shares(facts: Facts) -> list[int]:
    """By seat: sixtieths of the victory."""
    winners = facts.result.winners
    return [SHARES // len(winners) if seat in winners else 0 for seat in range(facts.players)]


def pace_class(seconds: float) -> int:
    """Which of the classes of `PACES` a mean time for a turn lies in, from 0."""
    return next((number for number, end in enumerate(PACES) if seconds < end), len(PACES))


def store(session: Session, deck: str, players: int, counts: Counts, sign: int = 1) -> None:
    """Add a game's counts, or (`sign` -1) take them out: one statement, the same number of
    rows however many games there are."""
    connection = session.connection()
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(_TABLE)
    new = statement.excluded
    statement = statement.on_conflict_do_update(
        index_elements=["deck", "players", "what", "key"],
        set_={name: _TABLE.c[name] + new[name] for name in ("count", "won", "points")},
    )
    connection.execute(statement, list(_rows(deck, players, counts, sign)))


def clear(session: Session) -> None:
    session.exec(delete(Statistic))


_TABLE = SQLModel.metadata.tables["statistic"]


def _rows(deck: str, players: int, counts: Counts, sign: int) -> Iterator[dict[str, object]]:
    for (what, key), one in sorted(counts.items()):
        yield {
            "deck": deck, "players": players, "what": what, "key": key,
            "count": sign * one.count, "won": sign * one.won, "points": sign * one.points,
        }  # fmt: skip


def _pet_class(facts: Facts, seat: int) -> str:
    if facts.pets[seat] is None:
        return "none"
    return "counts" if facts.pet_counts[seat] else "useless"
