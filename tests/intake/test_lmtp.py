"""Mail coming in by LMTP (RFC 2033): one answer a recipient."""

import socket

from pbem.installation import Installation
from tests.intake.taking import PATIENCE, RAW, Lmtp, but, inbox, serving


def test_lmtp_answers_for_every_recipient(installation: Installation, token: str) -> None:
    to = ["ark@ark.example", f"t-{token}@ark.example"]
    only_lmtp = but(installation, mail={"smtp": False}, lmtp={"enabled": True, "port": 0})
    with (
        serving(only_lmtp) as server,
        socket.create_connection(("127.0.0.1", server.lmtp_port), timeout=PATIENCE) as connection,
    ):
        lmtp = Lmtp(connection)
        assert lmtp.say(b"LHLO mta.example", 5)[-1] == b"250"
        for recipients in (to, to[:1]):
            lmtp.say(b"MAIL FROM:<ann@example.org>")
            for one in recipients:
                assert lmtp.say(f"RCPT TO:<{one}>".encode()) == [b"250"]
            assert lmtp.say(b"RCPT TO:<nobody@ark.example>") == [b"550"]
            assert lmtp.say(b"DATA") == [b"354"]
            answers = lmtp.say(RAW.replace(b"\r\n.", b"\r\n..") + b".", len(recipients))
            assert answers == [b"250"] * len(recipients)
        assert lmtp.say(b"QUIT") == [b"221"]
        lmtp.close()
    stored = inbox(installation)
    assert [mail.envelope_to for mail in stored] == [to, to[:1]]
    assert [mail.raw for mail in stored] == [RAW, RAW]
    assert {mail.channel for mail in stored} == {"lmtp"}
