"""`clock`: look at it, stop all deadlines, let them run, believe the machine's clock."""

import click

from pbem.cli.acting import acted, done
from pbem.cli.listening import serves
from pbem.cli.opening import opened
from pbem.clock import confirm, is_stopped, late, read_steady
from pbem.installation import Installation
from pbem.moderation import Target
from pbem.store import Heartbeat

ACTIONS = ("status", "stop", "start", "confirm")


@click.command()
@click.argument("action", type=click.Choice(ACTIONS), default="status")
def clock(action: str) -> None:
    """Stop all deadlines (stop, start), or believe the machine's clock after a jump (confirm).

    What passes between stop and start is credited to every player; a running server
    follows within seconds."""
    with opened() as installation:
        now = installation.clock()
        if action == "status":
            with installation.store.read() as session:
                beat, found = session.get(Heartbeat, 1), late(session, now)
                stopped = is_stopped(session)
            click.echo("stopped" if stopped else "running")
            if not serves(installation.settings):
                click.echo("no server runs on this instance folder: nothing is done until one does")
            if beat is not None and beat.loop_back_at is not None:
                click.echo(f"last loop mail back: {beat.loop_back_at:%Y-%m-%d %H:%M:%S} UTC")
            click.echo(
                f"last beat: {'never' if beat is None else f'{beat.at:%Y-%m-%d %H:%M:%S} UTC'}"
            )
            for one in found:
                click.echo(f"late: {one}")
            return
        if action == "confirm":
            with installation.store.work() as session:
                trusted = confirm(session, now, read_steady())
            said = "believed from now on" if trusted else "the clock was not doubted"
        else:
            said = _switch(installation, action)
    click.echo(said)


def _switch(installation: Installation, action: str) -> str:
    """The panic switch, one way or the other."""
    outcome = acted(installation, f"{action}-all", Target())
    state = "stopped" if action == "stop" else "running"
    if outcome.code == "not-now":
        return f"it was {state} already"
    done(outcome)
    return state
