"""DKIM: what arrives on the other side verifies, whatever a letter holds."""

import base64
import subprocess
from dataclasses import replace
from pathlib import Path

import dkim
import pytest

from pbem.cli.checks import checks
from pbem.installation import Installation
from pbem.post.delivery import deliver_due, recover
from pbem.post.mime import build
from pbem.post.signing import Signer, signer_of
from pbem.post.smtp_client import Relay as Client
from pbem.resolver import LookupFailed
from pbem.settings import Dkim, Post, SettingsError
from tests.needs import program
from tests.post.relay import Relay, running
from tests.post.sending import by
from tests.post.test_mime import FIELDS
from tests.tables import open_table


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dkim") / "dkim.pem"
    subprocess.run([program("openssl"), "genrsa", "-out", path, "1024"], check=True,
                   capture_output=True)  # fmt: skip
    return path


@pytest.fixture(scope="session")
def record(key: Path) -> bytes:
    """The TXT record of the key."""
    public = subprocess.run(
        [program("openssl"), "rsa", "-in", key, "-pubout", "-outform", "DER"],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    return b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def verifies(message: bytes, record: bytes) -> bool:
    def lookup(name: bytes, timeout: float = 5) -> bytes | None:
        return record if name == b"ark._domainkey.ark.example." else None

    return bool(dkim.verify(message, dnsfunc=lookup))


def signing(installation: Installation, key: Path) -> Installation:
    settings = installation.settings.model_copy(update={"dkim": Dkim(selector="ark", key=str(key))})
    return replace(
        installation, settings=settings, site=replace(installation.site, settings=settings)
    )


def test_what_the_relay_gets_verifies(installation: Installation, key: Path, record: bytes) -> None:
    open_table(installation)
    with running(Relay()) as relay:
        deliver_due(by(signing(installation, key), relay))
    assert len(relay.taken) >= 4
    for one in relay.taken:
        assert verifies(one.content, record)
        assert not verifies(one.content.replace(b"Subject: ", b"Subject: Fwd: "), record)
        assert not verifies(b"From: <eve@evil.example>\r\n" + one.content, record)


@pytest.mark.parametrize(
    "text",
    [
        ".\n..\n.dot\n",
        "From me\n \n\t\n",
        "ä箱🦔 " * 400,
        "x" * 5000,
        "a \n\n\n\n",
        "\r\n.\r\n",
        "",
    ],
)
def test_nothing_on_the_way_touches_what_is_signed(key: Path, record: bytes, text: str) -> None:
    """Over SMTP with its dots, line ends and long lines."""
    fields = replace(FIELDS, subject="箱 " * 60, unsubscribe="https://ark.example/u/x/news")
    mail = Signer("ark.example", "ark", key).signed(build(fields, text, f"<p>{text}</p>"))
    with running(Relay()) as relay:
        client = Client(Post(port=relay.port, timeout=60), "ark.example")
        assert client.send("b@ark.example", "ann@example.org", mail).state == "sent"
        client.close()
    [taken] = relay.taken
    assert taken.content == mail
    assert verifies(taken.content, record)
    assert all(len(line) <= 78 for line in taken.content.split(b"\r\n"))


def test_what_one_click_needs_is_signed(key: Path) -> None:
    fields = replace(FIELDS, unsubscribe="https://ark.example/u/x/news")
    mail = Signer("ark.example", "ark", key).signed(build(fields, "hi", None))
    tags = mail.partition(b"\r\nFrom:")[0].replace(b"\r\n ", b"")
    signed = tags.partition(b"h=")[2].partition(b";")[0].replace(b" ", b"").split(b":")
    assert signed.count(b"from") == 2  # none can be added
    assert {
        b"to", b"subject", b"date", b"message-id", b"list-id", b"list-unsubscribe",
        b"list-unsubscribe-post",
    } <= set(signed)  # fmt: skip
    assert b"c=relaxed/relaxed" in tags


def test_the_published_key_is_compared_with_ours(key: Path, record: bytes) -> None:
    signer = Signer("ark.example", "ark", key)
    assert signer.record_name == "ark._domainkey.ark.example"
    assert signer.is_published({signer.record_name: record}.get)
    assert not signer.is_published({signer.record_name: b"v=DKIM1; k=rsa; p=AAAA"}.get)
    assert not signer.is_published({}.get)


@pytest.mark.parametrize(
    ("published", "ok", "told"),
    [
        (True, True, "ark._domainkey.ark.example holds our public key"),
        (False, False, "does not hold the public key of"),
        (None, False, "cannot be looked up now"),
    ],
)
def test_the_doctor_looks_for_the_public_key(
    installation: Installation, key: Path, record: bytes, published: bool | None, ok: bool,
    told: str,
) -> None:  # fmt: skip
    class Records:
        def txt(self, name: str, timeout: float) -> tuple[bytes, ...]:
            assert name == "ark._domainkey.ark.example"
            if published is None:
                raise LookupFailed(f"{name}: no answer")
            return (record,) if published else ()

    ark = replace(signing(installation, key), resolver=Records())
    finding = checks(ark.settings)["dkim"](ark)
    assert (finding.what, finding.ok) == ("dkim", ok)
    assert told in finding.text


def test_the_doctor_asks_for_no_key_where_none_signs(installation: Installation) -> None:
    assert "dkim" not in checks(installation.settings)


@pytest.mark.parametrize(
    "content", [None, b"", b"nonsense", b"-----BEGIN X-----\nAAAA\n-----END X-----\n"]
)
def test_a_key_that_cannot_be_used_stops_the_start_with_one_line(
    installation: Installation, tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "bad.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"^setting dkim\.key: .*bad\.pem[^\n]*$"):
        recover(signing(installation, path))


def test_without_a_selector_nothing_is_signed(installation: Installation) -> None:
    assert signer_of(installation.settings) is None
