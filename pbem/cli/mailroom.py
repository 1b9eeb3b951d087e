"""`mail`: the mail room for whoever has the command line only."""

import sys
from collections.abc import Iterator
from dataclasses import replace

import click

from pbem.cli.arguments import NUMBER, SEAT
from pbem.cli.opening import opened
from pbem.intake import again
from pbem.intake.again import Redone
from pbem.letters.answered import answered
from pbem.letters.plain import clean
from pbem.moderation.lists import PAGE
from pbem.moderation.lists.mails import STATES, WAITING, MailRow, WantedMails, counts, mails
from pbem.moderation.running import MOST_REASON
from pbem.store import Mail
from pbem.store.audit import Actor, note
from pbem.store.roles import Powers
from pbem.web.inert import inert, inert_line, masked
from pbem.web.receipts import Receipt, ReceiptLine, lines_of, receipt

ALL = Powers(person_id=0, owner=True, everywhere=True, games=frozenset())
"""Whoever has the command line of the server has all of it."""
_why = click.option("--reason", required=True, help="Kept in the audit.")
_yes = click.option("--yes", is_flag=True, help="Do it; without, it is only shown.")


@click.group()
def mail() -> None:
    """Look into the inbox, and take mails up again."""


@mail.command("list")
@click.option("--state", type=click.Choice(STATES), help="Else: held and quarantined.")
@click.option("--all", "everything", is_flag=True, help="Mails of every state.")
@click.option("--sender", default="", help="An address.")
@click.option("--game", "game_id", type=NUMBER)
@click.option("--message-id", default="")
@click.option("--before", type=NUMBER, help="Go on behind this number.")
def list_(
    state: str | None, everything: bool, sender: str, game_id: int | None,
    message_id: str, before: int | None,
) -> None:  # fmt: skip
    """The newest mails, one a line."""
    wanted = WantedMails(
        state=state or "", sender=sender, game_id=game_id, message_id=message_id, before=before
    )
    states = WAITING if state is None and not everything and not wanted.searches else ("",)
    with opened() as installation, installation.store.read() as session:
        for one in states:
            found = mails(session, ALL, wanted if not one else _in_state(wanted, one))
            for row in found[:PAGE]:
                click.echo(_listed(row))
            if len(found) > PAGE:
                click.echo(f"… more: --before {found[PAGE - 1].id}")
        told = ", ".join(f"{count} {name}" for name, count in counts(session, ALL).items() if count)
    click.echo(f"In all: {told or 'no mail'}.", err=True)


def _in_state(wanted: WantedMails, state: str) -> WantedMails:
    return replace(wanted, state=state)


def _listed(row: MailRow) -> str:
    where = "" if row.game_id is None else f" game {row.game_id}"
    where += "" if row.seat is None else f" seat {row.seat}"
    why = f" ({inert_line(row.error, 80)})" if row.error and row.state != "done" else ""
    sender = inert_line(row.sender or row.envelope_from, 60) or "nobody"
    at = row.received_at.strftime("%Y-%m-%d %H:%M")
    return f"{row.id} {at} {row.state}{why} {sender}{where}: {inert_line(row.subject or '', 60)}"


@mail.command()
@click.argument("number", type=NUMBER)
def show(number: int) -> None:
    """The receipt of a mail: how it came, how it was read, what it caused."""
    with opened() as installation, installation.store.read() as session:
        row = session.get(Mail, number)
        if row is None:
            raise click.ClickException(f"there is no mail {number}")
        for line in _told(receipt(session, row, None)):
            click.echo(line)


def _told(shown: Receipt) -> Iterator[str]:
    why = f" ({inert_line(shown.reason)})" if shown.reason else ""
    yield f"Mail {shown.id}: {shown.state}{why}"
    yield f"Came: {shown.received_at:%Y-%m-%d %H:%M} UTC. {shown.came_by}."
    to = ", ".join(inert_line(masked(one)) for one in shown.envelope_to)
    yield f"Envelope: {inert_line(shown.envelope_from) or '<>'} to {to}"
    yield f"From: {inert_line(shown.sender)}"
    yield f"Subject: {inert_line(shown.subject)}"
    yield f"Message-ID: {inert_line(shown.message_id)}"
    yield f"Identified: {shown.identified}{f' {shown.person}.' if shown.person else ''}"
    if shown.game:
        yield f"Table: {shown.game} (game {shown.game_id}, seat {shown.seat})"
    yield f"Taken for: {shown.kind}"
    yield from (f"Part: {inert_line(part)}" for part in shown.parts)
    yield from (f"Cut: {cut}" for cut in shown.cuts)
    yield "Read:"
    yield from (f"    {line}" for line in inert(masked(shown.text)).split("\n"))
    yield from _lines(shown.lines)
    yield from (f"Event: {one.game}, {one.seq}: {one.kind}" for one in shown.events)
    yield from (f"Letter: {one.kind} to {one.to}: {one.state}" for one in shown.letters)


def _lines(lines: tuple[ReceiptLine, ...]) -> Iterator[str]:
    for line in lines:
        yield f"Line: {inert_line(line.text)}"
        yield f"    {line.told} {inert_line(line.message, 500)}".rstrip()


@mail.command("again")
@click.argument("number", type=NUMBER)
@_why
@_yes
def again_(number: int, reason: str, yes: bool) -> None:
    """Read a mail once more, as if it had just come."""
    with opened() as installation:
        _report(again.read_again(installation, number, _actor(reason), rehearse=not yes), yes)


@mail.command()
@click.argument("number", type=NUMBER)
@click.option("--game", "game_id", type=NUMBER, required=True)
@click.option("--seat", type=SEAT, required=True)
@_why
@_yes
def treat(number: int, game_id: int, seat: int, reason: str, yes: bool) -> None:
    """Do what a mail says as if the holder of a seat had sent it."""
    with opened() as installation:
        actor, rehearse = _actor(reason), not yes
        redone = again.treat_as(installation, number, game_id, seat, actor, rehearse=rehearse)
        _report(redone, yes)


@mail.command()
@click.argument("number", type=NUMBER)
@_why
@_yes
def discard(number: int, reason: str, yes: bool) -> None:
    """Put a mail aside: nothing in it is done."""
    with opened() as installation:
        _report(again.discard(installation, number, _actor(reason), rehearse=not yes), yes)


def _actor(reason: str) -> Actor:
    return Actor("cli", reason=clean(reason, MOST_REASON))


def _report(redone: Redone, done: bool) -> None:
    if not redone.ok:
        raise click.ClickException(redone.sentence)
    click.echo("Done." if done else "This would happen (do it with --yes):")
    reason = f" ({redone.reason})" if redone.reason else ""
    click.echo(f"The mail is {redone.state}{reason}.")
    if redone.answer is not None:
        click.echo(f"As a whole: {redone.answer.outcome}.")
        for line in _lines(lines_of(answered(redone.answer.to_json()), whole=False)):
            click.echo(line)
    for seq, kind in redone.events:
        click.echo(f"Event {seq}: {kind}")
    for kind, _person in redone.letters:
        click.echo(f"Letter: {kind}")


@mail.command()
@click.argument("number", type=NUMBER)
def raw(number: int) -> None:
    """Write a mail's bytes as they came; they may hold secrets, so it is in the audit."""
    with opened() as installation:
        with installation.store.work() as session:
            row = session.get(Mail, number)
            if row is None or not row.raw:
                raise click.ClickException(f"there is no mail {number}, or only its receipt")
            note(session, installation.clock(), Actor("cli"), "download-mail", mail_id=number)
        sys.stdout.buffer.write(row.raw)
