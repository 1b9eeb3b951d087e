"""What all people at a table have to agree to: a pause, another time control, the end.

Bots have no voice.  Who asks has said yes; who says nothing until it expires has not
agreed."""

from datetime import datetime, timedelta

from sqlmodel import Session, select

from pbem.desk import deadlines, ending, pace, pausing
from pbem.desk.ballots import ballots, close, open_vote, voters
from pbem.letters import Site, announce
from pbem.store import Ballot, Game, Vote
from pbem.store.log import Author, append
from pbem.store.rows import id_of
from pbem.timing import Control
from pbem.timing.terms import control_of

OPEN_FOR = timedelta(days=5)


def propose(
    session: Session, site: Site, now: datetime, author: Author, game: Game, what: str,
    control: Control | None = None,
) -> Vote:  # fmt: skip
    """Ask the table; whoever asks agrees.  There must be no other open vote."""
    vote = Vote(
        game_id=id_of(game), what=what, opened_by=author.person_id or 0,
        control=None if control is None else control.model_dump(mode="json"),
        opened_at=now, expires_at=now + OPEN_FOR,
    )  # fmt: skip
    session.add(vote)
    session.flush()
    game.vote_ends_at = vote.expires_at
    facts = {"vote": vote.id, "what": what, "by": author.person_id, "control": vote.control}
    append(session, game, "vote", now, author, public=facts)
    _refresh(session, game, now)
    session.add(Ballot(vote_id=id_of(vote), person_id=vote.opened_by, agrees=True, at=now))
    session.flush()
    if not recount(session, site, now, game):
        announce.vote(session, site, now, game, vote)
    return vote


def cast(
    session: Session, site: Site, now: datetime, author: Author, game: Game, vote: Vote,
    agrees: bool,
) -> None:  # fmt: skip
    """One person's word; his last one counts, and one no is enough."""
    ballot = session.exec(
        select(Ballot).where(Ballot.vote_id == vote.id, Ballot.person_id == author.person_id)
    ).first() or Ballot(vote_id=id_of(vote), person_id=author.person_id or 0, agrees=agrees, at=now)
    ballot.agrees, ballot.at = agrees, now
    session.add(ballot)
    append(session, game, "ballot", now, author, public={"vote": vote.id, "agrees": agrees})
    session.flush()
    recount(session, site, now, game)


def recount(session: Session, site: Site, now: datetime, game: Game) -> bool:
    """Close the open vote if it is decided, and do what was agreed; True if it was closed."""
    vote = open_vote(session, game)
    if vote is None or game.status != "running":
        return False
    said = ballots(session, vote)
    people = voters(session, game)
    if any(said.get(one) is False for one in people):
        _decided(session, site, now, game, vote, "refused")
    elif people and all(said.get(one) for one in people):
        _decided(session, site, now, game, vote, "agreed")
    else:
        return False
    return True


def expire(session: Session, site: Site, now: datetime, game: Game) -> None:
    """Not all have answered in time: it is not agreed."""
    vote = open_vote(session, game)
    if vote is not None and vote.expires_at <= now:
        _decided(session, site, now, game, vote, "silent")


def _decided(
    session: Session, site: Site, now: datetime, game: Game, vote: Vote, outcome: str
) -> None:
    close(session, now, game, outcome)
    announce.vote_over(session, site, now, game, vote)
    author = Author("vote", vote.opened_by)
    if outcome != "agreed":
        _refresh(session, game, now)
    elif vote.what == "pause":
        pausing.pause(session, site, now, author, game, "vote")
    elif vote.what == "end":
        ending.end(session, site, now, author, game, "consent")
    elif vote.control is not None:
        pace.change_control(session, site, now, author, game, control_of(vote.control))
    _refresh(session, game, now)


def _refresh(session: Session, game: Game, now: datetime) -> None:
    if game.status == "running":
        deadlines.set_alarm(session, game, now)
