"""Who asks: the seat a token of the `Authorization` header stands for (RFC 6750).

Its owner gets such a token on his own page, for one seat of one game.  The token of a reply
address opens the same in games whose mail policy is `token`, and in no others: whoever has
only seen a letter does not move a seat there by mail either."""

from dataclasses import dataclass

from flask import current_app, request
from sqlmodel import Session

from pbem.store import Game, Person
from pbem.store.people import seat_of
from pbem.store.tokens import LENGTH, digest, find
from pbem.translation import _
from pbem.web import installation
from pbem.web.api.blueprint import ApiError
from pbem.web.api.throttle import Throttle
from pbem.web.languages import speak_to

REQUESTS, FAILURES = 120, 30
"""In a minute: of one token, and of one address without a good one."""
EXTENSION = "ark-api"


@dataclass(frozen=True)
class Sitter:
    """The seat, its game, and who holds it."""

    game: Game
    seat: int
    person: Person


@dataclass(frozen=True)
class Throttles:
    tokens: Throttle
    failures: Throttle


def sitter(session: Session) -> Sitter:
    """Whom the request's token lets in; `ApiError` 401, 403 or 429 otherwise."""
    token = _token()
    row = find(session, token)
    if row is None or row.purpose not in ("api", "seat") or row.person_id is None:
        raise _unknown()
    _hold_back(_throttles().tokens, digest(token))  # only good ones are counted by themselves
    game = session.get(Game, row.game_id) if row.game_id is not None else None
    person = session.get(Person, row.person_id)
    if game is None or person is None or row.seat is None:
        raise _unknown()
    if row.purpose == "seat" and game.mail_policy != "token":
        raise ApiError(
            403, "policy", _("This game asks for more than the token of a letter."),
            _("Get a token for programs on your page, under Settings."),
        )  # fmt: skip
    if seat_of(session, game, row.person_id) != row.seat:
        raise ApiError(
            403, "not-your-seat", _("This seat is not yours any more; somebody else plays it."),
            _("Forget this token."),
        )  # fmt: skip
    speak_to(person)
    return Sitter(game, row.seat, person)


def _token() -> str:
    kind, _space, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if kind.lower() != "bearer" or len(token) != LENGTH or not token.isascii():
        raise _unknown()
    return token


def _unknown() -> ApiError:
    _hold_back(_throttles().failures, request.remote_addr or "")
    return ApiError(
        401, "token", _("No seat belongs to this token."),
        _("Send the header “Authorization: Bearer TOKEN” with a token of your page."),
    )  # fmt: skip


def _hold_back(throttle: Throttle, key: str) -> None:
    seconds = throttle.wait(key, installation().clock())
    if seconds:
        error = ApiError(
            429, "too-many", _("That is more than {limit} requests in a minute.",
                               limit=throttle.limit),
            _("Wait {seconds} seconds and ask again.", seconds=seconds), seconds=seconds,
        )  # fmt: skip
        error.retry_after = seconds
        raise error


def _throttles() -> Throttles:
    """Those of this application."""
    found: Throttles = current_app.extensions.setdefault(
        EXTENSION, Throttles(Throttle(REQUESTS), Throttle(FAILURES))
    )
    return found
