"""Where mail comes in: addresses that are taken, that are not ours, that were left behind."""

import smtplib
import socket
import stat
from pathlib import Path

import pytest

from pbem.installation import Installation
from pbem.intake.smtp import ListenError, SmtpServer
from tests.intake.taking import PATIENCE, RAW, Lmtp, but, inbox, serving


def test_a_port_in_use_is_one_clear_line(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        busy = but(installation, mail={"port": port})
        server = SmtpServer(busy)
        with pytest.raises(ListenError) as refused:
            server.start()
    text = str(refused.value)
    assert "\n" not in text
    assert str(port) in text
    assert "mail.port" in text
    server.stop()  # does nothing, and does not hang


def test_an_address_that_is_not_ours_is_one_clear_line(installation: Installation) -> None:
    host = "203.0.113.7"
    away = but(installation, mail={"host": host})
    with pytest.raises(ListenError, match=host):
        SmtpServer(away).start()


def test_stopping_is_quick_even_with_open_connections(installation: Installation) -> None:
    server = SmtpServer(installation)
    server.start()
    client = smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE)
    client.ehlo()
    server.stop()
    with pytest.raises(smtplib.SMTPException):
        client.noop()
    client.close()


def test_what_is_switched_off_does_not_listen(installation: Installation) -> None:
    with serving(but(installation, mail={"smtp": False, "port": 1})):
        pass  # port 1 would be refused, or stay open


@pytest.fixture
def by_socket(installation: Installation) -> Installation:
    """LMTP on a Unix socket in the instance folder, and nothing else."""
    return but(
        installation,
        mail={"smtp": False},
        lmtp={"enabled": True, "socket": "lmtp.sock", "mode": "0660"},
    )


def test_lmtp_listens_on_a_unix_socket_of_the_mode_that_is_set(by_socket: Installation) -> None:
    path = by_socket.settings.instance / "lmtp.sock"
    with serving(by_socket):
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
            lmtp = Lmtp(connection)
            assert lmtp.say(b"LHLO mta.example", 5)[-1] == b"250"
            lmtp.say(b"MAIL FROM:<ann@example.org>")
            lmtp.say(b"RCPT TO:<ark@ark.example>")
            assert lmtp.say(b"DATA") == [b"354"]
            assert lmtp.say(RAW.replace(b"\r\n.", b"\r\n..") + b".") == [b"250"]
            lmtp.close()
    assert not path.exists()
    assert [mail.raw for mail in inbox(by_socket)] == [RAW]


def test_a_socket_that_was_left_behind_is_taken_over(by_socket: Installation) -> None:
    path = by_socket.settings.instance / "lmtp.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with serving(by_socket), socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))


def test_a_socket_somebody_listens_on_is_left_to_him(by_socket: Installation) -> None:
    path = by_socket.settings.instance / "lmtp.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        with pytest.raises(ListenError, match=r"in use.*lmtp\.socket"):
            SmtpServer(by_socket).start()
        assert path.exists()


@pytest.mark.parametrize(
    ("lmtp", "said"),
    [
        ({"socket": "settings.toml"}, "no socket"),
        ({"socket": "nowhere/lmtp.sock"}, "No such file"),
        ({"group": "no-such-group"}, "no group no-such-group"),
    ],
)
def test_a_socket_that_cannot_be_is_one_clear_line(
    by_socket: Installation, lmtp: dict[str, str], said: str
) -> None:
    file = Path(by_socket.settings.instance, "settings.toml")
    file.write_text("")
    with pytest.raises(ListenError, match=said) as refused:
        SmtpServer(but(by_socket, lmtp=lmtp)).start()
    assert "\n" not in str(refused.value)
    assert file.exists()


def test_smtp_and_lmtp_listen_side_by_side(installation: Installation) -> None:
    both = but(installation, lmtp={"enabled": True, "port": 0})
    with serving(both) as server:
        assert server.port != server.lmtp_port
        with smtplib.SMTP("127.0.0.1", server.port) as client:
            client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
        with socket.create_connection(("127.0.0.1", server.lmtp_port)) as connection:
            lmtp = Lmtp(connection)
            assert lmtp.say(b"EHLO x") == [b"500"]
            lmtp.close()
