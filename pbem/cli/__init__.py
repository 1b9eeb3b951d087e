"""`python -m pbem …`: the operator's way in."""

import logging
import sys

import click

from pbem import __version__
from pbem.cli.deliver import deliver
from pbem.cli.explain import explain
from pbem.cli.games import export_game, import_game, letter, new_game
from pbem.cli.run import run
from pbem.cli.upkeep import backup, doctor, restore, upgrade
from pbem.settings import SettingsError


class _Commands(click.Group):
    """Troubles an operator can mend are one line, never a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except SettingsError as error:
            click.echo(f"ark: {error}", err=True)
            sys.exit(2)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ark by mail")
def main() -> None:
    """Ark by mail: a play-by-email turn server for the card game Ark.

    The instance folder is ./instance, or what ARK_INSTANCE names.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


for command in (
    run, new_game, deliver, explain, letter, export_game, import_game,
    backup, restore, upgrade, doctor,
):  # fmt: skip
    main.add_command(command)
