"""The one place where a command meets a game.

Mail, page, command line, bot, deadline and moderator all act through it, in a unit of
work of the caller's that also holds the events, the letters and the answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from pbem.commands import Line, Reading, spoken_command
from pbem.desk import moving, once
from pbem.desk.ahead import Ahead, context_of, read_order
from pbem.desk.counter import Counter
from pbem.desk.handlers import HANDLERS, addresses, privacy, questions
from pbem.desk.orders import Answer, AnswerLine, Order, erroneous, refused
from pbem.desk.returning import come_back, may_come_back
from pbem.desk.sections import Section, order_for, sections_of, stops_all
from pbem.desk.succession import returns_to
from pbem.letters import Site, announce
from pbem.store import Deed, Game
from pbem.translation import _, language, speaking
from pbem.translation.catalogues import ORIGINAL

SERVED = frozenset({*HANDLERS, *once.TURN_COMMANDS, moving.PREVIEW})
ALWAYS_SERVED = frozenset({"my data", "forget me", "never again", "confirm", "help", "rules"})
"""What even somebody whom a moderator has blocked may order: his data are his."""
REPEAT_AFTER = timedelta(hours=1)  # an answer is not repeated more often (commands.md 1.7)


class Desk:
    """Takes orders.  `clock` gives aware UTC times, `entropy(n)` n random bytes."""

    def __init__(
        self, site: Site, clock: Callable[[], datetime], entropy: Callable[[int], bytes]
    ) -> None:
        self.site = site
        self.clock = clock
        self.entropy = entropy

    def read_ahead(self, session: Session, order: Order) -> Ahead:
        """Read what an order says, for `take_order` to do it later; changes nothing."""
        return read_order(self._counter(session, order))

    def take_order(self, session: Session, order: Order, ahead: Ahead | None = None) -> Answer:
        """Read, check and do what an order says; its letters are queued, its answer is
        returned in the writer's language (and mailed, when the order came by mail).  Never raises
        on anything a player can write.  `ahead`: how it was read before."""
        counter = self._counter(session, order)
        writer = counter.writer
        with speaking(ORIGINAL if writer is None else writer.language):
            return self._take(counter, ahead)

    def _take(self, counter: Counter, ahead: Ahead | None, stopped: bool = False) -> Answer:
        if (stranger := _not_his_seat(counter)) is not None:
            reading = read_order(counter, ahead).reading
            if not may_come_back(counter, reading) and not come_back(counter, reading):
                counter.outsider = True
                return self._finish(counter, [stranger], outcome="refused")
        ahead = read_order(counter, ahead)
        if stopped:
            ahead = replace(ahead, reading=replace(ahead.reading, stopped=True, turns=()))
        counter.notes += privacy.reminded(counter)
        keys = _keys(counter, ahead)
        if (first := once.first_of(counter.session, keys)) is not None:
            return self._repeat(counter, first)
        sections = sections_of(counter.order, ahead.reading, context_of(counter))
        if sections:
            answer = self._by_table(counter, sections, ahead.reading)
        else:
            answer = self._finish(counter, self._work(counter, ahead.reading))
        if answer.outcome == "done":
            for key in keys:
                once.record(counter.session, key, counter.game, counter.now, answer.to_json())
        return answer

    def _counter(self, session: Session, order: Order) -> Counter:
        return Counter.opened(session, self.site, self.clock(), self.entropy, order, SERVED)

    def _work(self, counter: Counter, reading: Reading) -> list[AnswerLine]:
        """Line by line; the text's one turn at the place where it stands."""
        answers: list[AnswerLine] = []
        for line in reading.lines:
            # A `language` holds from its line on.
            with speaking(language() if counter.writer is None else counter.writer.language):
                answers.append(self._answer(counter, reading, line, answers))
        return answers

    def _answer(
        self, counter: Counter, reading: Reading, line: Line, before: list[AnswerLine]
    ) -> AnswerLine:
        if line.ignored is not None:
            return AnswerLine(line.text, "ignored", line.ignored)
        if _is_blocked(counter) and line.command not in ALWAYS_SERVED:
            sentence = _("You do not play here any more; nothing but your data is spoken about.")
            return refused(line, "blocked", sentence)
        if moving.is_turn(line):
            return moving.answer(counter, reading, line, before)
        found = self._handle(counter, line) if line.error is None else erroneous(line)
        return replace(found, aside=not moving.may_mean_turn(line))

    def _by_table(self, counter: Counter, sections: Sequence[Section], reading: Reading) -> Answer:
        """Each section at its own table, all answered together."""
        stopped = stops_all(reading)
        lines: list[AnswerLine] = []
        places, outcomes = set(), set()
        for section in sections:
            order = order_for(counter, section)
            if order is None:
                lines += _elsewhere(counter, section)
                continue
            if section.game is not None:
                places.add((order.game_id, order.seat))
                lines.append(questions.which_table(counter, section.heading, section.game))
            if not section.text.strip():
                continue
            part = self._counter(counter.session, order)
            part.part = True
            answer = self._take(part, None, stopped)
            lines += answer.lines
            outcomes.add(answer.outcome)
            counter.notes += [note for note in answer.notes if note not in counter.notes]
        if len(places) == 1 and counter.game is None:
            [(game_id, seat)] = places
            counter.order = replace(counter.order, game_id=game_id, seat=seat)
            counter.game = counter.session.get(Game, game_id)
        return self._finish(counter, lines, "repeated" if outcomes == {"repeated"} else None)

    def _handle(self, counter: Counter, line: Line) -> AnswerLine:
        if counter.order.purpose in addresses.OF_LETTER:
            return addresses.of_letter(counter, line)
        handler = HANDLERS.get(line.command or "")
        if handler is None:
            sentence = _(
                "“{command}” is understood, but this server cannot do it yet.",
                command=spoken_command(str(line.command), language()),
            )
            return refused(line, "not-yet", sentence)
        return handler(counter, line)

    def _repeat(self, counter: Counter, deed: Deed) -> Answer:
        """The first answer again; by mail at most once an hour."""
        first = Answer.from_json(deed.answer or {"outcome": "done", "lines": [], "notes": []})
        answer = Answer(
            "repeated", first.lines, first.game_id, first.seat, first.seq,
            (_("This was done already; nothing was done twice."),),
        )  # fmt: skip
        lately = deed.repeated_at is not None and counter.now - deed.repeated_at < REPEAT_AFTER
        if not lately:
            deed.repeated_at = counter.now
            counter.session.add(deed)
            self._mail(counter, answer)
        return answer

    def _finish(
        self, counter: Counter, lines: Sequence[AnswerLine], outcome: str | None = None
    ) -> Answer:
        game = counter.game
        outcome = outcome or outcome_of(lines)
        if outcome == "prose" and (note := _how_to_answer(counter)):
            counter.notes.append(note)
        if outcome in ("prose", "refused") and addresses.ask_again(counter):
            counter.mailed = True
        answer = Answer(
            outcome,
            tuple(lines),
            None if game is None else game.id,
            counter.order.seat,
            None if game is None else game.seq,
            tuple(counter.notes),
        )
        # One mail, one answer (commands.md 1.6): a letter of the handler's own is it, unless
        # there is more to be said than it says.
        if not counter.mailed or sum(line.status != "ignored" for line in lines) > 1:
            self._mail(counter, answer)
        return answer

    def _mail(self, counter: Counter, answer: Answer) -> None:
        if not counter.part and counter.order.author.channel == "mail":
            announce.answer(
                counter.session,
                counter.site,
                counter.now,
                answer.to_json(),
                mail_id=counter.order.author.mail_id,
                person_id=counter.order.author.person_id,
                game=None if counter.outsider else counter.game,
                seat=None if counter.outsider else counter.order.seat,
            )


