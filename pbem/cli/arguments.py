"""What several commands take: numbers of games and seats, a time control, a reason."""

import click

from pbem.store.audit import UNGIVEN
from pbem.store.rows import GREATEST_NUMBER
from pbem.timing import ControlError, parse_control, print_control

NUMBER = click.IntRange(1, GREATEST_NUMBER)
"""Of a game, a person, a mail or a letter."""
SEAT = click.IntRange(0, 4)
REASON = click.option("--reason", default=UNGIVEN, help="Why; the people concerned read it.")


def read_control(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """A callback: the time control that was written, as it is printed."""
    try:
        return None if value is None else print_control(parse_control(value))
    except ControlError:
        raise click.BadParameter("is no time control; see the help for examples") from None
