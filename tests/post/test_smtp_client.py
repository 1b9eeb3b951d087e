"""One mail to the relay: every way each phase can go wrong, and how it ends."""

import smtplib
import ssl
import time
from pathlib import Path

import pytest

from pbem.post.connecting import tls_context
from pbem.post.smtp_client import Relay, SmtpOutcome
from pbem.settings import Post, SettingsError
from tests.ports import refusing_port
from tests.post.relay import DRIP, DROP, FLOOD, HANG, Script, patience, running
from tests.post.relay import Relay as Scripted

MAIL = b"Subject: hi\r\n\r\n.a dot\r\n"


def settings(scripted: Scripted, **changes: object) -> Post:
    return Post.model_validate(
        {
            "host": "127.0.0.1", "port": scripted.port, "timeout": patience(scripted.scripts),
            **changes,
        }
    )  # fmt: skip


def send_once(script: Script, **changes: object) -> tuple[SmtpOutcome, Scripted]:
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


@pytest.mark.parametrize("fault", [DROP, HANG])
def test_a_connection_lost_within_the_mail_is_tried_again(fault: str) -> None:
    with running(Scripted([{"content": fault}])) as scripted:
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


@pytest.mark.parametrize("fault", [DRIP, FLOOD])
@pytest.mark.parametrize("phase", ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "end", "QUIT"])
def test_no_answer_takes_longer_than_the_time_out(phase: str, fault: str) -> None:
    started = time.monotonic()
    outcome, _ = send_once({phase: fault})
    assert time.monotonic() - started < 60
    assert outcome.state == {"end": "unknown", "QUIT": "sent"}.get(phase, "retry")


def test_a_connection_is_used_for_so_many_mails_only() -> None:
    with running(Scripted()) as scripted:
        relay = Relay(settings(scripted, per_connection=2), "ark.example")
        states = [relay.send("b@ark.example", "ann@example.org", MAIL).state for _ in range(5)]
        relay.close()
    assert states == ["sent"] * 5
    assert scripted.connections == 3
    assert scripted.commands.count("QUIT") == 3


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


def test_a_relay_that_does_not_listen_is_named() -> None:
    scripted = Scripted(port=refusing_port())
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
        relay = Relay(settings(scripted, security=security, **login), "ark.example")
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


@pytest.mark.parametrize("verify", [True, False])
def test_an_authority_of_one_s_own_or_no_check_at_all(certificate: Path, verify: bool) -> None:
    own = certificate.with_suffix(".crt") if verify else None
    tls = tls_context("starttls", verify, own)
    with running(Scripted([STARTTLS], tls=server_side(certificate))) as scripted:
        post = settings(scripted, security="starttls")
        relay = Relay(post, "ark.example", tls)
        assert relay.send("b@ark.example", "ann@example.org", MAIL).state == "sent"
        relay.close()


@pytest.mark.parametrize(
    ("script", "encrypted"),
    [
        (STARTTLS, True),
        ({}, False),
        ({**STARTTLS, "STARTTLS": "454 not now"}, False),
        ({**STARTTLS, "STARTTLS": ["220 go on", "220 go on"], "tls": "garbage"}, False),
    ],
    ids=["offered", "not offered", "not now", "broken"],
)
def test_opportunistic_tls_is_better_than_nothing(
    certificate: Path, script: Script, encrypted: bool
) -> None:
    with running(Scripted([script], tls=server_side(certificate))) as scripted:
        relay = Relay(settings(scripted, security="opportunistic"), "ark.example")
        outcome = relay.send("b@ark.example", "ann@example.org", MAIL)
        relay.close()
    assert outcome.state == "sent", outcome
    assert scripted.encrypted == encrypted
    assert len(scripted.taken) == 1


def test_a_password_is_never_said_where_encryption_failed(certificate: Path) -> None:
    script = {**STARTTLS, "tls": "garbage"}
    with running(Scripted([script], tls=server_side(certificate))) as scripted:
        post = settings(scripted, security="opportunistic", user="ark", password="word")
        relay = Relay(post, "ark.example")
        outcome = relay.send("b@ark.example", "ann@example.org", MAIL)
        relay.close()
    assert (outcome.state, outcome.relay_down) == ("retry", True)
    assert "AUTH" not in scripted.commands


def test_authorities_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pem", tmp_path / "nonsense.pem"):
        (tmp_path / "nonsense.pem").write_text("nonsense")
        with pytest.raises(SettingsError, match=r"post\.authorities"):
            tls_context("tls", True, path)


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
