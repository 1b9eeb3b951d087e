"""What is done with one mail, by what it is and whose it is.

The state a mail ends in: ``done`` (obeyed or answered), ``held`` (nothing done, its
person or the moderator is to say), ``ignored`` (never answered, commands.md 1.6).
"""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import col, select

from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.desk.limits import HOUR, is_beyond, not_lately
from pbem.desk.people import address_fault
from pbem.intake import limits
from pbem.intake.bounces import settle_bounce
from pbem.intake.case import MailCase, Result, answer_only
from pbem.intake.holding import hold
from pbem.intake.ordering import is_prose, order_of, text_of
from pbem.intake.proposing import zone_proposal
from pbem.intake.proving import changes_something
from pbem.intake.recipients import recipient
from pbem.letters import announce
from pbem.store import Game, Letter, Person
from pbem.store.people import fold_address
from pbem.translation import _, later, speaking
from pbem.translation.catalogues import ORIGINAL

MACHINES = frozenset({"postmaster", "mailer-daemon", "noreply", "no-reply"})


def settle(case: MailCase) -> Result:
    """Do what is to be done with a mail; whoever wrote it is answered in his language."""
    writer = case.identity.person_id
    person = None if writer is None else case.session.get(Person, writer)
    with speaking(ORIGINAL if person is None else person.language):
        return _settled(case)


def _settled(case: MailCase) -> Result:
    if case.message.kind == "bounce":
        site, path = case.installation.site, _return_path(case)
        return Result("done", settle_bounce(case.session, site, case.now, case.message, path))
    if case.message.kind in ("own", "auto-reply"):
        return Result("ignored", f"never answered: {case.message.kind}")
    if case.message.kind == "list":
        if case.identity.verdict in ("act", "ask"):
            return hold(case, "list")
        return Result("ignored", "never answered: list mail")
    if (blown := _too_much(case)) is not None:
        return _beyond_the_limit(case, *blown)
    return _VERDICTS[case.identity.verdict](case)


def _act(case: MailCase) -> Result:
    """The reply address and the sender are right: what he says is done, where the table
    asks for it only if it is proved that he wrote."""
    if case.identity.policy == "dmarc" and not case.is_proved:
        return hold(case, "unproved")
    _confirm_address(case)
    if (trouble := _UNREADABLE.get(case.message.kind)) is not None:
        return Result("done", answer=answer_only(case, "refused", case.message.kind, _(trouble)))
    return _order(case)


def _ask(case: MailCase) -> Result:
    """The reply address is right and the sender strange: a letter may have been passed
    on, or somebody writes from another address of his."""
    return hold(case, "sender")


def _to_server(case: MailCase) -> Result:
    """A known person at the server's own address: what works there is done, for
    everything else the present letter goes again, with the address that works."""
    text = text_of(case.message)
    context = Context(builtin_deck(), sender=case.identity.name, addressed="server")
    lines = read(text, context).lines
    if any(line.command is not None and line.error is None for line in lines):
        return _order_by_name_alone(case)
    return _resend(case)


def _order_by_name_alone(case: MailCase) -> Result:
    """No reply address speaks for the sender: what changes something is done only when it
    is proved that the mail comes from the domain of his address."""
    if changes_something(case.message, case.identity) and not case.is_proved:
        return hold(case, "unproved")
    return _order(case)


def _resend(case: MailCase) -> Result:
    """A known sender without a valid reply address: nothing is done, the present letter
    goes again."""
    game, seat = _present_table(case)
    if game is None or seat is None:
        return _order_by_name_alone(case)
    what = f"resend/{game.id}/{seat}/{game.seq}"
    if not not_lately(case.session, what, case.now, limits.RESEND_EVERY):
        return Result("ignored", "no valid reply address; the present letter went just before")
    announce.resend(case.session, case.installation.site, case.now, game, seat)
    return Result("done", "no valid reply address: the present letter was sent again")


def _stranger(case: MailCase) -> Result:
    """Nobody we know: one short plain answer a day, nothing else."""
    address = fold_address(case.message.sender)
    if address_fault(address, case.installation.settings.mail.domain) is not None:
        return Result("ignored", "no sender to answer")
    if address.partition("@")[0] in MACHINES:
        return Result("ignored", "a machine's address")
    what = f"stranger/{address}"
    most = case.installation.settings.quotas.strangers_an_hour
    if limits.strangers_answered(case.session, case.now) >= most:
        return Result("ignored", "many strangers were answered within the hour")
    if not not_lately(case.session, what, case.now, limits.STRANGER_EVERY):
        return Result("ignored", "a stranger who was answered today")
    site = case.installation.site
    announce.stranger(case.session, site, case.now, to_address=address, mail_id=case.mail.id)
    return Result("done", "a stranger: told what this is")


