"""One mail to the relay: every way each phase can go wrong, and how it ends."""

import smtplib
import ssl
import subprocess
from pathlib import Path

import pytest

from pbem.post.smtp_client import Outcome, Relay
from pbem.settings import Post
from tests.needs import program
from tests.post.relay import DROP, HANG, Script, running
from tests.post.relay import Relay as Scripted

MAIL = b"Subject: hi\r\n\r\n.a dot\r\n"


def settings(scripted: Scripted, **changes: object) -> Post:
    return Post.model_validate(
        {"host": "127.0.0.1", "port": scripted.port, "timeout": 0.3, **changes}
    )


def send_once(script: Script, **changes: object) -> tuple[Outcome, Scripted]:
    with running(Scripted([script])) as scripted:
        relay = Relay(settings(scripted, **changes), "ark.example")
        try:
            outcome = relay.send("b-1-x@ark.example", "ann@example.org", MAIL)
        finally:
            relay.close()
    return outcome, scripted


def test_a_mail_is_taken_as_it_is() -> None:
    outcome, scripted = send_once({})
    assert outcome.state == "sent"
    assert [(one.sender, one.recipient, one.content) for one in scripted.taken] == [
        ("b-1-x@ark.example", "ann@example.org", MAIL)
    ]


@pytest.mark.parametrize(
    ("phase", "fault"),
    [
        *(("greeting", fault) for fault in (DROP, HANG, "421 too busy", "554 go away", "¿qué?")),
        ("greeting", "x" * 9000),
        ("EHLO", DROP),
        ("EHLO", HANG),
        ("EHLO", "502 neither EHLO nor HELO"),
    ],
)
def test_trouble_before_any_mail_says_nothing_about_the_mail(phase: str, fault: str) -> None:
    outcome, scripted = send_once({phase: fault})
    assert (outcome.state, outcome.relay_down) == ("retry", True)
    assert outcome.detail
    assert scripted.taken == []


@pytest.mark.parametrize("phase", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("fault", "state"),
    [
        (DROP, "retry"),
        (HANG, "retry"),
        ("451 later", "retry"),
        ("452 mailbox full", "retry"),
        ("421 closing", "retry"),
        ("550 no such user", "failed"),
        ("552 too large", "failed"),
        ("¿qué?", "retry"),
        ("250-", "retry"),
        ("999 nonsense", "retry"),
        ("", "retry"),
    ],
)
def test_before_the_final_dot_nothing_has_happened(phase: str, fault: str, state: str) -> None:
    outcome, scripted = send_once({phase: fault})
    assert outcome.state == state, outcome
    assert scripted.taken == []


def test_a_relay_that_wants_a_login_is_not_the_letter_s_fault() -> None:
    outcome, _ = send_once({"MAIL": "530 authentication required"})
    assert (outcome.state, outcome.relay_down) == ("retry", True)


def test_a_connection_lost_within_the_mail_is_tried_again() -> None:
    with running(Scripted([{"content": DROP}])) as scripted:
        relay = Relay(settings(scripted), "ark.example")
        # Larger than what the kernel takes for a peer that does not read.
        outcome = relay.send("b@ark.example", "ann@example.org", b"x" * 20_000_000)
        relay.close()
    assert outcome.state == "retry"
    assert scripted.taken == []


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        (DROP, "unknown"),
        (HANG, "unknown"),
        ("¿qué?", "unknown"),
        ("999 nonsense", "unknown"),
        ("354 go on", "unknown"),
        ("x" * 9000, "unknown"),
        ("250 taken", "sent"),
        ("251 forwarded", "sent"),
        ("451 disk full", "retry"),
        ("421 closing", "retry"),
        ("554 spam", "failed"),
    ],
)
def test_after_the_final_dot_only_an_answer_tells(fault: str, state: str) -> None:
    outcome, scripted = send_once({"end": fault})
    assert outcome.state == state, outcome
    assert len(scripted.taken) == 1


def test_one_connection_serves_many_mails() -> None:
    with running(Scripted()) as scripted:
        relay = Relay(settings(scripted), "ark.example")
        states = [relay.send("b@ark.example", "ann@example.org", MAIL).state for _ in range(5)]
        relay.close()
    assert states == ["sent"] * 5
    assert scripted.connections == 1


