"""Upkeep: create or migrate the database, back up, restore, look after health."""

import sqlite3
import tarfile
import tempfile
from pathlib import Path

import click

from pbem.cli.checks import checks
from pbem.cli.findings import bounded
from pbem.cli.opening import opened
from pbem.jobs.embedded import AlreadyRunning, Lock
from pbem.settings import load_settings
from pbem.store import migrate

DATABASE = "ark.sqlite"
KEPT = ("key", "settings.toml", "decks", "mail_templates")


@click.command()
def upgrade() -> None:
    """Create the database, or bring it to this version."""
    with opened(upgraded=False) as installation:
        before, now = migrate.upgrade(installation.store)
    if before == now:
        click.echo(f"The database is at revision {now}: nothing to do.")
    elif before is None:
        click.echo(f"The database was created, at revision {now}.")
    else:
        click.echo(f"The database went from revision {before} to {now}.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Write key, settings and a consistent copy of the database into FILE (.tar.gz).

    The server may run on meanwhile.  The file holds everybody's secrets."""
    if file.exists():
        raise click.ClickException(f"{file} exists already; name another file")
    if not file.absolute().parent.is_dir():
        raise click.ClickException(f"there is no folder {file.absolute().parent}")
    with opened() as installation:
        settings = installation.settings
        if not installation.store.is_sqlite:
            raise click.ClickException(
                "the database is not SQLite; back it up with its own tools (pg_dump), "
                f"and keep {settings.instance / 'key'} beside it"
            )
        part = file.with_name(file.name + ".part")
        try:
            with tempfile.TemporaryDirectory(dir=settings.instance) as folder:
                copy = Path(folder) / DATABASE
                _copy_database(str(installation.store.engine.url.database), copy)
                _pack(part, copy, settings.instance)
            part.rename(file)
        finally:
            part.unlink(missing_ok=True)  # half a backup holds secrets, too
    click.echo(f"Backed up to {file}.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Unpack a backup into an instance folder that has no database yet."""
    settings = load_settings()
    folder = settings.instance
    folder.mkdir(parents=True, exist_ok=True)
    lock = Lock(folder)
    try:
        lock.acquire()
        _check_empty(folder)
        with tarfile.open(file) as archive:
            _check_members(archive)
            archive.extractall(folder, filter="data")
    except AlreadyRunning as error:
        raise click.ClickException(str(error)) from None
    except (tarfile.TarError, EOFError, OSError) as error:
        raise click.ClickException(f"{file} cannot be restored: {error}") from None
    finally:
        lock.release()
    with opened():
        pass  # brings an older backup's database to this version
    click.echo(f"Restored into {folder}.")


@click.command()
def doctor() -> None:
    """Check settings, database, pages, and every way in by sending the server a mail."""
    settings = load_settings()
    database = settings.instance / DATABASE
    if not settings.database and not database.exists():
        raise click.ClickException("there is no database yet: run `python -m pbem upgrade`")
    failed = 0
    with opened(upgraded=False) as installation:
        for name, check in checks(settings).items():
            finding = bounded(check, name, installation)
            click.echo(f"{'ok  ' if finding.ok else 'FAIL'} {finding.what}: {finding.text}")
            failed += not finding.ok
    if failed:
        raise SystemExit(1)


def _pack(part: Path, copy: Path, instance: Path) -> None:
    """Write the file of a backup; nobody but its owner may read it."""
    part.touch(mode=0o600)
    with tarfile.open(part, "w:gz") as archive:
        archive.add(copy, DATABASE)
        for name in KEPT:
            if (instance / name).exists():
                archive.add(instance / name, name)


def _copy_database(source: str, target: Path) -> None:
    """A consistent copy, taken while others go on writing (SQLite's backup)."""
    here, there = sqlite3.connect(source), sqlite3.connect(target)
    try:
        here.backup(there)
    finally:
        here.close()
        there.close()


def _check_empty(folder: Path) -> None:
    for name in (DATABASE, "key"):
        if (folder / name).exists():
            raise click.ClickException(
                f"{folder / name} exists; restore into an empty instance folder (ARK_INSTANCE)"
            )


def _check_members(archive: tarfile.TarFile) -> None:
    names = archive.getnames()
    if DATABASE not in names or "key" not in names:
        raise tarfile.TarError("it is not a backup of Ark by mail")
    for name in names:
        if Path(name).parts[0] not in (DATABASE, *KEPT):
            raise tarfile.TarError(f"it holds {name!r}, which no backup holds")
