"""Mail through a real Postfix: by LMTP, over a Unix socket and TCP, and by pipe."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import col, select

from pbem.installation import Installation
from pbem.intake.inbox import drain
from pbem.settings import load_settings
from pbem.store import Mail, Store
from tests.e2e.server import ROOT
from tests.intake.mails import written
from tests.intake.taking import but, inbox, serving
from tests.needs import program
from tests.ports import free_port
from tests.services.folder import wait_for
from tests.services.postfix import Postfix, postfix_at_work
from tests.tables import open_table

LMTP_PORT = free_port()
PIPE = (
    "ark unix - n n - 4 pipe user=nobody:nogroup null_sender= argv={folder}/gate/as-root "
    f"ARK_INSTANCE={{folder}}/instance PYTHONPATH={ROOT} {sys.executable} -m pbem deliver "
    "--sender ${sender} --recipient ${recipient}"
)


@pytest.fixture(scope="module")
def postfix() -> Iterator[Postfix]:
    """One Postfix, with a domain for each way in."""
    transports = {
        "ark.example": "lmtp:unix:{folder}/lmtp.sock",
        "tcp.example": f"lmtp:inet:127.0.0.1:{LMTP_PORT}",
        "pipe.example": "ark:",
    }
    main = {"ark_destination_recipient_limit": "1"}
    with postfix_at_work(transports, main=main, services=[PIPE]) as mta:
        _open_gate(mta.folder / "gate")
        yield mta


def _open_gate(folder: Path) -> None:
    """Postfix runs no pipe as root, and the interpreter of these tests may lie where only
    root may go.  So a copy of `env` gives root's rights to one group, and nobody else."""
    folder.mkdir(mode=0o750)
    shutil.chown(folder, group="nogroup")
    shutil.copy(program("env"), folder / "as-root")
    (folder / "as-root").chmod(0o4755)


def test_swaks_moves_a_turn_through_postfix_and_our_lmtp_socket(
    installation: Installation, postfix: Postfix
) -> None:
    """Everything a player's mail goes through, with the socket's mode as an operator sets
    it: only Postfix may write."""
    table = open_table(installation)
    move, address = table.legal(0)[0], table.reply_address(0)
    here = by_socket(installation, postfix)
    with serving(here):
        subprocess.run(
            [program("swaks"), "--server", f"127.0.0.1:{postfix.port}", "--silent", "2",
             "--from", "ann@example.org", "--to", address,
             "--header", "Subject: Re: Ark", "--body", f"Hi,\n{move}\n"],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        wait_for(lambda: inbox(here), "the mail")
    drain(here)
    assert table.moves() == [move]
    [mail] = inbox(here)
    assert (mail.channel, mail.envelope_from) == ("lmtp", "ann@example.org")
    assert mail.envelope_to == [address]


def by_socket(installation: Installation, postfix: Postfix) -> Installation:
    lmtp = {"enabled": True, "socket": str(postfix.folder / "lmtp.sock"), "group": "postfix"}
    return but(installation, mail={"smtp": False}, lmtp=lmtp)


def test_a_mail_waits_while_we_are_away_and_comes_in_byte_for_byte(
    installation: Installation, postfix: Postfix
) -> None:
    """By TCP; nobody listens at first."""
    here = but(
        installation,
        mail={"smtp": False, "domain": "tcp.example"},
        lmtp={"enabled": True, "port": LMTP_PORT},
    )
    body = "ünï\n.\n..\nFrom here\n" + "x" * 900 + "\n"
    raw = written(body, to="ark@tcp.example").replace(b"\n", b"\r\n")
    postfix.send(raw, "ann@example.org", "ark@tcp.example", "postmaster@tcp.example")
    wait_for(lambda: "status=deferred" in of(postfix, "tcp.example"), "the first attempt")
    with serving(here):
        wait_for(lambda: postfix.try_again() or inbox(here), "the mail")
        wait_for(lambda: not postfix.queue(), "the queue to be empty")
    [mail] = inbox(here)  # one for both recipients
    assert mail.envelope_to == ["ark@tcp.example", "postmaster@tcp.example"]
    assert mail.raw.endswith(raw)  # under Postfix's own Received


def of(postfix: Postfix, domain: str) -> str:
    """What the log says of a domain's mail."""
    return "\n".join(line for line in postfix.log().splitlines() if f"@{domain}>" in line)


def test_an_unknown_recipient_bounces_at_once(installation: Installation, postfix: Postfix) -> None:
    here = by_socket(installation, postfix)
    with serving(here):
        postfix.send(written("x"), "ark@ark.example", "t-nobody@ark.example")
        wait_for(lambda: inbox(here), "the bounce")
    [mail] = inbox(here)
    assert mail.envelope_from == ""
    assert b"550 5.1.1" in mail.raw
    drain(here)
    assert inbox(here)[0].kind == "bounce"


@pytest.fixture
def instance(empty_database: Path, postfix: Postfix) -> Iterator[Path]:
    """The instance folder that Postfix's pipe delivers to."""
    folder = postfix.folder / "instance"
    folder.mkdir()
    shutil.copy(empty_database, folder / "ark.sqlite")
    (folder / "settings.toml").write_text('[mail]\ndomain = "pipe.example"\n', "utf-8")
    yield folder
    shutil.rmtree(folder)


def test_by_pipe_a_mail_comes_in_and_trouble_means_later(
    instance: Path, postfix: Postfix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARK_INSTANCE", str(instance))
    database = instance / "ark.sqlite"
    away = database.rename(instance / "away.sqlite")
    database.mkdir()  # our own trouble
    raw = written("status", to="ark@pipe.example")
    postfix.send(raw.replace(b"\n", b"\r\n"), "ann@example.org", "ark@pipe.example")
    wait_for(lambda: "status=deferred" in of(postfix, "pipe.example"), "the first attempt")
    database.rmdir()
    away.rename(database)
    wait_for(lambda: postfix.try_again() or piped(), "the mail")
    [mail] = piped()
    assert (mail.envelope_from, mail.envelope_to) == ("ann@example.org", ["ark@pipe.example"])
    assert mail.raw.endswith(raw)  # with the line ends of this machine
    postfix.send(written("x"), "", "t-nobody@pipe.example")
    wait_for(lambda: "status=bounced" in of(postfix, "pipe.example"), "the refusal")
    assert "dsn=5.1.1" in of(postfix, "pipe.example")
    wait_for(lambda: not postfix.queue(), "the queue to be empty")
    assert len(piped()) == 1


def piped() -> list[Mail]:
    store = Store(load_settings().database_url)
    try:
        with store.read() as session:
            return list(session.exec(select(Mail).order_by(col(Mail.id))))
    finally:
        store.close()
