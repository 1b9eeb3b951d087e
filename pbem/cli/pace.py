"""`pace`, `more-time`, `more-absence`: a moderator's hand on one table's clock."""

from datetime import datetime, timedelta

import click
from sqlmodel import Session

from pbem.cli.games import GAME, SEAT
from pbem.cli.opening import opened
from pbem.desk import absences
from pbem.desk.pace import change_control, give_time
from pbem.store import Audit, Game
from pbem.store.log import Author
from pbem.timing import ControlError, parse_control, print_control
from pbem.timing.durations import read_short

CLI = Author("cli")


@click.command()
@click.option("--game", "game_id", type=GAME, required=True)
@click.argument("control")
def pace(game_id: int, control: str) -> None:
    """Let a table play by another time control: 48h; 'bank 5d + 8h cap 10d';
    'daily 20:00 Asia/Hong_Kong mon-fri'; none."""
    try:
        wanted = parse_control(control)
    except ControlError:
        raise click.BadParameter("is no time control; see the help for examples") from None
    with opened() as installation, installation.store.work() as session:
        game, now = _running(session, game_id), installation.clock()
        if not change_control(session, installation.site, now, CLI, game, wanted):
            raise click.ClickException("the table plays by that already")
        session.add(_audit(game, "pace", now, control=print_control(wanted)))
    click.echo(print_control(wanted))


@click.command("more-time")
@click.option("--game", "game_id", type=GAME, required=True)
@click.option("--seat", type=SEAT, required=True)
@click.argument("span")
def more_time(game_id: int, seat: int, span: str) -> None:
    """Give a seat more time for the turn the table waits for: 24h, 3d."""
    seconds = read_short(span)
    if seconds is None:
        raise click.BadParameter("is no length of time such as 24h or 3d")
    with opened() as installation, installation.store.work() as session:
        game, now = _running(session, game_id), installation.clock()
        if not give_time(session, now, CLI, game, seat, timedelta(seconds=seconds)):
            raise click.ClickException(f"no deadline runs for seat {seat} of game {game_id}")
        session.add(_audit(game, "more-time", now, seat, span=span))
    click.echo("done")


@click.command("more-absence")
@click.option("--game", "game_id", type=GAME, required=True)
@click.option("--seat", type=SEAT, required=True)
@click.argument("days", type=click.IntRange(1, 366))
def more_absence(game_id: int, seat: int, days: int) -> None:
    """Give a player more days of absence than the game's budget."""
    with opened() as installation, installation.store.work() as session:
        game, now = _running(session, game_id), installation.clock()
        if seat >= game.players:
            raise click.ClickException(f"game {game_id} has no seat {seat}")
        total = absences.grant_days(session, installation.site, now, CLI, game, seat, days)
        session.add(_audit(game, "more-absence", now, seat, days=days))
    click.echo(f"{total} days in all")


def _running(session: Session, game_id: int) -> Game:
    game = session.get(Game, game_id)
    if game is None or game.status != "running":
        raise click.ClickException(f"there is no running game {game_id}")
    return game


def _audit(
    game: Game, action: str, now: datetime, seat: int | None = None, **details: object
) -> Audit:
    return Audit(at=now, channel="cli", action=action, game_id=game.id, seat=seat, details=details)
