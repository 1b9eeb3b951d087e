"""`game …`: look after one table from the command line."""

import click
from sqlmodel import Session

from pbem.cli.games import GAME, SEAT
from pbem.cli.opening import opened
from pbem.desk import ending, failing, pausing
from pbem.desk.deciding import DECISIONS, decide
from pbem.store import Game
from pbem.store.audit import Actor, note
from pbem.store.log import Author

AUTHOR = Author("cli")


@click.group()
def game() -> None:
    """Look after one table: stop its clocks, end it, decide on a seat, let it go on."""


def _game(session: Session, game_id: int) -> Game:
    found = session.get(Game, game_id, with_for_update=True)
    if found is None:
        raise click.ClickException(f"there is no game {game_id}")
    return found


@game.command("resume")
@click.argument("game_id", type=GAME)
def resume_game(game_id: int) -> None:
    """Let a halted or paused table go on; the time in between is nobody's."""
    with opened() as installation, installation.store.work() as session:
        table, now = _game(session, game_id), installation.clock()
        try:
            mended = failing.resume(session, installation.site, now, AUTHOR, table)
        except Exception as error:
            raise click.ClickException(
                f"game {game_id} is not mended yet: {type(error).__name__}: {error}"
            ) from error
        if not mended and not pausing.resume(session, installation.site, now, AUTHOR, table):
            raise click.ClickException(f"game {game_id} is neither halted nor paused")
        note(session, now, Actor("cli"), "resume", game_id=game_id)
    click.echo(f"game {game_id} goes on")


@game.command("pause")
@click.argument("game_id", type=GAME)
def pause_game(game_id: int) -> None:
    """Stop the clocks of a table until somebody lets them run."""
    with opened() as installation, installation.store.work() as session:
        table, now = _game(session, game_id), installation.clock()
        if not pausing.pause(session, installation.site, now, AUTHOR, table, "moderator"):
            raise click.ClickException(f"game {game_id} is not running, or stands still already")
        note(session, now, Actor("cli"), "pause", game_id=game_id)
    click.echo(f"the clocks of game {game_id} stand still")


@game.command("end")
@click.argument("game_id", type=GAME)
@click.option("--yes", is_flag=True, help="Really; it cannot be taken back.")
def end_game(game_id: int, yes: bool) -> None:
    """End a running game before its last turn; nobody wins."""
    if not yes:
        raise click.ClickException("this cannot be taken back; say it again with --yes")
    with opened() as installation, installation.store.work() as session:
        table, now = _game(session, game_id), installation.clock()
        if not ending.end(session, installation.site, now, AUTHOR, table, "moderator"):
            raise click.ClickException(f"game {game_id} is not running")
        note(session, now, Actor("cli"), "end", game_id=game_id)
    click.echo(f"game {game_id} has ended")


@game.command("seat")
@click.argument("game_id", type=GAME)
@click.argument("seat", type=SEAT)
@click.argument("decision", type=click.Choice(DECISIONS))
def decide_seat(game_id: int, seat: int, decision: str) -> None:
    """Decide on a seat that is offered: wait for its holder, ask the substitutes, a bot."""
    with opened() as installation, installation.store.work() as session:
        table, now = _game(session, game_id), installation.clock()
        if not decide(session, installation.site, now, AUTHOR, table, seat, decision):
            raise click.ClickException(f"seat {seat} of game {game_id} is not offered")
        note(session, now, Actor("cli"), f"seat {decision}", game_id=game_id, seat=seat)
    click.echo(f"seat {seat} of game {game_id}: {decision}")
