"""Tables for many people from a list: each person gets an invitation and confirms by mail."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.desk import tables
from pbem.desk.options import options_for
from pbem.desk.people import address_fault, find_or_add_person
from pbem.desk.tables import MAX_PLAYERS, MIN_PLAYERS, Place
from pbem.moderation import bulk
from pbem.moderation.model import Action, Case, Many, Parameter, Refused
from pbem.moderation.options import VISIBILITY
from pbem.store import Game
from pbem.store.decks import Deck, deck_named, deck_names
from pbem.store.people import fold_address
from pbem.timing import print_control

COLUMNS = ("table", "name", "address")
COLUMNS_CALLED = {
    "tisch": "table", "spieler": "name", "adresse": "address", "player": "name",
    "email": "address", "e-mail": "address", "mail": "address",
    "桌": "table", "名字": "name", "姓名": "name", "地址": "address", "信箱": "address",
    "邮箱": "address", "電子郵件": "address", "电子邮件": "address",
}  # fmt: skip
"""What else the first line of a list may call them."""
MOST_TABLES, MOST_FAULTS = 200, 20
Player = tuple[str, str]  # name, address


@dataclass
class WantedTable:
    """One table of the list."""

    name: str
    players: list[Player] = field(default_factory=list)


class ListOfTables:
    """The tables of the list, numbered in its order."""

    def count(self, case: Case) -> int:
        return len(_wanted(case))

    def some(self, case: Case, after: int, most: int) -> Sequence[tuple[int, WantedTable]]:
        return list(enumerate(_wanted(case), 1))[after : after + most]


def open_table(case: Case, table: WantedTable) -> Game:
    """Everybody of a table gets an invitation."""
    deck = deck_named(case.session, case.values["deck"])
    if deck is None:
        raise Refused("no-deck", "There is no such deck any more.", "deck")
    return _opened(case, table, deck)


def _said(case: Case, total: int, games: Sequence[Game]) -> tuple[str, ...]:
    called = "1 table" if total == 1 else f"{total:,} tables"
    people = [", ".join(name for name, _address in one.players) for one in _wanted(case)]
    return (
        f"Opened: {called}; everybody gets an invitation, and a table begins when all of it have"
        " accepted by mail.",
        *(f"Game {game.id}, {game.name}: {who}." for game, who in zip(games, people, strict=False)),
    )


def _wanted(case: Case) -> list[WantedTable]:
    return read_list(case.values["list"], case.site.settings.mail.domain)


def read_list(text: str, own_domain: str) -> list[WantedTable]:
    """The tables of a list: one line a player, ``table,name,address``; the first line may name
    the columns in another order.  `Refused` names the faults by line."""
    rows = _rows(text)
    faults: list[str] = []
    found: dict[str, WantedTable] = {}
    broken: set[str] = set()  # their number of players is not known before the line is mended
    for number, row in rows:
        table, name, address = (row.get(column, "") for column in COLUMNS)
        fault = _fault(table, name, address, own_domain)
        if fault is not None:
            faults.append(f"Line {number}: {fault}")
            broken.add(table.casefold())
            continue
        one = found.setdefault(table.casefold(), WantedTable(table))
        if any(fold_address(address) == fold_address(other) for _name, other in one.players):
            faults.append(f"Line {number}: {name} is at {table} twice.")
            broken.add(table.casefold())
            continue
        one.players.append((name, address))
    faults += [
        f"{one.name} has {_count(one.players, 'player')};"
        f" a table has {MIN_PLAYERS} to {MAX_PLAYERS}."
        for key, one in found.items()
        if key not in broken and not MIN_PLAYERS <= len(one.players) <= MAX_PLAYERS
    ]
    if not found and not faults:
        faults.append("There is no line with a table, a name and an address.")
    if len(found) > MOST_TABLES:
        faults.append(f"At most {MOST_TABLES} tables at once.")
    if faults:
        raise Refused("list", " ".join(faults[:MOST_FAULTS]), "list")
    return list(found.values())


def _rows(text: str) -> list[tuple[int, Mapping[str, str]]]:
    """The lines with their numbers, by column."""
    lines = text.lstrip("\ufeff").splitlines()
    sign = ";" if lines and lines[0].count(";") > lines[0].count(",") else ","
    try:
        table = [
            (number, [one.strip() for one in row])
            for number, row in enumerate(csv.reader(lines, delimiter=sign), 1)
            if any(one.strip() for one in row)
        ]
    except csv.Error as error:
        sentence = f"This is no list of comma-separated values: {error}."
        raise Refused("list", sentence, "list") from None
    columns: Sequence[str] = COLUMNS
    first = [_column(one) for one in table[0][1]] if table else []
    if sorted(first) == sorted(COLUMNS):
        columns, table = first, table[1:]
    return [(number, dict(zip(columns, row, strict=False))) for number, row in table]


def _count(things: Sequence[object], called: str) -> str:
    return f"1 {called}" if len(things) == 1 else f"{len(things)} {called}s"


def _column(called: str) -> str:
    """The name of a column, however the first line calls it."""
    folded = called.casefold()
    return COLUMNS_CALLED.get(folded, folded)


def _fault(table: str, name: str, address: str, own_domain: str) -> str | None:
    if not (table and name and address):
        return "a table, a name and an address are needed."
    if len(table) > 60 or not table.isprintable():
        return "a table's name is one line of 1 to 60 characters."
    return address_fault(address, own_domain)


def _opened(case: Case, table: WantedTable, deck: Deck) -> Game:
    control, (name, cards) = case.values["control"], deck
    people = [
        find_or_add_person(case.session, case.now, name, address) for name, address in table.players
    ]
    game = tables.open_table(
        case.session, case.site, case.now, case.here.entropy, case.author,
        name=table.name, places=[Place(person.id) for person in people],
        organiser_id=case.actor.person_id,
        options=options_for(
            case.here.settings, None if control is None else print_control(control)
        ),
        deck=name, cards=cards,
    )  # fmt: skip
    game.archive = case.values["archive"]
    case.session.add(game)
    return game


def _decks(case: Case) -> Sequence[tuple[str, str]]:
    return [(name, name) for name in deck_names(case.session)]


OPEN = Many(ListOfTables(), open_table, _said)
ACTIONS = (
    Action(
        "open-tables", "Open tables from a list", "One line a player: table, name, address;"
        " everybody confirms by mail.", "server", bulk.at(OPEN),
        (Parameter("list", "The list (CSV)", "file", most=60_000, private=True,
                   hint="table,name,address; one line a player"),
         Parameter("control", "Time control", "control", required=False,
                   hint="48h; empty: as the server has it."),
         Parameter("deck", "Deck", "choice", choices=_decks, default="house"),
         Parameter("archive", "Who may read it when it is over", "choice", choices=VISIBILITY,
                   default="names-hidden")),
        reach="everywhere", reason=False, many=OPEN,
    ),
)  # fmt: skip
