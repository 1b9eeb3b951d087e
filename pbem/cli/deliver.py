"""`deliver`: a mail on standard input, handed over by an MTA's pipe.

The exit status tells the MTA what to do (sysexits.h): 0 the mail is committed to the
inbox; 67 there is no such address; 65 the mail is too large; 75 anything that is our own
trouble, so that the MTA keeps the mail and tries again.
"""

import logging
import sys
from datetime import UTC, datetime

import click

from pbem.intake.arrival import Arrival, null_or, store_mail
from pbem.intake.recipients import recipient
from pbem.settings import load_settings
from pbem.store import Store
from pbem.store.tokens import Keys

log = logging.getLogger(__name__)

EX_OK, EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 0, 65, 67, 75


@click.command()
@click.option("--sender", help="The envelope's sender; empty: the null return path.")
@click.option(
    "--recipient", "recipients", multiple=True, help="The envelope's recipient; may be repeated."
)
def deliver(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Take one mail from standard input into the inbox (for an MTA's pipe)."""
    try:
        status = _deliver(null_or(sender), recipients)
    except Exception as error:  # noqa: BLE001 - whatever it was, the mail stays with the MTA
        log.error("4.3.0 not now, please try again later (%s: %s)", type(error).__name__, error)
        status = EX_TEMPFAIL
    sys.exit(status)


def _deliver(sender: str, recipients: tuple[str, ...]) -> int:
    settings = load_settings()
    if not settings.mail.pipe:
        click.echo("4.3.2 the pipe is switched off (setting mail.pipe)", err=True)
        return EX_TEMPFAIL
    raw = sys.stdin.buffer.read(settings.mail.max_bytes + 1)
    if len(raw) > settings.mail.max_bytes:
        click.echo("5.3.4 this mail is too large for this server", err=True)
        return EX_DATAERR
    keys, store = Keys.of_instance(settings.instance), Store(settings.database_url)
    try:
        with store.work() as session:
            known = (recipient(session, settings, keys, one) for one in recipients)
            if recipients and not any(known):
                click.echo(f"5.1.1 no such address here: {recipients[0]}", err=True)
                return EX_NOUSER
            arrival = Arrival(raw, sender, recipients, "pipe")
            store_mail(session, datetime.now(UTC), arrival)
        return EX_OK
    finally:
        store.close()
