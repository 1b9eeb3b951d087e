"""Letting go of what has been kept long enough, from the command line."""

import click
from sqlalchemy import text

from pbem.cli.opening import opened
from pbem.clock.erasing import erase_due
from pbem.clock.retention import retain
from pbem.desk.people import address_fault
from pbem.installation import Installation
from pbem.store import Blocked
from pbem.store.tokens import blocked_digest


@click.command()
@click.option("--compact", is_flag=True, help="Write the database file anew, without gaps.")
def tidy(compact: bool) -> None:
    """Let go of old raw mails and of people to be forgotten, as the server does hourly.

    --compact gives the space back to the disk, and leaves no remains of what was erased in
    the file.  The server may run on meanwhile; mails wait at the door until it is done."""
    with opened() as installation:
        forgotten, gone = erase_due(installation), retain(installation)
        if compact:
            _compact(installation)
    click.echo(f"People forgotten: {forgotten}.  Rows let go or emptied: {gone}.")


@click.command()
@click.argument("address")
def welcome(address: str) -> None:
    """Take back the "never again" of an ADDRESS whose owner asks for it."""
    with opened() as installation:
        fault = address_fault(address, installation.settings.mail.domain)
        if fault is not None:
            raise click.ClickException(fault)
        with installation.store.work() as session:
            row = session.get(Blocked, blocked_digest(installation.keys, address))
            if row is None:
                raise click.ClickException(f"{address} has not written never again")
            session.delete(row)
    click.echo(f"{address} can be invited again.")


def _compact(installation: Installation) -> None:
    """SQLite writes the whole file anew and empties its log; other databases do so
    themselves."""
    if not installation.store.is_sqlite:
        return
    with installation.store.engine.connect() as connection:
        connection.execute(text("VACUUM"))
        connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
