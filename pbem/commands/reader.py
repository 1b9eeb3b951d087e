"""A whole text: its lines, what each of them is, and what may be done (commands.md 1.3 to 1.5)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.cards import Deck, builtin_deck
from pbem.commands.alternatives import turn_args
from pbem.commands.faults import NOT_UNDERSTOOD, Fault, ambiguous, not_understood, refused
from pbem.commands.model import Context, Line, Reading
from pbem.commands.names import CardNames, card_names
from pbem.commands.normalise import clean, fold, is_blank, own_words, semicolons
from pbem.commands.requests.registry import REQUESTS
from pbem.commands.says import is_say, say_block
from pbem.commands.settling import UnsettledLine, settle
from pbem.commands.sign_offs import is_sign_off
from pbem.commands.speech import print_turn
from pbem.commands.statements import LONGEST, PROSE, Statement, read_statement
from pbem.commands.stops import stop_word

MOST_LINES = 50
"""More lines of new text are refused unread (1.9)."""
MOST_STATEMENTS = 200
"""Commands between semicolons and lines together; more are refused unread too."""
MOST_CHARACTERS = 200_000
"""A longer text is refused unread as well: nobody types that."""

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"(?<=\s)(?:#|//|＃).*", re.DOTALL)
_NEVER_COMMANDS = (">", "|", "│", "┃")
_EXAMPLE = "›"


def read(text: str, context: Context, breaks: Sequence[int] = ()) -> Reading:
    """The reading of a text.  Never raises; linear in its length.

    `breaks` are the numbers (from 0) of lines above which quoted text was cut: a sign-off ends
    there (1.3).
    """
    lines = _LINE_BREAK.split(text)
    if len(text) > MOST_CHARACTERS or sum(not is_blank(line) for line in lines) > MOST_LINES:
        return _unread(lines)
    names = card_names(context.deck or builtin_deck(), context.language)
    reader = _Reader(lines, frozenset(breaks), names, context)
    drafts = list(islice(reader.drafts(), MOST_STATEMENTS + 1))
    if len(drafts) > MOST_STATEMENTS:
        return _unread(lines)
    return settle(drafts, names, context)


def _unread(lines: Sequence[str]) -> Reading:
    first = next((line.strip() for line in lines if line.strip()), "")
    fault = refused("too-long", most=MOST_LINES)
    line = Line(first[:200], error=fault.error, code=fault.code, details=fault.args)
    return Reading((line,), stopped=True)


@dataclass
class _Reader:
    """One walk over the lines."""

    lines: Sequence[str]
    breaks: frozenset[int]
    names: CardNames
    context: Context

    def drafts(self) -> Iterator[UnsettledLine]:
        signed_off = False
        at = 0
        while at < len(self.lines):
            raw = self.lines[at]
            if at in self.breaks:
                signed_off = False
            if raw.rstrip() == "--":
                yield from self._unread_rest(at)
                return
            count = 1
            if len(raw) > LONGEST:
                yield self._long(raw, signed_off)
            elif not is_blank(raw):
                cleaned = clean(raw)
                if self._ignored(raw, cleaned):
                    yield UnsettledLine(raw, ignored=self._ignored(raw, cleaned))
                elif is_sign_off(cleaned, self.context.sender):
                    signed_off = True
                    yield UnsettledLine(raw, ignored="sign-off")
                elif is_say(cleaned):
                    count, draft = say_block(self.lines, at, self.breaks, self._statement)
                    yield self._below(draft) if signed_off else self._placed(draft)
                else:
                    for draft in self._statements(raw):
                        yield self._below(draft) if signed_off else draft
            at += count

    def _long(self, raw: str, signed_off: bool) -> UnsettledLine:
        """A line too long for a command: a message or a note, or it is not understood."""
        head = clean(raw[:LONGEST])
        statement = self._statement(head, own_words(raw))
        if statement.command in ("say", "note"):
            draft = self._judged(raw, statement)
            return self._below(draft) if signed_off else draft
        if signed_off:
            return UnsettledLine(raw, ignored="sign-off")
        return UnsettledLine(raw, fault=not_understood("long-line", most=LONGEST))

    def _ignored(self, raw: str, cleaned: str) -> str | None:
        start = raw.lstrip()
        if start.startswith(_EXAMPLE) or cleaned.startswith(_EXAMPLE):
            return "example"
        if start.startswith(_NEVER_COMMANDS):
            return "prose"
        return "comment" if fold(cleaned[:2]).startswith(("#", "//")) else None

    def _statements(self, raw: str) -> Iterator[UnsettledLine]:
        """The pieces of one line between semicolons, up to a comment."""
        start = 0
        for end in [*semicolons(raw), len(raw)]:
            piece = raw[start:end]
            if start and is_say(clean(piece)):
                piece = raw[start:]  # a message takes the rest of its line (3.13)
                statement = self._statement(clean(piece), own_words(piece))
                yield self._judged(piece.strip(), statement)
                return
            command = _COMMENT.sub("", f" {piece}")
            if command.strip():
                whole = start == 0 and end == len(raw)
                shown = raw.strip() if whole else piece.strip()
                yield self._judged(shown, self._statement(clean(command), own_words(command)))
            if len(command) <= len(piece):
                return  # the rest of the line is a comment
            start = end + 1

    def _statement(self, cleaned: str, own: str | None = None) -> Statement:
        return read_statement(cleaned, self.names, self.context, own) if cleaned else PROSE

    def _judged(self, raw: str, statement: Statement) -> UnsettledLine:
        if statement.meant:
            return UnsettledLine(
                raw, statement, fault=statement.fault or self._misplaced(statement)
            )
        if word := stop_word(fold(clean(raw))):
            return UnsettledLine(raw, fault=not_understood("prose-stop", word=word))
        return UnsettledLine(raw, ignored="prose")

    def _placed(self, draft: UnsettledLine) -> UnsettledLine:
        statement = draft.statement
        if statement and not draft.fault:
            draft.fault = self._misplaced(statement)
        return draft

    def _misplaced(self, statement: Statement) -> Fault | None:
        """The server's own address takes few commands (1.9)."""
        if self.context.addressed != "server":
            return None
        request = REQUESTS.get(statement.command or "")
        if request and request.at_server:
            return None
        return refused("not-here", command=statement.command)

    def _below(self, draft: UnsettledLine) -> UnsettledLine:
        """A line below a sign-off is left unread, unless it is meant: then it is asked (1.3)."""
        statement = draft.statement
        if statement is None or not statement.meant:
            return UnsettledLine(draft.text, ignored="sign-off")
        if statement.turn and not statement.fault:
            line = print_turn(turn_args(statement.turn), self.context.language)
            readings: tuple[str, ...] = (line,)
        else:
            fault = statement.fault
            suggested = (fault.suggest,) if fault and fault.suggest else ()
            readings = (fault.readings or suggested) if fault else (draft.text,)
        return UnsettledLine(draft.text, statement, fault=ambiguous("below-sign-off", readings))

    def _unread_rest(self, at: int) -> Iterator[UnsettledLine]:
        for raw in self.lines[at:]:
            if not is_blank(raw):
                yield UnsettledLine(raw, ignored="sign-off")


def would_parse(line: str, deck: Deck | None = None) -> bool:
    """Would anything in this line be taken for a command that is understood, in any language?

    No line of a letter, nor a piece of one, may: a mail program that loses the quotation marks
    must not make the player's letter speak for the player.
    """
    reading = read(line, Context(deck or builtin_deck(), explains=False))
    return any(found.command and found.error != NOT_UNDERSTOOD for found in reading.lines)
