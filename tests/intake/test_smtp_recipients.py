"""Who is known at RCPT, and who is refused."""

import smtplib

import pytest

from pbem.installation import Installation
from pbem.post.addresses import return_path
from pbem.store import Token
from pbem.store.tokens import Bearer, digest, issue


@pytest.mark.parametrize(
    "recipient",
    ["ark@ark.example", "ARK@Ark.Example", "postmaster@ark.example", "PostMaster@ark.example",
     "ark+anything@ark.example"],
)  # fmt: skip
def test_the_server_s_own_addresses_are_known(client: smtplib.SMTP, recipient: str) -> None:
    client.ehlo()
    client.mail("ann@example.org")
    assert client.rcpt(recipient)[0] == 250


def test_reply_addresses_are_known_in_any_case(client: smtplib.SMTP, token: str) -> None:
    client.ehlo()
    client.mail("ann@example.org")
    for local in (f"t-{token}", f"T-{token.upper()}", f"t-{token}+tag"):
        assert client.rcpt(f"{local}@ark.example")[0] == 250, local


def test_a_letter_s_return_path_is_known(installation: Installation, client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail("")
    path = return_path(installation.keys, "ark.example", 12)
    assert client.rcpt(path)[0] == 250
    assert client.rcpt(path.upper())[0] == 250
    assert client.rcpt(path.replace("b-12-", "b-13-"))[0] == 550


@pytest.mark.parametrize(
    "recipient",
    ["nobody@ark.example", "ark@elsewhere.example", "t-@ark.example", "t-aaaa@ark.example",
     f"t-{'a' * 26}@ark.example", "b-1-aaaaaaaaaaaaaaaa@ark.example", "ark@sub.ark.example",
     '"ark"@elsewhere.example', "'; DROP TABLE mail;--@ark.example"],
)  # fmt: skip
def test_an_unknown_recipient_is_refused_at_once(client: smtplib.SMTP, recipient: str) -> None:
    client.ehlo()
    client.mail("ann@example.org")
    code, _ = client.rcpt(recipient)
    assert code in (550, 553, 501)
    assert client.rcpt("ark@ark.example")[0] == 250  # and the session goes on


def test_a_forged_token_is_unknown_and_a_revoked_one_still_taken(
    installation: Installation, client: smtplib.SMTP, token: str
) -> None:
    """Its player may have answered an old letter; he must not get a bounce for it."""
    forged = ("a" if token[0] != "a" else "b") + token[1:]
    with installation.store.work() as session:
        row = session.get_one(Token, digest(token))
        row.revoked_at = installation.clock()
        session.add(row)
    client.ehlo()
    client.mail("ann@example.org")
    assert client.rcpt(f"t-{forged}@ark.example")[0] == 550
    assert client.rcpt(f"t-{token}@ark.example")[0] == 250


def test_the_key_of_a_page_is_no_reply_address(
    installation: Installation, client: smtplib.SMTP
) -> None:
    with installation.store.work() as session:
        page = issue(session, installation.keys, Bearer("page"), installation.clock())
    client.ehlo()
    client.mail("ann@example.org")
    assert client.rcpt(f"t-{page}@ark.example")[0] == 550
