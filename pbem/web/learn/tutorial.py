"""`/learn/game`: a first game against two bots in the browser, for nobody in particular.

Nothing of it is stored: the address of the page says which deal it is and what was played,
each turn by its number among the legal ones, and the rest follows, bots included.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from engine.bots import bot
from engine.cards import KINDS, builtin_deck
from engine.game import Event, Position, apply, legal_moves, new_game
from engine.moves import Move
from engine.shuffle import Generator
from engine.view import View, view
from pbem.commands import Context, read
from pbem.letters.cards import Face, cards_of
from pbem.letters.sentences import Teller, new_cabins, new_cards
from pbem.store.log import Seen
from pbem.translation import _, language, later
from pbem.web.play.turn import Choice, Fresh, Link, TurnBoard, board_of

SEAT, PLAYERS = 0, 3
DEALS = 9
MOST_TURNS = 80
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)  # nothing here has a time
BOTS = (None, "greedy", "random")

TIPS = (
    later(
        "You hold two cards. Three lie on display. On your turn you either take one of these, and "
        "an unseen one with it, or play one or two of yours. Choose a card of your hand: the ark "
        "shows where it may go, and at each other cabin the rule that keeps it out."
    ),
    later(
        "Each card you played gave you a marker for its kind. In the end the most markers of a "
        "kind are worth 10 points, the second most 6, all others 2. So a second kind is often "
        "better than more of the same."
    ),
    later(
        "A new cabin costs a timber, which your right neighbour gets, and each timber is a point. "
        "But you take a card of the display for it, at once."
    ),
    later(
        "Two cards in one turn are fine, in two cabins; slow animals and provisions go alone. "
        "After the first card the page offers what could be the second."
    ),
    later(
        "Keep an eye on the balance: both sides may differ by 2. A light card on the heavy side "
        "spoils a place for the others."
    ),
)
"""One for each of the first turns."""


@dataclass(frozen=True)
class Stand:
    """The game after so many turns of the learner's, and what happened since his last one."""

    position: Position
    happened: tuple[tuple[int, Event], ...]
    played: tuple[int, ...]
    choices: int = 0  # how many legal moves there are


@dataclass(frozen=True)
class Lesson:
    """What the page shows; named as on the page of a real table."""

    deal: int
    view: View
    names: tuple[str, ...]
    board: TurnBoard
    told: tuple[str, ...]
    tip: str
    pet: Face | None
    seat: int = SEAT
    said: tuple[Any, ...] = ()
    kinds: tuple[str, ...] = KINDS

    @property
    def waits(self) -> bool:
        return SEAT in self.view.to_move

    @property
    def foretold(self) -> tuple[str, ...]:
        teller = Teller(cards_of(self.view.deck), self.names, SEAT)
        return tuple(teller.tell(_seen(enumerate(self.board.told))))


def lesson(deal: int, played: Sequence[int], choice: Choice, link: Link) -> Lesson:
    """The learner's table."""
    stand = stand_after(deal, tuple(played))
    seen_view = view(stand.position, SEAT)
    names = (_("You"), _("{bot} A", bot="Bot"), _("{bot} B", bot="Bot"))
    news = _seen(stand.happened)
    cards = cards_of(seen_view.deck)
    return Lesson(
        deal,
        seen_view,
        names,
        board_of(seen_view, choice, link, Fresh(new_cards(news), new_cabins(news))),
        tuple(Teller(cards, names, SEAT).tell(news)),
        _tip(stand, seen_view),
        None if seen_view.pet is None else cards.face(seen_view.pet),
    )


def number_of(deal: int, played: Sequence[int], command: str) -> int | None:
    """Which of the legal moves a line of the board is."""
    stand = stand_after(deal, tuple(played))
    context = Context(builtin_deck(), language=language(), view=view(stand.position, SEAT))
    turn = read(command, context).turn
    moves = legal_moves(stand.position, SEAT)
    return None if turn is None else list(moves).index(turn)


@lru_cache(maxsize=512)
def stand_after(deal: int, played: tuple[int, ...]) -> Stand:
    """The game after these turns; a number that is none ends the list."""
    if not played:
        return _on(new_game(f"lesson/{deal}", PLAYERS, builtin_deck()), (), (), deal)
    before = stand_after(deal, played[:-1])
    if before.played != played[:-1] or played[-1] >= before.choices:
        return before
    position = before.position.copy()
    move = legal_moves(position, SEAT)[played[-1]]
    happened = tuple((len(played) * 100, one) for one in apply(position, SEAT, move))
    return _on(position, happened, played, deal)


def _on(
    position: Position, happened: tuple[tuple[int, Event], ...], played: tuple[int, ...], deal: int
) -> Stand:
    """The bots' turns, up to the learner's next one."""
    found = list(happened)
    chance = Generator(f"lesson/{deal}/{len(played)}")
    while position.to_move and SEAT not in position.to_move:
        seat = position.to_move[0]
        move: Move = bot(BOTS[seat] or "greedy").choose(view(position, seat), chance)
        found += [(len(played) * 100 + position.turn, one) for one in apply(position, seat, move)]
    return Stand(position, tuple(found), played, len(legal_moves(position, SEAT)))


def _seen(happened: Iterable[tuple[int, Event]]) -> list[Seen]:
    """What the learner may know of it."""
    return [
        Seen(
            number,
            _LONG_AGO,
            one.kind,
            one.seat,
            {**(one.public or {}), **one.private.get(SEAT, {})},
        )
        for number, one in happened
        if one.public is not None or SEAT in one.private
    ]


def _tip(stand: Stand, seen: View) -> str:
    match seen.phase:
        case "pets":
            return _(
                "The second rain card: everybody sets a card aside as a pet, or none. An animal of "
                "weight 0 to 2 without a power brings one more marker of its kind in the end."
            )
        case "end":
            return _(
                "The fifth rain card: nothing is drawn any more. Each card costs a timber now, "
                "slow animals and provisions stay ashore, and whoever passes is out."
            )
        case "over":
            return ""
    turns = len(stand.played)
    return _(TIPS[turns]) if turns < len(TIPS) else ""
