"""Authentication-Results: whose are believed, and how they are read."""

from datetime import UTC, datetime

import pytest

from pbem.intake.authentication import Proof, authenticate
from pbem.intake.authentication.stamps import NO_ID, MethodResult, believed, read_stamp
from tests.intake.signing import Names, names, signed

NOW = datetime(2026, 12, 1, tzinfo=UTC)
ID = "mx.ark.example"
MAIL = b"From: Ann <ann@example.org>\nSubject: my turn\n\ntake fox\n"
PASS = b"dmarc=pass header.from=example.org"


def stamped(*stamps: bytes, mail: bytes = MAIL) -> bytes:
    return b"".join(b"Authentication-Results: %s\n" % one for one in stamps) + mail


def proof(raw: bytes, authserv_id: str = ID) -> Proof:
    asked = Names({})
    found = authenticate(raw, asked, now=NOW, authserv_id=authserv_id)
    assert not asked.asked
    return found


@pytest.mark.parametrize(
    ("stamp", "by"),
    [
        (b"mx.ark.example; dmarc=pass header.from=example.org", "dmarc"),
        (b"MX.ark.example 1; DMARC=Pass (p=none dis=none) header.from=Example.ORG", "dmarc"),
        (
            b"mx.ark.example (a; b=c (d)) ;\n\tdkim=pass (2048-bit key)\n header.d=example.org",
            "dkim",
        ),
        (b"mx.ark.example; dkim=pass header.i=@mail.example.org header.s=x", "dkim"),
        (b'mx.ark.example; dkim=pass reason="good; dkim=fail" header.d="example.org"', "dkim"),
        (b"mx.ark.example; spf=pass smtp.mailfrom=ann@example.org; dkim=none", "spf"),
        (b"mx.ark.example; spf=pass smtp.mailfrom=bounce.example.org", "spf"),
        (b"mx.ark.example; dkim/1 = pass header.d=example.org", "dkim"),
        (b"mx.ark.example; dkim=fail header.d=example.org; dkim=pass header.d=example.org", "dkim"),
    ],
)
def test_what_our_own_server_found_is_believed(stamp: bytes, by: str) -> None:
    found = proof(stamped(stamp))
    assert (found.dmarc, found.by, found.source) == ("pass", by, ID)


@pytest.mark.parametrize(
    ("stamp", "dmarc"),
    [
        (b"mx.ark.example; none", "none"),
        (b"mx.ark.example", "none"),
        (b"mx.ark.example; dmarc=pass header.from=evil.example", "none"),
        (b"mx.ark.example; dmarc=pass", "none"),
        (b"mx.ark.example; dkim=pass header.d=evil.example", "fail"),
        (b"mx.ark.example; spf=pass smtp.mailfrom=eve@evil.example", "none"),
        (b"mx.ark.example; spf=pass smtp.helo=example.org", "none"),
        (
            b"mx.ark.example; dmarc=fail header.from=example.org; dkim=pass header.d=example.org",
            "fail",
        ),
        (b"mx.ark.example; dkim=temperror header.d=example.org", "temperror"),
        (b"mx.ark.example; dkim=none (dmarc=pass header.from=example.org; dkim=pass)", "none"),
        (b'mx.ark.example; x=y reason="; dmarc=pass header.from=example.org"', "none"),
        (b"mx.ark.example; dmarc=passed header.from=example.org", "none"),
        (b"mx.ark.example; arc=pass header.from=example.org", "none"),
        (b"mx.ark.example; dkim=pass (header.d=example.org", "fail"),
    ],
)
def test_what_it_did_not_find_is_not_proved(stamp: bytes, dmarc: str) -> None:
    assert proof(stamped(stamp)).dmarc == dmarc


def test_only_the_topmost_stamps_are_our_server_s() -> None:
    ours, forged = b"mx.ark.example; dkim=none", b"mx.ark.example; " + PASS
    assert not proof(stamped(ours, b"other.example; " + PASS, forged)).proved
    assert proof(stamped(b"mx.ark.example; spf=none", forged)).proved
    assert believed([b"other.example; none", forged], ID) is None
    assert believed([], ID) is None


def test_another_server_s_word_is_nothing_and_dkim_is_verified_here_then() -> None:
    for stamp in (b"other.example; " + PASS, b"mx.ark.example.evil.example; " + PASS, b"\xff\0;;"):
        asked = names("example.org")
        unsigned = authenticate(stamped(stamp), asked, now=NOW, authserv_id=ID)
        assert not unsigned.proved
        honest = authenticate(
            stamped(stamp, mail=signed(MAIL, headers=[b"from", b"subject"])),
            asked, now=NOW, authserv_id=ID,
        )  # fmt: skip
        assert honest.proved is (b"\0" not in stamp)


def test_without_the_setting_no_stamp_is_believed() -> None:
    assert not proof(stamped(b"mx.ark.example; " + PASS), "").proved


def test_a_stamp_does_not_tell_that_text_was_appended_so_the_signature_is_looked_at() -> None:
    loose = signed(MAIL, headers=[b"from", b"subject"], length=True)
    for stamp in (PASS, b"dkim=pass header.d=example.org"):
        assert not proof(stamped(b"mx.ark.example; " + stamp, mail=loose)).proved
    both = b"mx.ark.example; spf=pass smtp.mailfrom=example.org; " + PASS
    assert proof(stamped(both, mail=loose)).proved


MICROSOFT = (
    b"spf=pass (sender IP is 192.0.2.1)\n smtp.mailfrom=example.org; dkim=pass (signature was"
    b" verified)\n header.d=example.org;dmarc=pass action=none\n"
    b" header.from=example.org;compauth=pass reason=100"
)


def test_microsoft_names_no_server() -> None:
    assert proof(stamped(MICROSOFT), NO_ID).by == "dmarc"
    assert not proof(stamped(b"mx.ark.example; none", MICROSOFT)).proved
    name, outcomes = read_stamp(MICROSOFT)
    assert name == NO_ID
    assert [(one.method, one.result) for one in outcomes] == [
        ("spf", "pass"), ("dkim", "pass"), ("dmarc", "pass"), ("compauth", "pass"),
    ]  # fmt: skip


def test_the_older_form_of_it_names_the_recipient_between() -> None:
    old = b"spf=pass (x) smtp.mailfrom=example.org; ark.example; dkim=none (not signed) header.d=none;"
    name, outcomes = read_stamp(old)
    assert (name, [one.method for one in outcomes]) == (NO_ID, ["spf", "dkim"])


@pytest.mark.parametrize("value", [b"", b";", b"a b c; dkim=pass", b"x" * 20_000, b'"', b"((("])
def test_what_is_no_stamp_says_nothing(value: bytes) -> None:
    assert read_stamp(value)[1] == []


def test_a_property_may_be_an_address_or_a_domain() -> None:
    outcome = MethodResult("spf", "pass", {"smtp.mailfrom": "ann@example.org."})
    assert outcome.domain("smtp.helo", "smtp.mailfrom") == "example.org"
    assert outcome.domain("header.d") == ""
