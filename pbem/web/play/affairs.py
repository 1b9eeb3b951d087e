"""What a table's page says beside the game: a vote, and whether its clocks stand."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from pbem.desk import pausing
from pbem.desk.ballots import ballots, open_vote
from pbem.letters.affairs import asked_for
from pbem.store import Game
from pbem.store.people import holders


@dataclass(frozen=True)
class Affairs:
    """The question the table is asked, and what this person can do about its clocks."""

    question: str = ""
    until: datetime | None = None
    agreed: bool | None = None  # what this person has said
    may_stop: bool = False  # by himself, for a day
    alone: bool = False  # all others are bots: there is nothing to decide together


def affairs_of(session: Session, game: Game, person_id: int) -> Affairs:
    """What the page of a table says of its vote and its clocks, to one at the table."""
    may_stop = pausing.may_stop(session, game, person_id)
    alone = all(one.person_id in (None, person_id) for one in holders(session, game))
    asked = open_vote(session, game)
    if asked is None:
        return Affairs(may_stop=may_stop, alone=alone)
    return Affairs(
        asked_for(asked.what, asked.control),
        asked.expires_at,
        ballots(session, asked).get(person_id),
        may_stop,
        alone,
    )
