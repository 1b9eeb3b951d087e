"""The disk is full when a mail comes in: it stays with its sender (451), nothing is lost."""

from __future__ import annotations

import os
import smtplib
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlmodel import select

from pbem.store import Mail
from tests.e2e.forked import ForkedServer
from tests.e2e.server import Server, server_at, wait_until
from tests.e2e.sink import Sink
from tests.e2e.table import ANN, BO, CY, Table
from tests.needs import need, program

SIZE = "8m"
BALLAST = 400_000  # bytes of a mail's attachment: more than the database has to spare


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """An instance folder on a small file system of its own."""
    need(os.geteuid() == 0, "only root can mount a small file system")
    folder = tmp_path / "instance"
    folder.mkdir()
    mount = [program("mount"), "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True)
    need(done.returncode == 0, f"no file system can be mounted here: {done.stderr.decode()}")
    try:
        yield folder
    finally:
        subprocess.run([program("umount"), str(folder)], check=True)


def test_a_full_disk_keeps_mails_with_their_sender(small_disk: Path, sink: Sink) -> None:
    with server_at(small_disk, sink.port, quiet=False, kind=ForkedServer) as server:
        players = (ANN, BO, CY)
        seats = [word for one in players for word in ("--seat", one.written)]
        number = int(server.printed("new-game", "--name", "Flood", *seats, "--start"))
        server.start()
        table = Table(server, sink, number, players, "flood")
        table.play_turn()
        before = table.now()
        letter = table.letter_to(before.position.to_move[0], before)
        message_id = table.new_id()
        card = before.position.deck.cards[before.position.display[0]].name
        raw = with_ballast(letter.reply_address, letter.envelope_to, message_id, f"take {card}")
        wait_until(table.outbox_empty, "the letters to be noted: afterwards nothing is written")
        filler = fill(small_disk)
        for _ in range(2):
            with pytest.raises(smtplib.SMTPResponseException) as refused:
                server.send(raw, letter.envelope_to, letter.reply_address)
            assert refused.value.smtp_code == 451
            assert b"Traceback" not in refused.value.smtp_error
            assert b"/" not in refused.value.smtp_error, "a path of this machine"
        assert table.now() == before
        assert mails_of(server, message_id) == 0
        filler.unlink()
        server.send(raw, letter.envelope_to, letter.reply_address)
        table.settled(message_id)
        assert table.now().decision == before.decision + 1
        assert len(table.turns_of(message_id)) == 1
        table.play_turn()
        assert server.stop() == 0


def with_ballast(to: str, sender: str, message_id: str, text: str) -> bytes:
    """A mail with a picture of a flood."""
    picture = "\r\n".join(["QXJr" * 19] * (BALLAST // 78))
    return (
        f"From: {sender}\r\nTo: {to}\r\nSubject: Re: Ark\r\nMessage-ID: {message_id}\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="="\r\n\r\n'
        f"--=\r\nContent-Type: text/plain\r\n\r\n{text}\r\n"
        "--=\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        f"{picture}\r\n--=--\r\n"
    ).encode()


def fill(folder: Path) -> Path:
    """Take every byte that is left on the disk."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65536, 1):
            with suppress(OSError):
                while file.write(b"x" * size):
                    pass
    assert os.statvfs(folder).f_bfree == 0
    return filler


def mails_of(server: Server, message_id: str) -> int:
    """How many copies of a mail lie in the inbox, read or not."""
    with server.store.read() as session:
        raws = session.exec(select(Mail.raw)).all()
    return sum(message_id.encode() in raw for raw in raws)
