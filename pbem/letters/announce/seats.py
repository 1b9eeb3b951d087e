"""Letters about the table itself: seats that change hands, pauses, votes, its end."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.letters.announce.batch import Batch
from pbem.letters.announce.mailing import Mailing
from pbem.letters.queue import NEWS, STATE, queue_to
from pbem.letters.site import Site
from pbem.store import Game, Letter, Role, Vote, deputies
from pbem.store.people import seat_of
from pbem.store.positions import position_now


def ask(session: Session, site: Site, now: datetime, game: Game, seat: int) -> None:
    """Ask a seat for its turn, if the table waits for it."""
    position = position_now(game)
    mailing = Mailing(session, site, now, game)
    if seat in position.to_move and any(one == seat for one, _ in mailing.people()):
        kind = "choose-pet" if position.phase == "pets" else "your-turn"
        mailing.post(kind, seat, context=mailing.until(seat))
        mailing.send()


def played_for_you(
    session: Session, site: Site, now: datetime, game: Game, seat: int, how: str,
    batch: Batch | None = None,
) -> None:  # fmt: skip
    """Tell a player what was done for him.  `how`: forced, default (no pet), bot, minimal.
    Where he is to move again at once, the letter that asks him for that goes as well."""
    mailing = Mailing(session, site, now, game, batch=batch)
    if seat not in position_now(game).to_move:
        mailing.withdraw(seat, STATE | {"reminder"})
    mailing.post("played-for-you", seat, NEWS, context={"how": how})
    mailing.send()


def seat_news(
    session: Session, site: Site, now: datetime, game: Game, seat: int, what: str, *,
    before: int | None,
) -> None:  # fmt: skip
    """Tell the others that a seat has changed hands.  `what`: late, moderator (a bot has
    it), substituted, returned; `before`: the person who had it."""
    mailing = Mailing(session, site, now, game)
    mailing.withdraw(seat, STATE | {"reminder"})
    for other, _ in mailing.people():
        if other != seat:
            mailing.post("seat-news", other, NEWS, context={
                "what": what, "changed": seat, "before": before, **mailing.until(other),
            })  # fmt: skip
    mailing.send()


def seat_lost(
    session: Session, site: Site, now: datetime, game: Game, seat: int, person_id: int | None,
    to: str,
) -> None:  # fmt: skip
    """Tell somebody that his seat is played by a bot (`to`: he may come back by answering),
    or by a substitute."""
    if person_id is not None:
        queue_to(session, site, now, "seat-lost", person_id, game=game, seat=seat,
                 context={"to": to})  # fmt: skip


def substitute_welcome(session: Session, site: Site, now: datetime, game: Game, seat: int) -> None:
    """The newcomer gets his hand, and what has happened."""
    mailing = Mailing(session, site, now, game)
    mailing.post("substitute-welcome", seat, context=mailing.until(seat))
    mailing.send()


def substitute_wanted(
    session: Session, site: Site, now: datetime, game: Game, seat: int, person_id: int,
    asked_by: int | None, until: datetime | None,
) -> Letter | None:  # fmt: skip
    """Ask somebody to take over a seat."""
    return queue_to(
        session, site, now, "substitute-wanted", person_id, game=game,
        context={"about": seat, "who": asked_by, **_until(until)},
    )  # fmt: skip


def seat_decision(
    session: Session, site: Site, now: datetime, game: Game, seat: int, until: datetime,
    batch: Batch | None = None,
) -> None:  # fmt: skip
    """Ask the moderator what becomes of a seat; at `until` a bot gets it."""
    if game.moderator_id is not None:
        mailing = Mailing(session, site, now, game, batch=batch)
        context = {"about": seat, **_until(until)}
        mailing.post_to("seat-decision", game.moderator_id, context=context)
        mailing.send()


def vote(session: Session, site: Site, now: datetime, game: Game, asked: Vote) -> None:
    """Ask the others at the table whether they agree."""
    mailing = Mailing(session, site, now, game)
    for seat, person in mailing.people():
        if person.id != asked.opened_by:
            mailing.post("vote", seat, NEWS, context=_vote(asked))
    mailing.send()


def vote_over(session: Session, site: Site, now: datetime, game: Game, asked: Vote) -> None:
    """Tell the table what has come of it; what was agreed has a letter of its own."""
    if asked.outcome == "agreed":
        return
    mailing = Mailing(session, site, now, game)
    for seat, _ in mailing.people():
        mailing.post("vote-over", seat, NEWS, context=_vote(asked))
    mailing.send()


def paused(
    session: Session, site: Site, now: datetime, game: Game, what: str, *,
    until: datetime | None = None, by: int | None = None,
) -> None:  # fmt: skip
    """Tell the table that its clocks stand still (`what`: vote, moderator, emergency) or run
    again (resumed, over, mended)."""
    mailing = Mailing(session, site, now, game)
    for seat, _ in mailing.people():
        context = {"what": what, "who": by, **_until(until), **mailing.until(seat)}
        mailing.post("paused", seat, NEWS, context=context)
    mailing.send()


def silence(session: Session, site: Site, now: datetime, game: Game, until: datetime) -> None:
    """Tell the table that it will end if nobody says anything."""
    mailing = Mailing(session, site, now, game)
    for seat, _ in mailing.people():
        mailing.post("silence", seat, NEWS, context=_until(until))
    mailing.send()


def ended(
    session: Session, site: Site, now: datetime, game: Game, facts: Mapping[str, Any]
) -> None:
    """Tell the table and its organiser that the game has ended before its last turn."""
    mailing = Mailing(session, site, now, game)
    told = set()
    for seat, person in mailing.people():
        mailing.withdraw(seat, STATE | {"reminder"})
        mailing.post("ended", seat, NEWS, context=dict(facts))
        told.add(person.id)
    mailing.send()
    if game.organiser_id is not None and game.organiser_id not in told:
        queue_to(session, site, now, "ended", game.organiser_id, game=game, context=dict(facts))


def halted(session: Session, site: Site, now: datetime, game: Game) -> None:
    """Tell the table that it stands still because of a fault, and those who look after it."""
    mailing = Mailing(session, site, now, game)
    for seat, _ in mailing.people():
        mailing.post("halted", seat, NEWS)
    mailing.send()
    roles = session.exec(
        select(Role.person_id).where(
            col(Role.revoked_at).is_(None),
            (Role.kind == "owner") | (Role.game_id == game.id),
        )
    )
    for person_id in sorted(deputies.asked(session, now, roles, game.id) | _moderator(game)):
        if seat_of(session, game, person_id) is None or person_id == game.moderator_id:
            queue_to(session, site, now, "halted-moderator", person_id, game=game)


def _moderator(game: Game) -> set[int]:
    """The table's own moderator, whether he has a role or not."""
    return set() if game.moderator_id is None else {game.moderator_id}


def _vote(asked: Vote) -> dict[str, Any]:
    return {
        "what": asked.what, "who": asked.opened_by, "control": asked.control,
        "outcome": asked.outcome, **_until(asked.expires_at),
    }  # fmt: skip


def _until(until: datetime | None) -> dict[str, str]:
    return {} if until is None else {"until": until.isoformat()}
