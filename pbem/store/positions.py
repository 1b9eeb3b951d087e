"""Positions: the cached one of now, and any earlier one by replay of the log."""

import json
import threading
from collections.abc import Collection
from functools import lru_cache

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine.cards import Deck, builtin_deck, deck_from_cards
from engine.game import Position, apply
from engine.moves import from_json
from engine.record import from_setup
from pbem.store.line import turns_that_stand, undone
from pbem.store.models import Event, Game


@lru_cache(maxsize=64)
def _deck(name: str, cards: str | None) -> Deck:
    return builtin_deck(name) if cards is None else deck_from_cards(json.loads(cards), name)


def deck_of(game: Game) -> Deck:
    """The deck a game was started with (R1.4)."""
    return _deck(game.deck, _cards_of(game))


def _cards_of(game: Game) -> str | None:
    return None if game.cards is None else json.dumps(game.cards)


def first_position(game: Game) -> Position:
    """The position after the deal (R3), from the set-up as it was stored."""
    if game.setup is None:
        raise ValueError("a game that has not begun has no position")
    return from_setup(game.setup, game.players, deck_of(game))


def position_now(game: Game) -> Position:
    """The present position, from the cache."""
    if game.position is None:
        raise ValueError("a game that has not begun has no position")
    known = _known.get((game.position, game.deck, _cards_of(game)))
    if known is None:
        known = Position.from_json(json.loads(game.position), deck_of(game))
        _remember(game, known)
    return known.copy()


def store_position(game: Game, position: Position) -> None:
    game.position = json.dumps(position.to_json(), separators=(",", ":"))
    _remember(game, position.copy())


_known: dict[tuple[str | None, str, str | None], Position] = {}
"""The newest ones, by their text and their deck: each is looked at several times while a turn
is done, and copying takes a hundredth of parsing."""
_REMEMBERED = 256
_remembering = threading.Lock()


def _remember(game: Game, position: Position) -> None:
    with _remembering:
        while len(_known) >= _REMEMBERED:
            del _known[next(iter(_known))]
        _known[game.position, game.deck, _cards_of(game)] = position


def turns_done(session: Session, games: Collection[int]) -> dict[int, int]:
    """How many turns stand in each of these games that has begun, as its record counts them:
    a pet and a pass are turns, what was taken back is none."""
    rows = session.exec(
        select(Game.id, Game.position).where(
            col(Game.id).in_(games), col(Game.position).is_not(None)
        )
    )
    return {number: json.loads(text)["turn"] for number, text in rows if number and text}


def position_at(session: Session, game: Game, seq: int) -> Position:
    """The position after event `seq`, replayed from the log (under a millisecond)."""
    return position_now(game) if seq >= game.seq else replayed(session, game, seq)


def replayed(session: Session, game: Game, seq: int | None = None) -> Position:
    """The position the log gives (after event `seq`): the truth of which the cache is a copy.
    Turns that were taken back before that event do not count."""
    seq = game.seq if seq is None else seq
    position = first_position(game)
    query = _TURNS
    if gaps := undone(game, seq):
        query = query.where(turns_that_stand(gaps))
    turns = session.exec(query, params={"game": game.id, "seq": seq})
    for seat, move in turns:
        if seat is None or move is None:
            raise ValueError(f"turn of game {game.id} without seat or move")
        apply(position, seat, from_json(move))
    return position


_TURNS = (
    select(Event.seat, Event.move)
    .where(
        col(Event.game_id) == bindparam("game"),
        col(Event.kind) == "turn",
        col(Event.seq) <= bindparam("seq"),
    )
    .order_by(col(Event.seq))
)
