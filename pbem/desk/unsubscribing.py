"""Ending letters of one kind by one click (RFC 8058), and the way back.

Letters that ask for a turn, and answers, are never among them."""

from sqlmodel import Session, select

from pbem.store import Person, TablePreference

REMINDERS, NEWS, TALK = "reminders", "news", "talk"
KINDS = (REMINDERS, NEWS, TALK)


def unsubscribe(session: Session, person: Person, kind: str) -> None:
    """No more letters of this kind; doing it twice changes nothing."""
    if kind == REMINDERS:
        person.reminders = []
    elif kind == NEWS:
        person.letters, person.digest_at = "mine", None
        _forget_choices(session, person)
    elif kind == TALK:
        person.table_talk = False
    session.add(person)


def _forget_choices(session: Session, person: Person) -> None:
    """News is wanted of no single table either."""
    for own in session.exec(
        select(TablePreference).where(TablePreference.person_id == person.id)
    ).all():
        own.letters = None
        session.add(own)


def subscribe(session: Session, person: Person, kind: str) -> None:
    """Letters of this kind come again, as they do at first."""
    if kind == REMINDERS:
        person.reminders = None
    elif kind == NEWS:
        person.letters = "every"
    elif kind == TALK:
        person.table_talk = True
    session.add(person)


def is_subscribed(person: Person, kind: str) -> bool:
    """Whether letters of this kind come."""
    if kind == REMINDERS:
        return person.reminders != []
    if kind == NEWS:
        return person.letters != "mine"
    return person.table_talk
