"""Letters about letters: those that do not arrive, and those sent to another address."""

from datetime import datetime

from sqlmodel import Session, col, or_, select

from pbem.letters.queue import queue_to
from pbem.letters.site import Site
from pbem.store import Game, Person, Role, deputies


def unreachable(
    session: Session,
    site: Site,
    now: datetime,
    person_id: int,
    game: Game | None,
    *,
    status: str,
    paused: bool,
    once: str,
) -> None:
    """Tell those who look after a table that mail to one of its people does not arrive;
    `status` is an enhanced status (RFC 3463) or "", `paused`: letters to him wait now."""
    context = {"who": person_id, "status": status, "paused": paused}
    table = None if game is None else game.id
    for reader in deputies.asked(session, now, _in_charge(session, game), table) - {person_id}:
        queue_to(
            session, site, now, "unreachable", reader, game=game, context=context,
            once=f"{once}:{reader}",
        )  # fmt: skip


def sent_elsewhere(
    session: Session, site: Site, now: datetime, person: Person, game: Game, address: str
) -> None:
    """Note to the registered address that a letter went to another one of the person's."""
    assert person.id is not None
    queue_to(
        session, site, now, "sent-elsewhere", person.id, game=game, context={"address": address}
    )


def _in_charge(session: Session, game: Game | None) -> set[int]:
    """The moderator of a table, else its organiser; where there is neither, whoever
    moderates all tables."""
    if game is not None:
        found = game.moderator_id or game.organiser_id
        if found is not None:
            return {found}
    everywhere = select(Role.person_id).where(
        col(Role.revoked_at).is_(None), or_(Role.kind == "owner", col(Role.game_id).is_(None))
    )
    return set(session.exec(everywhere))
