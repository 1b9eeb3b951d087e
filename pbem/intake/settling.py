"""What is done with one mail, by what it is and whose it is.

The state a mail ends in: ``done`` (obeyed or answered), ``held`` (nothing done, its
person or the moderator is to say), ``ignored`` (never answered, commands.md 1.6).
"""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.desk.orders import Answer, AnswerLine
from pbem.desk.people import address_fault
from pbem.installation import Installation
from pbem.intake import limits
from pbem.intake.bounces import settle_bounce
from pbem.intake.identify import Identity
from pbem.intake.message import Message
from pbem.intake.ordering import is_prose, order_of, text_of
from pbem.intake.recipients import recipient
from pbem.letters import announce
from pbem.store import Address, Game, Letter, Mail
from pbem.store.people import fold_address

MACHINES = frozenset({"postmaster", "mailer-daemon", "noreply", "no-reply"})
MOST_LINES, MOST_LETTERS = 50, 200  # of a held mail, shown to the person who is asked


@dataclass(frozen=True)
class Case:
    """A mail that was read, with whose it is, in the unit of work that settles it."""

    installation: Installation
    session: Session
    now: datetime
    mail: Mail
    message: Message
    identity: Identity
    notes: tuple[str, ...] = ()  # said in the answer beside what is done


@dataclass(frozen=True)
class Result:
    """How a mail was settled: its state, and what its receipt says beside that."""

    state: str
    reason: str = ""
    answer: Answer | None = None


def settle(case: Case) -> Result:
    """Do what is to be done with a mail."""
    if case.message.kind == "bounce":
        return Result("done", settle_bounce(case.session, case.message, _return_path(case)))
    if case.message.kind in ("own", "auto-reply"):
        return Result("ignored", f"never answered: {case.message.kind}")
    if case.message.kind == "list":
        if case.identity.verdict in ("act", "ask"):
            return _hold(case, "list", "it came with the headers of a mailing list or bulk mail")
        return Result("ignored", "never answered: list mail")
    person_id = case.identity.person_id
    if person_id is not None and limits.too_many_answers(case.session, person_id, case.now):
        return _beyond_the_limit(case)
    return _VERDICTS[case.identity.verdict](case)


def _act(case: Case) -> Result:
    """The reply address and the sender are right: what he says is done."""
    _confirm_address(case)
    if (trouble := _UNREADABLE.get(case.message.kind)) is not None:
        return Result("done", answer=_answer_only(case, "refused", case.message.kind, trouble))
    return _order(case)


def _ask(case: Case) -> Result:
    """The reply address is right and the sender strange: a letter may have been passed
    on, or somebody writes from another address of his."""
    return _hold(case, "sender", f"it came from {case.message.sender or 'nobody'}, not from you")


def _to_server(case: Case) -> Result:
    """A known person at the server's own address: what works there is done, for
    everything else the present letter goes again, with the address that works."""
    text = text_of(case.message)
    context = Context(builtin_deck(), sender=case.identity.name, addressed="server")
    lines = read(text, context).lines
    if any(line.command is not None and line.error is None for line in lines):
        return _order(case)
    return _resend(case)


def _resend(case: Case) -> Result:
    """A known sender without a valid reply address: nothing is done, the present letter
    goes again."""
    game, seat = _present_table(case)
    if game is None or seat is None:
        return _order(case)
    what = f"resend/{game.id}/{seat}/{game.seq}"
    if not limits.not_lately(case.session, what, case.now, limits.RESEND_EVERY):
        return Result("ignored", "no valid reply address; the present letter went just before")
    announce.resend(case.session, case.installation.site, case.now, game, seat)
    return Result("done", "no valid reply address: the present letter was sent again")


def _stranger(case: Case) -> Result:
    """Nobody we know: one short plain answer a day, nothing else."""
    address = fold_address(case.message.sender)
    if address_fault(address, case.installation.settings.mail.domain) is not None:
        return Result("ignored", "no sender to answer")
    if address.partition("@")[0] in MACHINES:
        return Result("ignored", "a machine's address")
    what = f"stranger/{address}"
    if limits.strangers_answered(case.session, case.now) >= limits.STRANGERS_AN_HOUR:
        return Result("ignored", "many strangers were answered within the hour")
    if not limits.not_lately(case.session, what, case.now, limits.STRANGER_EVERY):
        return Result("ignored", "a stranger who was answered today")
    site = case.installation.site
    announce.stranger(case.session, site, case.now, to_address=address, mail_id=case.mail.id)
    return Result("done", "a stranger: told what this is")


