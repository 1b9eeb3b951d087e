"""Mails about a person himself, and what he finds in his mailboxes."""

from sqlmodel import Session, col, select

from pbem.installation import Installation
from pbem.letters.bearers import reply_bearer
from pbem.letters.render import render
from pbem.store import Address, Letter, Mail
from pbem.store.tokens import Bearer, issue
from tests.intake.mails import receive


def person_address(installation: Installation, person_id: int) -> str:
    """A reply address that names a person, as a letter about several tables has."""
    with installation.store.work() as session:
        bearer = Bearer("person", person_id=person_id)
        token = issue(session, installation.keys, bearer, installation.clock())
    return installation.site.reply_address(token)


def reply_to(installation: Installation, letter: Letter) -> str:
    bearer = reply_bearer(letter)
    assert bearer is not None
    return installation.site.reply_address(installation.keys.token(bearer))


def answer_to(installation: Installation, letter: Letter, text: str, sender: str) -> Mail:
    """Somebody answers one of our letters."""
    return receive(installation, reply_to(installation, letter), text, sender=sender)


def letters(installation: Installation, kind: str) -> list[Letter]:
    with installation.store.read() as session:
        query = select(Letter).where(Letter.kind == kind).order_by(col(Letter.id))
        return list(session.exec(query))


def newest(installation: Installation, kind: str) -> Letter:
    return letters(installation, kind)[-1]


def text_of(installation: Installation, letter: Letter) -> str:
    with installation.store.read() as session:
        return render(session, installation.site, session.get_one(Letter, letter.id)).text


def addresses(installation: Installation, person_id: int) -> list[tuple[str, bool]]:
    """(address, whether letters go there), the main one first."""
    with installation.store.read() as session:
        return _addresses(session, person_id)


def _addresses(session: Session, person_id: int) -> list[tuple[str, bool]]:
    rows = session.exec(select(Address).where(Address.person_id == person_id)).all()
    return sorted(((row.address, row.primary) for row in rows), key=lambda one: not one[1])


def outcome(mail: Mail) -> str:
    return str(((mail.receipt or {}).get("answer") or {}).get("outcome", mail.state))


def code(mail: Mail) -> str:
    """Of the first line that says more than that it was done."""
    lines = ((mail.receipt or {}).get("answer") or {}).get("lines", ())
    return next((str(line["code"]) for line in lines if line["code"]), "")


def message(mail: Mail) -> str:
    lines = ((mail.receipt or {}).get("answer") or {}).get("lines", ())
    return " ".join(str(line["message"]) for line in lines)
