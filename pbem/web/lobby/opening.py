"""`/new`: a table in one form.  What `new game` can say goes to the desk as that line; the
rest is what the table's opener wants beside it (`pbem.desk.lobby`)."""

from collections.abc import Mapping, Sequence

from flask import abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from pbem.commands import print_command
from pbem.commands.requests.tables import read_time
from pbem.desk.desk import outcome_of
from pbem.desk.lobby import WATCH_TURNS, TableWishes, fulfil, opened_by
from pbem.desk.people import address_fault
from pbem.store.decks import USUAL, deck_names
from pbem.store.people import address_of
from pbem.timing import print_control
from pbem.timing.options import GameOptions
from pbem.translation import LANGUAGES, _, ngettext
from pbem.translation.catalogues import NAMES
from pbem.web import installation
from pbem.web.lobby.routes import blueprint
from pbem.web.play import orders
from pbem.web.play.orders import OrderForm
from pbem.web.play.routes import answered
from pbem.web.play.visitor import Visitor, known_visitor, visitor

ARCHIVES = ("names-hidden", "open", "members")
POLICIES = ("token", "sender", "dmarc")
ON_MISS = ("wait", "bot", "gather", "pass")
ON_OFFER = ("substitute", "bot", "moderator")
BOTS = ("bot:greedy", "bot:random", "bot:minimal")
"""In this order: a list of addresses names each once."""
_NUMBERS = {"grace_hours": 14 * 24, "absence_days": 366, "misses_before_offer": 20}


@blueprint.get("/new")
def new_game() -> str | Response:
    with installation().store.read() as session:
        who = known_visitor(session)
        if who is None:  # a link by mail leads back here
            return redirect(url_for("lobby.ask_link", to="new"), 303)
        return _page(who, None, deck_names(session))


@blueprint.post("/new")
def open_game() -> Response | tuple[str, int]:
    """Open the table that the form describes: the same order a mail would give."""
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        key = request.form.get("key", "")
        if not orders.KEY.fullmatch(key):
            abort(400)
        if faults := _faults():
            return _page(who, None, deck_names(session), faults), 400
        main = address_of(session, who.id)
        if main is not None and main.confirmed_at is None:  # the link came by mail
            main.confirmed_at = here.clock()
            session.add(main)
        form = OrderForm(_line(), key, None)
        is_new = orders.kept(session, who, form.answer_id) is None
        orders.take(session, who, form)
        kept = orders.kept(session, who, form.answer_id)
        done = kept is not None and outcome_of(kept.answer.lines) == "done"
        game = opened_by(session, who.id) if done else None
        if game is not None and is_new:
            fulfil(session, game, _wishes())
        if kept is not None and not done:
            return _page(who, kept, deck_names(session)), 400
        game_id = None if game is None else game.id
    here.nudge()
    return answered(form.answer_id, game_id)


def _faults() -> dict[str, list[str]]:
    """What is wrong with the fields, by their names, before any of it becomes a command."""
    faults: dict[str, list[str]] = {}
    own_domain = installation().settings.mail.domain
    wrong = [said for one in _people() if (said := address_fault(one, own_domain)) is not None]
    if wrong:
        faults["addresses"] = wrong
    pace = _text("own_pace")
    if pace and read_time(pace) is None:
        faults["own_pace"] = [_("“{text}” is no time control.", text=pace)]
    places = _number("players", 5, 3) - 1
    if len(_people()) + _number("bots", len(BOTS), 0) > places:
        faults.setdefault("addresses", []).append(
            ngettext(
                "Beside you there is {count} place, for people and bots together.",
                "Beside you there are {count} places, for people and bots together.",
                places,
            )
        )
    return faults


def _people() -> list[str]:
    """The addresses of those who are invited."""
    addresses = request.form.get("addresses", "").replace(";", ",").replace("\n", ",")
    return [one.strip() for one in addresses.split(",") if one.strip()]


def _line() -> str:
    """The form as the command it stands for."""
    people = _people()
    bots = BOTS[: _number("bots", len(BOTS), 0)]
    args: dict[str, object] = {"name": _name()}
    if people or bots:
        args["with"] = [*people, *bots]
    args["for"] = _number("players", 5, 3)
    time = read_time(_text("own_pace") or _text("pace"))
    if time is not None:
        args["time"] = time
    if deck := _text("deck"):
        args["deck"] = deck.replace(" ", "-")
    return print_command("new game", args)


def _name() -> str:
    return _text("name")[:60] or _("Ark")


def _wishes() -> TableWishes:
    watch = _text("watch")
    language = _text("language")
    changes: dict[str, object] = {
        name: _number(name, most, 0) for name, most in _NUMBERS.items() if _text(name)
    }
    for name, known in (("on_miss", ON_MISS), ("on_offer", ON_OFFER)):
        if _text(name) in known:
            changes[name] = _text(name)
    changes |= {name: bool(request.form.get(name)) for name in ("nights_count", "weekends_count")}
    if "misses_before_offer" in changes:
        changes["misses_before_offer"] = max(1, _number("misses_before_offer", 20, 1))
    return TableWishes(
        name=_name(),
        lobby=bool(request.form.get("lobby")),
        watch_turns=int(watch) if watch in map(str, WATCH_TURNS) else None,
        archive=_chosen("archive", ARCHIVES),
        mail_policy=_chosen("mail_policy", POLICIES),
        language=language if language in LANGUAGES else None,
        changes=changes,
    )


def _page(
    who: Visitor,
    kept: orders.Kept | None,
    decks: list[str],
    faults: Mapping[str, Sequence[str]] | None = None,
) -> str:
    settings = installation().settings
    usual = settings.games.options()
    return render_template(
        "lobby/new.html",
        who=who,
        answer=None if kept is None else kept.answer,
        given=request.form,
        faults=faults or {},
        usual=usual,
        pace=print_control(usual.control),
        paces=_paces(usual),
        policy=settings.games.mail_policy,
        decks=[(name, _("the usual one") if name == USUAL else name) for name in decks],
        tongues=NAMES,
        may=settings.site.may_open_games != "operator",
    )


def _paces(usual: GameOptions) -> list[tuple[str, str]]:
    known = [
        ("24h", _("a day for each turn")),
        ("48h", _("two days for each turn")),
        ("72h", _("three days for each turn")),
        ("7d", _("a week for each turn")),
        ("bank 5d + 8h cap 10d", _("a bank of 5 days, and 8 hours with each turn")),
        ("none", _("no deadline, only reminders")),
    ]
    own = print_control(usual.control)
    there = any(read_time(text) == read_time(own) for text, _words in known)
    return known if there else [(own, _("as usual here: {pace}", pace=own)), *known]


def _text(field: str) -> str:
    """A field on one line, in which nothing begins a second command."""
    return " ".join(request.form.get(field, "").replace(";", " ").replace("；", " ").split())[:200]


def _number(field: str, most: int, least: int) -> int:
    value = _text(field)
    return min(most, max(least, int(value))) if value.isdecimal() and len(value) < 6 else least


def _chosen(field: str, known: tuple[str, ...]) -> str:
    value = _text(field)
    return value if value in known else known[0]
