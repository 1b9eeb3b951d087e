"""`/me/programs`: the tokens by which a program plays for a person, one a seat."""

from dataclasses import dataclass

from flask import Response, abort, make_response, render_template, request
from sqlmodel import Session, col, update

from pbem.store import Game, Token
from pbem.store.tenures import tables_of
from pbem.store.tokens import Bearer, digest, issue
from pbem.web import installation
from pbem.web.api.blueprint import PREFIX, blueprint
from pbem.web.play.visitor import visitor
from pbem.web.security import personal


@dataclass(frozen=True)
class Own:
    """A seat of somebody's in a running game; `given`: a token of it is in use."""

    game: Game
    seat: int
    bearer: Bearer
    given: bool


@blueprint.get("/me/programs")
def own_tokens() -> Response:
    with installation().store.read() as session:
        return _page(session)


@blueprint.post("/me/programs")
def change_token() -> Response:
    """Show the token of a seat (made at the first time), or void it; what is shown is shown
    on this page only, and stored nowhere."""
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        own = {str(one.game.id): one for one in _own(session, who.id)}
        chosen = own.get(request.form.get("game", ""))
        if chosen is None:
            abort(404)
        if request.form.get("do") == "void":
            session.exec(
                update(Token)
                .where(
                    col(Token.person_id) == who.id,
                    col(Token.purpose) == "api",
                    col(Token.game_id) == chosen.game.id,
                    col(Token.revoked_at).is_(None),
                )
                .values(revoked_at=here.clock())
            )
            session.flush()
            return _page(session)
        token = issue(session, here.keys, chosen.bearer, here.clock())
        return _page(session, chosen.game.id, token)


def _page(session: Session, game_id: int | None = None, token: str | None = None) -> Response:
    who = visitor(session)
    page = render_template(
        "api/tokens.html",
        who=who,
        own=_own(session, who.id),
        shown=game_id,
        token=token,
        address=installation().settings.base_url.rstrip("/") + PREFIX,
    )
    return personal(make_response(page))


def _own(session: Session, person_id: int) -> list[Own]:
    rows = session.exec(
        tables_of(person_id).where(Game.status == "running").order_by(col(Game.id))
    ).all()
    return [_seat(session, person_id, game, seat) for game, seat in rows]


def _seat(session: Session, person_id: int, game: Game, seat: int) -> Own:
    """The present token of a seat: one that was voided is never given again."""
    keys, voided = installation().keys, 0
    while True:
        bearer = Bearer("api", person_id, game.id, seat, generation=voided)
        row = session.get(Token, digest(keys.token(bearer)))
        if row is None or row.revoked_at is None:
            return Own(game, seat, bearer, row is not None)
        voided += 1
