"""A finished game to take along: its record, its moves as text, its ark as a picture, and the
whole of it as one page; and the list as data."""

import csv
import io
from urllib.parse import urlencode

from flask import Response, abort, render_template, request

from engine.record import Record, write
from engine.scoring import score
from pbem.archive import exporting
from pbem.archive.records import dump
from pbem.letters.ark import picture
from pbem.letters.ark_png import ark_png, can_draw
from pbem.letters.ark_svg import ark_svg
from pbem.translation import language
from pbem.web import installation
from pbem.web.archive import replaying
from pbem.web.archive.one_page import one_page
from pbem.web.archive.reader import Opened, opened
from pbem.web.archive.routes import asked_for, blueprint, same_again
from pbem.web.security import public

RECORDS = 100  # of a file of many
ROWS = 500  # of a table


@blueprint.get("/games/<int:game_id>.ark.json")
def record(game_id: int) -> Response:
    with installation().store.read() as session:
        here = opened(session, game_id)
        text = dump(exporting.public_record(session, here.game, here.called))
    return _file(here, Response(text, mimetype="application/json"), "ark.json")


@blueprint.get("/games/<int:game_id>.txt")
def notation(game_id: int) -> Response:
    """The canonical notation: the deal, and a line a turn."""
    with installation().store.read() as session:
        here = opened(session, game_id)
        found = exporting.public_record(session, here.game, here.called)
        final = replaying.walked(session, here.game).positions[-1]
    text = notation_of(found, here.title, score(final).totals)
    return _file(here, Response(text, mimetype="text/plain"), "txt")


@blueprint.get("/games/<int:game_id>.html")
def page_file(game_id: int) -> Response:
    """The whole game in one file, which needs nothing else: with a replay, from the disk."""
    with installation().store.read() as session:
        here = opened(session, game_id)
        page = render_template("archive/one_page.html", **one_page(session, here))
    return _file(here, Response(page, mimetype="text/html"), "html")


@blueprint.get("/games/<int:game_id>/turn-<int:turn>.<any(svg, png):form>")
def picture_file(game_id: int, turn: int, form: str) -> Response:
    """The ark after a turn."""
    with installation().store.read() as session:
        here = opened(session, game_id, early=True)
        steps = replaying.walked(session, here.game)
        if turn > steps.facts.turns or (form == "png" and not can_draw(language())):
            abort(404)
        ark = picture(steps.view(turn, None))
    if form == "png":
        return here.answer(Response(ark_png(ark), mimetype="image/png"))
    return here.answer(Response(ark_svg(ark), mimetype="image/svg+xml"))


@blueprint.get("/games/<int:game_id>.csv")
def points_file(game_id: int) -> Response:
    """The points and the balance after each turn (0: the deal)."""
    with installation().store.read() as session:
        here = opened(session, game_id, early=True)
        facts = replaying.walked(session, here.game).facts
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["turn", "player", *map(safe, here.names), "balance"])
    for turn, (step, points) in enumerate(zip(facts.steps, facts.course, strict=True)):
        mover = "" if step.mover is None else safe(here.names[step.mover])
        rows.writerow([turn, mover, *points, step.balance])
    return _file(here, Response(out.getvalue(), mimetype="text/csv"), "csv")


@blueprint.get("/games.csv")
def games_csv() -> Response:
    """The list (a page of it, or of what is looked for), a game a line."""
    with installation().store.read() as session:
        _wanted, found = asked_for(session, ROWS)
    out = io.StringIO()
    rows = csv.writer(out)
    head = ["game", "table", "finished", "deck", "players", "turns", "seconds", "best", "margin"]
    rows.writerow(head + [f"{what} {seat}" for seat in range(1, 6) for what in ("player", "total")])
    for one in found.listed:
        facts, game = one.facts, one.game
        rows.writerow(
            [game.id, safe(one.title), facts.finished_at.isoformat(timespec="seconds"),
             safe(game.deck),
             game.players, facts.turns, facts.seconds, facts.best, facts.margin]
            + [cell for player in one.players for cell in (safe(player.name), player.total)]
        )  # fmt: skip
    return _listed(Response(out.getvalue(), mimetype="text/csv"), found.older)


@blueprint.get("/games.jsonl")
def games_records() -> Response:
    """The records of a page of the list, one a line; `import` takes them."""
    with installation().store.read() as session:
        _wanted, found = asked_for(session, RECORDS)
        lines = [write(exporting.public_record(session, one.game)) for one in found.listed]
    text = "".join(line + "\n" for line in lines)
    return _listed(Response(text, mimetype="application/jsonl"), found.older)


def notation_of(record: Record, title: str, totals: tuple[int, ...]) -> str:
    """A game as text: comments, the deal, the turns; English words, as every language of the
    product reads them."""
    names = record.names or [f"Seat {seat}" for seat in range(record.players)]
    setup = record.setup
    lines = [f"# {title}", f"# deck {record.deck.name}, rules {record.rules}"]
    lines += [f"# seat {seat}: {name}" for seat, name in enumerate(names)]
    for side in ("L", "R"):
        for number, crew in enumerate(setup["ark"][side], 1):
            lines.append(f"cabin {side}{number}: {' '.join(crew)}")
    lines += [f"hand {seat}: {' '.join(hand)}" for seat, hand in enumerate(setup["hands"])]
    lines += [f"display: {' '.join(setup['display'])}", f"stack: {' '.join(setup['stack'])}"]
    for number, turn in enumerate(record.turns, 1):
        lines.append(f"{number}. {turn.seat}: {replaying.move_words(turn, 'en')}")
    lines.append(f"totals: {' '.join(map(str, totals))}")
    return "\n".join(lines) + "\n"


def safe(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _file(here: Opened, response: Response, ending: str) -> Response:
    name = f"game-{here.game.id}.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return same_again(here.answer(response))


def _listed(response: Response, older: str | None) -> Response:
    if older is not None:
        args = {**request.args, "before": older}
        args.pop("after", None)
        response.headers["Link"] = f'<{_address(args)}>; rel="next"'
    return public(response)


def _address(args: dict[str, str]) -> str:
    return f"{request.path}?{urlencode(args)}"
