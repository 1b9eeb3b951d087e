"""Doing a legal move: what it changes, and what it tells (R4, R6, R7, R8).

`perform` does not ask whether the move is legal; `engine.game.apply` does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.cards import KINDS
from engine.position import DISPLAY_SIZE, KIND_COUNT, RAIN_OF_END, RAIN_OF_PETS, Position
from engine.raw import BOARD, GATHER, PASS, RawMove
from engine.scoring import score
from engine.tables import CARDS, FOX_TIMBERS, NONE, RAIN, UNKNOWN, RawPlay, cabin_name


@dataclass(frozen=True)
class Event:
    """Something that happened.  Nothing is public unless put there.

    `public` is what everybody may know (None: nothing), `private` what single seats may know on
    top of it, by seat.  docs/architecture.md lists the kinds and their keys.
    """

    kind: str
    seat: int | None = None
    public: Mapping[str, Any] | None = None
    private: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


Log = list[Event] | None


def perform(position: Position, seat: int, raw: RawMove, log: Log = None) -> None:
    """Do a legal move of the seat; its events are appended to `log`, if there is one."""
    action = raw[0]
    position.turn += 1
    if position.phase == "pets":
        _answer(position, seat, raw[1], log)
        return
    rain_before = position.rain
    if action == BOARD:
        cost = 1 if position.phase == "end" else 0  # R8.2
        for play in raw[1:]:
            enter(position, seat, play, cost, log)
    elif action == GATHER:
        _gather(position, seat, raw[1], log)
    else:
        assert action == PASS
        position.out |= 1 << seat
        if log is not None:
            log.append(Event("pass", seat, {}))
    if position.phase == "main":
        _refill(position, log)
        position.seat = (seat + 1) % position.players
        if rain_before < RAIN_OF_PETS <= position.rain:
            position.phase = "pets"
            if log is not None:
                log.append(Event("pets", None, {}))
        elif position.rain == RAIN_OF_END:
            _begin_end(position, log)
    else:
        _next_of_end(position, seat, log)


def enter(position: Position, seat: int, play: RawPlay, cost: int, log: Log = None) -> None:
    """One card enters: payments, powers, balance, markers (R4.4, R5.7, R6)."""
    card, cabin, out, mark, take = play
    tables, ark, timbers = position.tables, position.ark, position.timbers
    hand = position.hands[seat]
    place = hand.index(card)
    hand = hand[:place] + hand[place + 1 :]
    opens = cabin == ark.ends[cabin & 1]
    if opens:
        timbers[seat] -= 1
        timbers[(seat - 1) % position.players] += 1
        if take != NONE:
            hand += (take,)
            position.display = tuple([other for other in position.display if other != take])
    position.hands[seat] = hand
    timbers[seat] -= cost
    ark.enter(tables, card, cabin, out)
    fox = card == tables.fox
    if fox:
        timbers[seat] += FOX_TIMBERS
    marks = position.marks
    row = KIND_COUNT * seat
    kind = mark if card == tables.chimpanzee else tables.kind[card]
    if kind != NONE:
        marks[row + kind] += tables.gains[card]
    victims_kind = NONE
    if out != NONE:
        victims_kind = mark if out == tables.chimpanzee else tables.kind[out]
        if victims_kind != NONE:
            marks[row + victims_kind] += tables.gains[out]
    if log is not None:
        gained = [
            {"kind": KINDS[on], "count": halves(tables.gains[whose])}
            for on, whose in ((kind, card), (victims_kind, out))
            if on != NONE
        ]
        public = {
            "card": tables.names[card],
            "cabin": cabin_name(cabin),
            "opened": opens,
            "cost": cost,
            "timber_to": (seat - 1) % position.players if opens else None,
            "take": None if take == NONE else tables.names[take],
            "out": None if out == NONE else tables.names[out],
            "bank": FOX_TIMBERS if fox else 0,
            "marks": gained,
            "balance": ark.balance,
        }
        log.append(Event("play", seat, public))


def halves(count: int) -> int | float:
    """A count of half-markers as a number of markers: whole ones as an int."""
    return count / 2 if count & 1 else count >> 1


def _gather(position: Position, seat: int, take: int, log: Log) -> None:
    """R4.2: a display card, then the top of the stack."""
    position.display = tuple([card for card in position.display if card != take])
    told = len(log) if log is not None else 0
    card = _draw(position, log)
    drawn = () if card == NONE else (card,)
    position.hands[seat] += (take, *drawn)
    if log is not None:
        names = position.tables.names
        draw = None if card == NONE else names[card]
        # the gather comes before the rain that its draw brought
        log.insert(told, Event("gather", seat, {"take": names[take]}, {seat: {"draw": draw}}))


def _draw(position: Position, log: Log) -> int:
    """The next card that is no rain (R4.5), NONE after the 5th rain card."""
    while position.rain < RAIN_OF_END and position.drawn < len(position.stack):
        card = position.stack[position.drawn]
        position.drawn += 1
        if card != RAIN:
            return card
        position.rain += 1
        if log is not None:
            log.append(Event("rain", None, {"count": position.rain}))
    return NONE


def _refill(position: Position, log: Log) -> None:
    """Fill the display up to three (R4.1, R4.5)."""
    told = len(log) if log is not None else 0
    came: list[int] = []
    while len(position.display) + len(came) < DISPLAY_SIZE:
        card = _draw(position, log)
        if card == NONE:
            break
        came.append(card)
    if came:
        position.display += tuple(came)
        if log is not None:
            names = [position.tables.names[card] for card in came if card < CARDS]
            public: dict[str, Any] = {"cards": names}
            if UNKNOWN in came:
                public = {"unknown": came.count(UNKNOWN)}
            log.insert(told, Event("refill", None, public))


def _answer(position: Position, seat: int, card: int, log: Log) -> None:
    """R7.1: a card is set aside, or none."""
    position.answered |= 1 << seat
    position.pets[seat] = card
    names = position.tables.names
    if card != NONE:
        hand = position.hands[seat]
        place = hand.index(card)
        position.hands[seat] = hand[:place] + hand[place + 1 :]
    if log is not None:
        name = None if card == NONE else names[card]
        log.append(Event("pet", seat, {}, {seat: {"card": name}}))
    # on an imagined position the others' choice is not known, and nothing follows from it
    if position.answered == (1 << position.players) - 1 and UNKNOWN not in position.pets:
        if log is not None:
            seats = [seat for seat, pet in enumerate(position.pets) if pet != NONE]
            log.append(Event("pets_set", None, {"seats": seats}))
        if position.rain == RAIN_OF_END:
            _begin_end(position, log)
        else:
            position.phase = "main"


def _begin_end(position: Position, log: Log) -> None:
    position.phase = "end"
    if log is not None:
        log.append(Event("end", None, {"first": position.seat}))


def _next_of_end(position: Position, seat: int, log: Log) -> None:
    """R8.1, R8.4: the next in clockwise order who has not passed, or the end."""
    players = position.players
    for step in range(1, players + 1):
        following = (seat + step) % players
        if not position.out >> following & 1:
            position.seat = following
            return
    position.phase = "over"
    if log is not None:
        names = position.tables.names
        public = {
            "result": score(position).to_json(),
            "pets": [None if pet == NONE else names[pet] for pet in position.pets],
            "hands": [[names[card] for card in hand] for hand in position.hands],
        }
        log.append(Event("over", None, public))
