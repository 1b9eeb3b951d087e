"""What each command does, but for turns (`pbem.desk.moving`)."""

from collections.abc import Callable, Mapping

from pbem.commands import Line
from pbem.desk.counter import Counter
from pbem.desk.handlers import joining, leaving, preferences, questions, talk
from pbem.desk.orders import AnswerLine

Handler = Callable[[Counter, Line], AnswerLine]

HANDLERS: Mapping[str, Handler] = {
    **questions.HANDLERS,
    **talk.HANDLERS,
    **joining.HANDLERS,
    **leaving.HANDLERS,
    **preferences.HANDLERS,
}
