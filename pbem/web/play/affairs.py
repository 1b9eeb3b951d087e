"""What a table's page says beside the game: a vote, and whether its clocks stand."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from pbem.desk import pausing
from pbem.desk.ballots import ballots, open_vote
from pbem.letters.affairs import asked_for
from pbem.store import Game


@dataclass(frozen=True)
class Affairs:
    """The question the table is asked, and what this person can do about its clocks."""

    question: str = ""
    until: datetime | None = None
    agreed: bool | None = None  # what this person has said
    may_stop: bool = False  # by himself, for a day


def affairs_of(session: Session, game: Game, person_id: int) -> Affairs:
    """What the page of a table says of its vote and its clocks, to one at the table."""
    may_stop = pausing.may_stop(session, game, person_id)
    asked = open_vote(session, game)
    if asked is None:
        return Affairs(may_stop=may_stop)
    return Affairs(
        asked_for(asked.what, asked.control),
        asked.expires_at,
        ballots(session, asked).get(person_id),
        may_stop,
    )
