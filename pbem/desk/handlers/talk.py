"""Messages to others, and notes to oneself."""

from pbem.commands import Line
from pbem.desk import limits, once
from pbem.desk.counter import Counter, Handler
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.letters import announce
from pbem.store.log import append
from pbem.store.tenures import tenure_of
from pbem.translation import _, listing

LONGEST = 4000


def say(counter: Counter, line: Line) -> AnswerLine:
    """`say`: to all, to some, or to the moderator; kept in the log of those only."""
    if counter.game is None or counter.order.seat is None:
        return refused(line, "no-table", _("Messages go to a table; answer one of its letters."))
    args = line.args or {}
    text, to = str(args.get("text", "")).strip(), list(args.get("to", []))
    if not text:
        return refused(line, "empty-message", _("There is nothing after the colon to be said."))
    if len(text) > LONGEST:
        return refused(
            line, "long-message", _("A message has at most {most} characters.", most=LONGEST)
        )
    if (too_much := _too_much(counter, line)) is not None:
        return too_much
    if _done_before(counter, line, text):
        return answered(line, _("This message was sent already."))
    if to == ["moderator"]:
        return _to_moderator(counter, line, text)
    seats = _seats(counter, to)
    if _is_muted(counter):
        sentence = _("Your messages are not passed on here; write to the moderator about it.")
        return refused(line, "muted", sentence)
    facts = {"text": text, "to": "all" if to == ["all"] else seats}
    append(
        counter.session, counter.game, "say", counter.now, counter.order.author,
        seat=counter.seat,
        public=facts if to == ["all"] else None,
        private={} if to == ["all"] else dict.fromkeys({*seats, counter.seat}, facts),
    )  # fmt: skip
    announce.message(
        counter.session, counter.site, counter.now, counter.game,
        sender=counter.seat, seats=seats, text=text, to_all=to == ["all"],
    )  # fmt: skip
    if to == ["all"]:
        return done(line, _("Said to all."))
    people = listing(counter.name_of(seat) for seat in seats)
    return done(line, _("Said to {people}.", people=people))


def note(counter: Counter, line: Line) -> AnswerLine:
    """`note`: for one's own eyes."""
    if counter.game is None or counter.order.seat is None:
        return refused(line, "no-table", _("Notes belong to a table; answer one of its letters."))
    text = str((line.args or {}).get("text", "")).strip()[:LONGEST]
    if not text:
        return refused(line, "empty-message", _("There is nothing to note."))
    if _done_before(counter, line, text):
        return answered(line, _("This was noted already."))
    append(
        counter.session, counter.game, "note", counter.now, counter.order.author,
        seat=counter.seat, private={counter.seat: {"text": text}},
    )  # fmt: skip
    return done(line, _("Noted; nobody else can read it."))


def _to_moderator(counter: Counter, line: Line, text: str) -> AnswerLine:
    game = counter.table
    if game.moderator_id is None:
        return refused(line, "no-moderator", _unmoderated(counter.site.settings.site.operator))
    append(
        counter.session, game, "say", counter.now, counter.order.author, seat=counter.seat,
        private={counter.seat: {"text": text, "to": "moderator"}},
    )  # fmt: skip
    announce.message_to_moderator(
        counter.session, counter.site, counter.now, game, counter.seat, text
    )
    return done(line, _("Said to the moderator."))


def _is_muted(counter: Counter) -> bool:
    """Whether a moderator has decided that what the writer says reaches no player, at this
    table or at any."""
    if counter.writer is not None and counter.writer.muted_at is not None:
        return True
    held = tenure_of(counter.session, counter.table, counter.seat)
    return held.person_id == counter.order.author.person_id and held.muted_at is not None


def _too_much(counter: Counter, line: Line) -> AnswerLine | None:
    """A seat that talks without end is told so once an hour by mail, then is not answered."""
    most = counter.site.settings.quotas.messages_an_hour
    session, now, game_id, seat = counter.session, counter.now, counter.table.id, counter.seat
    if not limits.too_many_messages(session, game_id, seat, now, most):
        return None
    if not limits.not_lately(session, f"say/{game_id}/{seat}", now, limits.HOUR):
        counter.mailed = True  # said before: silence
    sentence = _(
        "You have sent {most} messages within the hour; this one was not sent. Go on later.",
        most=most,
    )
    return refused(line, "too-many-messages", sentence)


def _unmoderated(operator: str) -> str:
    """`operator`: who runs the server, where the settings say so."""
    if operator:
        return _("Nobody moderates this table; write to {operator}.", operator=operator)
    return _("Nobody moderates this table; say it to all its players.")


def _seats(counter: Counter, to: list[str]) -> list[int]:
    if to == ["all"]:
        return [holder.seat for holder in counter.holders]
    return [holder.seat for holder in counter.holders if holder.name in to]


def _done_before(counter: Counter, line: Line, text: str) -> bool:
    """A message is not sent twice when a mail comes twice (commands.md 1.7)."""
    if not counter.order.message_id:
        return False
    place = (counter.table.id, counter.seat)
    key = once.line_key(place, counter.order.message_id, f"{line.command}:{text}")
    if once.known(counter.session, key):
        return True
    once.record(counter.session, key, counter.game, counter.now, None)
    return False


HANDLERS: dict[str, Handler] = {"say": say, "note": note}
