"""What a table decides together: `vote …`, `pause`, `resume`."""

from pbem.commands import Line
from pbem.commands.lexicon import COMMANDS
from pbem.commands.normalise import fold
from pbem.commands.requests.tables import read_time
from pbem.commands.words import split_words
from pbem.desk import pausing, voting
from pbem.desk.ballots import open_vote
from pbem.desk.counter import Counter, Handler
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.letters.affairs import asked_for
from pbem.letters.moments import moment
from pbem.store import Game, Vote
from pbem.store.options import options_of
from pbem.timing import Control, PerTurn, parse_control
from pbem.translation import _

END = frozenset({"end", "ende", "beenden", "結束", "结束"})
TIME = ("time", "zeit", "bedenkzeit", "時間", "时间", "時限", "时限")


def vote(counter: Counter, line: Line) -> AnswerLine:
    """`vote yes`, `vote no`; `vote pause`, `vote end`, `vote time 72h` ask the table."""
    if (trouble := _not_here(counter, line)) is not None:
        return trouble
    said = str((line.args or {}).get("vote", ""))
    if said in ("yes", "no"):
        return _cast(counter, line, said == "yes")
    what, control = _choice(said)
    if what is None:
        return refused(
            line, "vote-choice",
            _("A table can vote on a pause, on its end and on its time: {pause}, {end}, {time}.",
              pause="vote pause", end="vote end", time="vote time 72h"),
        )  # fmt: skip
    return _propose(counter, line, what, control)


def pause(counter: Counter, line: Line) -> AnswerLine:
    """`pause` asks the table, or, from its moderator, stops the clocks; `pause now` stops
    them at once for a day, once a game and player."""
    if (trouble := _not_here(counter, line)) is not None:
        return trouble
    game = counter.table
    if game.paused_at is not None:
        return answered(line, _("The clocks stand still already."))
    if (line.args or {}).get("now"):
        return _emergency(counter, line)
    if _moderates(counter, game):
        _stop(counter, "moderator")
        return done(line, _("The clocks stand still until one of you lets them run."))
    return _propose(counter, line, "pause", None)


def resume(counter: Counter, line: Line) -> AnswerLine:
    """`resume`: any of the players; an emergency's clocks only whoever stopped them."""
    if (trouble := _not_here(counter, line)) is not None:
        return trouble
    game = counter.table
    if game.paused_at is None:
        return answered(line, _("The clocks run already."))
    own = game.paused_by in (None, counter.order.author.person_id)
    if not own and not _moderates(counter, game):
        sentence = _("Whoever stopped them cannot play for now; they run again by themselves.")
        return refused(line, "emergency", sentence)
    author = counter.order.author
    pausing.resume(counter.session, counter.site, counter.now, author, game)
    return done(line, _("The clocks run again."))


def _cast(counter: Counter, line: Line, agrees: bool) -> AnswerLine:
    game = counter.table
    asked = open_vote(counter.session, game)
    if asked is None:
        return refused(line, "no-vote", _("The table is asked nothing at the moment."))
    author = counter.order.author
    voting.cast(counter.session, counter.site, counter.now, author, game, asked, agrees)
    if asked.closed_at is None:
        return done(line, _("Noted. The others have until {time}.", time=_until(counter, asked)))
    if asked.outcome == "agreed":
        return done(line, _("With that all agree, and it is done."))
    return done(line, _("Noted: it does not happen."))


def _propose(counter: Counter, line: Line, what: str, control: Control | None) -> AnswerLine:
    game, session = counter.table, counter.session
    asked = open_vote(session, game)
    if asked is not None:
        same = asked.what == what and asked.control == (
            None if control is None else control.model_dump(mode="json")
        )
        if same:  # whoever proposes the same agrees
            return _cast(counter, line, True)
        sentence = _("The table is asked something else: {question}", question=asked_for(
            asked.what, asked.control))  # fmt: skip
        return refused(line, "other-vote", sentence)
    if control is not None and control == options_of(game).control:
        return answered(line, _("The table plays by that time already."))
    author = counter.order.author
    asked = voting.propose(session, counter.site, counter.now, author, game, what, control)
    if asked.closed_at is not None:
        return done(line, _("You are the only one to be asked, so it is done."))
    return done(
        line,
        _("The table is asked. It happens if all agree by {time}.", time=_until(counter, asked)),
    )


def _emergency(counter: Counter, line: Line) -> AnswerLine:
    game, author = counter.table, counter.order.author
    until = pausing.emergency(counter.session, counter.site, counter.now, author, game)
    if until is None and not options_of(game).emergency_pause_hours:
        sentence = _("No player stops the clocks of this table alone; ask it: {command}",
                     command="pause")  # fmt: skip
        return refused(line, "no-emergency", sentence)
    if until is None:
        sentence = _("You have had your own pause of this game; ask the table: {command}",
                     command="pause")  # fmt: skip
        return refused(line, "emergency-used", sentence)
    zone = None if counter.writer is None else counter.writer.zone
    return done(
        line,
        _("The clocks stand still until {time}.", time=str(moment(until, zone, game.zone))),
    )


def _choice(said: str) -> tuple[str | None, Control | None]:
    """What a table is asked about: pause, end, time (with the control); None: unclear."""
    folded = fold(said)
    if folded in END:
        return "end", None
    words = split_words(folded)
    found = COMMANDS.match(words, 0)
    if found and found[0] == len(words) and "pause" in found[1]:
        return "pause", None
    word = next((one for one in TIME if folded.startswith(one)), None)
    time = None if word is None else read_time(said[len(word) :].strip(" :：="))
    return (None, None) if time is None else ("time", _control(time))


def _control(time: int | str) -> Control:
    """The control that `read_time` has read."""
    return PerTurn(seconds=time) if isinstance(time, int) else parse_control(time)


def _stop(counter: Counter, why: str) -> None:
    author = counter.order.author
    pausing.pause(counter.session, counter.site, counter.now, author, counter.table, why)


def _until(counter: Counter, asked: Vote) -> str:
    zone = None if counter.writer is None else counter.writer.zone
    return str(moment(asked.expires_at, zone, counter.table.zone))


def _moderates(counter: Counter, game: Game) -> bool:
    return game.moderator_id is not None and game.moderator_id == counter.order.author.person_id


def _not_here(counter: Counter, line: Line) -> AnswerLine | None:
    if counter.game is None or counter.order.seat is None:
        return refused(line, "no-table", _("Answer a letter of the table you mean."))
    if counter.game.status != "running":
        return refused(line, "game-over", _("The game is not under way."))
    if counter.game.halted_at is not None:
        sentence = _("The table is halted; a letter comes when it goes on.")
        return refused(line, "halted", sentence)
    return None


HANDLERS: dict[str, Handler] = {
    "vote": vote,
    "pause": pause,
    "resume": resume,
}
