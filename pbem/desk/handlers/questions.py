"""Questions: answered from the seat's own view, changing nothing."""

from collections.abc import Callable

from sqlmodel import col, select

from engine.cards import KINDS, builtin_deck
from engine.game import fits, victims
from engine.moves import Board, Gather, Move, Pet, notation
from engine.view import imagine
from pbem.commands import Line
from pbem.commands.help import command_help, overview
from pbem.desk.counter import Counter
from pbem.desk.moving import told
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.letters import announce
from pbem.letters.cards import cards_of, count
from pbem.letters.hand import fits_of, hand_cards
from pbem.store import Game, Seat, Tenure
from pbem.store.log import events_of, seen_by
from pbem.store.positions import deck_of

POWERS = {
    "fox": "Its player takes two timbers from the bank; it cannot be driven out (R6.1).",
    "hedgehog": "Heavier meat eaters need not be lighter than it (R6.2).",
    "turtle": "No meat eater need be lighter than it (R6.3).",
    "mosquito": "May drive out an animal of weight 2; cannot be driven out (R6.4).",
    "spider": "May drive out a shy animal; cannot be driven out (R6.5).",
    "skunk": "May drive out any one animal (R6.6).",
    "bronto": "Its marker counts one and a half (R6.7).",
    "chimpanzee": "Its marker goes on any scoring card but provision and counts one and a "
    "half (R6.8).",
}

MANY = 40  # lines of a list of moves in one answer
HISTORY = 10


def status(counter: Counter, line: Line) -> AnswerLine:
    """`status`: the position stands in every answer, so this only says whose turn it is."""
    if counter.game is None:
        return _no_table(line)
    if counter.view is None:
        return answered(line, "The game has not begun yet.")
    if counter.view.phase == "over":
        return answered(line, "The game is over.")
    waiting = [counter.name_of(seat) for seat in counter.view.to_move]
    return answered(line, f"The table waits for {', '.join(waiting)}.")


def hand(counter: Counter, line: Line) -> AnswerLine:
    """`hand`: each card with where it fits."""
    if (view := counter.view) is None:
        return _no_table(line)
    if not counter.order.confirmed:
        return refused(
            line, "unconfirmed", "A hand is sent to a confirmed address only; confirm yours first."
        )
    if not view.hand:
        return answered(line, "Your hand is empty.")
    described = hand_cards(view, fits_of(imagine(view), view))
    cards = (f"· {card.face.name}: {card.face.facts}. {card.note}" for card in described)
    return answered(line, "Your hand:", tuple(cards))


def scores(counter: Counter, line: Line) -> AnswerLine:
    """`scores`: points as the markers and timbers stand, pets not counted."""
    if (view := counter.view) is None:
        return _no_table(line)
    block = []
    for holder in counter.holders:
        marks = [f"{kind} {count(view.marks[holder.seat][kind])}" for kind in KINDS]
        block.append(
            f"{holder.name}: {view.points[holder.seat]} points now ({', '.join(marks)}; "
            f"timbers {view.timbers[holder.seat]})"
        )
    return answered(line, "Points as things stand, pets not counted:", tuple(block))


def legal(counter: Counter, line: Line) -> AnswerLine:
    """`legal`: single plays by card; with a card, its pairs too (commands.md 4)."""
    if (view := counter.view) is None:
        return _no_table(line)
    if counter.seat not in view.to_move:
        return answered(line, "It is not your turn: nothing is legal for you now.")
    card = (line.args or {}).get("card")
    moves = view.legal()
    chosen = [notation(move) for move in moves if _wanted(move, card)]
    if not chosen:
        return answered(line, f"Nothing is legal with the {card}." if card else "Nothing is legal.")
    more = len(chosen) - MANY
    block = chosen[:MANY] + ([f"… and {more} more; name a card: legal CARD"] if more > 0 else [])
    what = f"Legal with the {card}" if card else "Legal (pairs: ask for one card)"
    return answered(line, f"{what}, {len(chosen)} in all:", tuple(f"· {one}" for one in block))


