"""A mail that is being settled, and what comes of it."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from pbem.desk.ahead import Ahead
from pbem.desk.orders import Answer, AnswerLine
from pbem.installation import Installation
from pbem.intake.identify import Identity
from pbem.intake.message import Message
from pbem.letters import announce
from pbem.store import Address, Game, Mail


@dataclass(frozen=True)
class MailCase:
    """A mail that was read, with whose it is, in the unit of work that settles it."""

    installation: Installation
    session: Session
    now: datetime
    mail: Mail
    message: Message
    identity: Identity
    notes: tuple[str, ...] = ()  # said in the answer beside what is done
    ahead: Ahead | None = None  # how its text was read before
    address: Address | None = None  # the row of its sender's address, if it is of somebody here

    @property
    def is_proved(self) -> bool:
        """Whether it was proved that the mail comes from the domain of its From."""
        return self.identity.proof is not None and self.identity.proof.proved


@dataclass(frozen=True)
class Result:
    """How a mail was settled: its state, and what its receipt says beside that."""

    state: str
    reason: str = ""
    answer: Answer | None = None


def answer_only(
    case: MailCase,
    outcome: str,
    code: str,
    sentence: str,
    lines: tuple[AnswerLine, ...] = (),
    notes: tuple[str, ...] = (),
) -> Answer:
    """An answer to a mail that never came to the desk: `sentence`, or with `lines` these
    and the `notes`."""
    bearer = case.identity.bearer
    game_id = None if bearer is None else bearer.game_id
    game = None if game_id is None else case.session.get(Game, game_id)
    answer = Answer(
        outcome,
        lines or (AnswerLine("", "refused", sentence, code),),
        None if game is None else game.id,
        None if bearer is None else bearer.seat,
        None if game is None else game.seq,
        (sentence, *notes) if lines else notes,
    )
    announce.answer(
        case.session,
        case.installation.site,
        case.now,
        answer.to_json(),
        mail_id=case.mail.id,
        person_id=case.identity.person_id,
        game=game,
        seat=answer.seat,
    )
    return answer
