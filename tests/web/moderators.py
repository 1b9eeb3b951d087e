"""People with roles in the harbour, and mails that wait for them."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select

from engine.game import legal_moves
from engine.moves import notation
from pbem.intake.inbox import drain
from pbem.letters.bearers import reply_bearer
from pbem.moderation.state import LOOKED_AT
from pbem.store import Audit, Letter, Mail
from pbem.store.positions import position_now
from pbem.store.roles import MODERATOR, OWNER, grant
from pbem.store.rows import id_of
from pbem.store.sittings import link_bearer, new_link
from tests.intake.mails import deposit, stored, written
from tests.web.harbour import RUNNING, Harbour, Page, page, person

STRANGE = "cy@elsewhere.example"
REASON = "He asked me to on the phone."
ROLES = {
    "Olive Owner": (OWNER, None),  # plays nowhere
    "Max Moderator": (MODERATOR, None),  # nor does he
    "Gil Gamesman": (MODERATOR, RUNNING),
    "Ann Archer": (MODERATOR, None),  # plays at all three tables
    "Bo Baker": (OWNER, None),  # so does he
}


def appoint(harbour: Harbour) -> None:
    installation = harbour.installation
    with installation.store.work() as session:
        for name, (kind, game_id) in ROLES.items():
            one = person(session, installation, name)
            grant(session, installation.clock(), id_of(one), kind, game_id=game_id)


def link_of(harbour: Harbour, name: str) -> str:
    """The token of a fresh link that signs somebody in."""
    installation = harbour.installation
    with installation.store.work() as session:
        one = person(session, installation, name)
        number = new_link(
            session, installation.keys, installation.clock(), installation.entropy, id_of(one)
        )
        return installation.keys.token(link_bearer(id_of(one), number))


def signed_in(app: Flask, harbour: Harbour, name: str) -> FlaskClient:
    """The browser of a moderator who has pressed the button behind his link."""
    client = app.test_client()
    link = f"/moderator/sign-in/{link_of(harbour, name)}"
    shown = page(client, link)
    response = client.post(link, data={"csrf": shown.field("csrf")})
    assert response.status_code == 303, response.status_code
    return client


def reply_address(harbour: Harbour, name: str, game_id: int = RUNNING) -> str:
    """The reply address of somebody's newest letter about a table."""
    installation = harbour.installation
    with installation.store.work() as session:
        one = person(session, installation, name)
        letter = session.exec(
            select(Letter)
            .where(Letter.person_id == one.id, Letter.game_id == game_id)
            .order_by(col(Letter.id).desc())
            .limit(1)
        ).one()
        bearer = reply_bearer(letter)
        assert bearer is not None
        return installation.site.reply_address(installation.keys.token(bearer))


def legal_turn(harbour: Harbour, seat: int = 0) -> str:
    return notation(legal_moves(position_now(harbour.game(RUNNING)), seat)[0])


def held_mail(harbour: Harbour, text: str = "", subject: str = "Re: Ark") -> int:
    """A turn for Ann's seat of the running table, from an address nobody knows."""
    to = reply_address(harbour, "Ann Archer")
    raw = written(text or legal_turn(harbour), sender=f"A <{STRANGE}>", to=to, subject=subject)
    return put_in(harbour, raw, to, STRANGE)


def put_in(harbour: Harbour, raw: bytes, to: str, sender: str) -> int:
    number = deposit(harbour.installation, raw, to, sender)
    drain(harbour.installation)
    return number


def mail_of(harbour: Harbour, number: int) -> Mail:
    return stored(harbour.installation, number)


def audit_of(harbour: Harbour) -> list[tuple[str, str]]:
    """What stands in the audit but for the sign-ins."""
    with harbour.installation.store.read() as session:
        rows = session.exec(select(Audit).order_by(col(Audit.id)))
        return [(row.action, row.reason) for row in rows
                if row.action != "sign-in" and row.outcome != LOOKED_AT]  # fmt: skip


def act(
    client: FlaskClient, mail_id: int, what: str, *, reason: str = REASON, **fields: str
) -> tuple[Page, int, Page | None]:
    """Preview an action as the forms of the mail's page do, then confirm it: the preview, and
    the status and page of the confirmation."""
    csrf = page(client, "/moderator/browsers").field("csrf")
    given = {f"p-{name}": value for name, value in fields.items()}
    data = {"csrf": csrf, "mail": str(mail_id), **given}
    shown = client.post(f"/moderator/actions/{what}", data=data)
    preview = Page(shown.get_data(as_text=True))
    if shown.status_code != 200:
        return preview, shown.status_code, None
    hidden = {
        tag.attributes["name"]: tag.attributes["value"]
        for tag in preview.all("input")
        if tag.attributes.get("type") == "hidden"
    }
    done = client.post(f"/moderator/actions/{what}/do", data={**hidden, "reason": reason})
    return preview, done.status_code, Page(done.get_data(as_text=True))


def kept(harbour: Harbour) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is stored but previews that were written down."""
    rows = harbour.rows()
    return rows | {"audit": [row for row in rows["audit"] if LOOKED_AT not in row]}
