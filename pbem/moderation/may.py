"""Who may do what: a role that reaches the target, and nothing that gains a player more
than his seat."""

from sqlmodel import Session, col, select

from pbem.moderation.closed import Closed
from pbem.moderation.model import Action, Refused, Target
from pbem.store import Game, Letter, Mail
from pbem.store.roles import Powers, plays_in, roles_of

FOR_OTHERS = frozenset({"plays", "staff"})
"""Codes of refusals that leave something to another one: it is shown, with who does it."""


def refusal(
    session: Session, action: Action, powers: Powers | None, target: Target
) -> Refused | None:
    """Why somebody with these powers may not do this there; None when he may.  No powers:
    whoever has the command line of the server, who may do everything."""
    if powers is None:
        return None
    game_id = game_of(session, target)
    if not _reaches(action, powers, game_id):
        return Refused("not-yours", "Your role does not reach this; ask the owner of the server.")
    if action.staff and not powers.owner and _has_role(session, powers, target):
        return Refused("staff", "This person has a role here: the owner does this.")
    if _is_closed(session, powers, target) or _gains(session, action, powers, target, game_id):
        return Refused("plays", "You play at this table: a deputy or the owner does this.")
    return None


def game_of(session: Session, target: Target) -> int | None:
    """The game a target belongs to."""
    return place_of(session, target)[0]


def place_of(session: Session, target: Target) -> tuple[int | None, int | None]:
    """The game and the seat a target belongs to, those of a mail or a letter as well."""
    found: Mail | Letter | None = None
    if target.game_id is None and target.mail_id is not None:
        found = session.get(Mail, target.mail_id)
    elif target.game_id is None and target.letter_id is not None:
        found = session.get(Letter, target.letter_id)
    return (target.game_id, target.seat) if found is None else (found.game_id, found.seat)


def _reaches(action: Action, powers: Powers, game_id: int | None) -> bool:
    match action.reach:
        case "owner":
            return powers.owner
        case "everywhere":
            return powers.everywhere
        case _:
            return powers.reaches(game_id)


def _has_role(session: Session, powers: Powers, target: Target) -> bool:
    """A new address, say, would be the way to another one's roles."""
    person_id = target.person_id
    if person_id is None or person_id == powers.person_id:
        return False
    return bool(roles_of(session, person_id))


def _is_closed(session: Session, powers: Powers, target: Target) -> bool:
    """A mail that he must not read is none that he deals with."""
    mail = None if target.mail_id is None else session.get(Mail, target.mail_id)
    return mail is not None and Closed(session, powers).hides(mail)


def _gains(
    session: Session, action: Action, powers: Powers, target: Target, game_id: int | None
) -> bool:
    """Whether it would gain or show him something at a table he plays at, or is asked to."""
    if action.players == "may" or (action.players == "owner" and powers.owner):
        return False
    own = plays_in(session, powers.person_id)
    if target.person_id is not None and target.person_id != powers.person_id:
        own &= plays_in(session, target.person_id)
    elif game_id is not None:
        own &= {game_id}
    else:
        return False
    going_on = select(Game.id).where(
        col(Game.id).in_(own), col(Game.status).in_(("inviting", "running", "ended"))
    )
    return session.exec(going_on.limit(1)).first() is not None
