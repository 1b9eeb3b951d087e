"""The next step of a turn that is being chosen, ready for the page: what may be chosen, at
which address that is, why the rest may not, and what it all comes to.

`board_of` is a function of a view and a choice: nothing is stored, and nothing of the stack
or of another's hand can be in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.game import violations
from engine.moves import Board, Gather, Move, Pass, Pet, to_json
from engine.refusals import Violation
from engine.view import View, imagine, view
from pbem.commands import print_turn
from pbem.commands.speech import kind_name
from pbem.commands.violations import violation_sentence
from pbem.letters.ark import Picture, picture
from pbem.letters.cards import cards_of
from pbem.letters.hand import fits_of, hand_cards
from pbem.translation import _, capitalised, language, sentences
from pbem.web.play.turn.board import CabinOption, CardOption, Fresh, Option, Reason, TurnBoard
from pbem.web.play.turn.choice import NOBODY, Choice, Chosen
from pbem.web.play.turn.plays import MARKS, Trial, Way
from pbem.web.play.turn.sums import Sums, sums_of

Link = Callable[[Choice], str]
"""The address of the page at which this is chosen."""


def board_of(seen: View, choice: Choice, link: Link, fresh: Fresh | None = None) -> TurnBoard:
    """What the holder of the view's seat may choose next."""
    return _Steps(seen, choice, link, fresh or Fresh()).board()


