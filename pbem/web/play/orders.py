"""From a form to the desk and back.

A form carries the decision it was made for and a key of its own.  What the browser sends
twice (the same key, button and text) gets the first answer again; a form the table has
moved on from gets the desk's answer for aged letters.  So the page never moves a wrong
turn, nor one twice.
"""

import hashlib
import re
from dataclasses import dataclass, replace

from sqlmodel import Session

from engine.cards import builtin_deck
from pbem.commands import Context, Line, read
from pbem.desk.ahead import only_turns
from pbem.desk.once import TURN_COMMANDS
from pbem.desk.orders import Answer, AnswerLine, Order
from pbem.store import Deed
from pbem.store.log import Author
from pbem.store.rows import GREATEST_NUMBER
from pbem.translation import _
from pbem.web import installation
from pbem.web.play.visitor import Visitor

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
_ANSWER = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class OrderForm:
    """What was sent: from a table's page, (``invitation_id``) about an invitation, or
    (without ``game_id``) about the person himself."""

    text: str
    key: str
    game_id: int | None
    seat: int | None = None
    decision: int | None = None
    invitation_id: int | None = None
    preview: bool = False

    @property
    def answer_id(self) -> str:
        """What the answer is found by.  The text is in it: whoever goes back in his browser
        and writes something else has not sent the same form again."""
        sent = "\0".join((self.key, str(self.invitation_id), str(self.preview), self.text))
        return hashlib.sha256(sent.encode("utf-8", "replace")).hexdigest()[:40]


@dataclass(frozen=True)
class Kept:
    """An answer, and the text it answers."""

    answer: Answer
    text: str


def only_table(text: str, game_id: int) -> int | None:
    """The table, if nothing else is written: where a text is turns and nothing but turns, as
    far as can be told without the table.  None: it may say anything."""
    if game_id > GREATEST_NUMBER or installation().store.is_sqlite:
        return None
    return game_id if only_turns(read(text, Context(builtin_deck())).lines) else None


def take(
    session: Session, visitor: Visitor, form: OrderForm, context: Context | None = None
) -> None:
    """Do what a form says, once, in the caller's unit of work.  A preview reads the text
    against ``context``, to say what its turn would do and do nothing."""
    if kept(session, visitor, form.answer_id) is not None:
        return
    here = installation()
    text: str = form.text
    skipped: tuple[AnswerLine, ...] = ()
    if form.preview and context is not None:
        text, skipped = _as_preview(form.text, context)
    answer = here.desk.take_order(
        session,
        Order(
            text,
            Author("web", person_id=visitor.id),
            game_id=form.game_id,
            seat=form.seat,
            decision=form.decision,
            invitation_id=form.invitation_id,
            sender=visitor.person.name,
            message_id=f"web:{form.answer_id}",
        ),
    )
    answer = replace(answer, lines=(*answer.lines, *skipped))
    session.add(
        Deed(
            key=_deed_key(visitor, form.answer_id),
            game_id=form.game_id,
            at=here.clock(),
            answer={"answer": answer.to_json(), "text": form.text},
        )
    )


def kept(session: Session, visitor: Visitor, answer_id: str) -> Kept | None:
    """The answer to this person's form; None before it was sent."""
    if not _ANSWER.fullmatch(answer_id):
        return None
    deed = session.get(Deed, _deed_key(visitor, answer_id))
    if deed is None or deed.answer is None:
        return None
    return Kept(Answer.from_json(deed.answer["answer"]), deed.answer["text"])


def _deed_key(visitor: Visitor, answer_id: str) -> str:
    return hashlib.sha256(f"web/{visitor.id}/{answer_id}".encode()).hexdigest()


def _as_preview(text: str, context: Context) -> tuple[str, tuple[AnswerLine, ...]]:
    """The turns of a text as previews, and an answer for every line that is none."""
    lines: list[str] = []
    skipped: list[AnswerLine] = []
    for line in read(text, context).lines:
        if line.ignored is not None:
            skipped.append(AnswerLine(line.text, "ignored", line.ignored))
        elif _is_turn(line):
            lines.append(line.text if _asks_already(line) else f"preview {line.text}")
        else:
            skipped.append(AnswerLine(line.text, "not tried", _("Only a turn can be previewed.")))
    return "\n".join(lines), tuple(skipped)


def _is_turn(line: Line) -> bool:
    """A turn, or something that was meant as one and is told what is wrong with it."""
    return line.command is None or line.command in TURN_COMMANDS or _asks_already(line)


def _asks_already(line: Line) -> bool:
    return line.preview or line.command == "preview"
