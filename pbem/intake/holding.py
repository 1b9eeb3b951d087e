"""Mails that are held: nothing in them is done, and their person is asked.

He is asked at his registered address, told why and until when the mail waits, and says on
his page whether it was him.
"""

from datetime import timedelta

from pbem.desk.orders import AnswerLine
from pbem.intake import limits
from pbem.intake.authentication import Proof
from pbem.intake.case import MailCase, Result, answer_only
from pbem.intake.ordering import text_of
from pbem.letters.moments import moment
from pbem.store import Game, Person
from pbem.translation import _

MOST_LINES, MOST_LETTERS = 50, 200  # of a held mail, shown to the person who is asked


def hold(case: MailCase, code: str) -> Result:
    """Hold a mail.  `code`: ``sender`` (a strange one), ``unproved`` (nothing proves that
    it comes from where it says), ``list`` (it came by way of a mailing list)."""
    case.mail.held_until = case.now + timedelta(days=case.installation.settings.mail.held_days)
    person = case.session.get(Person, case.identity.person_id)
    most = case.installation.settings.quotas.held_letters_an_hour
    if person is None or not limits.may_ask_about_held(
        case.session, case.identity.person_id or 0, case.now, most
    ):
        return Result("held", f"{code}; its person was asked about others within the hour")
    text = text_of(case.message).splitlines()[:MOST_LINES]
    lines = tuple(AnswerLine(line[:MOST_LETTERS], "not tried") for line in text)
    why = reason(code, case.message.sender, case.identity.proof)
    notes = (_what_to_do(case, code), _until(case, person))
    return Result("held", code, answer_only(case, "held", code, why, lines, notes))


def reason(code: str, sender: str, proof: Proof | None = None) -> str:
    """Why a mail is held, in the language spoken."""
    if code == "sender":
        return _("It came from {address}, which is not known as yours.", address=sender or "?")
    if code == "list":
        return _("It came with the headers of a mailing list or of bulk mail.")
    if proof is not None:
        return proof.sentence
    domain = sender.rpartition("@")[2]
    return _("Nothing in it proves that it comes from {domain}.", domain=domain)


def _what_to_do(case: MailCase, code: str) -> str:
    if code == "unproved" and case.identity.bearer is not None:  # an answer would be, too
        return _(
            "If you wrote it, say so on your page and it is done; if not, throw it away there "
            "and make your reply address new."
        )
    return _(
        "If you meant it, answer this letter with the same line, or say so on your page; if it "
        "was not you, throw it away there and make your reply address new."
    )


def _until(case: MailCase, person: Person) -> str:
    game_id = None if case.identity.bearer is None else case.identity.bearer.game_id
    game = None if game_id is None else case.session.get(Game, game_id)
    zone = "UTC" if game is None else game.zone
    until = moment(case.mail.held_until or case.now, person.zone, zone)
    return _("It waits until {time}, then it is thrown away.", time=until)