class _Steps:
    def __init__(self, seen: View, choice: Choice, link: Link, fresh: Fresh) -> None:
        assert seen.seat is not None, "a spectator chooses nothing"
        self.fresh = fresh
        self.seen, self.link, self.seat = seen, link, seen.seat
        self.cards = cards_of(seen.deck)
        self.known = imagine(seen)
        self.may_move = seen.seat in seen.to_move
        if choice.trying and seen.phase not in ("main", "end"):
            choice = Choice()
        if not self.may_move and not choice.trying:
            choice = Choice()
        self.choice = choice
        self.trial = Trial(self.known, self.seat, choice.trying)

    # -- which step it is

    def board(self) -> TurnBoard:
        if not self.may_move and not self.choice.trying:
            return self._made("watch", "")
        if self.seen.phase == "pets":
            return self._pets()
        if self.choice.passing and self.seen.phase == "end" and not self.choice.trying:
            return self._ready(Pass(), _("You pass, and are out for the rest of the game."))
        if self.choice.take in self.seen.display and self._may_gather():
            return self._gather()
        return self._play()

    def _may_gather(self) -> bool:
        return self.seen.phase == "main" and not self.choice.trying

    def _pets(self) -> TurnBoard:
        pet = self.choice.pet
        if pet == NOBODY:
            return self._ready(Pet(None), _("You choose no pet."))
        if pet and pet in (self.seen.hand or ()):
            card = self.cards.name(pet)
            return self._ready(Pet(pet), _("You set the {card} aside as your pet.", card=card))
        return self._made("card", _("Which card is to be your pet?"))

    def _gather(self) -> TurnBoard:
        card = self.cards.name(self.choice.take)
        told = _("You take the {card}, and the top card of the stack with it.", card=card)
        hidden = _("What comes off the stack shows only when you really do it.")
        return self._ready(Gather(self.choice.take), sentences((told, hidden)))

    def _play(self) -> TurnBoard:
        plays = self.choice.plays
        if not self.choice.trying:
            plays = plays[: 1 if self.seen.phase == "end" else 2]
        settled: list[Chosen] = []
        for chosen in plays:
            one, missing = self.trial.settle(chosen)
            if missing == "card" or (settled and one.card not in self.trial.may_go_on()):
                break
            settled.append(one)
            self.choice = self.choice.anew(plays=tuple(settled))
            if missing:
                return self._choose(one, missing)
            self.trial = self.trial.after(one)
        self.choice = self.choice.anew(plays=tuple(settled))
        if settled:
            return self._played()
        return self._made("card", self._first_heading())

    def _first_heading(self) -> str:
        if self.choice.trying:
            return _("What would happen if you played …")
        if self.seen.phase == "end":
            return _("Play one card for a timber, or pass")
        return _("Take a card, or play one")

    # -- what is to be chosen of a play

    def _choose(self, one: Chosen, missing: str) -> TurnBoard:
        card = self.cards.name(one.card)
        match missing:
            case "cabin":
                ways = self.trial.ways(one.card)
                heading = _("Which cabin for the {card}?", card=card)
                if not any(way.is_open for way in ways.values()):
                    heading = _("No cabin takes the {card} now", card=card)
                return self._made(missing, heading, targets=self._targets(ways))
            case "out":
                heading = _("Does the {card} drive an animal out?", card=card)
                return self._made(missing, heading, options=self._victims(one))
            case "mark":
                heading = _("On which scoring card does the marker of the chimpanzee go?")
                return self._made(missing, heading, options=self._marks())
        heading = _("{cabin} is new: which card do you take for it?", cabin=one.cabin)
        return self._made(missing, heading, options=self._takes())

    def _targets(self, ways: Mapping[str, Way]) -> dict[str, CabinOption]:
        return {cabin: self._target(way) for cabin, way in ways.items()}

    def _target(self, way: Way) -> CabinOption:
        if not way.is_open:
            return CabinOption(reasons=_reasons(way.reasons))
        words = _("open it here: a timber") if way.new else _("goes here")
        if not way.free:
            words = _("only by driving out")
        return CabinOption(self.link(self.choice.with_last(cabin=way.cabin)), words)

    def _victims(self, one: Chosen) -> tuple[Option, ...]:
        way = self.trial.way(one.card, one.cabin, new=False)
        options = [
            Option(
                _("Drive the {card} out", card=self.cards.name(name)),
                self.link(self.choice.with_last(out=name)),
                self.cards.face(name),
            )
            for name in way.victims
        ]
        if way.free:
            options.append(Option(_("Drive nobody out"), self.link(self._nobody())))
        return tuple(options)

    def _nobody(self) -> Choice:
        return self.choice.with_last(out=NOBODY)

    def _marks(self) -> tuple[Option, ...]:
        return tuple(
            Option(
                capitalised(kind_name(kind, language())),
                self.link(self.choice.with_last(mark=kind)),
            )
            for kind in MARKS
        )

    def _takes(self) -> tuple[Option, ...]:
        return tuple(
            Option(
                _("Take the {card}", card=self.cards.name(name)),
                self.link(self.choice.with_last(take=name)),
                self.cards.face(name),
            )
            for name in self.trial.display
        )

    # -- what is complete

    def _played(self) -> TurnBoard:
        """One play or more: to be done, or to be gone on with."""
        go_on = self.trial.may_go_on()
        more = tuple(
            CardOption(self.cards.face(name), "", self.link(self.choice.with_more(name)))
            for name in go_on
        )
        if self.choice.trying:
            heading = _("This is what it would come to")
            return self._made("ready", heading, more=more, sums=self._sums())
        move = Board(self.trial.played)
        faults = violations(self.known, self.seat, move)
        if faults:  # what is chosen step by step is legal; an address can be written by anybody
            self.choice, self.trial = Choice(), Trial(self.known, self.seat, False)
            return self._made("card", capitalised(violation_sentence(faults[0])))
        return self._ready(move, "", more, self._sums())

    def _ready(
        self, move: Move, words: str, more: tuple[CardOption, ...] = (), sums: Sums | None = None
    ) -> TurnBoard:
        board = self._made("ready", _("Your turn, as chosen"), words=words, more=more, sums=sums)
        args = to_json(move)
        return replace(
            board,
            command=print_turn(args, language()),
            shown=print_turn(args, language(), self.cards.name),
        )

    def _sums(self) -> Sums:
        return sums_of(self.seen, view(self.trial.position, self.seat))

    # -- the page

    def _made(
        self,
        step: str,
        heading: str,
        *,
        targets: Mapping[str, CabinOption] | None = None,
        words: str = "",
        options: tuple[Option, ...] = (),
        more: tuple[CardOption, ...] = (),
        sums: Sums | None = None,
    ) -> TurnBoard:
        begun = self.choice.begun
        return TurnBoard(
            step=step,
            heading=heading,
            words=words,
            ark=self._ark(),
            hand=self._hand(),
            display=self._display(),
            targets=targets or {},
            options=options,
            without=self._without(),
            more=more,
            told=self.trial.told,
            sums=sums,
            back=self.link(self._back()) if begun else "",
            restart=self.link(self.choice.anew()) if begun else "",
            trying=self.choice.trying,
            try_link=self._try_link(),
        )

    def _ark(self) -> Picture:
        """As it is, or as it would be after the plays that are complete."""
        if not self.trial.played:
            return picture(self.seen, self.fresh.cards, self.fresh.cabins)
        after = view(self.trial.position, self.seat)
        return picture(after, {play.card for play in self.trial.played})

    def _back(self) -> Choice:
        """What was chosen last is not."""
        if not self.choice.plays:
            return self.choice.anew()
        last = self.choice.plays[-1]
        for field in ("take", "mark", "out", "cabin"):
            if getattr(last, field):
                return self.choice.with_last(**{field: ""})
        return self.choice.without_last()

    def _try_link(self) -> str:
        """Into looking further with the plays of this turn, or out of it."""
        if self.seen.phase not in ("main", "end"):
            return ""
        plays = () if self.choice.trying else tuple(self.choice.plays)
        return self.link(Choice(plays=plays, trying=not self.choice.trying))

    def _hand(self) -> tuple[CardOption, ...]:
        """The own hand as it is now; on a first step each card leads on."""
        chosen = {play.card for play in self.choice.plays} | {self.choice.pet}
        notes = hand_cards(self.seen, fits_of(self.known, self.seen))
        choosing_pet = self.seen.phase == "pets"
        return tuple(
            CardOption(
                one.face,
                one.note,
                ""
                if self.seen.seat not in self.seen.to_move and not self.choice.trying
                else self.link(
                    self.choice.anew(pet=name)
                    if choosing_pet
                    else self.choice.anew(plays=(Chosen(name),))
                ),
                name in chosen,
            )
            for name, one in zip(self.seen.hand or (), notes, strict=True)
        )

    def _without(self) -> tuple[Option, ...]:
        if not self.may_move or self.choice.trying:
            return ()
        if self.seen.phase == "pets":
            return (Option(_("No pet"), self.link(Choice(pet=NOBODY))),)
        if self.seen.phase == "end":
            return (Option(_("Pass"), self.link(Choice(passing=True))),)
        return ()

    def _display(self) -> tuple[CardOption, ...]:
        takable = self.may_move and self._may_gather()
        taken = {self.choice.take} | {play.take for play in self.choice.plays}
        return tuple(
            CardOption(
                self.cards.face(name),
                "",
                self.link(self.choice.anew(take=name)) if takable else "",
                name in taken,
            )
            for name in self.seen.display
        )


def _reasons(faults: Sequence[Violation]) -> tuple[Reason, ...]:
    return tuple(Reason(one.rule, capitalised(violation_sentence(one))) for one in faults)
