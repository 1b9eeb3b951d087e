"""The statistics as tables: each with its bars, and the same as CSV and JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlmodel import Session, col, func, select

from engine.cards import KINDS
from pbem.archive.counting import STEP_OF_TOTALS, STEP_OF_TURNS, TIMBERS
from pbem.commands import card_name
from pbem.commands.speech import kind_name
from pbem.commands.vocabulary import NUMBERED
from pbem.store import Statistic
from pbem.store.models.archive import SHARES
from pbem.translation import _, language, later
from pbem.web.archive import graphs
from pbem.web.archive.graphs import Bars
from pbem.web.archive.listing import BadQuery

Cell = str | int | float
MOST_PAIRS = 30
PACES = (
    later("under an hour"), later("1 to 6 hours"), later("6 to 24 hours"), later("1 to 2 days"),
    later("over 2 days"),
)  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """A counter: how many, how many victories among them, points in all."""

    count: int
    won: float
    points: int

    @property
    def share(self) -> float:
        """Victories for a hundred."""
        return round(100 * self.won / self.count, 1) if self.count else 0.0

    @property
    def mean(self) -> float:
        return round(self.points / self.count, 1) if self.count else 0.0


Counts = Mapping[str, Counted]


@dataclass(frozen=True)
class FigureTable:
    """One table; the first column names its rows, the others hold numbers."""

    name: str
    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    bars: Bars | None = None
    links: tuple[Mapping[str, str], ...] = field(default=())
    """By row: the search it leads to."""


def tables(session: Session, deck: str | None, players: int | None) -> list[FigureTable]:
    """All tables of the games with this deck and number of players (None: any)."""
    counts = _counts(session, deck, players)
    return [make(counts.get(what, {}), players) for what, make in TABLES.items()]


def table(session: Session, name: str, deck: str | None, players: int | None) -> FigureTable:
    """One of them; `BadQuery` for a name that is none of theirs."""
    if name not in TABLES:
        raise BadQuery("table")
    return TABLES[name](_counts(session, deck, players).get(name, {}), players)


def _counts(session: Session, deck: str | None, players: int | None) -> dict[str, Counts]:
    query = select(
        Statistic.what,
        Statistic.key,
        func.sum(Statistic.count),
        func.sum(Statistic.won),
    ).add_columns(func.sum(Statistic.points))
    if deck is not None:
        query = query.where(col(Statistic.deck) == deck)
    if players is not None:
        query = query.where(col(Statistic.players) == players)
    found: dict[str, dict[str, Counted]] = {}
    for what, key, count, won, points in session.connection().execute(
        query.group_by(col(Statistic.what), col(Statistic.key))
    ):
        if count:
            found.setdefault(what, {})[key] = Counted(count, won / SHARES, points)
    return dict(found)


def _games(counts: Counts, _players: int | None) -> FigureTable:
    turns, seconds = counts.get("turns"), counts.get("seconds")
    rows: list[tuple[Cell, ...]] = []
    if turns is not None and seconds is not None:
        shared = counts.get("shared")
        rows = [
            (_("games"), turns.count),
            (_("turns a game"), turns.mean),
            (_("days a game"), round(seconds.points / seconds.count / 86400, 1)),
            (_("shared victories"), 0 if shared is None else shared.count),
        ]
    return FigureTable("games", _("All in all"), "", (_("what"), _("number")), tuple(rows))


def _seats(counts: Counts, players: int | None) -> FigureTable:
    rows = [(_("Seat {number}", number=int(key) + 1), one) for key, one in sorted(counts.items())]
    fair = None if players is None else 100 / players
    note = _("Who begins sits in seat 1.")
    if fair is not None:
        note += " " + _("The line: what each seat would win if none had an advantage.")
    return FigureTable(
        "seat", _("Seats"), note,
        (_("seat"), _("games"), _("victories %"), _("points")),
        tuple((label, one.count, one.share, one.mean) for label, one in rows),
        graphs.bars([(label, one.share, f"{one.share} %") for label, one in rows], expected=fair),
    )  # fmt: skip


def _kinds(counts: Counts, _players: int | None) -> FigureTable:
    order = [kind for kind in (*KINDS, TIMBERS) if kind in counts]
    rows = [
        (_("timbers") if kind == TIMBERS else kind_name(kind, language()), counts[kind])
        for kind in order
    ]
    return FigureTable(
        "kind", _("Points by scoring card"), _("What a player has of it at the end, on average."),
        (_("scoring card"), _("players"), _("points")),
        tuple((label, one.count, one.mean) for label, one in rows),
        graphs.bars([(label, one.mean, str(one.mean)) for label, one in rows]),
    )  # fmt: skip


def _cards(counts: Counts, _players: int | None) -> FigureTable:
    rows = sorted(_by_kind(counts).items(), key=lambda item: (-item[1].share, item[0]))
    return FigureTable(
        "card", _("Cards"), _("How often whoever boarded a card won the game."),
        (_("card"), _("boarded"), _("victories %"), _("points")),
        tuple((card_name(name, language()), one.count, one.share, one.mean) for name, one in rows),
    )  # fmt: skip


def _by_kind(counts: Counts) -> Counts:
    """The copies of a provision as one card."""
    found: dict[str, Counted] = {}
    for name, one in counts.items():
        stem, _dash, copy = name.rpartition("-")
        kind = stem if copy.isdecimal() and stem in NUMBERED else name
        before = found.get(kind, Counted(0, 0, 0))
        found[kind] = Counted(
            before.count + one.count, before.won + one.won, before.points + one.points
        )
    return found


def _drive_outs(counts: Counts, _players: int | None) -> FigureTable:
    rows = sorted(counts.items(), key=lambda item: (-item[1].count, item[0]))[:MOST_PAIRS]
    pairs = [(driver, victim, one) for key, one in rows for driver, victim in [key.split("/", 1)]]
    return FigureTable(
        "drive-out", _("Who drove out whom"), _("The most frequent ones."),
        (_("who"), _("whom"), _("times"), _("victories %")),
        tuple(
            (card_name(driver, language()), card_name(victim, language()), one.count, one.share)
            for driver, victim, one in pairs
        ),
        links=tuple({"driver": driver, "victim": victim} for driver, victim, _one in pairs),
    )  # fmt: skip


def _steps(
    name: str, title: str, note: str, unit: str, step: int
) -> Callable[[Counts, int | None], FigureTable]:
    def make(counts: Counts, _players: int | None) -> FigureTable:
        found = {int(key): one for key, one in counts.items()}
        ends = range(min(found), max(found) + step, step) if found else range(0)
        rows = [(f"{at}–{at + step - 1}", found[at].count if at in found else 0) for at in ends]
        return FigureTable(
            name, _(title), _(note), (_(unit), _("number")), tuple(rows),
            graphs.bars([(label, count, str(count)) for label, count in rows]),
        )  # fmt: skip

    return make


def _paces(counts: Counts, _players: int | None) -> FigureTable:
    rows = [(_(label), counts.get(str(number))) for number, label in enumerate(PACES)]
    figures = [(label, 0 if one is None else one.count) for label, one in rows]
    return FigureTable(
        "pace", _("Pace"), _("The mean time for a turn in a game."),
        (_("a turn takes"), _("games")), tuple(figures) if counts else (),
        graphs.bars([(label, count, str(count)) for label, count in figures]),
    )  # fmt: skip


def _pets(counts: Counts, _players: int | None) -> FigureTable:
    labels = {
        "counts": _("a pet that counts"),
        "useless": _("a card that counts as none"),
        "none": _("no pet"),
    }
    rows = [(label, counts[key]) for key, label in labels.items() if key in counts]
    return FigureTable(
        "pet", _("Pets"), _("Points: what the pets of all changed for such a player, on average."),
        (_("set aside"), _("players"), _("victories %"), _("points")),
        tuple((label, one.count, one.share, one.mean) for label, one in rows),
    )  # fmt: skip


TABLES: dict[str, Callable[[Counts, int | None], FigureTable]] = {
    "games": _games,
    "seat": _seats,
    "kind": _kinds,
    "length": _steps(
        "length", later("Length"), later("How many turns a game takes."), later("turns"),
        STEP_OF_TURNS,
    ),
    "pace": _paces,
    "total": _steps(
        "total", later("Totals"), later("The points of all players at the end."), later("points"),
        STEP_OF_TOTALS,
    ),
    "pet": _pets,
    "drive-out": _drive_outs,
    "card": _cards,
}  # fmt: skip


def as_rows(found: FigureTable) -> Sequence[Sequence[Cell]]:
    """Head and rows, for a file."""
    return [found.head, *found.rows]
