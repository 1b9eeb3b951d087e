"""`/me/browser`: a browser becomes known by a code from the mailbox.

A link can leak with a forwarded letter.  Tables whose mail policy asks for more than the
reply address ask the same of a browser: before its first action, the six digits that were
mailed to the registered address.  So does whatever reaches others in somebody's name without
a table to say what is enough: opening one (`/new`), and sitting down at one (`/lobby/N`).  The
browser keeps the code's number, the server nothing.
"""

import hmac
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from flask import Response, current_app, redirect, render_template, request, session, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.letters import visiting
from pbem.store import Game
from pbem.store.browser_codes import CODE_LIVES, code_of
from pbem.store.pauses import failed, forget, paused_until
from pbem.store.people import address_of
from pbem.web import installation
from pbem.web.forms import SAFE_METHODS
from pbem.web.play.routes import blueprint
from pbem.web.play.visitor import PAGE, PROVED, Visitor, needs_code, visitor

_OWN = re.compile(r"/(?:me(?:/[a-z0-9-]+)*|new|lobby/[0-9]+)(?:[?#][ -\[\]-~]*)?")
CODE = "code"  # in the session: the number of the code that was mailed, and when
LETTERS, FREE_LETTERS = "browser-code/letter", 3  # in a row, to one person
WRONG = "browser-code/wrong"  # codes of one person
OPEN = frozenset(
    {"play.leave", "play.prove_browser", "play.answer_invitation", "play.complete_text"}
)
"""What needs no code: an invitation may be all there is yet, and the others forget or look."""
REACHING = frozenset({"lobby.open_game", "lobby.take_place"})
"""What always needs one, whatever the tables say at which somebody sits."""


@blueprint.before_app_request
def guard() -> AnyResponse | None:
    """Before an action on one's own pages in a new browser: to the one that asks for the code."""
    own = request.path.startswith(f"{url_for('play.tables')}/")
    reaching = request.endpoint in REACHING
    if request.method in SAFE_METHODS or request.endpoint in OPEN or not (own or reaching):
        return None
    if PAGE not in session:
        return None  # the page itself refuses
    with installation().store.read() as store:
        who = visitor(store)
        number = (request.view_args or {}).get("game_id")
        game = store.get(Game, number) if isinstance(number, int) and number < 2**31 else None
        if who.proved or not (reaching or needs_code(store, who, game)):
            return None
    back = _page_of_form(request.path)
    if own and game is not None:
        line = request.form.get("text", "")[:1000]
        back = url_for("play.table", game_id=game.id, text=line or None, _anchor="your-move")
    return redirect(url_for("play.browser", back=back, stopped=1), 303)


@blueprint.get("/me/browser")
def browser() -> str:
    with installation().store.read() as store:
        return _page(store, visitor(store))


@blueprint.post("/me/browser")
def prove_browser() -> Response | AnyResponse | str:
    """`send`: mail a code; `check`: is this it?"""
    here = installation()
    now = here.clock()
    with here.store.work() as store:
        who = visitor(store)
        kind = LETTERS if request.form.get("do") == "send" else WRONG
        until = paused_until(store, here.keys, kind, str(who.id))
        if until is not None and now < until:
            return _page(store, who, wait=max(1, round((until - now).total_seconds())))
        if kind == LETTERS:
            _mail_code(store, who, now)
            here.nudge()
            return _page(store, who)
        if not _is_right(who, now, request.form.get("code", "")):
            failed(store, here.keys, now, WRONG, str(who.id))
            return _page(store, who, wrong=True)
        for one in (LETTERS, WRONG):
            forget(store, here.keys, one, str(who.id))
    session[PROVED] = who.id
    session.pop(CODE, None)
    return redirect(_back(), 303)


def _mail_code(store: Session, who: Visitor, now: datetime) -> None:
    here = installation()
    failed(store, here.keys, now, LETTERS, str(who.id), free=FREE_LETTERS)
    main = address_of(store, who.id)
    if main is None:
        return
    number = int.from_bytes(here.entropy(6), "big")
    visiting.browser_code(
        store, here.site, now, main.address,
        person_id=who.id, number=number, language=who.person.language,
    )  # fmt: skip
    session[CODE] = [number, int(now.timestamp())]


def _is_right(who: Visitor, now: datetime, given: str) -> bool:
    number = _mailed(now)
    if number is None:
        return False
    code = code_of(installation().keys, who.id, number)
    digits = "".join(given.split())
    return hmac.compare_digest(code.encode(), digits.encode("utf-8", "replace"))


def _mailed(now: datetime) -> int | None:
    """The number of the code that was mailed to this browser, while it holds."""
    kept = session.get(CODE)
    if not isinstance(kept, list) or len(kept) != 2:
        return None
    number, at = kept
    return int(number) if now < datetime.fromtimestamp(at, UTC) + CODE_LIVES else None


def _page(store: Session, who: Visitor, **said: Any) -> str:
    main = address_of(store, who.id)
    facts: Mapping[str, Any] = {
        "address": "" if main is None else _veiled(main.address),
        "sent": _mailed(installation().clock()) is not None,
        "minutes": int(CODE_LIVES.total_seconds() // 60),
        "back": _back(),
        "stopped": "stopped" in request.args,
    }
    return render_template("play/browser.html", who=who, **facts, **said)


def _veiled(address: str) -> str:
    """Enough of an address to know it again."""
    local, _, domain = address.partition("@")
    return f"{local[:1]}…@{domain}"


def _back() -> str:
    """Where he came from: a page of ours, and his own."""
    wanted = request.values.get("back", "")
    return wanted if _OWN.fullmatch(wanted) else url_for("play.tables")


def _page_of_form(path: str) -> str:
    """The page that a form of one's own pages stands on: at its address, or above it."""
    adapter = current_app.create_url_adapter(request)
    if adapter is None:
        return url_for("play.tables")
    while path.count("/") > 1 and not adapter.test(path, method="GET"):
        path = path.rpartition("/")[0]
    return path
