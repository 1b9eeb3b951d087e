"""What a preview rests on: if it moves between the two steps, nothing is done."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from pbem.moderation.model import Action, Case
from pbem.store import Address, Audit, Game, Heartbeat, SiteText, UploadedDeck

LOOKED_AT = "previewed"
"""The outcome in the audit of a preview that was written down."""
_OF_GAME = (
    "seq", "status", "name", "archive", "voided_at", "shelved_at", "paused_at", "halted_at",
    "seats_as_given", "players", "options", "moderator_id", "mail_policy",
)  # fmt: skip
_OF_PERSON = ("name", "language", "zone", "muted_at", "blocked_at", "erased_at", "generation")


def state_of(case: Case) -> dict[str, Any]:
    """The state of a target, or of the site."""
    target = case.target
    state: dict[str, Any] = {}
    if target.game_id is not None:
        state["game"] = game_state(case.game)
    if target.person_id is not None:
        state["person"] = {name: getattr(case.person, name) for name in _OF_PERSON}
        state["addresses"] = _addresses(case.session, target.person_id)
    if target.mail_id is not None:
        state["mail"] = [case.mail.state, case.mail.handled_at]
    if target.letter_id is not None:
        state["letter"] = [case.letter.state, case.letter.attempts]
    return state or _of_site(case.session)


def game_state(game: Game) -> dict[str, Any]:
    """What of a game an action may rest on; not what the clock alone moves."""
    return {name: getattr(game, name) for name in _OF_GAME}


def states_of_games(session: Session, which: Sequence[ColumnElement[bool]]) -> list[Any]:
    """The same of many games, without their positions."""
    columns = [getattr(Game, name) for name in ("id", *_OF_GAME)]
    return [list(row) for row in session.exec(select(*columns).where(*which).order_by(Game.id))]


def last_done(case: Case, action: Action) -> int | None:
    """The last time whoever acts did the same there: a key is for the next time only, also
    where the state is the same again."""
    target = case.target
    done = select(func.max(Audit.id)).where(
        col(Audit.person_id) == case.actor.person_id,
        Audit.action == action.name,
        col(Audit.mail_id) == target.mail_id,
        col(Audit.letter_id) == target.letter_id,
        col(Audit.outcome) != LOOKED_AT,
    )
    if target.mail_id is None and target.letter_id is None:  # those have a place of their own
        done = done.where(col(Audit.game_id) == target.game_id, col(Audit.seat) == target.seat)
    if target.person_id is not None:
        done = done.where(Audit.subject_id == target.person_id)
    return case.session.exec(done).one()


def _addresses(session: Session, person_id: int) -> list[Any]:
    rows = session.exec(
        select(Address.address, Address.primary, Address.confirmed_at)
        .where(Address.person_id == person_id)
        .order_by(col(Address.id))
    )
    return [tuple(row) for row in rows]


def _of_site(session: Session) -> dict[str, Any]:
    beat = session.get(Heartbeat, 1)
    return {
        "stopped": None if beat is None else beat.stopped_at,
        "texts": session.exec(select(func.max(SiteText.id))).one(),
        "decks": session.exec(
            select(func.count(), func.count(col(UploadedDeck.withdrawn_at))).select_from(
                UploadedDeck
            )
        ).one()[:],
    }
