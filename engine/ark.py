"""The ship: its cabins and the balance, and what may go where (R2, R5, R6.9).

`Ark.admits` answers yes or no, quickly; `Ark.faults` answers with every broken rule.  The two are
held together by tests.  Cabins and boards are numbered as in `engine.tables`.
"""

from collections.abc import Iterable, Sequence

from engine.refusals import CODES, Violation, refusal
from engine.tables import (
    ALL,
    CARDS,
    LEFT,
    MAX_BALANCE,
    NEAR,
    NONE,
    RIGHT,
    ROOM,
    SHY,
    Tables,
    cabin_name,
    near,
)

__all__ = ["CODES", "Ark", "Violation"]


class Ark:
    """The loaded cabins; once they are, `enter` is the one way to change them."""

    __slots__ = ("_open_to", "ashore", "balance", "cabins", "doors", "ends", "meat", "near_meat")

    def __init__(self) -> None:
        # The lists by cabin reach at least one row past the longer side, so that the next new
        # cabins and all neighbours of a cabin can be looked up without a check.
        self.cabins: list[tuple[int, ...]] = [(), ()]
        """By cabin: the cards in the order of entering, () where there is no cabin yet."""
        self._open_to: list[int] = [0, 0]
        """By cabin: the cards that find room and company there (see `company`)."""
        self.doors: list[int] = [0] * CARDS
        """By card: the same the other way round, a board of the cabins there are.  Kept up to
        date only for cards that have not been on the ark."""
        self.ashore = ALL
        """The cards that have not been on the ark."""
        self.ends: list[int] = [LEFT, RIGHT]
        """By side: the number its next new cabin has."""
        self.balance = 0
        self.meat = 0
        """The cabins that hold a carnivore or omnivore."""
        self.near_meat = 0
        """These and the cabins adjacent to them: a shy card keeps off (R5.6)."""

    @classmethod
    def loaded(
        cls, tables: Tables, left: Sequence[Iterable[int]], right: Sequence[Iterable[int]]
    ) -> "Ark":
        """The ark with these crews aboard, from the bow: as if they had entered one by one, and
        in a fraction of the time, as no door is looked at twice."""
        ark = cls()
        crews = [
            (2 * row + side, tuple(crew))
            for side, cabins in ((LEFT, left), (RIGHT, right))
            for row, crew in enumerate(cabins)
        ]
        for _, crew in crews:
            for card in crew:
                ark.ashore &= ~(1 << card)
        for cabin, crew in crews:
            ark._add_cabin(cabin)
            ark.cabins[cabin] = crew
            open_to = ALL if len(crew) < ROOM else 0
            for card in crew:
                open_to &= tables.enters[card]
                ark.balance += tables.weight[card] if cabin & 1 else -tables.weight[card]
                ark.meat |= (tables.meat >> card & 1) << cabin
            ark._set_doors(cabin, open_to)
        ark.near_meat = near(ark.meat)
        return ark

    def copy(self) -> "Ark":
        twin = Ark.__new__(Ark)
        twin.cabins = self.cabins[:]
        twin._open_to = self._open_to[:]
        twin.doors = self.doors[:]
        twin.ashore = self.ashore
        twin.ends = self.ends[:]
        twin.balance = self.balance
        twin.meat = self.meat
        twin.near_meat = self.near_meat
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ark) and self.cabins == other.cabins and self.ends == other.ends

    __hash__ = None  # type: ignore[assignment]

    def side(self, side: int) -> list[tuple[int, ...]]:
        """The cabins of a side from the bow."""
        return self.cabins[side : self.ends[side] : 2]

    def enter(self, tables: Tables, card: int, cabin: int, out: int = NONE) -> None:
        """The card enters; where `out` is given it takes the place of that animal (R6.9)."""
        crew = self.cabins[cabin]
        weight = tables.weight[card]
        if out == NONE:
            self.cabins[cabin] = crew = (*crew, card)
            if len(crew) == 1:
                self._add_cabin(cabin)
                open_to = tables.enters[card]
            else:
                open_to = self._open_to[cabin] & tables.enters[card]
        else:
            place = crew.index(out)
            open_to = self.company(tables, cabin, out) & tables.enters[card]
            weight -= tables.weight[out]
            self.meat = self.meat_without(tables, cabin, out)
            self.near_meat = near(self.meat)
            self.cabins[cabin] = crew = (*crew[:place], card, *crew[place + 1 :])
        self.ashore &= ~(1 << card)
        self._set_doors(cabin, 0 if len(crew) >= ROOM else open_to)
        if tables.meat >> card & 1:
            self.meat |= 1 << cabin
            self.near_meat |= NEAR[cabin]
        self.balance += weight if cabin & 1 else -weight

    def _add_cabin(self, cabin: int) -> None:
        self.ends[cabin & 1] = cabin + 2
        if cabin + 2 >= len(self.cabins):
            self.cabins += ((), ())
            self._open_to += (0, 0)

    def _set_doors(self, cabin: int, open_to: int) -> None:
        turned = (self._open_to[cabin] ^ open_to) & self.ashore
        self._open_to[cabin] = open_to
        doors, bit = self.doors, 1 << cabin
        while turned:
            lowest = turned & -turned
            turned ^= lowest
            doors[lowest.bit_length() - 1] ^= bit

    def company(self, tables: Tables, cabin: int, out: int = NONE) -> int:
        """The cards that find room and company in a cabin there is, once `out` has left it: as
        far as R5.1, R5.2, R5.4, R5.5 and R5.6 (in the cabin itself) are concerned."""
        if out == NONE:
            return self._open_to[cabin]
        mask = ALL
        for resident in self.cabins[cabin]:
            if resident != out:
                mask &= tables.enters[resident]
        return mask

    def meat_without(self, tables: Tables, cabin: int, out: int) -> int:
        """The cabins with meat eaters once `out` has left its cabin."""
        meat = self.meat & ~(1 << cabin)
        for resident in self.cabins[cabin]:
            if resident != out:
                meat |= (tables.meat >> resident & 1) << cabin
        return meat

    def admits(self, tables: Tables, card: int, cabin: int, out: int = NONE) -> bool:
        """May the card enter (R5.1 to R5.6), `out` being a victim it may drive out, if any?"""
        end = self.ends[cabin & 1]
        if cabin > end or (cabin < end and not self.company(tables, cabin, out) >> card & 1):
            return False
        weight = tables.weight[card]
        meat = self.meat
        if out != NONE:
            weight -= tables.weight[out]
            meat = self.meat_without(tables, cabin, out)
        if abs(self.balance + (weight if cabin & 1 else -weight)) > MAX_BALANCE:
            return False
        return not (tables.shy >> card & 1 and near(meat) >> cabin & 1)

    def faults(self, tables: Tables, card: int, cabin: int, out: int = NONE) -> list[Violation]:
        """Every rule of R5.1 to R5.6 the card would break; [] where it may enter."""
        end = self.ends[cabin & 1]
        if cabin > end:
            return [refusal("no-cabin", cabin=cabin_name(cabin), next=cabin_name(end))]
        rest = tuple(other for other in self.cabins[cabin] if other != out)
        found = []
        if len(rest) >= ROOM:
            found.append(refusal("full", cabin=cabin_name(cabin)))
        for other in rest:
            found += self._company_faults(tables, card, other, cabin)
        if tables.kind[card] == SHY:
            for neighbour in (cabin - 2, cabin + 2, cabin ^ 1):
                found += self._neighbour_faults(tables, card, neighbour, cabin)
        weight = tables.weight[card] - (tables.weight[out] if out != NONE else 0)
        balance = self.balance + (weight if cabin & 1 else -weight)
        if abs(balance) > MAX_BALANCE:
            side = "right" if balance > 0 else "left"
            found.append(refusal("balance", excess=abs(balance), side=side))
        return sorted(found, key=lambda violation: violation.rule)

    @staticmethod
    def _company_faults(tables: Tables, card: int, other: int, cabin: int) -> list[Violation]:
        """What is against the card entering a cabin that the other one is in."""
        if tables.enters[other] >> card & 1:
            return []
        mine, theirs = tables.cards[card], tables.cards[other]
        named = {"card": mine.name, "other": theirs.name, "cabin": cabin_name(cabin)}
        found = []
        if {mine.climate, theirs.climate} == {"hot", "cold"}:
            found.append(
                refusal("climate", climate=mine.climate, other_climate=theirs.climate, **named)
            )
        if mine.is_provision or theirs.is_provision:
            if mine.eats_plants:
                found.append(refusal("provision", **named))
            if theirs.eats_plants:
                found.append(refusal("provision-eaten", **named))
            return found
        if mine.endangers(theirs):
            found.append(refusal("meat-eater", **named))
        if theirs.endangers(mine):
            found.append(refusal("meat-eaten", **named))
        if mine.kind == "shy" and theirs.eats_meat:
            found.append(refusal("shy", **named))
        return found

    def _neighbour_faults(
        self, tables: Tables, card: int, neighbour: int, cabin: int
    ) -> list[Violation]:
        if not 0 <= neighbour < len(self.cabins):
            return []
        return [
            refusal(
                "shy-next-door",
                card=tables.names[card],
                other=tables.names[other],
                cabin=cabin_name(cabin),
                where=cabin_name(neighbour),
            )
            for other in self.cabins[neighbour]
            if tables.meat >> other & 1
        ]
