"""Letters of a table that has not begun."""

from datetime import datetime

from sqlmodel import Session, select

from pbem.letters.queue import queue_to
from pbem.letters.site import Site
from pbem.store import Game, Invitation, Letter


def invitation(
    session: Session, site: Site, now: datetime, game: Game, invited: Invitation
) -> Letter | None:
    """Invite a person; to be accepted or declined by answering."""
    return _to_invited(session, site, now, "invitation", game, invited)


def invitation_reminder(
    session: Session, site: Site, now: datetime, game: Game, invited: Invitation, rung: int = 1
) -> Letter | None:
    """Remind somebody who has not answered, in the invitation's conversation; each rung
    once, from 1."""
    first = _first_letter(session, invited)
    once = f"invited:{invited.id}:{rung}"
    return _to_invited(session, site, now, "invitation-reminder", game, invited, first, once)


def withdrawn(
    session: Session, site: Site, now: datetime, game: Game, invited: Invitation
) -> Letter | None:
    """Tell somebody that his invitation does not hold any more."""
    first = _first_letter(session, invited)
    return _to_invited(session, site, now, "withdrawn", game, invited, first)


def declined(
    session: Session, site: Site, now: datetime, game: Game, invited: Invitation
) -> Letter | None:
    """Tell the organiser, who may ask somebody else."""
    if game.organiser_id is None or game.organiser_id == invited.person_id:
        return None
    return queue_to(
        session, site, now, "declined", game.organiser_id, game=game,
        context={"who": invited.person_id, **_own(session, game, game.organiser_id)},
    )  # fmt: skip


def expired(session: Session, site: Site, now: datetime, game: Game) -> None:
    """Tell all who were asked and have not said no, and the organiser."""
    rows = session.exec(select(Invitation).where(Invitation.game_id == game.id)).all()
    told = {
        row.person_id: _first_letter(session, row)
        for row in rows
        if row.person_id is not None and row.state in ("invited", "accepted")
    }
    if game.organiser_id is not None:
        told.setdefault(game.organiser_id, None)
    for person_id, first in told.items():
        queue_to(
            session, site, now, "expired", person_id, game=game, follows=first,
            context=_own(session, game, person_id), once=f"expired:{game.id}:{person_id}",
        )  # fmt: skip


def _to_invited(
    session: Session, site: Site, now: datetime, kind: str, game: Game,
    invited: Invitation, follows: Letter | None = None, once: str | None = None,
) -> Letter | None:  # fmt: skip
    if invited.person_id is None:
        return None
    return queue_to(
        session, site, now, kind, invited.person_id, game=game, follows=follows,
        context={"invitation": invited.id}, once=once,
    )  # fmt: skip


def own_invitation(session: Session, game: Game, person_id: int) -> Invitation | None:
    return session.exec(
        select(Invitation).where(Invitation.game_id == game.id, Invitation.person_id == person_id)
    ).first()


def _own(session: Session, game: Game, person_id: int) -> dict[str, int | None]:
    """An answer to the letter is one to the person's own invitation, if there is one."""
    own = own_invitation(session, game, person_id)
    return {} if own is None else {"invitation": own.id}


def _first_letter(session: Session, invited: Invitation) -> Letter | None:
    return session.exec(
        select(Letter)
        .where(
            Letter.game_id == invited.game_id,
            Letter.person_id == invited.person_id,
            Letter.kind == "invitation",
        )
        .limit(1)
    ).first()
