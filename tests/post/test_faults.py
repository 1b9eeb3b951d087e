"""Every fault at every phase, over the outbox: each letter ends in the right state; once
the relay is well again all of them have gone, none twice, but for the unknown ones, which
go again under the same Message-ID."""

from collections import Counter
from pathlib import Path

import pytest
from sqlmodel import col, select

from pbem.installation import Installation
from pbem.letters import announce
from pbem.post.delivery import deliver_due
from pbem.store import Letter
from tests.conftest import HandClock
from tests.post.relay import DROP, FINE, HANG, Relay, Script, running
from tests.post.sending import by, ids
from tests.post.test_smtp_client import server_side

NOBODY = "nobody"  # nobody listens
FAULTS = {
    "drop": DROP, "hang": HANG, "4xx": "451 4.3.0 not now", "5xx": "554 5.7.1 never",
    "garbage": "¿qué?",
}  # fmt: skip
SECURE = {"EHLO": "250-relay\r\n250-STARTTLS\r\n250 AUTH PLAIN"}

EARLY = dict.fromkeys(FAULTS, "retry")  # nothing was said of a mail yet
LATER = {**EARLY, "5xx": "failed"}
STATES = {
    "greeting": EARLY,
    "EHLO": EARLY,
    "STARTTLS": EARLY,
    "AUTH": EARLY,
    "MAIL": LATER,
    "RCPT": LATER,
    "DATA": LATER,
    "end": {**LATER, "drop": "unknown", "hang": "unknown", "garbage": "unknown"},
    "QUIT": dict.fromkeys(FAULTS, "sent"),
}
CASES = [
    *((phase, fault, state) for phase, row in STATES.items() for fault, state in row.items()),
    ("tls", "nonsense", "retry"),
    (NOBODY, "refused", "retry"),
]


@pytest.fixture
def letters(installation: Installation) -> list[Letter]:
    """Two letters, as small as there are."""
    with installation.store.work() as session:
        for name in ("fay", "gil"):
            announce.stranger(
                session, installation.site, installation.clock(), to_address=f"{name}@example.org"
            )
    return outbox(installation)


def outbox(installation: Installation) -> list[Letter]:
    with installation.store.read() as session:
        return list(session.exec(select(Letter).order_by(col(Letter.id))))


@pytest.mark.parametrize(("phase", "fault", "state"), CASES)
def test_every_letter_ends_in_the_right_state(
    installation: Installation,
    clock: HandClock,
    letters: list[Letter],
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
    phase: str,
    fault: str,
    state: str,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    secure = {} if phase in FINE and phase not in ("STARTTLS", "AUTH", "tls") else SECURE
    login = {"security": "starttls", "user": "ark", "password": "word"} if secure else {}
    script: Script = {**secure, phase: FAULTS.get(fault, fault)}
    with running(Relay([script], tls=server_side(certificate))) as ill:
        if phase != NOBODY:
            deliver_due(by(installation, ill, **login))
    if phase == NOBODY:
        deliver_due(by(installation, ill))
    rows = outbox(installation)
    assert [row.state for row in rows] == [state] * len(letters)
    if state != "sent":
        assert all(row.error and "\n" not in row.error and "word" not in row.error for row in rows)
        assert not any(row.sent_at for row in rows)

    clock.advance(hours=1)
    with running(Relay([secure], tls=server_side(certificate))) as well:
        deliver_due(by(installation, well, **login))
    times = Counter([*ids(ill), *ids(well)])
    for row in outbox(installation):
        assert row.state == ("failed" if state == "failed" else "sent")
        got = times[row.message_id]
        if state == "unknown":
            assert got == 2
        elif state == "failed" or (state, phase) == ("retry", "end"):
            assert got <= 2  # it was read to its end and refused
        else:
            assert got == 1


def test_the_enhanced_status_is_kept(installation: Installation, letters: list[Letter]) -> None:
    script = {"RCPT": "550-5.1.1 <fay@example.org>\r\n550 5.1.1 no such user"}
    with running(Relay([script])) as relay:
        deliver_due(by(installation, relay))
    assert outbox(installation)[0].error == "RCPT: 550 5.1.1 <fay@example.org> 5.1.1 no such user"


def test_greylisting_is_quiet(
    installation: Installation, letters: list[Letter], caplog: pytest.LogCaptureFixture
) -> None:
    with running(Relay([{"RCPT": "450 4.2.0 greylisted"}])) as relay:
        deliver_due(by(installation, relay))
    assert [row.state for row in outbox(installation)] == ["retry", "retry"]
    assert caplog.text == ""
    assert relay.commands.count("RSET") == 2
    assert relay.connections == 1
