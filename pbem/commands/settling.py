"""From lines to what may be done: joining plays, all or nothing (commands.md 1.5, 3.2, 3.4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.moves import Move
from pbem.commands.alternatives import turn_args
from pbem.commands.faults import NOT_TRIED, NOT_UNDERSTOOD, REFUSED, Fault, ambiguous, refused
from pbem.commands.model import Context, Line, Reading, ReadyTurn
from pbem.commands.names import CardNames
from pbem.commands.resolve import ImaginedSeat, Resolved
from pbem.commands.speech import print_turn
from pbem.commands.statements import Statement
from pbem.commands.turns import TurnText

QUESTIONS = ("legal", "why", "rules")
"""Questions about a card or a cabin of the position."""


@dataclass
class UnsettledLine:
    """A line while it is being judged."""

    text: str
    statement: Statement | None = None
    ignored: str | None = None
    fault: Fault | None = None
    args: dict[str, Any] | None = None
    completes: int | None = None
    not_tried: bool = False
    index: int = field(default=0)

    @property
    def turn(self) -> TurnText | None:
        return self.statement.turn if self.statement and not self.fault else None

    @property
    def preview(self) -> bool:
        return bool(self.statement and self.statement.preview)

    @property
    def stops(self) -> bool:
        """Does this line keep the turns of its table from being done?"""
        # a preview that the rules refuse has done its work
        return self.fault is not None and not (self.preview and self.fault.error == REFUSED)


def settle(drafts: Sequence[UnsettledLine], names: CardNames, context: Context) -> Reading:
    """The reading of all lines, table by table."""
    for index, draft in enumerate(drafts):
        draft.index = index
    turns: list[ReadyTurn] = []
    stopped = False
    for game, section in _sections(drafts):
        table = _Table(game, section, names, context)
        move = table.settle()
        stopped = stopped or table.stopped
        if move and table.first is not None:
            turns.append(ReadyTurn(game, move, table.first.index))
    return Reading(tuple(map(_line, drafts)), stopped, tuple(turns))


def _sections(drafts: Iterable[UnsettledLine]) -> list[tuple[int | None, list[UnsettledLine]]]:
    """The lines by the table they are for: a line "game N" begins a new section (1.9)."""
    sections: list[tuple[int | None, list[UnsettledLine]]] = [(None, [])]
    for draft in drafts:
        statement = draft.statement
        if statement and statement.command == "game" and statement.args and not draft.fault:
            sections.append((statement.args["game"], []))
        sections[-1][1].append(draft)
    return sections


class _Table:
    """The lines for one table."""

    def __init__(
        self, game: int | None, drafts: list[UnsettledLine], names: CardNames, context: Context
    ) -> None:
        self.game, self.drafts, self.context = game, drafts, context
        own = game is None or game == context.game
        view = context.view if own else None
        playing = view is not None and view.seat is not None
        self.seat = ImaginedSeat(view, names) if view and playing else None
        self.first: UnsettledLine | None = None
        self._one_seat = context.view is not None and context.addressed == "seat"

    @property
    def stopped(self) -> bool:
        return any(draft.stops for draft in self.drafts)

    def settle(self) -> Move | None:
        """Judge the turns; the move that may be done, if there is one."""
        self._check_table()
        self._suggest_options()
        for draft in self.drafts:
            if draft.turn and draft.preview:
                self._apply(draft, [draft], self._resolve(draft.turn))
        for draft in self.drafts:
            if self.seat and draft.statement and draft.statement.command in QUESTIONS:
                draft.args = self.seat.resolve_question(draft.statement.args or {})
        turns = [draft for draft in self.drafts if draft.turn and not draft.preview]
        for draft in turns:
            assert draft.turn is not None
            draft.args = turn_args(draft.turn)
        turns = self._without_copies(turns)
        move = None
        if turns and not self._conflict(turns):
            move = self._join(turns)
        if self.stopped:
            for draft in self.drafts:
                if draft.turn and not draft.preview:
                    draft.not_tried = True
            return None
        return move

    def _check_table(self) -> None:
        """A turn needs to know its table (1.9)."""
        context = self.context
        for draft in self.drafts:
            if not draft.turn:
                continue
            if self.game is None and context.addressed == "person":
                draft.fault = ambiguous("which-table")
            elif self.game not in (None, context.game) and self._one_seat:
                draft.fault = refused("other-table", game=self.game)

    def _suggest_options(self) -> None:
        """`play skunk R1` and `out deer` on two lines: the line that was meant.  Done without
        the other, the play would be another move."""
        play: TurnText | None = None
        for draft in self.drafts:
            options = draft.statement.options if draft.statement else None
            if draft.turn and draft.turn.plays:
                play = draft.turn
            elif play and options and draft.fault:
                last = play.plays[-1]
                given = {
                    name: value
                    for name in ("out", "mark", "take")
                    if (value := getattr(options, name)) and getattr(last, name) is None
                }
                joined = replace(play, plays=(*play.plays[:-1], replace(last, **given)))
                line = print_turn(turn_args(joined), self.context.language)
                draft.fault = replace(draft.fault, suggest=line)

    @staticmethod
    def _without_copies(turns: list[UnsettledLine]) -> list[UnsettledLine]:
        """Identical lines count once (3.4)."""
        kept: list[UnsettledLine] = []
        for draft in turns:
            original = next((other for other in kept if other.args == draft.args), None)
            if original:
                draft.completes = original.index
            else:
                kept.append(draft)
        return kept

    def _conflict(self, turns: list[UnsettledLine]) -> bool:
        """Refuse the line that makes the text more than one turn."""
        plays = 0
        for place, draft in enumerate(turns):
            assert draft.turn is not None
            commands = {other.turn.command for other in turns[:place] if other.turn}
            plays += len(draft.turn.plays)
            if commands and (commands != {"play"} or draft.turn.command != "play"):
                draft.fault = self._second_action(turns[:place], draft)
            elif plays > 2:
                draft.fault = refused("third-play", "R4.3", count=plays)
            if draft.fault:
                return True
        return False

    def _second_action(self, before: list[UnsettledLine], draft: UnsettledLine) -> Fault:
        assert draft.turn is not None
        commands = {draft.turn.command, *(other.turn.command for other in before if other.turn)}
        if "pet" in commands:
            return refused("two-turns", "R7.1")
        if "pass" in commands:
            return refused("two-turns", "R8.1")
        suggest = self._joined_take([*before, draft])
        return replace(refused("joined-take" if suggest else "one-action", "R4.1"), suggest=suggest)

    def _joined_take(self, drafts: list[UnsettledLine]) -> str | None:
        """`play polar bear R8` and `take dog` on two lines: the line that was meant (3.2)."""
        takes = [draft for draft in drafts if draft.turn and draft.turn.command == "take"]
        boards = [draft for draft in drafts if draft.turn and draft.turn.command == "play"]
        if len(takes) != 1 or len(boards) != 1 or len(drafts) != 2:
            return None
        args = boards[0].args
        assert args is not None
        assert takes[0].args is not None
        play = args["plays"][-1]
        if play["card"] == takes[0].args["take"]:
            return None
        if "take" in play or (self.seat and not self.seat.opens(play["cabin"])):
            return None
        joined = {**play, "take": takes[0].args["take"]}
        return print_turn({**args, "plays": [*args["plays"][:-1], joined]}, self.context.language)

    def _join(self, turns: list[UnsettledLine]) -> Move | None:
        """One turn of all plays in their order; its args stand at the first line."""
        self.first = turns[0]
        whole = turns[0].turn
        assert whole is not None
        if len(turns) > 1:
            plays = tuple(play for draft in turns if draft.turn for play in draft.turn.plays)
            whole = replace(whole, plays=plays)
            for draft in turns[1:]:
                draft.completes = self.first.index
        resolved = self._resolve(whole)
        self._apply(self.first, turns, resolved)
        return resolved.move

    def _resolve(self, turn: TurnText) -> Resolved:
        return self.seat.resolve(turn) if self.seat else Resolved(turn_args(turn))

    def _apply(self, first: UnsettledLine, turns: list[UnsettledLine], resolved: Resolved) -> None:
        """Put args and fault of a turn where they belong: on the line that is at fault."""
        first.args = resolved.args
        fault = resolved.fault
        if not fault:
            return
        readings = self._readings(turns, resolved)
        if len(turns) == 1:
            first.fault = replace(fault, readings=readings[0])
        elif fault.error == REFUSED:
            # the second line of a pair is refused when the first is legal by itself
            alone = self.seat and self.seat.first_play_is_legal(resolved.args)
            place = len(turns) - 1 if alone else 0
            turns[place].fault = replace(fault, readings=readings[place])
        else:
            for draft, own in zip(turns, readings, strict=True):
                if len(own) > 1 or (len(resolved.choices) == 1 and draft is first):
                    draft.fault = replace(fault, readings=own)

    def _readings(self, turns: list[UnsettledLine], resolved: Resolved) -> list[tuple[str, ...]]:
        """What each line of the turn may be meant as, as whole lines."""
        language = self.context.language
        if len(turns) == 1:
            return [tuple(print_turn(args, language) for args in resolved.choices)]
        readings = []
        start = 0
        for draft in turns:
            end = start + len(draft.turn.plays if draft.turn else ())
            own = [
                print_turn({"type": "board", "plays": args["plays"][start:end]}, language)
                for args in resolved.choices
            ]
            readings.append(tuple(dict.fromkeys(own)))
            start = end
        return readings


def _line(draft: UnsettledLine) -> Line:
    statement, fault = draft.statement, draft.fault
    args = draft.args
    if args is None and statement and statement.args is not None:
        args = statement.args
    line = Line(
        draft.text,
        command=statement.command if statement and _has_meaning(draft) else None,
        meant=statement.command if statement else None,
        args=args,
        ignored=draft.ignored,
        completes=draft.completes,
        preview=draft.preview,
    )
    if fault:
        return replace(
            line,
            error=fault.error,
            code=fault.code,
            details=fault.args,
            suggest=fault.suggest,
            readings=fault.readings,
            violations=fault.violations,
        )
    if draft.not_tried:
        return replace(line, error=NOT_TRIED, code="not-tried")
    return line


def _has_meaning(draft: UnsettledLine) -> bool:
    """A line that is not understood has no command."""
    return not (draft.fault and draft.fault.error == NOT_UNDERSTOOD)