_ANSWERS_BY_NAME = later("more than {most} answers within an hour to mail without a reply address")
_ANSWERS = later("more than {most} answers within an hour")
_TABLE_MAILS = later("more than {most} mails to one table within an hour")


def _too_much(case: MailCase) -> tuple[str, int] | None:
    """Which of the fuses has blown, and its limit: more mail came than anybody plays by."""
    quotas, identity = case.installation.settings.quotas, case.identity
    if identity.person_id is None or identity.verdict == "ask":  # held, with a fuse of its own
        return None
    most = quotas.answers_by_name_an_hour
    if identity.bearer is None and limits.too_many_by_name_alone(
        case.session, identity.person_id, case.now, most
    ):
        return _ANSWERS_BY_NAME, most
    most = quotas.answers_an_hour
    if limits.too_many_answers(case.session, identity.person_id, case.now, most):
        return _ANSWERS, most
    game_id = None if identity.bearer is None else identity.bearer.game_id
    most = quotas.table_mails_an_hour
    if game_id is not None and limits.too_many_mails(case.session, game_id, case.now, most):
        return _TABLE_MAILS, most
    return None


def _beyond_the_limit(case: MailCase, blown: str, most: int) -> Result:
    """Two programs are writing to each other: said once, then silence; the mail waits."""
    reason = blown.format(most=most)
    case.mail.held_until = case.now + timedelta(days=case.installation.settings.mail.held_days)
    how = "name" if case.identity.bearer is None else "letter"
    what = f"flood/{how}/{case.identity.person_id}"
    if not not_lately(case.session, what, case.now, HOUR):
        return Result("held", reason)
    sentence = _(
        "More mail came than anybody plays by ({reason}); this one and the next are kept, but "
        "not done. If no program of yours is the cause, write again in an hour.",
        reason=_(blown, most=most),
    )
    return Result("held", reason, answer_only(case, "refused", "too-many-mails", sentence))


def _to_postmaster(_case: MailCase) -> Result:
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
    "encrypted": later(
        "This mail is encrypted and cannot be read here; please send plain text or HTML."
    ),
    "unreadable": later(
        "This mail holds no text that can be read here; please send plain text or HTML."
    ),
}


def _order(case: MailCase) -> Result:
    """Hand the mail's commands to the desk."""
    order = order_of(case.message, case.identity, case.mail.id, case.mail.digest)
    order = replace(order, notes=(*case.notes, *zone_proposal(case)))
    if _is_prose_again(case, order.text):
        return Result("ignored", "nothing but prose, and such a mail was answered before")
    answer = case.installation.desk.take_order(case.session, order, case.ahead)
    if answer.outcome == "prose":
        limits.prose_is_answered(case.session, case.identity, case.now)
    if is_beyond(answer):
        case.mail.held_until = case.now + timedelta(days=case.installation.settings.mail.held_days)
        return Result("held", "beyond a limit", answer)
    return Result("done", answer=answer)


def _is_prose_again(case: MailCase, text: str) -> bool:
    """Nothing but prose, and such a mail was answered this turn."""
    if case.ahead is not None and any(line.command for line in case.ahead.reading.lines):
        return False
    return limits.prose_was_answered(case.session, case.identity, case.now) and is_prose(text)


def _present_table(case: MailCase) -> tuple[Game | None, int | None]:
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


def _return_path(case: MailCase) -> int | None:
    """The letter whose return path the mail came to."""
    installation = case.installation
    for address in case.mail.envelope_to:
        found = recipient(case.session, installation.settings, installation.keys, address)
        if found is not None and found.letter_id is not None:
            return found.letter_id
    return None


def _confirm_address(case: MailCase) -> None:
    """Whoever answers from the address our letter went to has shown that it is his."""
    address = case.address
    if address is None or address.person_id != case.identity.person_id:
        return
    if address.confirmed_at is None:
        address.confirmed_at = case.now
        case.session.add(address)
