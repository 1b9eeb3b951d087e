"""`worker`: more hands for an installation on more than one machine."""

from contextlib import ExitStack

import click
from sqlalchemy.exc import SQLAlchemyError

from pbem import logs
from pbem.cli.ending import told_to_end
from pbem.cli.opening import unanswered
from pbem.installation import open_installation
from pbem.intake.readers import read_soon
from pbem.settings import SettingsError, load_settings
from pbem.store import migrate


@click.command()
def worker() -> None:
    """Read mail, deliver letters, let bots and the clock work, beside others that do (PostgreSQL).

    It listens nowhere: mail and pages come in by `run`, or a WSGI server."""
    settings = load_settings()
    logs.configure(settings.log_level, settings.log_format)
    with ExitStack() as stack:
        end = told_to_end(stack)
        installation = open_installation(settings)
        stack.callback(installation.close)
        if installation.store.is_sqlite:
            raise SettingsError(
                "setting database: workers need PostgreSQL; with SQLite one `run` does everything"
            )
        from pbem.jobs.distributed import Worker  # what it needs comes with PostgreSQL only

        try:
            migrate.upgrade(installation.store)
            read_soon()
            hands = Worker(installation)
            hands.start()
        except SQLAlchemyError as error:
            raise click.ClickException(unanswered(error)) from None
        stack.callback(hands.stop)
        click.echo("At work.")
        end.recv(1)
        click.echo("Stopping …")
