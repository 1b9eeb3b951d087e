"""A copy of a server's database in which all that a seat could not know is different."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from engine.game import Event as Happening
from engine.game import Position, apply
from engine.moves import from_json
from engine.view import view
from pbem.letters import Site
from pbem.letters.render import Rendered, render
from pbem.store import Event, Game, Letter, Store
from pbem.store.log import events_of
from pbem.store.positions import first_position, position_now, store_position

RAIN = "rain"
Json = dict[str, Any]


def copy_database(source: Path, target: Path) -> Path:
    """A consistent copy, taken while the server works on."""
    with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
    return target


@contextmanager
def opened(database: Path) -> Iterator[Session]:
    store = Store(f"sqlite:///{database}")
    try:
        with store.work() as session:
            yield session
    finally:
        store.close()


def letters_to(
    database: Path, site: Site, game_id: int, seat: int, newest: int
) -> dict[str, Rendered]:
    """The newest letters to a seat as they are rendered from this database, by Message-ID."""
    with opened(database) as session:
        chosen = session.exec(
            select(Letter)
            .where(Letter.game_id == game_id, Letter.seat == seat)
            .order_by(col(Letter.id).desc())
            .limit(newest)
        ).all()
        return {letter.message_id: render(session, site, letter) for letter in chosen}


def permute(database: Path, game_id: int, seat: int, rng: random.Random) -> None:
    """Deal the cards that the seat has never seen anew, in the whole history of the game.

    They change places with one another wherever they are or have been: in the stack, in the
    others' hands, in what the others drew and set aside.  The rest of the stack is shuffled too,
    but that the first rain card lies where everybody knows it (R3.4).  The seed and what it comes
    from are replaced; in the pet phase the others' choices are."""
    with opened(database) as session:
        game = session.get_one(Game, game_id)
        turns = [event for event in events_of(session, game) if event.kind == "turn"]
        now = position_now(game)
        unseen = _unseen(game, turns, seat)
        deal = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
        game.setup = _dealt(game.setup or {}, deal, seat, now, rng)
        game.seed, game.server_seed, game.salt = "other", "other", "other"
        position = first_position(game)
        for event in turns:
            assert event.seat is not None
            event.move = _meant(event, deal, position, seat, now)
            happenings = apply(position, event.seat, from_json(event.move))
            _assert_same_for(seat, event, happenings)
            event.happenings = [_stored(one) for one in happenings]
            session.add(event)
        assert view(position, seat) == view(now, seat), "the seat could tell the two apart"
        store_position(game, position)
        session.add(game)


def _unseen(game: Game, turns: Iterable[Event], seat: int) -> list[str]:
    """The cards that were never before the seat's eyes, by the rules alone: not in the ark,
    not on display, not in the own hand."""
    position = first_position(game)
    seen = _before_the_eyes(position, seat)
    for event in turns:
        assert event.seat is not None
        assert event.move is not None
        apply(position, event.seat, from_json(event.move))
        seen |= _before_the_eyes(position, seat)
    return [card.name for card in position.deck.cards if card.name not in seen]


def _before_the_eyes(position: Position, seat: int) -> set[str]:
    seen = view(position, seat)
    ark = {card for side in seen.ark.values() for crew in side for card in crew}
    return ark | {*seen.display, *(seen.hand or ()), *([seen.pet] if seen.pet else [])}


def _dealt(
    setup: Json, deal: Mapping[str, str], seat: int, now: Position, rng: random.Random
) -> Json:
    hands = [[deal.get(card, card) for card in hand] for hand in setup["hands"]]
    stack = [deal.get(card, card) for card in setup["stack"]]
    drawn = len(stack) - len(now.stack) + now.drawn
    rest = _shuffled(stack[drawn:], now.rain, rng)
    return {**setup, "hands": hands, "stack": stack[:drawn] + rest}


def _shuffled(rest: list[str], rain: int, rng: random.Random) -> list[str]:
    places = [place for place, card in enumerate(rest) if card == RAIN]
    if rain == 0:
        places = places[:1] + rng.sample(range(places[0] + 1, len(rest)), len(places) - 1)
    else:
        places = rng.sample(range(len(rest)), len(places))
    cards = [card for card in rest if card != RAIN]
    rng.shuffle(cards)
    return [RAIN if place in places else cards.pop() for place in range(len(rest))]


def _meant(
    event: Event, deal: Mapping[str, str], position: Position, seat: int, now: Position
) -> Json:
    """The move as it was with the other cards; only a pet may name one nobody has seen."""
    move = dict(event.move or {})
    if move["type"] != "pet" or event.seat == seat:
        return move
    if now.phase == "pets":  # not even that a pet was set aside is known
        hand = view(position, event.seat).hand or ()
        return {"type": "pet", "card": None if move["card"] is not None or not hand else hand[0]}
    card = move["card"]
    return {"type": "pet", "card": None if card is None else deal.get(card, card)}


def _assert_same_for(seat: int, event: Event, happenings: Iterable[Happening]) -> None:
    """What the seat reads of this turn is the same; else the test itself is wrong."""
    before = [_seen(part, seat) for part in event.happenings]
    after = [_seen(_stored(one), seat) for one in happenings]
    assert before == after, (event.move, before, after)


def _seen(part: Json, seat: int) -> tuple[Any, ...]:
    return part["kind"], part["seat"], part["public"], part["private"].get(str(seat))


def _stored(one: Happening) -> Json:
    return {
        "kind": one.kind,
        "seat": one.seat,
        "public": None if one.public is None else dict(one.public),
        "private": {str(seat): dict(part) for seat, part in one.private.items()},
    }