def _wanted(move: Move, card: str | None) -> bool:
    if card is None:
        return not (isinstance(move, Board) and len(move.plays) > 1)
    if isinstance(move, Board):
        return any(play.card == card for play in move.plays)
    if isinstance(move, Gather):
        return move.take == card
    return isinstance(move, Pet) and move.card == card


def why(counter: Counter, line: Line) -> AnswerLine:
    """`why CARD CABIN`: every rule that keeps it out, or that it may go there."""
    if (view := counter.view) is None:
        return _no_table(line)
    args = line.args or {}
    card, cabin = str(args.get("card")), str(args.get("cabin"))
    position = imagine(view)
    broken = fits(position, counter.seat, card, cabin)
    if not broken:
        return answered(line, f"The {card} may go into {cabin}.")
    block = [f"{one.rule}: {one.sentence}" for one in broken]
    outs = victims(position, counter.seat, card, cabin)
    if outs:
        block.append(f"But it may enter by driving out the {' or the '.join(outs)}.")
    return answered(line, f"The {card} may not simply go into {cabin}:", tuple(block))


def history(counter: Counter, line: Line) -> AnswerLine:
    """`history [N]`: the last N turns as this seat may know them."""
    if counter.game is None or counter.view is None:
        return _no_table(line)
    turns = int((line.args or {}).get("turns") or HISTORY)
    events = [event for event in events_of(counter.session, counter.game) if event.kind == "turn"]
    block = told(counter, seen_by(events[-turns:] if turns else [], counter.seat))
    if not block:
        return answered(line, "Nothing has happened yet.")
    return answered(line, "What happened, oldest first:", tuple(f"· {one}" for one in block))


def rules(counter: Counter, line: Line) -> AnswerLine:
    """`rules [CARD]`: where the rules stand, or what one card does."""
    where = f"{counter.site.settings.base_url}/rules"
    card = (line.args or {}).get("card")
    if card is None:
        return answered(line, f"The rules of Ark: {where}")
    deck = builtin_deck() if counter.game is None else deck_of(counter.game)
    face, power = cards_of(deck).face(str(card)), POWERS.get(deck.card(str(card)).special, "")
    return answered(line, f"{face.name}: {face.facts}. {power}".strip(), (f"All rules: {where}",))


def help_(counter: Counter, line: Line) -> AnswerLine:
    """`help [COMMAND]`."""
    command = (line.args or {}).get("command")
    if command is None:
        where = f"More: {counter.site.settings.base_url}/help"
        known = overview(served=counter.served)
        return answered(line, "What you can write, one command a line:", (*known, where))
    return answered(line, f'About "{command}":', tuple(command_help(str(command))))


def games(counter: Counter, line: Line) -> AnswerLine:
    """`games`: the tables of whoever asks."""
    person_id = counter.order.author.person_id
    if person_id is None:
        return answered(line, "You play at no table here.")
    found = counter.session.exec(
        select(Game, Seat.number)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(
            Tenure.person_id == person_id,
            col(Tenure.until_seq).is_(None),
            col(Game.status).in_(["running", "over"]),
        )
        .order_by(col(Game.id).desc())
        .limit(MANY)
    ).all()
    if not found:
        return answered(line, "You play at no table here.")
    block = tuple(f"· game {game.id}, {game.name}: {game.status}" for game, _ in found)
    return answered(line, "Your tables:", block)


def test(counter: Counter, line: Line) -> AnswerLine:
    """`test`: the answer shows how the mail was read; that is all."""
    return answered(line, "Your mail arrived; above is how each of its lines was read.")


def resend(counter: Counter, line: Line) -> AnswerLine:
    """`resend`: the present letter once more."""
    if counter.game is None:
        return _no_table(line)
    announce.resend(counter.session, counter.site, counter.now, counter.game, counter.seat)
    return done(line, "The present letter of this table is on its way to you again.")


def _no_table(line: Line) -> AnswerLine:
    return refused(line, "no-table", "This belongs to a table; answer one of its letters.")


HANDLERS: dict[str, Callable[[Counter, Line], AnswerLine]] = {
    "status": status,
    "hand": hand,
    "scores": scores,
    "legal": legal,
    "why": why,
    "history": history,
    "rules": rules,
    "help": help_,
    "games": games,
    "test": test,
    "resend": resend,
}
