"""Mails to a table under one of its policies, and what its players are told of them."""

from dataclasses import replace

from sqlmodel import select

from pbem.installation import Installation
from pbem.intake.inbox import drain
from pbem.post.content import content_of
from pbem.store import Game, Letter, Mail
from tests.intake.mails import deposit, stored, written
from tests.intake.signing import names, signed
from tests.tables import Table, open_table

SERVER = "ark@ark.example"
EVE = "eve@evil.example"
RELAYED = {"Received": "from mx.example by ark.example; Tue, 01 Dec 2026 09:00:00 +0000"}


def with_policy(table: Table, policy: str) -> Table:
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        game.mail_policy = policy
        session.add(game)
    return table


def sent(
    table: Table, text: str, sender: str = "ann@example.org", *, to: str | None = None,
    signer: str | None = None, length: bool = False, appended: str = "", **headers: str,
) -> Mail:  # fmt: skip
    """A mail that came by way of another server, signed by a domain if there is one."""
    address = table.reply_address(0) if to is None else to
    raw = written(text, sender=f"Ann <{sender}>", to=address, **RELAYED, **headers)
    if signer is not None:
        raw = signed(raw, signer, length=length)
    raw += appended.encode()
    number = deposit(table.installation, raw, address, sender)
    drain(table.installation)
    return stored(table.installation, number)


def turn(table: Table, seat: int = 0) -> str:
    return table.legal(seat)[0]


def held_letters(table: Table) -> list[str]:
    """The texts of the letters about held mails, to Ann."""
    with table.installation.store.read() as session:
        rows = session.exec(select(Letter).where(Letter.kind == "held")).all()
        assert {row.to_address for row in rows} <= {"ann@example.org"}
        texts = [content_of(session, table.installation.site, row).text for row in rows]
        return [" ".join(text.split()) for text in texts]


def table_that_proves(installation: Installation) -> Table:
    """A table of a server that knows the keys of example.org and evil.example."""
    return open_table(replace(installation, resolver=names("example.org", "evil.example")))
