"""Turns at the desk: done, previewed, or refused with the reason."""

from collections.abc import Sequence
from dataclasses import replace

from engine.game import Event as Happening
from engine.game import apply
from engine.moves import from_json
from engine.view import imagine, view
from pbem.commands import Line, Reading
from pbem.desk import absences, once, turns
from pbem.desk.counter import Counter
from pbem.desk.deadlines import Away
from pbem.desk.orders import AnswerLine, done, erroneous, refused
from pbem.letters.cards import cards_of
from pbem.letters.plain import STRONG, WEAK
from pbem.letters.sentences import Teller
from pbem.store import Event
from pbem.store.log import Seen, seen_by, stored
from pbem.store.rows import id_of
from pbem.translation import _, sentences

PREVIEW = "preview"


def is_turn(line: Line) -> bool:
    """Whether a line is a turn, or part of one, or the preview of one."""
    return line.command in once.TURN_COMMANDS or line.command == PREVIEW


def may_mean_turn(line: Line) -> bool:
    """Whether the writer may have had a turn in mind, understood or not."""
    return line.meant is None or line.meant in once.TURN_COMMANDS or line.meant == PREVIEW


def answer(
    counter: Counter, reading: Reading, line: Line, before: Sequence[AnswerLine]
) -> AnswerLine:
    """What becomes of one line of a turn; `before` are the answers to the lines above."""
    if line.code == "which-table":
        return erroneous(line)
    if counter.view is None:
        return refused(line, *no_position(counter))
    if counter.table.status == "ended":
        return refused(line, "game-over", _("The game has ended before its last turn."))
    if counter.table.halted_at is not None and not _is_preview(line):
        sentence = _("The table is halted, and nothing was done; a letter comes when it goes on.")
        return refused(line, "halted", sentence)
    if counter.aged and not _is_preview(line):
        return _aged(reading, line)
    if line.error is not None:
        return replace(erroneous(line), asked=_is_preview(line))
    if line.completes is not None:
        return AnswerLine(line.text, before[line.completes].status, _("Part of the same turn."))
    if _is_preview(line):
        return _preview(counter, line)
    if reading.turn is None:
        return AnswerLine(
            line.text, "not tried", _("Nothing was done, because of the lines marked.")
        )
    return _play(counter, reading, line)


def _is_preview(line: Line) -> bool:
    return line.preview or line.command == PREVIEW


def _play(counter: Counter, reading: Reading, line: Line) -> AnswerLine:
    assert reading.turn is not None
    session, site, now = counter.session, counter.site, counter.now
    author, game, held = counter.order.author, counter.table, counter.holders
    people = {one.person_id for one in held if one.person_id is not None}
    away = Away(session, game, people)
    event = turns.play(
        session, site, now, author, game, counter.seat, reading.turn, held, away=away
    )
    counter.look_at_position()
    if absences.back(session, site, now, author, away):
        counter.notes.append(_("Welcome back: with this turn your absence has ended."))
    return done(line, "", tuple(told(counter, seen_by([event], counter.seat))))


def _preview(counter: Counter, line: Line) -> AnswerLine:
    """The turn tried out on what the seat itself can see; the stack stays unknown."""
    assert counter.view is not None
    position = imagine(counter.view)
    happenings = apply(position, counter.seat, from_json(dict(line.args or {})))
    seen = seen_by([_as_event(counter, happenings)], counter.seat)
    block = told(counter, seen)
    after = view(position, counter.seat)
    if any(part.kind in ("gather", "refill") for part in happenings):
        block.append(_("What comes off the stack shows only when you really do it."))
    block.append(_balance(after.balance))
    block.append(_("Your points then: {points}.", points=after.points[counter.seat]))
    message = _("This would happen; nothing was done.")
    return AnswerLine(line.text, "preview", message, block=tuple(block))


def _aged(reading: Reading, line: Line) -> AnswerLine:
    """A turn written to a letter that the game has moved on from (commands.md 1.8)."""
    if line.completes is not None:
        return refused(line, "aged", _("Part of the same turn."))
    if reading.turn is not None:
        now = _("As things stand it would be legal: send it again in answer to this mail.")
    elif line.message:
        now = _("As things stand: {sentence}", sentence=line.message)
    else:
        now = _("It would not be legal now either.")
    moved = _("The table has moved on since then; nothing was done.")
    return refused(line, "aged", sentences((moved, now)))


def told(counter: Counter, seen: Sequence[Seen]) -> list[str]:
    """Sentences, in plain text, to the seat of this order."""
    assert counter.view is not None
    names = [holder.name for holder in counter.holders]
    teller = Teller(cards_of(counter.view.deck), names, counter.seat)
    return [sentence.replace(STRONG, "").replace(WEAK, "") for sentence in teller.tell(seen)]


def _as_event(counter: Counter, happenings: Sequence[Happening]) -> Event:
    """Happenings that did not take place, in the form the log's readers know."""
    return Event(
        game_id=id_of(counter.table),
        seq=counter.table.seq + 1,
        kind="turn",
        at=counter.now,
        channel="preview",
        decision=counter.table.decision,
        happenings=[stored(_without_draw(one)) for one in happenings],
    )


def _without_draw(happening: Happening) -> Happening:
    """What would be drawn is unknown on an imagined position, not nothing."""
    private = {
        seat: {name: fact for name, fact in part.items() if name != "draw"}
        for seat, part in happening.private.items()
    }
    return replace(happening, private=private)


def no_position(counter: Counter) -> tuple[str, str]:
    """Why the writer has no position before him (code and sentence)."""
    if counter.game is None:
        return "no-table", _("This address belongs to no table; answer one of its letters.")
    if counter.game.status == "inviting":
        return "not-begun", _("The game has not begun yet; you get a letter when it does.")
    return "no-seat", _("You hold no seat at this table.")


def _balance(balance: int) -> str:
    if balance == 0:
        return _("Balance then: even.")
    if balance > 0:
        return _("Balance then: right heavier by {weight}.", weight=balance)
    return _("Balance then: left heavier by {weight}.", weight=-balance)
