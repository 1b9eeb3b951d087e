"""The letters about a person himself, for the gallery and the golden tests."""

from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session

from pbem.letters import announce, visiting
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Address, AddressChange, Letter, Person
from pbem.store.log import Author, append
from pbem.store.rows import id_of
from pbem.translation import _, language

NEW, OLD = "ann@new.example", "ann@example.org"


def personal_scenes(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    """(name of the scene, its letter): addresses, data, and the end."""
    stage = Stage(session, site, 3, "mirror", name="Morning tide").begin()
    stage.until(lambda position: position.turn >= 5)
    ann = stage.people[0]
    yield "welcome", _welcome(session, site, stage)
    for action, asked, told in (
        ("change", "address-confirm", "address-changed"),
        ("add", "address-add", "address-added"),
    ):
        change = _change(session, stage, ann, action)
        yield asked, _some(announce.address_confirm(session, site, stage.now, change))
        change.confirmed_at, change.undo_until = stage.now, stage.now + timedelta(days=14)
        yield told, _some(announce.address_changed(session, site, stage.now, change))
    yield "address-taken", _some(announce.address_taken(session, site, stage.now, ann, OLD))
    append(
        session, stage.game, "say", stage.now, Author("mail", ann.id), seat=0,
        public={"to": "all", "text": "take fox\nwrite to bo@example.net, not to me"},
    )  # fmt: skip
    yield "my-data", _some(announce.my_data(session, site, stage.now, id_of(ann)))
    asked_back = announce.confirm(
        session, site, stage.now, person_id=id_of(ann), command="forget me", pending_id=0
    )
    yield "confirm-forgetting", _some(asked_back)
    yield "forgotten", _some(announce.forgotten(session, site, stage.now, OLD, ann.language))
    code = visiting.browser_code(
        session, site, stage.now, OLD, person_id=id_of(ann), number=1, language=ann.language
    )
    yield "browser-code", _some(code)
    yield "visit", _some(visiting.visit(session, site, stage.now, id_of(ann), "lobby/7", number=7))


def _welcome(session: Session, site: Site, stage: Stage) -> Letter:
    """To somebody who has not played yet."""
    newcomer = Person(name="Fay", language=language(), created_at=stage.now)
    session.add(newcomer)
    session.flush()
    assert newcomer.id is not None
    address = Address(person_id=newcomer.id, address="fay@example.org", created_at=stage.now)
    session.add(address)
    said = _("You are in. Still to answer: {number}.", number=2)
    return _some(announce.welcome(session, site, stage.now, newcomer.id, stage.game, said))


def _change(session: Session, stage: Stage, person: Person, action: str) -> AddressChange:
    change = AddressChange(
        person_id=id_of(person), action=action, address=NEW, old_address=OLD,
        created_at=stage.now, expires_at=stage.now + timedelta(days=7),
    )  # fmt: skip
    session.add(change)
    session.flush()
    return change


def _some(letter: Letter | None) -> Letter:
    assert letter is not None
    return letter