def test_a_refused_mail_leaves_the_connection_usable() -> None:
    with running(Scripted([{"RCPT": "550 unknown"}])) as scripted:
        relay = Relay(settings(scripted), "ark.example")
        states = [relay.send("b@ark.example", "ann@example.org", MAIL).state for _ in range(3)]
        relay.close()
    assert states == ["failed"] * 3
    assert scripted.connections == 1
    assert scripted.commands.count("RSET") == 3


@pytest.mark.parametrize("fault", [DROP, "421 idle too long"])
def test_an_idle_connection_that_was_closed_is_opened_again(fault: str) -> None:
    with running(Scripted([{"MAIL": ["250 fine", fault]}])) as scripted:
        relay = Relay(settings(scripted), "ark.example")
        states = [relay.send("b@ark.example", "ann@example.org", MAIL).state for _ in range(3)]
        relay.close()
    assert states == ["sent"] * 3
    assert scripted.connections == 3
    assert len(scripted.taken) == 3


def test_nobody_listens() -> None:
    with running(Scripted()) as scripted:
        pass
    relay = Relay(settings(scripted), "ark.example")
    outcome = relay.send("b@ark.example", "ann@example.org", MAIL)
    assert (outcome.state, outcome.relay_down) == ("retry", True)
    assert f"127.0.0.1:{scripted.port}" in outcome.detail


@pytest.mark.parametrize(
    ("address", "state"), [("ann@bücher.example", "sent"), ("änn@example.org", "failed")]
)
def test_addresses_beyond_ascii(address: str, state: str) -> None:
    with running(Scripted()) as scripted:
        relay = Relay(settings(scripted), "ark.example")
        assert relay.send("b@ark.example", address, MAIL).state == state
        relay.close()
    taken = [one.recipient for one in scripted.taken]
    assert taken == (["ann@xn--bcher-kva.example"] if state == "sent" else [])


@pytest.fixture(scope="module")
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


STARTTLS = {"EHLO": "250-relay\r\n250-STARTTLS\r\n250 AUTH PLAIN"}


def server_side(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.mark.parametrize("security", ["starttls", "tls"])
@pytest.mark.parametrize("trusted", [True, False])
def test_tls_is_used_and_the_certificate_is_checked(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, security: str, trusted: bool
) -> None:
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    tls = server_side(certificate)
    with running(Scripted([STARTTLS], tls=tls), wrap=security == "tls") as scripted:
        login = {"user": "ark", "password": "s3cret-word"}
        relay = Relay(settings(scripted, security=security, timeout=2, **login), "ark.example")
        outcome = relay.send("b@ark.example", "ann@example.org", MAIL)
        relay.close()
    assert "s3cret-word" not in outcome.detail
    if trusted:
        assert outcome.state == "sent", outcome
        assert "AUTH" in scripted.commands
    else:
        assert (outcome.state, outcome.relay_down) == ("retry", True)
        assert scripted.taken == []
        assert "AUTH" not in scripted.commands


@pytest.mark.parametrize(
    "script",
    [{}, {**STARTTLS, "STARTTLS": "454 not now"}, {**STARTTLS, "STARTTLS": DROP}],
    ids=["not offered", "not now", "dropped"],
)
def test_where_tls_was_asked_for_nothing_goes_in_the_clear(script: Script) -> None:
    outcome, scripted = send_once(script, security="starttls")
    assert (outcome.state, outcome.relay_down) == ("retry", True)
    assert scripted.taken == []
    assert "MAIL" not in scripted.commands


def test_a_wrong_password_is_the_operator_s_trouble() -> None:
    script = {"EHLO": "250-relay\r\n250 AUTH PLAIN", "AUTH": "535 5.7.8 no"}
    outcome, scripted = send_once(script, user="ark", password="wrong-word")
    assert (outcome.state, outcome.relay_down) == ("retry", True)
    assert "wrong-word" not in outcome.detail
    assert "MAIL" not in scripted.commands


def test_the_scripted_relay_is_a_relay() -> None:
    """A check of the test's own tool against the standard library's client."""
    with running(Scripted()) as scripted, smtplib.SMTP("127.0.0.1", scripted.port) as client:
        client.sendmail("a@ark.example", ["b@example.org"], MAIL)
    assert scripted.taken[0].content == MAIL
