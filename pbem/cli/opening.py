"""Opening the installation for a command."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlalchemy.exc import SQLAlchemyError

from pbem.cli.listening import as_it_listens
from pbem.installation import Installation, open_installation
from pbem.settings import load_settings
from pbem.store import migrate


@contextmanager
def opened(upgraded: bool = True) -> Iterator[Installation]:
    """The installation, its database created or brought up to date, with the addresses of the
    server that runs on it; trouble with the database is one clear line."""
    settings = as_it_listens(load_settings())
    try:
        installation = open_installation(settings)
    except OSError as error:
        raise click.ClickException(f"the instance folder cannot be used: {error}") from None
    try:
        if upgraded:
            migrate.upgrade(installation.store)
        yield installation
    except SQLAlchemyError as error:
        raise click.ClickException(unanswered(error)) from None
    finally:
        installation.close()


def unanswered(error: SQLAlchemyError) -> str:
    """What the operator is told when the database fails."""
    return f"the database does not answer: {first_line(error)}"


def first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
