"""The list of finished games, and what is looked for in it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta

from sqlmodel import Session, col, func, select

from engine.cards import builtin_deck
from pbem.archive.moments import Moment
from pbem.archive.names import Called, called_in, earlier_names, profiles, table_title
from pbem.archive.search import LENGTHS, RESULTS, Found, Wanted, search
from pbem.commands import card_name
from pbem.store import Category, FinishedGame, FinishedSeat, Game, Person, Statistic
from pbem.store.people import Holder
from pbem.translation import language

_MOMENT = re.compile(r"([0-9]{1,17})-([0-9]{1,10})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAME = re.compile(r"[\w. +-]{1,60}")
DRIVERS = ("mosquito", "spider", "skunk")  # R6.4 to R6.6
SAFE = ("fox", "mosquito", "spider")


class BadQuery(ValueError):
    """An address whose search cannot be read; its message names the field."""


@dataclass(frozen=True)
class ListedPlayer:
    name: str
    profile_id: int | None
    total: int
    won: bool


@dataclass(frozen=True)
class ListedGame:
    """One game on a list."""

    game: Game
    title: str
    facts: FinishedGame
    players: tuple[ListedPlayer, ...]  # by seat


@dataclass(frozen=True)
class Listing:
    """A page of games, and the addresses' marks of the pages beside it."""

    listed: tuple[ListedGame, ...]
    newer: str | None
    older: str | None


def wanted_in(args: Mapping[str, str]) -> Wanted:
    """The search of an address; empty fields want nothing.  Raises `BadQuery`."""
    return Wanted(
        player=_text(args, "player"),
        since=_day(args, "since"),
        until=_day(args, "until"),
        deck=_text(args, "deck"),
        players=_players(args),
        length=_one_of(args, "length", LENGTHS),
        result=_one_of(args, "result", RESULTS),
        driver=_text(args, "driver"),
        victim=_text(args, "victim"),
    )


def query_of(wanted: Wanted) -> dict[str, str]:
    """The same as fields of an address."""
    return {name: str(value) for name, value in asdict(wanted).items() if value is not None}


def page_of(
    session: Session, wanted: Wanted, before: str | None, after: str | None, size: int
) -> Listing:
    """One page: the newest games, or those `before` or `after` the mark of another page."""
    older = None if before is None else _moment("before", before)
    newer = None if after is None or before is not None else _moment("after", after)
    found = search(session, wanted, older_than=older, newer_than=newer, size=size)
    return Listing(
        tuple(listed(session, found)),
        None if found.newer is None else mark(found.newer),
        None if found.older is None else mark(found.older),
    )


def listed(session: Session, found: Found) -> list[ListedGame]:
    """These games with all a list says of them; four queries however many there are."""
    numbers = [number for _, number in found.moments]
    games = _by_number(session, numbers)
    facts = session.exec(select(FinishedGame).where(col(FinishedGame.game_id).in_(numbers)))
    known = {row.game_id: row for row in facts}
    seats = _seats(session, numbers)
    people = [seat.person_id for row in seats.values() for seat, _ in row]
    shown, earlier = profiles(session, people), earlier_names(session, people)
    rows = []
    for number in numbers:
        if games[number].filed_as != games[number].archive:
            continue  # who may read it was changed a moment ago, and it is not filed anew yet
        held = _held(seats[number])
        names = called_in(games[number], held, shown, earlier=earlier)
        rows.append(
            ListedGame(
                games[number],
                table_title(games[number], names),
                known[number],
                tuple(_players_of(seats[number], names)),
            )
        )
    return rows


def total(session: Session) -> int:
    """How many games have been played to their end here and count."""
    counted = select(func.sum(Statistic.count)).where(
        Statistic.what == "games", Statistic.key == "turns"
    )
    return session.exec(counted).one() or 0


def decks(session: Session) -> list[str]:
    return sorted(session.exec(select(Category.deck).where(Category.listed).distinct()))


def drivers_and_victims() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Whom the form offers, by name and in words: who can drive others out, and who can be
    driven out (R6.9); of the house deck."""
    cards = builtin_deck().cards
    drivers = [card.name for card in cards if card.special in DRIVERS]
    victims = [card.name for card in cards if not card.is_provision and card.special not in SAFE]
    return _in_words(drivers), _in_words(victims)


def _in_words(names: Sequence[str]) -> list[tuple[str, str]]:
    return sorted(((one, card_name(one, language())) for one in names), key=lambda pair: pair[1])


def mark(moment: Moment) -> str:
    """A moment in an address: microseconds since 1970, and the game's number."""
    return f"{(moment[0] - _EPOCH) // timedelta(microseconds=1)}-{moment[1]}"


def _moment(field: str, text: str) -> Moment:
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise BadQuery(field)
    try:
        return _EPOCH + timedelta(microseconds=int(found[1])), int(found[2])
    except OverflowError:
        raise BadQuery(field) from None


def _by_number(session: Session, numbers: Sequence[int]) -> dict[int, Game]:
    rows = session.exec(select(Game).where(col(Game.id).in_(numbers)))
    return {row.id: row for row in rows if row.id is not None}


_Seats = dict[int, list[tuple[FinishedSeat, str]]]


def _seats(session: Session, numbers: Sequence[int]) -> _Seats:
    rows = session.exec(
        select(FinishedSeat, func.coalesce(Person.name, ""))
        .outerjoin(Person, col(Person.id) == col(FinishedSeat.person_id))
        .where(col(FinishedSeat.game_id).in_(numbers))
        .order_by(col(FinishedSeat.seat))
    )
    found: _Seats = {}
    for seat, name in rows:
        found.setdefault(seat.game_id, []).append((seat, name))
    return found


def _held(seats: list[tuple[FinishedSeat, str]]) -> list[Holder]:
    """As `pbem.store.people.holders` has them; bots are called in their order."""
    bots = iter("ABCDE")
    return [
        Holder(seat.seat, name, seat.person_id, None, 0)
        if seat.person_id is not None
        else Holder(seat.seat, f"Bot {next(bots)}", None, "bot", 0)
        for seat, name in seats
    ]


def _players_of(
    seats: list[tuple[FinishedSeat, str]], names: Sequence[Called]
) -> list[ListedPlayer]:
    return [
        ListedPlayer(called.name, called.profile_id, seat.total, seat.won > 0)
        for (seat, _), called in zip(seats, names, strict=True)
    ]


def _text(args: Mapping[str, str], field: str) -> str | None:
    value = args.get(field, "").strip()
    if value and not _NAME.fullmatch(value):
        raise BadQuery(field)
    return value or None


def _day(args: Mapping[str, str], field: str) -> date | None:
    value = args.get(field, "").strip()
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise BadQuery(field) from None


def _players(args: Mapping[str, str]) -> int | None:
    value = _one_of(args, "players", ("3", "4", "5"))
    return None if value is None else int(value)


def _one_of(args: Mapping[str, str], field: str, values: Sequence[str]) -> str | None:
    value = args.get(field, "").strip()
    if value and value not in values:
        raise BadQuery(field)
    return value or None
