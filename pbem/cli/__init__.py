"""`python -m pbem …`: the operator's way in."""

import os
import sys
from importlib import import_module

import click

from pbem import __version__, logs
from pbem.settings import SettingsError

COMMANDS = {
    "run": "run:run",
    "worker": "worker:worker",
    "new-game": "games:new_game",
    "deliver": "deliver:deliver",
    "explain": "explain:explain",
    "letter": "games:letter",
    "export": "games:export_game",
    "import": "archive:import_games",
    "archive": "archive:archive",
    "replay-all": "archive:replay_all",
    "backup": "upkeep:backup",
    "restore": "upkeep:restore",
    "upgrade": "upkeep:upgrade",
    "doctor": "upkeep:doctor",
    "clock": "clock:clock",
    "act": "acting:act",
    "game": "game:game",
    "pace": "pace:pace",
    "more-time": "pace:more_time",
    "more-absence": "pace:more_absence",
    "moderator": "moderator:moderator",
    "mail": "mailroom:mail",
    "tidy": "tidy:tidy",
    "welcome": "tidy:welcome",
}
"""Where each command lives.  Only the one that is asked for is imported: an MTA starts
`deliver` once a mail."""


class _Commands(click.Group):
    """Troubles an operator can mend are one line, never a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command = getattr(import_module(f"pbem.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command

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
    os.umask(0o077)  # the database holds hands and mail: its owner's business alone
    logs.configure("WARNING")
