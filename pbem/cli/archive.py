"""The archive from the command line: bring games in, take them out, build it anew, and play
all of them through the rules again."""

from pathlib import Path

import click

from engine.record import RecordError
from pbem.app import create_app
from pbem.archive import exporting, filing, importing, verifying
from pbem.cli.opening import opened
from pbem.translation import LANGUAGES
from pbem.web.archive.site import build as build_site

PATH = click.Path(path_type=Path)


@click.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
def import_games(path: Path) -> None:
    """Bring finished games into the archive, each checked move by move.

    PATH is a record (.ark.json), a file of many (.jsonl), or a folder or zip of such files.
    A file is brought in whole or not at all; a game that is there already is refused."""
    done, refused = 0, list[str]()
    with opened() as installation:
        now = installation.clock()
        filing.file_all(installation.store)  # so that games that are there are known again
        try:
            for where, text in importing.records_in(path):
                try:
                    with installation.store.work() as session:
                        numbers = importing.import_records(session, text, now)
                except (RecordError, importing.ImportFault) as error:
                    refused.append(f"{where}: {error}")
                    continue
                for number in numbers:
                    click.echo(number)
                done += len(numbers)
        except importing.ImportFault as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(f"{path} cannot be read: {error.strerror}") from None
    if not done and not refused:
        raise click.ClickException(f"there is no record in {path}")
    if len(refused) == 1 and not done:
        raise click.ClickException(refused[0])
    if refused:
        click.echo("\n".join(refused), err=True)
        raise click.ClickException(f"brought in: {done}, refused: {len(refused)}")


@click.group()
def archive() -> None:
    """The archive of finished games: take it out, build it anew, make a site of it."""


@archive.command()
def rebuild() -> None:
    """Work out lists, statistics and ratings anew from the games themselves."""
    with opened() as installation:
        count = filing.rebuild(installation.store)
    click.echo(f"The archive was built anew from {count} {_games(count)}.")


@archive.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export(file: Path) -> None:
    """Write the records of all public games into FILE: JSON lines, or a .zip."""
    with opened() as installation:
        filing.file_all(installation.store)
        try:
            count = exporting.export(installation.store, file)
        except OSError as error:
            raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"{count} {'game' if count == 1 else 'games'} written to {file}.")


@archive.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--language", type=click.Choice(list(LANGUAGES)), default="en", show_default=True)
def build(folder: Path, language: str) -> None:
    """Make a site of the public games in FOLDER: pages that open from the disk, with a replay
    and the record of every game.  `import FOLDER` brings it into another installation."""
    with opened() as installation:
        filing.file_all(installation.store)
        try:
            count = build_site(create_app(installation), installation.store, folder, language)
        except OSError as error:
            raise click.ClickException(f"{folder} cannot be written: {error.strerror}") from None
    click.echo(f"{count} {_games(count)} in {folder / 'index.html'}.")


@click.command("replay-all")
def replay_all() -> None:
    """Replay every game, finished or running, by the rules of this version, and name the
    first turn at which one parts from what was stored.  Do this before an upgrade."""
    count = faults = 0
    with opened() as installation:
        for one in verifying.replay_all(installation.store):
            count += 1
            if one.fault is not None:
                faults += 1
                click.echo(f"game {one.game_id} ({one.status}): {one.fault}")
    click.echo(f"{count} {_games(count)} replayed, {faults} of them part from what was stored.")
    if faults:
        raise SystemExit(1)


def _games(count: int) -> str:
    return "game" if count == 1 else "games"
