"""The outbox: rows written in the transaction of what they tell.

A row's Message-ID and its thread are fixed here; what it says is not (`render`).
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.letters import correspondence
from pbem.letters.correspondence import thread_of
from pbem.letters.outbox import drafted, put
from pbem.letters.site import Site
from pbem.store import Game, Letter, Mail, Person
from pbem.store.people import address_of

STATE = frozenset({"your-turn", "what-happened", "choose-pet", "pets-chosen", "end-phase"})
"""Letters that show the table as it is now: each tells all since the reader's own last
turn, so a newer one makes an older unsent one needless."""
ASKING = frozenset({"your-turn", "choose-pet", "rollback"})
"""Letters that ask a seat for its turn."""
NEWS = frozenset(
    {
        "what-happened", "pets-chosen", "end-phase", "deadline-missed", "resigned", "absence",
        "pace", "played-for-you", "seat-news", "vote", "vote-over", "paused", "silence", "ended",
        "halted",
    }
)  # fmt: skip
"""Letters of the table's news thread."""
MOST_REFERENCES = 12


def queue(
    session: Session,
    site: Site,
    now: datetime,
    kind: str,
    *,
    person_id: int | None = None,
    to_address: str,
    game: Game | None = None,
    seat: int | None = None,
    seq: int | None = None,
    context: Mapping[str, Any] | None = None,
    follows: Letter | None = None,
    answers: Mail | None = None,
    references: Collection[str] = (),
    once: str | None = None,
) -> Letter | None:
    """Queue a letter; None when one with the key `once` exists already.

    It joins the conversation of the letter it `follows` or of the mail it `answers`
    (whose own ``References`` are `references`); else it opens one.  `context` holds only
    what cannot be worked out again: no token, nothing of another player's hand."""
    number = put_one(
        session, site, now, kind, person_id=person_id, to_address=to_address, game=game,
        seat=seat, seq=seq, context=context, follows=follows, answers=answers,
        references=references, once=once,
    )  # fmt: skip
    return None if number is None else session.get_one(Letter, number)


def put_one(
    session: Session,
    site: Site,
    now: datetime,
    kind: str,
    *,
    person_id: int | None = None,
    to_address: str,
    game: Game | None = None,
    seat: int | None = None,
    seq: int | None = None,
    context: Mapping[str, Any] | None = None,
    follows: Letter | None = None,
    answers: Mail | None = None,
    references: Collection[str] = (),
    once: str | None = None,
) -> int | None:
    """The same for a caller who needs no more than the letter's number."""
    draft = drafted(
        kind, to_address, person_id=person_id, game=game, seat=seat, seq=seq,
        context=context or {}, once=once, answers_mail_id=None if answers is None else answers.id,
        **_thread(follows, answers, references),
    )  # fmt: skip
    if kind in STATE and game is not None and seat is not None:
        withdraw(session, game, seat, STATE)
    [number] = put(session, site, now, [draft])
    return number


def queue_to(
    session: Session, site: Site, now: datetime, kind: str, person_id: int, **details: Any
) -> Letter | None:
    """Queue a letter to a person's own address; None when there is nowhere to write to."""
    number = put_to(session, site, now, kind, person_id, **details)
    return None if number is None else session.get_one(Letter, number)


def put_to(
    session: Session, site: Site, now: datetime, kind: str, person_id: int, **details: Any
) -> int | None:
    """The same for a caller who needs no more than the letter's number."""
    person = session.get(Person, person_id)
    address = address_of(session, person_id)
    if person is None or person.erased_at is not None or address is None:
        return None
    return put_one(
        session, site, now, kind, person_id=person_id, to_address=address.address, **details
    )


def withdraw(session: Session, game: Game, seat: int, kinds: Collection[str]) -> None:
    """Letters of these kinds to this seat that have not gone out need not go any more."""
    correspondence.withdraw(
        session, col(Letter.game_id) == game.id, col(Letter.seat) == seat,
        col(Letter.kind).in_(kinds),
    )  # fmt: skip


def newest(session: Session, game: Game, seat: int, kinds: Collection[str]) -> Letter | None:
    """The newest letter of these kinds to a seat that went or will go out."""
    return session.exec(_of(game, seat, kinds).order_by(col(Letter.id).desc()).limit(1)).first()


def oldest(session: Session, game: Game, seat: int, kinds: Collection[str]) -> Letter | None:
    """The first of them: what opened the conversation."""
    return session.exec(_of(game, seat, kinds).order_by(col(Letter.id)).limit(1)).first()


def _of(game: Game, seat: int, kinds: Collection[str]) -> SelectOfScalar[Letter]:
    return select(Letter).where(
        Letter.game_id == game.id,
        Letter.seat == seat,
        col(Letter.kind).in_(kinds),
        Letter.state != "replaced",
    )


def _thread(
    follows: Letter | None, answers: Mail | None, references: Collection[str]
) -> dict[str, str]:
    if answers is not None and answers.message_id:
        thread = [*references, answers.message_id]
        # The first id holds the conversation together, the last ones say where we are.
        kept = thread if len(thread) <= MOST_REFERENCES else [thread[0], *thread[-9:]]
        return {
            "in_reply_to": answers.message_id,
            "references": " ".join(dict.fromkeys(kept)),
        }
    return {} if follows is None else thread_of(follows.message_id, follows.references)
