"""STARTTLS at the SMTP listener (RFC 3207)."""

import shutil
import smtplib
import ssl
from pathlib import Path

import pytest

from pbem.installation import Installation
from pbem.intake.smtp import SmtpServer
from pbem.settings import SettingsError
from tests.certificates import certificate
from tests.intake.taking import RAW, but, connected, inbox, serving


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificate and key in one file."""
    return certificate(tmp_path_factory.mktemp("tls"))


def trusting(pem: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(pem))


def test_mail_comes_in_encrypted(installation: Installation, pem: Path) -> None:
    here = but(installation, starttls={"certificate": str(pem), "required": True})
    with serving(here) as server, connected(server.port) as client:
        client.ehlo()
        assert client.mail("ann@example.org")[0] == 530  # not before
        client.starttls(context=trusting(pem))
        client.ehlo("mta.example")
        assert "auth" not in client.esmtp_features
        client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    assert [mail.raw for mail in inbox(here)] == [RAW]


def test_without_being_required_it_is_offered(installation: Installation, pem: Path) -> None:
    here = but(installation, starttls={"certificate": str(pem)})
    with serving(here) as server, connected(server.port) as client:
        client.ehlo()
        assert "starttls" in client.esmtp_features
        client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    assert len(inbox(here)) == 1


def test_what_was_said_before_tls_is_forgotten(installation: Installation, pem: Path) -> None:
    """RFC 3207 4.2: nothing slipped in before the handshake counts afterwards."""
    here = but(installation, starttls={"certificate": str(pem)})
    with serving(here) as server, connected(server.port) as client:
        client.ehlo()
        client.mail("mallory@example.org")
        client.starttls(context=trusting(pem))
        client.ehlo()
        assert client.rcpt("ark@ark.example")[0] == 503


def test_a_renewed_certificate_is_used_without_a_restart(
    installation: Installation, pem: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "mine.pem"
    shutil.copy(pem, file)
    new = certificate(tmp_path)
    with serving(but(installation, starttls={"certificate": str(file)})) as server:

        def handshake(trusted: Path) -> None:
            with connected(server.port) as client:
                client.starttls(context=trusting(trusted))

        handshake(pem)
        file.write_text("half writt")
        handshake(pem)  # the old one goes on
        assert "not renewed" in caplog.text
        shutil.copy(new, file)
        handshake(new)
        with pytest.raises(ssl.SSLError):
            handshake(pem)


@pytest.mark.parametrize(
    ("starttls", "said"),
    [
        ({"certificate": "nowhere.pem"}, r"starttls\.certificate.*nowhere\.pem.*No such file"),
        ({"certificate": "text.pem"}, r"starttls\.certificate.*text\.pem"),
        ({"certificate": "text.pem", "key": "no.key"}, r"starttls\.key.*no\.key"),
    ],
)
def test_a_bad_certificate_is_one_clear_line(
    installation: Installation, starttls: dict[str, str], said: str
) -> None:
    Path(installation.settings.instance, "text.pem").write_text("no certificate")
    with pytest.raises(SettingsError, match=said) as refused:
        SmtpServer(but(installation, starttls=starttls))
    assert "\n" not in str(refused.value)


def test_failed_handshakes_hurt_nobody(installation: Installation, pem: Path) -> None:
    here = but(installation, starttls={"certificate": str(pem)})
    with serving(here) as server:
        with connected(server.port) as client, pytest.raises((OSError, smtplib.SMTPException)):
            client.starttls(context=ssl.create_default_context())  # which does not trust ours
        with connected(server.port) as client:
            client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    assert len(inbox(here)) == 1