def _keys(counter: Counter, ahead: Ahead) -> list[str]:
    """What makes this order the same as an earlier one (commands.md 1.7)."""
    order, keys = counter.order, []
    if order.message_id:
        # The writer too: letters that name a person have no seat, and two mail programs may
        # make up the same Message-ID.
        place = (order.game_id, order.seat, order.invitation_id, order.author.person_id)
        keys.append(once.message_key(place, order.message_id, order.text))
    return keys if ahead.turn_key is None else [*keys, ahead.turn_key]


def outcome_of(lines: Sequence[AnswerLine]) -> str:
    """The whole from its lines; a trouble weighs more than what was done beside it.
    Prose that would have stopped a turn is no trouble where there was none to stop, nor is
    a question that is answered with no."""
    found = {
        "answered" if line.asked else line.status for line in lines if line.code != "prose-stop"
    }
    if any(line.code == "aged" for line in lines):
        return "aged"
    if found & {"refused", "ambiguous", "not understood", "not tried"}:
        return "refused"
    for status, outcome in (("done", "done"), ("preview", "preview"), ("answered", "information")):
        if status in found:
            return outcome
    return "prose"


def _elsewhere(counter: Counter, section: Section) -> list[AnswerLine]:
    """A section for a table that the writer has no place at, or that this letter is not of."""
    if counter.order.addressed == "person":
        sentence = _("You have no place at table {number}.", number=section.game)
    else:
        sentence = _(
            "That is said in an answer to a letter of table {number}.", number=section.game
        )
    untried = [AnswerLine(line, "not tried") for line in section.text.split("\n") if line.strip()]
    return [AnswerLine(section.heading, "refused", sentence, "other-table"), *untried]


def _how_to_answer(counter: Counter) -> str:
    """What somebody meant who says "yes" or "gladly" to an invitation."""
    invitation = counter.invitation
    if invitation is None or invitation.state != "invited" or counter.game is None:
        return ""
    if counter.game.status != "inviting":
        return ""
    return _(
        "To take the place, answer with “{accept}”; if you cannot come, with “{decline}”.",
        accept=spoken_command("accept", language()), decline=spoken_command("decline", language()),
    )  # fmt: skip


def _is_blocked(counter: Counter) -> bool:
    return counter.writer is not None and counter.writer.blocked_at is not None


def _not_his_seat(counter: Counter) -> AnswerLine | None:
    """Nobody acts for a seat that somebody else holds, whatever address he writes to."""
    author, game, seat = counter.order.author, counter.game, counter.order.seat
    if game is None or seat is None or author.channel not in ("mail", "web"):
        return None
    held = counter.holders
    if seat < len(held) and held[seat].person_id == author.person_id is not None:
        return None
    sentence = _("This seat is not yours any more; somebody else or a bot plays it.")
    if returns_to(counter.session, game, seat, author.person_id) is not None:
        back = f"{spoken_command('join', language())} {game.id}"
        sentence = _("A bot plays your seat. To have it again, write: {command}", command=back)
    return AnswerLine("", "refused", sentence, "not-your-seat")
