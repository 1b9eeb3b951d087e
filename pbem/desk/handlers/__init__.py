"""What each command does, but for turns (`pbem.desk.moving`)."""

from collections.abc import Mapping

from pbem.commands import Line
from pbem.desk.counter import Counter, Handler
from pbem.desk.handlers import (
    absence,
    addresses,
    joining,
    leaving,
    preferences,
    privacy,
    questions,
    resending,
    seats,
    talk,
    votes,
    watching,
)
from pbem.desk.orders import AnswerLine


def _confirm(counter: Counter, line: Line) -> AnswerLine:
    """`confirm`: what the seat was asked about, or else the person."""
    if counter.game is None:
        return privacy.confirm(counter, line)
    return leaving.confirm(counter, line)


def _invite(counter: Counter, line: Line) -> AnswerLine:
    """`invite`: to a table that has not begun, or to a seat of one that has."""
    if counter.game is not None and counter.game.status == "running":
        return seats.invite_substitute(counter, line)
    return joining.invite(counter, line)


HANDLERS: Mapping[str, Handler] = {
    **questions.HANDLERS,
    **resending.HANDLERS,
    **talk.HANDLERS,
    **joining.HANDLERS,
    **leaving.HANDLERS,
    **preferences.HANDLERS,
    **absence.HANDLERS,
    **addresses.HANDLERS,
    **privacy.HANDLERS,
    **seats.HANDLERS,
    **votes.HANDLERS,
    **watching.HANDLERS,
    "invite": _invite,
    "confirm": _confirm,
}
