"""What happened at a table, told in sentences, in the language spoken.

A sentence speaks to the reader as "you" and marks each card with `STRONG` … `WEAK`, which
the HTML shows bold and the text leaves out.  One turn is one sentence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pbem.commands.nouns import Noun
from pbem.commands.speech import kind_name
from pbem.letters import sentences_clock
from pbem.letters.cards import Cards, count
from pbem.letters.plain import STRONG, WEAK
from pbem.store.log import Seen
from pbem.translation import _, language, later, listing, ngettext, series

RAIN = (
    later("Rain: the first of 5 rain cards came up."),
    later("Rain: the second of 5 rain cards came up."),
    later("Rain: the third of 5 rain cards came up."),
    later("Rain: the fourth of 5 rain cards came up."),
    later("Rain: the last of 5 rain cards came up."),
)


@dataclass(frozen=True)
class Teller:
    """Tells events to one reader: the cards in words, who is called what, who "you" is."""

    cards: Cards
    names: Sequence[str]  # by seat
    seat: int | None

    def who(self, seat: int) -> str:
        return _("you") if self._me(seat) else self.names[seat]

    def people(self, seats: Iterable[int]) -> str:
        return listing(self.who(seat) for seat in seats)

    def card(self, name: str) -> Noun:
        return self.cards.name(name).emphasised(STRONG, WEAK)

    def tell(self, seen: Iterable[Seen]) -> list[str]:
        """One sentence for each turn and each other thing worth telling."""
        told: list[str] = []
        for _seq, group in groupby(seen, key=lambda one: one.seq):
            told += self._turn(list(group))
        return told

    def _me(self, seat: int | None) -> bool:
        return seat is not None and seat == self.seat

    def _name(self, seat: int | None) -> str:
        return _("The table") if seat is None else self.names[seat]

    def _turn(self, parts: Sequence[Seen]) -> Iterator[str]:
        plays = [part for part in parts if part.kind == "play"]
        if plays:
            seat, told = plays[0].seat, listing(self._play(part.facts) for part in plays)
            if self._me(seat):
                yield _("You boarded {plays}.", plays=told)
            else:
                yield _("{who} boarded {plays}.", who=self._name(seat), plays=told)
        for part in parts:
            sentence = self._other(part)
            if sentence:
                yield sentence

    def _play(self, facts: Mapping[str, Any]) -> str:
        told = [str(facts["cabin"])]
        if facts["opened"]:
            told = [_("new cabin {cabin}", cabin=facts["cabin"]), self._paid(facts["timber_to"])]
            if facts["take"] is not None:
                told.append(_("took the {card}", card=self.card(facts["take"])))
        if facts["out"] is not None:
            told.append(_("drove out the {card}", card=self.card(facts["out"])))
        if cost := facts["cost"]:
            told.append(ngettext("a timber to the bank", "{count} timbers to the bank", cost))
        if bank := facts["bank"]:
            told.append(ngettext("a timber from the bank", "{count} timbers from the bank", bank))
        told += [
            _("{kind} +{number}", kind=_kind(mark["kind"]), number=count(mark["count"]))
            for mark in facts["marks"]
        ] or [_("no marker")]
        return _("the {card} ({details})", card=self.card(facts["card"]), details=series(told))

    def _paid(self, seat: int) -> str:
        if self._me(seat):
            return _("a timber to you")
        return _("a timber to {who}", who=self.names[seat])

    def _other(self, part: Seen) -> str:
        facts = part.facts
        match part.kind:
            case "gather":
                return self._gathered(part)
            case "rain":
                return _(RAIN[facts["count"] - 1])
            case "pets":
                return _("All players now choose a pet, or none, in secret.")
            case "pet" if "card" in facts:
                if facts["card"] is None:
                    return _("You chose no pet.")
                return _("You set the {card} aside as your pet.", card=self.card(facts["card"]))
            case "pets_set":
                return self._pets(facts["seats"])
            case "end":
                return _(
                    "The end phase begins; first to move: {who}.", who=self.who(facts["first"])
                )
            case "pass" if self._me(part.seat):
                return _("You passed and are out.")
            case "pass":
                return _("{who} passed and is out.", who=self._name(part.seat))
            case "over":
                return _("The game is over.")
            case "deadline":
                return _("Time ran out for {people}.", people=self.people(facts["seats"]))
        return sentences_clock.told(part, lambda seat: self.names[seat], self.seat)

    def _gathered(self, part: Seen) -> str:
        """What was drawn is known to whoever drew, unless the turn is only imagined."""
        facts, take = part.facts, self.card(part.facts["take"])
        unknown, nothing = "draw" not in facts, facts.get("draw") is None
        if self._me(part.seat):
            if unknown:
                return _("You took the {card} and a card from the stack.", card=take)
            if nothing:
                return _("You took the {card} and nothing from the stack.", card=take)
            drawn = self.card(facts["draw"])
            return _("You took the {card} and drew the {drawn}.", card=take, drawn=drawn)
        who = self._name(part.seat)
        if unknown:
            return _("{who} took the {card} and a card from the stack.", who=who, card=take)
        if nothing:
            return _("{who} took the {card} and nothing from the stack.", who=who, card=take)
        drawn = self.card(facts["draw"])
        return _("{who} took the {card} and drew the {drawn}.", who=who, card=take, drawn=drawn)

    def _pets(self, seats: Sequence[int]) -> str:
        if not seats:
            return _("All have chosen: nobody has a pet.")
        people = self.people(seats)
        others = [seat for seat in range(len(self.names)) if seat not in seats]
        if not others:
            return _("All have chosen: {people} set a card aside as a pet.", people=people)
        return _(
            "All have chosen: {people} set a card aside as a pet; {others} did not.",
            people=people, others=self.people(others),
        )  # fmt: skip


def new_cards(seen: Iterable[Seen]) -> frozenset[str]:
    """The cards that came aboard in these events: framed in the picture."""
    return frozenset(part.facts["card"] for part in seen if part.kind == "play")


def new_cabins(seen: Iterable[Seen]) -> frozenset[str]:
    """The cabins that were opened in these events."""
    plays = (part.facts for part in seen if part.kind == "play")
    return frozenset(facts["cabin"] for facts in plays if facts["opened"])


def _kind(kind: str) -> str:
    return kind_name(kind, language())
