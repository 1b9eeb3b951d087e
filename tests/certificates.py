"""Certificates for loopback, signed by themselves."""

import subprocess
from pathlib import Path

from tests.needs import program


def certificate(folder: Path, name: str = "127.0.0.1") -> Path:
    """A PEM file with a new certificate for 127.0.0.1 and its key."""
    file = folder / "certificate.pem"
    subprocess.run(
        [program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=IP:{name}",
         "-keyout", str(file), "-out", str(file.with_suffix(".crt"))],
        check=True, capture_output=True,
    )  # fmt: skip
    with file.open("a", encoding="utf-8") as pem:
        pem.write(file.with_suffix(".crt").read_text("utf-8"))
    return file
