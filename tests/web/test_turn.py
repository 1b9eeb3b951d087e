"""A turn that is made by choosing: every legal move can be reached, and nothing else."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from engine.cards import Deck, builtin_deck
from engine.game import apply, legal_moves, new_game
from engine.moves import Board, Gather, Move, Pass, Pet, Play
from engine.position import Position
from engine.view import view
from pbem.commands import Context, read
from pbem.web.play.turn import Choice, TurnBoard, board_of
from pbem.web.play.turn.board import CabinOption, Reason
from pbem.web.play.turn.choice import Chosen

DECK = builtin_deck()


def as_address(choice: Choice) -> str:
    """A choice is known by its address alone, as on the page."""
    return repr(sorted((name, value) for name, value in choice.arguments.items()))


def noted(known: dict[str, Choice], choice: Choice) -> str:
    """The address of a choice, which is remembered."""
    address = as_address(choice)
    known[address] = choice
    return address


def positions(seed: int, phase: str, count: int) -> Iterator[Position]:
    """Positions of random games in this phase, with small hands, so that the list of all
    moves stays short."""
    chance = random.Random(seed)
    found = 0
    for number in range(1000):
        position = new_game(f"{seed}/{number}", 3 + number % 3, DECK)
        while position.phase != "over" and found < count:
            seat = position.to_move[0]
            moves = legal_moves(position, seat)
            if position.phase == phase and len(moves) <= 400 and chance.random() < 0.12:
                found += 1
                yield position.copy()
            boards = [move for move in moves.raw if move[0] == 1]
            index = chance.randrange(len(moves))
            if boards and chance.random() < 0.7:
                index = moves.raw.index(chance.choice(boards))
            apply(position, seat, moves[index])
        if found >= count:
            return


def reachable(position: Position, seat: int) -> set[Move]:
    """Every turn that following the links leads to."""
    seen_view = view(position, seat)
    known: dict[str, Choice] = {}
    link = partial(noted, known)
    found: set[Move] = set()
    waiting, done = [link(Choice())], set()
    while waiting:
        address = waiting.pop()
        if address in done or known[address].trying:
            continue
        done.add(address)
        board = board_of(seen_view, known[address], link)
        if board.command:
            reading = read(board.command, Context(deck=DECK, view=seen_view))
            assert reading.turn is not None, board.command
            found.add(reading.turn)
        waiting += links_of(board)
    return found


def links_of(board: TurnBoard) -> list[str]:
    cards = (*board.hand, *board.display, *board.more)
    options = (*board.options, *board.without, *board.targets.values())
    return [one.link for one in (*cards, *options) if one.link]


@pytest.mark.parametrize(("phase", "count"), [("main", 12), ("pets", 2), ("end", 8)])
def test_every_legal_move_can_be_chosen_and_no_other(phase: str, count: int) -> None:
    for position in positions(7, phase, count):
        seat = position.to_move[0]
        legal = set(legal_moves(position, seat))
        # Copies of a provision that are alike have one line: the lowest number is played.
        assert {alike(move) for move in reachable(position, seat)} == {alike(m) for m in legal}


def alike(move: Move) -> Move:
    """The move with the number cut from its provisions' names."""

    def name(card: str | None) -> str | None:
        return None if card is None else card.rstrip("-0123456789")

    match move:
        case Gather(take):
            return Gather(name(take) or "")
        case Pet(card):
            return Pet(name(card))
        case Board(plays):
            return Board(
                tuple(
                    Play(name(one.card) or "", one.cabin, name(one.out), one.mark, name(one.take))
                    for one in plays
                )
            )
        case Pass():
            return move


def test_a_copy_is_numbered_where_the_language_needs_it_and_not_else() -> None:
    provisions = 0
    for position in positions(11, "main", 12):
        seen = view(position, position.to_move[0])
        for card in seen.display:
            board = board_of(seen, Choice(take=card), as_address)
            bare = card.rstrip("-0123456789").replace("-", " ")
            assert board.shown == f"take {bare}"  # as in a letter
            turn = read(board.shown, Context(deck=DECK, view=seen)).turn
            assert turn is not None
            assert alike(turn) == alike(Gather(card))
            provisions += board.shown != board.command
    assert provisions
    heavier = (replace(one, weight=one.weight + (one.name == "dates-1")) for one in DECK.cards)
    seen = view(new_game("unlike", 3, Deck("unlike", heavier)), 0)
    seen = replace(seen, display=("dates-3", *seen.display[1:]))
    board = board_of(seen, Choice(take="dates-3"), as_address)
    assert board.shown == board.command == "take dates 3"


def test_a_cabin_that_refuses_says_why() -> None:
    refusing = 0
    for position in positions(3, "main", 6):
        seat = position.to_move[0]
        hand = view(position, seat).hand or ()
        for card in hand:
            choice = Choice(plays=(Chosen(card),))
            board = board_of(view(position, seat), choice, as_address)
            assert board.step == "cabin"
            assert all(bool(one.link) != bool(one.reasons) for one in board.targets.values())
            refusing += sum(bool(one.reasons) for one in board.targets.values())
    assert refusing > 20


def test_on_the_page_each_reason_stands_in_words(app: Flask) -> None:
    """Of two reasons for a cabin, the second is more than the number of its rule."""
    reasons = (Reason("R5.3", "one"), Reason("R5.4", "two"), Reason("R5.4", "three"))
    with app.test_request_context():
        source = '{% from "ark.html" import answer_of %}{{ answer_of(target, "L1") }}'
        told = app.jinja_env.from_string(source).render(target=CabinOption(reasons=reasons))
    assert re.findall(r">(R5\.\d)</a> (\w+)\.", told) == [("R5.3", "one"), ("R5.4", "two")]


@pytest.mark.parametrize(
    "arguments",
    [
        {"play": ["fox~L99"]},
        {"play": ["no card"]},
        {"play": ["~"]},
        {"play": ["a~b~c~d~e~f"]},
        {"play": ["fox~L1~fox~heavy~fox"] * 50},
        {"take": "no card"},
        {"pet": "fox"},
        {"passing": "1"},
        {"try": "1", "play": ["fox~R9"]},
    ],
)
def test_an_address_written_by_hand_is_never_an_error(arguments: dict[str, object]) -> None:
    position = new_game("by hand", 3, DECK)
    board = board_of(view(position, 0), Choice.read(MultiDict(arguments)), as_address)
    assert board.command == ""
    assert board.step == "card"


def test_trying_out_goes_on_as_far_as_the_hand_and_the_timbers_do() -> None:
    """Also when it is not one's turn; it ends with no line to be sent."""
    deepest = 0
    for position in positions(5, "main", 5):
        seat = (position.to_move[0] + 1) % position.players
        seen_view = view(position, seat)
        known: dict[str, Choice] = {}
        link = partial(noted, known)
        address, plays = link(Choice(trying=True)), 0
        for _ in range(60):
            board = board_of(seen_view, known[address], link)
            assert board.command == ""
            following = [*board.more, *board.options, *board.targets.values()]
            if board.step == "card":
                following = list(board.hand)
            links = [one.link for one in following if one.link]
            if not links or plays > 8:
                break
            address = links[0]
            plays = len(known[address].plays)
        deepest = max(deepest, plays)
    assert deepest >= 3


def test_a_choice_and_its_address_are_the_same() -> None:
    choice = Choice(plays=(Chosen("skunk", "R1", "deer"), Chosen("fox", "L3", "", "", "hen")))
    assert Choice.read(MultiDict(choice.arguments)) == choice
