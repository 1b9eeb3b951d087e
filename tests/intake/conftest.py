"""An SMTP server at work, a client of it, a reply address."""

import smtplib
from collections.abc import Iterator

import pytest

from pbem.installation import Installation
from pbem.intake.smtp import SmtpServer
from pbem.store.tokens import Bearer, issue
from tests.intake.taking import connected, serving


@pytest.fixture
def server(installation: Installation) -> Iterator[SmtpServer]:
    with serving(installation) as running:
        yield running


@pytest.fixture
def client(server: SmtpServer) -> Iterator[smtplib.SMTP]:
    with connected(server.port) as connection:
        yield connection


@pytest.fixture
def token(installation: Installation) -> str:
    with installation.store.work() as session:
        return issue(session, installation.keys, Bearer("person"), installation.clock())
