"""Forgetting a person: what others see of it at once.  What is stored about him is wiped
right after, in small pieces (`pbem.clock.erasing`).

Games and their log stay whole: they name people by number, and the number's name is
"a former player" from now on (docs/decisions/0010).
"""

from datetime import datetime

from sqlmodel import Session, col, delete, or_, select, update

from pbem.desk import tables
from pbem.desk.succession import hand_over
from pbem.letters import Site, announce
from pbem.letters.correspondence import UNSENT
from pbem.letters.renewing import void_secrets
from pbem.store import (
    Absence,
    Address,
    AddressChange,
    Deputy,
    EarlierName,
    Erasure,
    FinishedSeat,
    Game,
    Hook,
    Invitation,
    Leave,
    Letter,
    Pending,
    Person,
    Profile,
    Rating,
    RecoveryCode,
    Reliability,
    Seat,
    SeatOffer,
    SecondFactor,
    Sitting,
    TablePreference,
    Tenure,
)
from pbem.store.log import Author
from pbem.store.names import all_names
from pbem.store.people import address_of, addresses_of, seat_of
from pbem.store.redaction import FORMER
from pbem.store.roles import revoke_all
from pbem.store.titles import neutral, tells


def forget(session: Session, site: Site, now: datetime, author: Author, person: Person) -> None:
    """Take a person out of everything that goes on, and leave his traces to be wiped."""
    if person.id is None or person.erased_at is not None:
        return
    last, language = address_of(session, person.id), person.language
    games, names = _games(session, person.id), all_names(session, person)
    addresses = {*addresses_of(session, person.id), *_had(session, person.id)}
    session.add(
        Erasure(
            person_id=person.id,
            addresses=sorted(addresses),
            names=names,
            tables=games,
            created_at=now,
        )
    )
    _leave_tables(session, site, now, author, person.id, games)
    _call_neutrally(session, names, games)
    person.name, person.zone, person.language = FORMER, None, "en"
    person.quiet = person.reminders = person.zone_proposed = None
    person.letters, person.mail_format, person.digest_at = "every", "html", None
    person.substitute_since, person.play_forced = None, False
    person.erased_at = now
    session.add(person)
    void_secrets(session, person, now, lasting_too=True)
    session.exec(
        update(Letter)
        .where(col(Letter.person_id) == person.id, col(Letter.state).in_((*UNSENT, "unknown")))
        .values(state="replaced")
    )
    revoke_all(session, now, person.id)
    for model in (
        Absence, Address, AddressChange, Deputy, EarlierName, Hook, Leave, Pending, Profile,
        Rating, RecoveryCode, Reliability, SeatOffer, SecondFactor, Sitting, TablePreference,
    ):  # fmt: skip
        session.exec(delete(model).filter_by(person_id=person.id))
    session.exec(delete(Deputy).where(col(Deputy.deputy_id) == person.id))
    session.exec(  # the archive calls his seats by a number that says nothing any more
        update(FinishedSeat).where(col(FinishedSeat.person_id) == person.id).values(name_key=None)
    )
    session.flush()
    if last is not None and last.confirmed_at is not None:
        announce.forgotten(session, site, now, last.address, language)


def _call_neutrally(session: Session, names: list[str], games: list[int]) -> None:
    """Give a neutral name to every table that is called after him, by any of his names: pages
    that hide names do not know his any more."""
    for game in session.exec(select(Game).where(col(Game.id).in_(games))).all():
        if any(tells(game.name, name) for name in names):
            game.name = neutral(game.id)
            session.add(game)


def _leave_tables(
    session: Session, site: Site, now: datetime, author: Author, person_id: int, games: list[int]
) -> None:
    """A bot takes his seats; a table of his that has not begun is closed."""
    for game in session.exec(select(Game).where(col(Game.id).in_(games))).all():
        if game.status == "inviting" and game.organiser_id == person_id:
            tables.expire(session, site, now, game)
        elif game.status == "inviting":
            _decline(session, site, now, author, game, person_id)
        elif game.status == "running":
            if (seat := seat_of(session, game, person_id)) is not None:
                hand_over(session, site, now, author, game, seat)
            if game.moderator_id == person_id:
                game.moderator_id = None
                session.add(game)


def _decline(
    session: Session, site: Site, now: datetime, author: Author, game: Game, person_id: int
) -> None:
    invitation = session.exec(
        select(Invitation).where(
            Invitation.game_id == game.id,
            Invitation.person_id == person_id,
            col(Invitation.state).in_(["invited", "accepted"]),
        )
    ).first()
    if invitation is not None:
        tables.decline(session, site, now, author, game, invitation)


def _games(session: Session, person_id: int) -> list[int]:
    """Every table he had to do with."""
    seated = (
        select(Seat.game_id)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Tenure.person_id == person_id)
    )
    asked = select(Invitation.game_id).where(Invitation.person_id == person_id)
    found = session.exec(
        select(Game.id)
        .where(
            or_(
                col(Game.id).in_(seated),
                col(Game.id).in_(asked),
                col(Game.organiser_id) == person_id,
                col(Game.moderator_id) == person_id,
            )
        )
        .order_by(col(Game.id))
    )
    return [number for number in found if number is not None]


def _had(session: Session, person_id: int) -> set[str]:
    """Addresses that were his: one he only asked for may be anybody's."""
    rows = session.exec(
        select(AddressChange).where(
            AddressChange.person_id == person_id, col(AddressChange.confirmed_at).is_not(None)
        )
    )
    return {one for row in rows for one in (row.address, row.old_address) if one}