def _beyond_the_limit(case: Case) -> Result:
    """Two programs are writing to each other: said once, then silence."""
    reason = f"more than {limits.ANSWERS_AN_HOUR} answers within an hour"
    what = f"flood/{case.identity.person_id}"
    if not limits.not_lately(case.session, what, case.now, limits.HOUR):
        return Result("held", reason)
    sentence = (
        f"Your mails had {reason}; this one and the next are not read. "
        "If no program of yours is the cause, write again in an hour."
    )
    return Result("held", reason, _answer_only(case, "refused", "too-many-mails", sentence))


def _to_postmaster(case: Case) -> Result:
    """Kept for whoever runs this server, and not answered by a machine."""
    return Result("held", "mail to the postmaster")


_VERDICTS = {
    "act": _act,
    "ask": _ask,
    "server": _to_server,
    "resend": _resend,
    "postmaster": _to_postmaster,
    "stranger": _stranger,
}
_UNREADABLE = {
    "encrypted": "This mail is encrypted and cannot be read here; please send plain text or HTML.",
    "unreadable": "This mail holds no text that can be read here; please send plain text or HTML.",
}


def _order(case: Case) -> Result:
    """Hand the mail's commands to the desk."""
    order = order_of(case.message, case.identity, case.mail.id, case.mail.digest)
    order = replace(order, notes=case.notes)
    if limits.prose_was_answered(case.session, case.identity, case.now) and is_prose(order.text):
        return Result("ignored", "nothing but prose, and such a mail was answered before")
    answer = case.installation.desk.take_order(case.session, order)
    if answer.outcome == "prose":
        limits.prose_is_answered(case.session, case.identity, case.now)
    return Result("done", answer=answer)


def _hold(case: Case, code: str, why: str) -> Result:
    """Nothing is done; the person whose reply address it is is asked, at his own address."""
    if not limits.may_ask_about_held(case.session, case.identity.person_id, case.now):
        return Result("held", f"{code}; its person was asked about others within the hour")
    text = text_of(case.message).splitlines()[:MOST_LINES]
    lines = tuple(AnswerLine(line[:MOST_LETTERS], "not tried") for line in text)
    sentence = (
        f"A mail to your reply address was held and nothing in it was done, because {why}. "
        "If you meant it, answer this letter with the same line."
    )
    return Result("held", code, _answer_only(case, "held", code, sentence, lines))


def _answer_only(
    case: Case, outcome: str, code: str, sentence: str, lines: tuple[AnswerLine, ...] = ()
) -> Answer:
    """An answer to a mail that never came to the desk."""
    bearer = case.identity.bearer
    game_id = None if bearer is None else bearer.game_id
    game = None if game_id is None else case.session.get(Game, game_id)
    answer = Answer(
        outcome,
        lines or (AnswerLine("", "refused", sentence, code),),
        None if game is None else game.id,
        None if bearer is None else bearer.seat,
        None if game is None else game.seq,
        (sentence,) if lines else (),
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


def _present_table(case: Case) -> tuple[Game | None, int | None]:
    """The table whose letter a person is most likely asking for."""
    letter = case.session.exec(
        select(Letter)
        .join(Game, col(Game.id) == col(Letter.game_id))
        .where(
            Letter.person_id == case.identity.person_id,
            col(Letter.seat).is_not(None),
            Game.status == "running",
        )
        .order_by(col(Letter.kind).in_(("your-turn", "choose-pet")).desc(), col(Letter.id).desc())
        .limit(1)
    ).first()
    if letter is None:
        return None, None
    return case.session.get(Game, letter.game_id), letter.seat


def _return_path(case: Case) -> int | None:
    """The letter whose return path the mail came to."""
    installation = case.installation
    for address in case.mail.envelope_to:
        found = recipient(case.session, installation.settings, installation.keys, address)
        if found is not None and found.letter_id is not None:
            return found.letter_id
    return None


def _confirm_address(case: Case) -> None:
    """Whoever answers from the address our letter went to has shown that it is his."""
    address = case.session.exec(
        select(Address).where(
            Address.person_id == case.identity.person_id,
            Address.address == fold_address(case.message.sender),
        )
    ).first()
    if address is not None and address.confirmed_at is None:
        address.confirmed_at = case.now
        case.session.add(address)
