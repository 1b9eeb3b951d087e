"""`deliver`: a mail on standard input, handed over by an MTA's pipe.

The exit status tells the MTA what to do (sysexits.h): 0 the mail is committed to the
inbox; 67 there is no such address; 65 the mail is too large; 75 anything that is our own
trouble, so that the MTA keeps the mail and tries again.
"""

import logging
import sys

import click

from pbem.installation import Installation, open_installation
from pbem.intake.arrival import Arrival, store_mail
from pbem.intake.recipients import recipient
from pbem.settings import load_settings

log = logging.getLogger(__name__)

EX_OK, EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 0, 65, 67, 75


@click.command()
@click.option("--sender", default="", help="The envelope's sender; empty: the null return path.")
@click.option(
    "--recipient", "recipients", multiple=True, help="The envelope's recipient; may be repeated."
)
def deliver(sender: str, recipients: tuple[str, ...]) -> None:
    """Take one mail from standard input into the inbox (for an MTA's pipe)."""
    try:
        status = _deliver(sender.strip("<>"), recipients)
    except Exception as error:  # noqa: BLE001 - whatever it was, the mail stays with the MTA
        log.error("4.3.0 not now, please try again later (%s: %s)", type(error).__name__, error)
        status = EX_TEMPFAIL
    sys.exit(status)


def _deliver(sender: str, recipients: tuple[str, ...]) -> int:
    installation = open_installation(load_settings())
    try:
        raw = sys.stdin.buffer.read(installation.settings.mail.max_bytes + 1)
        if len(raw) > installation.settings.mail.max_bytes:
            click.echo("5.3.4 this mail is too large for this server", err=True)
            return EX_DATAERR
        if recipients and not _any_known(installation, recipients):
            click.echo(f"5.1.1 no such address here: {recipients[0]}", err=True)
            return EX_NOUSER
        with installation.store.work() as session:
            store_mail(session, installation.clock(), Arrival(raw, sender, recipients, "pipe"))
        return EX_OK
    finally:
        installation.close()


def _any_known(installation: Installation, recipients: tuple[str, ...]) -> bool:
    settings, keys = installation.settings, installation.keys
    with installation.store.read() as session:
        return any(recipient(session, settings, keys, one) is not None for one in recipients)
