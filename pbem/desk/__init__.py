"""The one place where a command meets a game: lock, check, engine, events, letters."""

from pbem.desk.desk import Desk
from pbem.desk.orders import Answer, AnswerLine, Order

__all__ = ["Answer", "AnswerLine", "Desk", "Order"]
