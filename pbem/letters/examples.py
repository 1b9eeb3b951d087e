"""Examples of answers in the reader's language, every one legal in the position of the letter."""

from collections.abc import Iterator, Sequence

from engine.cards import Card
from engine.game import Position, violations
from engine.moves import Board, Play
from engine.view import View
from pbem.commands.speech import command_word, kind_name, none_word, option_word
from pbem.letters.cards import Cards, cards_of
from pbem.letters.hand import Fit, counts_as_pet
from pbem.letters.plain import width
from pbem.translation import language

LONGEST = 60
LONGEST_WITH_TAKE = 40  # its tail would be a command of its own if a client wrapped it
TRIES = 40


def examples(position: Position, view: View, fitting: Sequence[Fit]) -> list[str]:
    """Command lines without their mark; a turn of two plays is two lines after another.

    Main phase: a gather first, then a single play, one that opens a cabin, a pair.
    End phase: a play, then the pass.  Pet phase: a pet, then none.  [] when the seat is
    not to move.
    """
    if view.seat is None or view.seat not in view.to_move:
        return []
    cards = cards_of(view.deck)
    if view.phase == "pets":
        return _pets(view, cards)
    lines: list[str] = []
    if view.phase == "main":
        lines += [_command("take", cards.name(name)) for name in view.display[:1]]
    playable = sorted((fit for fit in fitting if fit.anywhere), key=_plain_first)
    lines += _first(_line(play, cards) for fit in playable for play in _standing(fit, view))
    lines += _first(_line(play, cards) for fit in playable for play in _opening(fit, view))
    if view.phase == "main":
        return lines + _pair(position, view, playable, cards)
    return [*lines, _command("pass")]


def _pets(view: View, cards: Cards) -> list[str]:
    hand = [view.deck.card(name) for name in view.hand or ()]
    counting = [card for card in hand if counts_as_pet(card) and card.kind != "none"]
    pets = [_command("pet", cards.name(card.name)) for card in counting[:1]]
    return [*pets, _command("pet", none_word(language()))]


def _plain_first(fit: Fit) -> bool:
    return bool(fit.card.special)


def _mark(card: Card) -> str | None:
    return "useful" if card.special == "chimpanzee" else None


def _standing(fit: Fit, view: View) -> Iterator[Play]:
    """Plays into cabins there are."""
    for cabin in fit.free:
        yield Play(fit.card.name, cabin, mark=_mark(fit.card))
    for cabin, outs in fit.driving:
        for out in outs:
            if view.deck.card(out).special != "chimpanzee":  # that would ask for a mark
                yield Play(fit.card.name, cabin, out=out)


def _opening(fit: Fit, view: View) -> Iterator[Play]:
    """Plays that open a cabin, each display card taken once."""
    for cabin in fit.new:
        for take in view.display or (None,):
            yield Play(fit.card.name, cabin, mark=_mark(fit.card), take=take)


def _pair(position: Position, view: View, fitting: Sequence[Fit], cards: Cards) -> list[str]:
    """Two plays that are legal together, as two lines; [] when none is found soon."""
    assert view.seat is not None
    tries = 0
    for first in fitting:
        for second in fitting:
            if first is second or _alone(first.card) or _alone(second.card):
                continue
            for one in _some(first):
                for other in _some(second):
                    if one.cabin == other.cabin or (tries := tries + 1) > TRIES:
                        continue
                    if not violations(position, view.seat, Board((one, other))):
                        lines = [_line(one, cards), _line(other, cards)]
                        if None not in lines:
                            return [line for line in lines if line is not None]
    return []


def _some(fit: Fit) -> list[Play]:
    return [Play(fit.card.name, cabin, mark=_mark(fit.card)) for cabin in fit.free[:3]]


def _alone(card: Card) -> bool:
    return card.kind in ("slow", "provision")


def _first(lines: Iterator[str | None]) -> list[str]:
    found = next((line for line in lines if line is not None), None)
    return [] if found is None else [found]


def _line(play: Play, cards: Cards) -> str | None:
    """The play as one writes it; None when the line would be too long to be safe."""
    spoken = language()
    words: list[str] = [cards.name(play.card), play.cabin]
    if play.out is not None:
        words += [option_word("out", spoken), cards.name(play.out)]
    if play.mark is not None:
        words += [option_word("mark", spoken), kind_name(play.mark, spoken)]
    if play.take is not None:
        words += [option_word("take", spoken), cards.name(play.take)]
    line = _command("play", *words)
    most = LONGEST if play.take is None else LONGEST_WITH_TAKE
    return line if width(line) + 2 <= most else None


def _command(command: str, *words: str) -> str:
    return " ".join((command_word(command, language()), *words))
