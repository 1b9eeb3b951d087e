"""Games from the command line: open one, see its letters, take its record out."""

import sys
from collections.abc import Sequence
from email.utils import parseaddr
from pathlib import Path

import click
from sqlmodel import Session, col, select

from pbem.archive import records
from pbem.cli.arguments import NUMBER, SEAT, read_control
from pbem.cli.opening import opened
from pbem.desk import tables
from pbem.desk.options import options_for
from pbem.desk.people import address_fault, find_or_add_person
from pbem.desk.tables import Place, TableError
from pbem.installation import Installation
from pbem.jobs.bots import play_bots
from pbem.post.delivery import mime_of
from pbem.store import Game, Letter
from pbem.store.log import Author
from pbem.store.rows import id_of

MOST_HOURS = 24 * 60


def _hours(_ctx: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 1 / 3600 <= value <= MOST_HOURS:  # nan is neither
        raise click.BadParameter(f"must be between a second and {MOST_HOURS} hours")
    return value


def _time(hours: float | None, time: str | None) -> int | str | None:
    """What was chosen: seconds for each turn, or a control in words."""
    if hours and time:
        raise click.UsageError("--hours and --time say the same thing; use one of them")
    return max(1, round(hours * 3600)) if hours else time


@click.command("new-game")
@click.option("--name", required=True, help="The table's name, as players read it.")
@click.option(
    "--seat", "seats", multiple=True, required=True, metavar="WHO",
    help="'Ann <ann@example.net>' or bot:NAME; once a seat, in order.",
)  # fmt: skip
@click.option("--seed", help="Seed of the deal (for tests); else drawn.")
@click.option("--hours", callback=_hours, type=float, help="Time for a turn, in hours.")
@click.option(
    "--time", callback=read_control, metavar="CONTROL",
    help="48h; 'bank 5d + 8h cap 10d'; 'daily 20:00 Asia/Hong_Kong mon-fri'; none.",
)  # fmt: skip
@click.option(
    "--mail-policy", type=click.Choice(["token", "sender", "dmarc"]),
    help="Whose mail moves a seat; else as the settings say.",
)  # fmt: skip
@click.option("--start", is_flag=True, help="Begin at once, without invitations.")
def new_game(
    name: str,
    seats: tuple[str, ...],
    seed: str | None,
    hours: float | None,
    time: str | None,
    mail_policy: str | None,
    start: bool,
) -> None:
    """Open a game; its number is printed alone on the last line.

    With --start the seats are taken in the order given and the game begins at once;
    without it everybody is invited by mail, and the first one named organises."""
    with opened() as installation:
        try:
            chosen = _time(hours, time)
            game_id = _open(installation, name, seats, seed, chosen, mail_policy, start)
        except TableError as error:
            raise click.ClickException(error.sentence) from None
        if start:
            play_bots(installation, game_id)
    click.echo(game_id)


def _open(
    installation: Installation,
    name: str,
    seats: tuple[str, ...],
    seed: str | None,
    time: int | str | None,
    mail_policy: str | None,
    start: bool,
) -> int:
    now, author = installation.clock(), Author("cli")
    if seed is not None and not seed.isprintable():
        raise TableError("bad-seed", "A seed is a line of printable text.")
    if not name.isprintable() or not 1 <= len(name.strip()) <= 60:
        raise TableError("bad-name", "A table's name is one line of 1 to 60 characters.")
    with installation.store.work() as session:
        places = [_place(session, installation, seat) for seat in seats]
        game = tables.open_table(
            session,
            installation.site,
            now,
            installation.entropy,
            author,
            name=name.strip(),
            places=places,
            organiser_id=None if start else _first_person(places),
            options=options_for(installation.settings, time),
            server_seed=seed,
            announced=not start,
            mail_policy=mail_policy,
        )
        if start:
            tables.begin_as_invited(session, installation.site, now, author, game)
        return id_of(game)


def _first_person(places: Sequence[Place]) -> int | None:
    """Somebody at the table must be able to invite anew, and to begin."""
    return next((place.person_id for place in places if place.person_id is not None), None)


def _place(session: Session, installation: Installation, seat: str) -> Place:
    if seat.startswith("bot:"):
        return Place(bot=seat.removeprefix("bot:"))
    name, address = parseaddr(seat)
    if address_fault(address, installation.settings.mail.domain) is not None:
        raise TableError("bad-seat", f"{seat!r} is neither 'Name <address>' nor bot:NAME.")
    person = find_or_add_person(session, installation.clock(), name, address, confirmed=True)
    return Place(person.id)


@click.command()
@click.option("--game", "game_id", type=NUMBER, required=True)
@click.option("--seat", type=SEAT, required=True)
def letter(game_id: int, seat: int) -> None:
    """Print the newest letter to a seat that asks for its turn, else the newest one."""
    with opened() as installation, installation.store.read() as session:
        _game(session, game_id)
        chosen = _newest_letter(session, game_id, seat)
        if chosen is None:
            raise click.ClickException(f"there is no letter to seat {seat} of game {game_id}")
        sys.stdout.buffer.write(mime_of(session, installation.site, chosen))


ASKING = ("your-turn", "choose-pet", "end-phase", "rollback")


def _newest_letter(session: Session, game_id: int, seat: int) -> Letter | None:
    letters = select(Letter).where(Letter.game_id == game_id, Letter.seat == seat)
    newest = col(Letter.id).desc()
    asking = letters.where(col(Letter.kind).in_(ASKING), Letter.state != "replaced")
    return (
        session.exec(asking.order_by(newest).limit(1)).first()
        or session.exec(letters.order_by(newest).limit(1)).first()
    )


@click.command("export")
@click.option("--game", "game_id", type=NUMBER, required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Else: printed.")
def export_game(game_id: int, out: Path | None) -> None:
    """Write a game as ark-record.  While it runs, the record holds everybody's secrets."""
    with opened() as installation, installation.store.read() as session:
        game = _game(session, game_id)
        if game.setup is None:
            raise click.ClickException(f"game {game_id} has not begun; nothing to record yet")
        text = records.dump(records.record_of(session, game))
    if game.status != "over":
        click.echo("This game is not over: its record holds secrets; keep it safe.", err=True)
    if out is None:
        click.echo(text, nl=False)
    else:
        try:
            out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{out} cannot be written: {error.strerror}") from None


def _game(session: Session, game_id: int) -> Game:
    game = session.get(Game, game_id)
    if game is None:
        raise click.ClickException(f"there is no game {game_id}")
    return game
