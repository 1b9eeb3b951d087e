"""Who may do what: a role that reaches the target, and nothing that gains a player more
than his seat."""

from sqlmodel import Session

from pbem.moderation.model import Action, Refused, Target
from pbem.store import Game, Letter, Mail
from pbem.store.roles import Powers, plays_in


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
    if action.players == "may" or game_id is None:
        return None
    if game_id not in plays_in(session, powers.person_id):
        return None
    game = session.get(Game, game_id)
    if game is not None and game.status not in ("inviting", "running"):
        return None
    if action.players == "owner" and powers.owner:
        return None
    return Refused("plays", "You play at this table: a deputy or the owner does this.")


def game_of(session: Session, target: Target) -> int | None:
    """The game a target belongs to."""
    if target.game_id is not None:
        return target.game_id
    if target.mail_id is not None:
        mail = session.get(Mail, target.mail_id)
        return None if mail is None else mail.game_id
    if target.letter_id is not None:
        letter = session.get(Letter, target.letter_id)
        return None if letter is None else letter.game_id
    return None


def _reaches(action: Action, powers: Powers, game_id: int | None) -> bool:
    match action.reach:
        case "owner":
            return powers.owner
        case "everywhere":
            return powers.everywhere
        case _:
            return powers.reaches(game_id)
