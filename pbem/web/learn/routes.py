"""`/learn` and what is below it: the same for everybody, but for the table with bots."""

import re
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, render_template, request, url_for
from werkzeug.wrappers import Response

from engine.cards import KINDS, builtin_deck
from pbem.desk.desk import outcome_of
from pbem.desk.handlers.questions import POWERS
from pbem.desk.lobby import opened_by
from pbem.letters.cards import Face, cards_of
from pbem.translation import _
from pbem.web import installation
from pbem.web.learn import tutorial
from pbem.web.play import orders
from pbem.web.play.orders import OrderForm
from pbem.web.play.routes import answered
from pbem.web.play.turn import Choice, Link
from pbem.web.play.visitor import known_visitor, visitor
from pbem.web.rules.examples import examples
from pbem.web.rules.routes import POWER_RULES
from pbem.web.security import personal, public
from pbem.web.words import kind_word

blueprint = Blueprint("learn", __name__, template_folder="templates")

TABLE = "new game {name} with bot:greedy, bot:random"


@blueprint.get("/learn")
def index() -> Response:
    return public(make_response(render_template("learn/index.html")))


@blueprint.get("/learn/examples")
def shown_examples() -> Response:
    """Legal and illegal, to each rule about placing and driving out."""
    return public(make_response(render_template("learn/examples.html", examples=examples())))


@blueprint.get("/learn/cards")
def cards() -> Response:
    """All cards by kind, heaviest first, with what the special ones can do."""
    page = render_template("learn/cards.html", kinds=_by_kind(), power_rules=POWER_RULES)
    return public(make_response(page))


@blueprint.get("/learn/game")
def game() -> Response:
    """A guided game; its whole state is in the address."""
    deal = _number(request.args.get("deal", "1"), tutorial.DEALS)
    played = _played()
    choice = Choice.read(request.args)
    link = _link_to(deal, played)
    shown = tutorial.lesson(deal, played, choice, link)
    done = ""
    if shown.board.command:
        number = tutorial.number_of(deal, played, shown.board.command)
        done = _address(deal, [*played, number]) if number is not None else ""
    page = render_template(
        "learn/game.html",
        table=shown,
        done_link=done,
        again=[(one, _address(one, [])) for one in range(1, tutorial.DEALS + 1) if one != deal][:3],
    )
    return public(make_response(page))


@blueprint.get("/learn/table")
def table() -> Response:
    """A real table with two bots, for whoever gives an address."""
    with installation().store.read() as session:
        who = known_visitor(session)
        page = make_response(render_template("learn/table.html", who=who))
    return personal(page)


@blueprint.post("/learn/table")
def open_table() -> Response:
    """The learner's first real table, with bots."""
    here = installation()
    key = request.form.get("key", "")
    if not orders.KEY.fullmatch(key):
        abort(400)
    with here.store.work() as session:
        who = visitor(session)
        form = OrderForm(TABLE.format(name=_("First voyage")), key, None)
        orders.take(session, who, form)
        kept = orders.kept(session, who, form.answer_id)
        done = kept is not None and outcome_of(kept.answer.lines) == "done"
        opened = opened_by(session, who.id) if done else None
        game_id = None if opened is None else opened.id
    here.nudge()
    return answered(form.answer_id, game_id)


def _by_kind() -> list[tuple[str, list[tuple[Face, str, str]]]]:
    """(kind, its cards: face, power in words, rule of it)."""
    deck = builtin_deck()
    words = cards_of(deck)
    ordered = sorted(deck.cards, key=lambda card: (-card.weight, card.name))
    return [
        (
            kind_word(kind) or _("no kind"),
            [
                (
                    words.face(card.name),
                    _(POWERS[card.special]) if card.special else "",
                    POWER_RULES.get(card.special, ""),
                )
                for card in ordered
                if card.kind == kind
            ],
        )
        for kind in (*KINDS, "none")
    ]


def _played() -> list[int]:
    """The learner's turns so far, each by its number."""
    numbers = re.findall(r"[0-9]{1,5}", request.args.get("done", "")[:600])
    return [int(one) for one in numbers[: tutorial.MOST_TURNS]]


def _number(text: str, most: int) -> int:
    return min(most, max(1, int(text))) if text.isdecimal() and len(text) < 4 else 1


def _address(deal: int, played: list[int]) -> str:
    done = ".".join(map(str, played))
    return f"{url_for('learn.game')}?{urlencode({'deal': deal, 'done': done})}"


def _link_to(deal: int, played: list[int]) -> Link:
    here = _address(deal, played)

    def link(choice: Choice) -> str:
        more = urlencode(choice.arguments, doseq=True)
        return f"{here}&{more}#turn" if more else f"{here}#turn"

    return link
