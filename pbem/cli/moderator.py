"""`moderator`: who may run this server from its pages, and a way in when mail is down."""

import click
from sqlmodel import Session

from pbem.cli.arguments import NUMBER
from pbem.cli.opening import opened
from pbem.desk.people import address_fault, find_or_add_person
from pbem.installation import Installation
from pbem.store import Game, Person, second_factors
from pbem.store.audit import Actor, note
from pbem.store.people import addresses_of, person_by_address
from pbem.store.roles import MODERATOR, OWNER, all_with_roles, grant, powers_of, revoke_all
from pbem.store.rows import id_of
from pbem.store.sittings import link_bearer, new_link, sittings_of


@click.group()
def moderator() -> None:
    """Add, list and remove moderators; print a link that signs one in."""


@moderator.command()
@click.argument("name")
@click.argument("address")
@click.option("--owner", is_flag=True, help="May do everything, and make moderators.")
@click.option("--game", "game_id", type=NUMBER, help="Of this game only.")
def add(name: str, address: str, owner: bool, game_id: int | None) -> None:
    """Make NAME, reached at ADDRESS, a moderator (of all games, if none is named)."""
    if owner and game_id is not None:
        raise click.UsageError("an owner is owner of everything: leave --game away")
    with opened() as installation:
        fault = address_fault(address, installation.settings.mail.domain)
        if fault is not None:
            raise click.ClickException(fault)
        now = installation.clock()
        with installation.store.work() as session:
            if game_id is not None and session.get(Game, game_id) is None:
                raise click.ClickException(f"there is no game {game_id}")
            person = find_or_add_person(session, now, name, address, confirmed=True)
            kind = OWNER if owner else MODERATOR
            grant(session, now, id_of(person), kind, game_id=game_id)
            note(
                session, now, Actor("cli"), "grant-role",
                subject_id=id_of(person), game_id=game_id, details={"kind": kind},
            )  # fmt: skip
            powers = powers_of(session, id_of(person))
            name = person.name
    click.echo(f"{name} is {powers.title if powers else kind}.")


@moderator.command()
@click.argument("name")
def link(name: str) -> None:
    """Print a link that signs NAME (or an address) in: once, within a quarter of an hour."""
    with opened() as installation:
        click.echo(sign_in_link(installation, name))


@moderator.command("list")
def list_() -> None:
    """Who may do what, and in how many browsers he is signed in."""
    with opened() as installation, installation.store.read() as session:
        now = installation.clock()
        for person in all_with_roles(session):
            powers = powers_of(session, id_of(person))
            assert powers is not None
            browsers = len(sittings_of(session, now, id_of(person)))
            addresses = ", ".join(addresses_of(session, id_of(person)))
            click.echo(f"{person.name} <{addresses}>: {powers.title}; browsers: {browsers}")


@moderator.command()
@click.argument("name")
def remove(name: str) -> None:
    """Take all roles from NAME (or an address) and sign his browsers out."""
    with opened() as installation:
        now = installation.clock()
        with installation.store.work() as session:
            person = _named(session, name)
            revoke_all(session, now, id_of(person))
            note(session, now, Actor("cli"), "revoke-roles", subject_id=id_of(person))
            name = person.name
    click.echo(f"{name} is no moderator any more.")


@moderator.command("forget-device")
@click.argument("name")
def forget_device(name: str) -> None:
    """Switch off the second factor of NAME (or an address), who has lost his device."""
    with opened() as installation, installation.store.work() as session:
        person = _named(session, name)
        if not second_factors.forget(session, id_of(person)):
            raise click.ClickException(f"{person.name} has no second factor")
        note(
            session, installation.clock(), Actor("cli"), "second-factor-off",
            subject_id=id_of(person),
        )  # fmt: skip
    click.echo(f"{person.name} signs in without a code now.")


def sign_in_link(installation: Installation, name: str) -> str:
    """A fresh link for a moderator, named or by address."""
    here, now = installation, installation.clock()
    with here.store.work() as session:
        person = _named(session, name)
        number = new_link(session, here.keys, now, here.entropy, id_of(person))
        note(session, now, Actor("cli"), "print-link", subject_id=id_of(person))
        return here.site.sign_in_url(here.keys.token(link_bearer(id_of(person), number)))


def _named(session: Session, name: str) -> Person:
    """The one person with a role who has this name or address."""
    found = [one for one in all_with_roles(session) if one.name.casefold() == name.casefold()]
    by_address = person_by_address(session, name)
    if by_address is not None and powers_of(session, id_of(by_address)) is not None:
        found = [by_address]
    if not found:
        raise click.ClickException(f"{name!r} is no moderator: see `moderator list`")
    if len(found) > 1:
        raise click.ClickException(f"there is more than one {name}: give the address")
    return found[0]
