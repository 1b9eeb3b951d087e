"""A letter to a seat is the same whatever the cards are that the seat cannot see (R10)."""

import random

import pytest
from sqlmodel import Session, col, select

from engine.position import Position
from engine.tables import NONE, RAIN
from pbem.letters import Site
from pbem.letters.render import render
from pbem.letters.stage import Stage
from pbem.store import Event, Letter
from pbem.store.positions import store_position

TURNS = (4, 17, 26, 34)


def permuted(position: Position, seat: int, chance: random.Random) -> Position:
    """The same position but for other hands, pets and the order of the stack."""
    other = position.copy()
    others = [one for one in range(position.players) if one != seat]
    rest = position.stack[position.drawn :]
    pool = [card for card in rest if card != RAIN]
    pool += [card for one in others for card in position.hands[one]]
    pool += [position.pets[one] for one in others if position.pets[one] != NONE]
    chance.shuffle(pool)
    for one in others:
        other.hands[one] = tuple(pool.pop() for _ in position.hands[one])
        if position.pets[one] != NONE:
            other.pets[one] = pool.pop()
    stack = tuple(card if card == RAIN else pool.pop() for card in rest)
    other.stack = position.stack[: position.drawn] + stack
    assert not pool
    return other


@pytest.mark.parametrize("turn", TURNS)
def test_no_letter_depends_on_what_its_reader_cannot_know(
    session: Session, site: Site, turn: int
) -> None:
    table = Stage(session, site, 3, f"secret {turn}").begin()
    table.until(lambda position: position.turn >= turn)
    rows = session.exec(select(Letter).where(Letter.seq == table.game.seq)).all()
    assert rows
    before = {row.id: render(session, site, row) for row in rows}
    events = session.exec(select(Event).where(col(Event.kind) == "turn")).all()
    truth, kept = table.position, [list(event.happenings) for event in events]
    chance = random.Random(turn)
    for row in rows:
        assert row.seat is not None
        store_position(table.game, permuted(truth, row.seat, chance))
        for event, happenings in zip(events, kept, strict=True):
            event.happenings = [_others_hidden(part, row.seat) for part in happenings]
        assert render(session, site, row) == before[row.id]


def test_the_permutation_changes_something(session: Session, site: Site) -> None:
    table = Stage(session, site, 3, "secret").begin().until(lambda position: position.turn >= 9)
    assert permuted(table.position, 0, random.Random(1)) != table.position


def _others_hidden(part: dict[str, object], seat: int) -> dict[str, object]:
    private = part["private"]
    assert isinstance(private, dict)
    own = {key: value for key, value in private.items() if key == str(seat)}
    return {**part, "private": {**own, "9": {"draw": "fox", "card": "fox"}}}
