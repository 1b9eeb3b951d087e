"""A real Postfix as the relay: letters over TLS, and a bounce that comes back through it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.installation import Installation
from pbem.post.addresses import return_path
from pbem.post.delivery import deliver_due
from pbem.store.bounce_scores import address_row
from pbem.store.rows import id_of
from tests.intake.mails import deposit, drain, stored
from tests.post.relay import Relay, Script, running
from tests.post.sending import by, ids
from tests.services.folder import wait_for
from tests.services.postfix import Postfix, postfix_at_work
from tests.tables import open_table


@contextmanager
def relaying(certificate: Path, *scripts: Script) -> Iterator[tuple[Postfix, Relay, Relay]]:
    """Postfix, the players' mail server (`scripts`), and whoever takes our domain's mail."""
    with running(Relay(scripts)) as players, running(Relay()) as ours:
        transports = {
            "example.org": f"smtp:[127.0.0.1]:{players.port}",
            "ark.example": f"smtp:[127.0.0.1]:{ours.port}",
        }
        tls = {
            "smtpd_tls_cert_file": str(certificate),
            "smtpd_tls_key_file": str(certificate),
            "smtpd_tls_security_level": "encrypt",
            "smtp_destination_concurrency_limit": "1",
        }
        with postfix_at_work(transports, main=tls) as mta:
            yield mta, players, ours


def test_letters_go_through_postfix_and_a_bounce_comes_back(
    installation: Installation, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    table = open_table(installation)
    refusals: Script = {"RCPT": ["550 5.1.1 no such user", "250 fine"]}
    with relaying(certificate, refusals, {}) as (mta, players, ours):
        here = by(installation, Relay(port=mta.port), host="127.0.0.1", security="starttls")
        assert deliver_due(here) == len(table.letters())
        assert {letter.state for letter in table.letters()} == {"sent"}
        wait_for(lambda: not mta.queue(), "Postfix to be rid of all")
    letters = table.letters()
    [bounce] = ours.taken
    lost = next(
        one for one in letters
        if return_path(installation.keys, "ark.example", id_of(one)) == bounce.recipient
    )  # fmt: skip
    assert bounce.sender == ""
    assert sorted(ids(players)) == sorted(o.message_id for o in letters if o.id != lost.id)

    number = deposit(installation, bounce.content, bounce.recipient, sender="")
    drain(installation)
    assert (stored(installation, number).kind, stored(installation, number).state) == (
        "bounce", "done",
    )  # fmt: skip
    after = next(one for one in table.letters() if one.id == lost.id)
    assert after.state == "failed"
    assert (after.error or "").startswith("bounced: 5.1.1")
    with installation.store.read() as session:
        row = address_row(session, lost.to_address)
        assert row is not None
        assert row.bounce_score == 1


def test_without_the_tls_that_postfix_wants_nothing_is_lost(
    installation: Installation, certificate: Path
) -> None:
    table = open_table(installation)
    with relaying(certificate, {}) as (mta, players, _):
        deliver_due(by(installation, Relay(port=mta.port)))
        letters = table.letters()
        assert {letter.state for letter in letters} == {"retry"}
        assert letters[0].delayed_by == "relay"  # 530: the login or TLS is ours to mend
        assert players.taken == []
