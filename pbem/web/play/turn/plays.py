"""Plays that are being chosen, on a position imagined from a view: where a card may go and
why not elsewhere, what is still to be chosen, and the position once it is played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.cards import KINDS
from engine.checking import fits, victims
from engine.moves import Board, Play
from engine.playing import Event, enter
from engine.position import Position
from engine.raw import encode
from engine.refusals import Violation, refusal
from engine.tables import CARDS, LEFT, MARKABLE, RIGHT, cabin_name, cabin_number
from pbem.web.play.turn.choice import NOBODY, Chosen

MARKS = tuple(KINDS[kind] for kind in MARKABLE)
CHIMPANZEE = "chimpanzee"


@dataclass(frozen=True)
class Way:
    """A cabin for one card: it may enter ``free``, or by driving one of ``victims`` out; else
    ``reasons`` say why not."""

    cabin: str
    new: bool
    free: bool
    victims: tuple[str, ...]
    reasons: tuple[Violation, ...]

    @property
    def is_open(self) -> bool:
        return self.free or bool(self.victims)


@dataclass(frozen=True)
class Trial:
    """A position on which a seat tries out plays.  ``singly``: each as a turn of its own."""

    position: Position
    seat: int
    singly: bool
    played: tuple[Play, ...] = ()
    told: tuple[Event, ...] = ()

    @property
    def hand(self) -> tuple[str, ...]:
        return self._names(self.position.hands[self.seat])

    @property
    def display(self) -> tuple[str, ...]:
        return self._names(self.position.display)

    def _names(self, cards: Sequence[int]) -> tuple[str, ...]:
        known = self.position.tables.cards
        return tuple(known[card].name for card in cards if card < CARDS)

    @property
    def is_second(self) -> bool:
        """Is the next play the second of a turn (R4.3)?"""
        return bool(self.played) and not self.singly

    def ways(self, card: str) -> dict[str, Way]:
        """Every cabin there is, and the next new ones, by name."""
        ends = self.position.ark.ends
        return {
            cabin_name(number): self.way(card, cabin_name(number), new=number == ends[number & 1])
            for number in self._cabins()
        }

    def _cabins(self) -> list[int]:
        """The numbers of the cabins, those of the left first."""
        ends = self.position.ark.ends
        return [number for side in (LEFT, RIGHT) for number in range(side, ends[side] + 1, 2)]

    def way(self, card: str, cabin: str, *, new: bool) -> Way:
        against = self._against(card, cabin)
        faults = fits(self.position, self.seat, card, cabin)
        outs = () if against or new else tuple(victims(self.position, self.seat, card, cabin))
        return Way(cabin, new, not faults and not against, outs, (*against, *faults))

    def _against(self, card: str, cabin: str) -> list[Violation]:
        """What R4.3 says against a second card, or against any with the first there is."""
        if not self.is_second:
            return []
        found = list(self.alone(card))
        if cabin == self.played[0].cabin:
            found.append(refusal("same-cabin", cabin=cabin))
        return found

    def alone(self, card: str) -> tuple[Violation, ...]:
        """Why a card is never one of two (R4.3); () for one that may be."""
        kind = self.position.deck.card(card).kind
        code = {"slow": "slow-in-pair", "provision": "provision-in-pair"}.get(kind)
        return () if code is None else (refusal(code, card=card),)

    def may_go_on(self) -> tuple[str, ...]:
        """The cards of the hand that could be played next."""
        if self.played and not self.singly and (len(self.played) > 1 or self._ended_by_first()):
            return ()
        return tuple(card for card in self.hand if self._goes_somewhere(card))

    def _goes_somewhere(self, card: str) -> bool:
        """The quick answer first: most cabins are closed to a card, and why is not asked."""
        position, number = self.position, self.position.deck.number(card)
        ends, drives = position.ark.ends, bool(position.tables.drivers >> number & 1)
        return any(
            (drives or position.ark.admits(position.tables, number, cabin))
            and self.way(card, cabin_name(cabin), new=cabin == ends[cabin & 1]).is_open
            for cabin in self._cabins()
        )

    def _ended_by_first(self) -> bool:
        return self.position.phase == "end" or bool(self.alone(self.played[0].card))

    def settle(self, chosen: Chosen) -> tuple[Chosen, str]:
        """What is chosen, with what goes without saying, and what is to be chosen next:
        ``card``, ``cabin``, ``out``, ``mark``, ``take``, or "" when it is complete.  What does
        not hold is taken out."""
        if chosen.card not in self.hand:
            return Chosen(""), "card"
        number = cabin_number(chosen.cabin) if chosen.cabin else None
        end = None if number is None else self.position.ark.ends[number & 1]
        if number is None or end is None or number > end:
            return Chosen(chosen.card), "cabin"
        way = self.way(chosen.card, chosen.cabin, new=number == end)
        if not way.is_open:
            return Chosen(chosen.card), "cabin"
        chosen = self._settle_out(chosen, way)
        if way.victims and not chosen.out:
            return replace(chosen, mark="", take=""), "out"
        marked = CHIMPANZEE in map(self._special, (chosen.card, chosen.out))
        if not marked or chosen.mark not in MARKS:
            chosen = replace(chosen, mark="")
        if marked and not chosen.mark:
            return replace(chosen, take=""), "mark"
        display = self.display if way.new else ()
        if chosen.take not in display:
            chosen = replace(chosen, take=display[0] if len(display) == 1 else "")
        return chosen, "take" if display and not chosen.take else ""

    @staticmethod
    def _settle_out(chosen: Chosen, way: Way) -> Chosen:
        if not way.victims:
            return replace(chosen, out="")
        if not way.free and len(way.victims) == 1:
            return replace(chosen, out=way.victims[0])
        known = chosen.out in way.victims or (chosen.out == NOBODY and way.free)
        return chosen if known else replace(chosen, out="")

    def _special(self, card: str) -> str:
        return self.position.deck.card(card).special if card in self.position.deck else ""

    def after(self, chosen: Chosen) -> "Trial":
        """The position once a complete play is done; the stack is not touched."""
        play = chosen.play
        raw = encode(self.position.deck, Board((play,)))
        assert raw is not None, "a settled play is one of this deck"
        position, told = self.position.copy(), list(self.told)
        enter(position, self.seat, raw[1], 1 if position.phase == "end" else 0, told)
        return replace(self, position=position, played=(*self.played, play), told=tuple(told))
