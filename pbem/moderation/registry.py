"""All actions by name, and those that somebody is offered at a place."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session

from pbem.installation import Installation
from pbem.moderation import (
    deadlines,
    ends,
    hands,
    letters,
    mails,
    many,
    options,
    pauses,
    people,
    rolling_back,
    seats,
    site,
    tables,
    turns,
)
from pbem.moderation.may import FOR_OTHERS, refusal
from pbem.moderation.model import Action, Case, Refused, Scope, Target
from pbem.store.audit import Actor
from pbem.store.roles import Powers

FAMILIES: tuple[tuple[str, tuple[Action, ...]], ...] = (
    ("Time", deadlines.ACTIONS),
    ("Pauses", pauses.ACTIONS),
    ("Turns", (*turns.ACTIONS, *rolling_back.ACTIONS)),
    ("Seats", (*seats.ACTIONS, *hands.ACTIONS)),
    ("Letters", letters.ACTIONS),
    ("The game", (*options.ACTIONS, *ends.ACTIONS)),
    ("Mails", mails.ACTIONS),
    ("People", people.ACTIONS),
    ("The site", site.ACTIONS),
    ("Many at once", (*many.ACTIONS, *tables.ACTIONS)),
)
"""What the actions are about, in the order in which they are shown."""

ACTIONS: Mapping[str, Action] = {
    action.name: action for _title, family in FAMILIES for action in family
}


@dataclass(frozen=True)
class Offer:
    """An action at a place.  ``refused`` says why somebody may not do it (empty: he may)."""

    action: Action
    family: str
    target: Target
    refused: str = ""


def offered(
    here: Installation, session: Session, actor: Actor, powers: Powers | None, *,
    game: int | None = None, seat: int | None = None, person: int | None = None,
    mail: int | None = None, letter: int | None = None,
) -> list[Offer]:  # fmt: skip
    """What can be done at a place now, by its numbers; without any: on the server and for
    many games at once.  What his roles do not reach is left out; what he must leave to
    another one because he plays there says so."""
    target = Target(game, seat, person, mail, letter)
    case = Case(here, session, here.clock(), actor, target, powers=powers)
    found = []
    for family, actions in FAMILIES:
        for action in actions:
            if action.scope not in _scopes(target) or not _fits(action, case):
                continue
            about = target.of(action.scope)
            refused = refusal(session, action, powers, about)
            if refused is None or refused.code in FOR_OTHERS:
                said = "" if refused is None else refused.sentence
                found.append(Offer(action, family, about, said))
    return found


def _scopes(target: Target) -> tuple[Scope, ...]:
    if target.letter_id is not None:
        return ("letter",)
    if target.mail_id is not None:
        return ("mail",)
    if target.person_id is not None:
        return ("person",)
    if target.seat is not None:
        return ("seat",)
    if target.game_id is not None:
        return ("game",)
    return ("server", "selection")


def _fits(action: Action, case: Case) -> bool:
    """Whether an action can be done in the present state of its target."""
    try:
        return (not action.at or case.game.status in action.at) and action.fits(case)
    except Refused:
        return False
