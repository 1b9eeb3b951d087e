"""`/moderator/games`: all games, and everything about one."""

import re
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

from flask import abort, render_template, request
from sqlmodel import Session

from pbem.moderation.lists import PAGE
from pbem.moderation.lists.games import SORTS, STATES, GameRow, WantedGames, counts, games
from pbem.moderation.lists.keyset import STAMP, moment_of
from pbem.store import Game
from pbem.store.positions import turns_done
from pbem.web import installation
from pbem.web.moderator.deeds import Family, Link, deed, deeds_of
from pbem.web.moderator.game_page import game_page
from pbem.web.moderator.guard import Moderator, blueprint, signed_in
from pbem.web.moderator.reach import reached_game
from pbem.web.moderator.timeline import KINDS, Cursor, timeline

MOST_TEXT = 80
_BEHIND = re.compile(rf"(?:({STAMP})~)?([0-9]{{1,9}})")


@blueprint.get("/games", endpoint="games")
def list_() -> str:
    """All games within reach: searched, filtered, sorted, a page at a time."""
    here, who, wanted = installation(), signed_in(), _wanted()
    with here.store.read() as session:
        rows = games(session, who.powers, wanted, here.clock())
        return render_template(
            "moderator/games.html",
            rows=rows[:PAGE],
            turns=turns_done(session, [row.id for row in rows[:PAGE]]),
            wanted=wanted,
            counts=counts(session, who.powers),
            states=STATES,
            sorts=SORTS,
            more=rows[PAGE - 1].key(wanted.sort) if len(rows) > PAGE else None,
            together=_together(rows[:PAGE]) if who.powers.everywhere else [],
            now=here.clock(),
        )


@blueprint.get("/games/<int:game_id>")
def game(game_id: int) -> str:
    """One game: where it stands, who sits there, what can be done, and all that happened."""
    here, who = installation(), signed_in()
    kind, cursor = request.args.get("show", ""), Cursor.read(request.args.get("before", ""))
    kind = kind if kind in KINDS else ""
    with here.store.read() as session:
        row = reached_game(session, who, game_id)
        page = game_page(session, row, who.powers, here.clock())
        entries, more = timeline(
            session, row, page.own_seat, page.names, kind, cursor, who.person.zone
        )
        return render_template(
            "moderator/game.html",
            page=page,
            game=row,
            entries=entries,
            more=None if more is None else str(more),
            kind=kind,
            kinds=KINDS,
            paged=cursor is not None,
            deeds=deeds_of(session, who, game=game_id),
            seat_deeds=_seat_deeds(session, who, row),
            now=here.clock(),
        )


def _together(rows: Sequence[GameRow]) -> list[Link]:
    """What can be done with all running games of the page at once."""
    numbers = ",".join(str(row.id) for row in rows if row.status == "running")
    links = [deed(name) for name in ("extend-many", "pause-many", "resume-many")]
    return [
        Link(link.label, f"{link.url}?{urlencode({'p-games': numbers})}")
        for link in links
        if link is not None and numbers
    ]


def _seat_deeds(session: Session, who: Moderator, game: Game) -> dict[int, list[Family]]:
    """What can be done with each seat of a running game."""
    if game.status != "running":
        return {}
    return {seat: deeds_of(session, who, game=game.id, seat=seat) for seat in range(game.players)}


def _wanted() -> WantedGames:
    """The filter, as the address says it; what makes no sense is left out."""
    given = request.args
    state, sort = given.get("state", ""), given.get("sort", "")
    return WantedGames(
        text=" ".join(given.get("q", "").split())[:MOST_TEXT].lstrip("#"),
        state=state if state in STATES else "",
        sort=sort if sort in SORTS else "newest",
        behind=_behind(given.get("behind", ""), sort in ("due", "waiting")),
    )


def _behind(value: str, timed: bool) -> tuple[datetime | None, int] | None:
    """Where the page begins; 404 for what no page of ours says."""
    if not value:
        return None
    match = _BEHIND.fullmatch(value)
    if match is None or (match[1] is not None) != timed:
        abort(404)
    at = moment_of(match[1]) if match[1] else None
    return at, int(match[2])
