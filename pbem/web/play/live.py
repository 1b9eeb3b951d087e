"""Open pages look every now and then whether anything has happened.

They ask for themselves again, with the tag (RFC 9110 8.8.3) of what they show: while that
holds, the answer is an empty 304 that costs two or three look-ups.  Nothing is kept about a
page that is open, so no letter ever waits for one.
"""

import hashlib

from flask import Response, make_response, request
from sqlmodel import Session, col, select
from werkzeug.http import unquote_etag
from werkzeug.wrappers import Response as AnyResponse

from pbem.store import Game, Invitation, Mail, Seat, Tenure


def is_partial() -> bool:
    """Does a page exchange a part of itself?"""
    return "HX-Request" in request.headers


def is_wanted(part: str) -> bool:
    """Is it this part of the page, by its id, that is exchanged?"""
    return is_partial() and request.headers.get("HX-Target") == part


def is_unchanged(tag: str) -> bool:
    """Does an open page show what there is?"""
    return is_partial() and unquote_etag(request.headers.get("If-None-Match"))[0] == tag


def nothing_new() -> Response:
    """The page may stay as it is."""
    return make_response("", 304)


def moved(response: AnyResponse) -> AnyResponse:
    """A redirection that an open page follows as a whole, not with a part of itself."""
    if not is_partial():
        return response
    whole = make_response("", 204)
    whole.headers["HX-Redirect"] = response.headers["Location"]
    return whole


def tag_of(game: Game) -> str:
    """What a table's page shows follows from the table's newest event."""
    return f"{game.id}-{game.seq}"


def tag_of_all(session: Session, person_id: int) -> str:
    """The same for all tables of a person, his invitations and held mails."""
    games = session.exec(
        select(Game.id, Game.seq)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(
            Tenure.person_id == person_id,
            col(Tenure.until_seq).is_(None),
            Game.status == "running",
        )
    )
    invitations = session.exec(
        select(Game.id, Game.seq)
        .join(Invitation, col(Invitation.game_id) == col(Game.id))
        .where(Invitation.person_id == person_id, Game.status == "inviting")
    )
    held = session.exec(select(Mail.id).where(Mail.person_id == person_id, Mail.state == "held"))
    shown = repr([*sorted(games), "", *sorted(invitations), "", *sorted(held, key=str)])
    return hashlib.sha256(shown.encode()).hexdigest()[:16]
