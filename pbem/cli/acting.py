"""`act`: every action of moderators from the command line, by the same registry."""

from dataclasses import replace
from pathlib import Path

import click

from pbem.cli.arguments import NUMBER, SEAT
from pbem.cli.opening import opened
from pbem.installation import Installation
from pbem.moderation import FAMILIES, Outcome, Target, carry_out, going_on, prepare
from pbem.store.audit import UNGIVEN, Actor

Pairs = tuple[tuple[str, str], ...]


def acted(
    installation: Installation, name: str, target: Target, reason: str = UNGIVEN,
    **given: str,
) -> Outcome:  # fmt: skip
    """Do an action at once; the outcome says why not."""
    actor = Actor("cli", reason=reason)
    shown = prepare(installation, actor, None, name, target, given)
    if not shown.ok:
        return shown
    return carry_out(installation, actor, None, name, target, given, shown.key)


def done(outcome: Outcome) -> Outcome:
    """An outcome that is one; else one clear line."""
    if not outcome.ok:
        raise click.ClickException(outcome.sentence)
    return outcome


def _pair(_ctx: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> Pairs:
    pairs = []
    for value in values:
        name, sign, rest = value.partition("=")
        if not sign:
            raise click.BadParameter(f"{value!r} is not NAME=VALUE")
        pairs.append((name, rest))
    return tuple(pairs)


@click.command()
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="All actions, and what each needs.")
@click.option("--game", type=NUMBER, help="What it is done to, as --list says.")
@click.option("--seat", type=SEAT, help="Counted from 0, in the order of play.")
@click.option("--person", type=NUMBER)
@click.option("--mail", type=NUMBER)
@click.option("--letter", type=NUMBER)
@click.option(
    "--set", "values", multiple=True, callback=_pair, metavar="NAME=VALUE",
    help="What the action asks for, such as span=24h; once for each.",
)  # fmt: skip
@click.option(
    "--file", "files", multiple=True, callback=_pair, metavar="NAME=FILE",
    help="The same, read from a file.",
)  # fmt: skip
@click.option("--reason", default="", help="Why; the people concerned read it.")
@click.option("--yes", is_flag=True, help="Do it; without, what would happen is shown.")
def act(
    name: str | None, listed: bool, game: int | None, seat: int | None, person: int | None,
    mail: int | None, letter: int | None, values: Pairs, files: Pairs, reason: str, yes: bool,
) -> None:  # fmt: skip
    """Show what an action of moderators would do; with --yes do it.

    NAME is one of --list, which is also shown without it."""
    if listed or name is None:
        _list()
        return
    target = Target(game, seat, person, mail, letter)
    given = dict(values) | {key: _read(path) for key, path in files}
    with opened() as installation:
        actor = Actor("cli", reason=reason or UNGIVEN)
        shown = done(prepare(installation, actor, None, name, target, given))
        if yes:
            shown = done(carry_out(installation, actor, None, name, target, given, shown.key))
            shown = _to_its_end(installation, shown)
    _tell(shown, yes)


def _to_its_end(installation: Installation, outcome: Outcome) -> Outcome:
    """Go on with what is done to many, if it is that, and say to how many it was done."""
    if not outcome.left:
        return outcome
    going_on.go_on(installation)
    with installation.store.read() as session:
        found = going_on.progress_of(session, [outcome.audit_id])
    said = tuple(f"Done: {one}." for one in found.values())
    return replace(outcome, sentences=outcome.sentences + said, warnings=())


def _list() -> None:
    for title, family in FAMILIES:
        click.echo(title)
        for action in family:
            needs = [f"--{action.scope}"] if action.scope not in ("server", "selection") else []
            needs = ["--game", "--seat"] if action.scope == "seat" else needs
            sets = [
                f"--{'file' if one.kind == 'file' else 'set'} {one.name}=…"
                for one in action.parameters
            ]
            click.echo(f"  {' '.join([action.name, *needs, *sets])}")
            click.echo(f"      {action.says}")


def _tell(outcome: Outcome, done_now: bool) -> None:
    click.echo("done:" if done_now else "this would happen (--yes does it):")
    for sentence in (*outcome.sentences, *outcome.warnings):
        click.echo(f"  {sentence}")
    for change in outcome.changes:
        click.echo(f"  {change.what}: {change.before} → {change.after}")
    for kind, number in outcome.letters:
        click.echo(f"  letter: {kind}" + ("" if number is None else f" to person {number}"))


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{path} cannot be read: {error}") from None
