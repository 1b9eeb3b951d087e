"""What the tests of the post share."""

import subprocess
from pathlib import Path

import pytest

from tests.needs import program


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1 with its key, signed by itself."""
    path = tmp_path_factory.mktemp("tls") / "relay.pem"
    subprocess.run(
        [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=relay", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", path, "-out", path.with_suffix(".crt")],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_text(path.read_text() + path.with_suffix(".crt").read_text())
    return path
