"""`pace`, `more-time`, `more-absence`: a moderator's hand on one table's clock."""

import click

from pbem.cli.acting import acted, done
from pbem.cli.arguments import NUMBER, REASON, SEAT, read_control
from pbem.cli.opening import opened
from pbem.moderation import Target


@click.command()
@click.option("--game", "game_id", type=NUMBER, required=True)
@click.argument("control", callback=read_control)
@REASON
def pace(game_id: int, control: str, reason: str) -> None:
    """Let a table play by another time control: 48h; 'bank 5d + 8h cap 10d';
    'daily 20:00 Asia/Hong_Kong mon-fri'; none."""
    with opened() as installation:
        done(acted(installation, "pace", Target(game_id), reason, control=control))
    click.echo(control)


@click.command("more-time")
@click.option("--game", "game_id", type=NUMBER, required=True)
@click.option("--seat", type=SEAT, required=True)
@click.argument("span")
@REASON
def more_time(game_id: int, seat: int, span: str, reason: str) -> None:
    """Give a seat more time for the turn the table waits for: 24h, 3d, "2 days"."""
    with opened() as installation:
        outcome = acted(installation, "more-time", Target(game_id, seat), reason, span=span)
    for sentence in done(outcome).sentences:
        click.echo(sentence)
    for change in outcome.changes:
        click.echo(f"{change.what}: {change.before} → {change.after}")


@click.command("more-absence")
@click.option("--game", "game_id", type=NUMBER, required=True)
@click.option("--seat", type=SEAT, required=True)
@click.argument("days", type=click.IntRange(1, 366))
@REASON
def more_absence(game_id: int, seat: int, days: int, reason: str) -> None:
    """Give a player more days of absence than the game's budget."""
    with opened() as installation:
        outcome = acted(installation, "more-absence", Target(game_id, seat), reason, days=str(days))
    click.echo(done(outcome).sentences[0])
