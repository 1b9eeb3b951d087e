"""Is the domain of From proved?  DKIM verified here, with every trick that makes it look so."""

import time
from datetime import UTC, datetime, timedelta
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.intake.authentication import Proof, authenticate
from pbem.intake.authentication.budget import MOST_QUESTIONS, Budget
from pbem.intake.authentication.domains import aligned, organisation
from pbem.resolver import DnsResolver, LookupFailed
from tests.intake.signing import SELECTOR, SIGNED, Names, key, names, signed

NOW = datetime(2026, 12, 1, tzinfo=UTC)
MAIL = b"""\
From: Ann <ann@example.org>
To: ark@ark.example
Subject: my turn
Date: Tue, 01 Dec 2026 09:00:00 +0000
Message-ID: <1@example.org>

take fox
"""


def proof(raw: bytes, resolver: Names | None = None, now: datetime = NOW) -> Proof:
    return authenticate(raw, resolver or names("example.org"), now=now)


def test_a_valid_signature_of_the_sender_s_own_domain_proves_it() -> None:
    found = proof(signed(MAIL))
    assert found.proved
    assert (found.domain, found.source, found.by) == ("example.org", "own", "dkim")
    assert [one.result for one in found.signatures] == ["pass"]
    assert "example.org" in found.sentence


def test_line_ends_do_not_matter() -> None:
    assert proof(signed(MAIL).replace(b"\r\n", b"\n")).proved
    assert proof(signed(MAIL).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")).proved
    assert proof(b"From ann@example.org Tue Dec  1 09:00:00 2026\n" + signed(MAIL)).proved


def test_without_a_signature_nothing_is_asked_and_nothing_proved() -> None:
    asked = names("example.org")
    assert proof(MAIL, asked).dmarc == "none"
    assert asked.asked == []


def test_what_is_changed_afterwards_is_not_proved() -> None:
    raw = signed(MAIL)
    for old, new in ((b"take fox", b"take cat"), (b"my turn", b"pass"), (b"ann@ex", b"bob@ex")):
        assert proof(raw.replace(old, new)).dmarc == "fail"


@pytest.mark.parametrize(
    ("signer", "policy", "proved"),
    [
        ("mail.example.org", b"", True),
        ("example.org", b"v=DMARC1; p=reject; adkim=r", True),
        ("mail.example.org", b"v=DMARC1; p=none; adkim=s", False),
        ("mail.example.org", b"v=spf1 adkim=s", True),
        ("example.net", b"", False),
        ("example.org.evil.example", b"", False),
    ],
)
def test_the_signer_has_to_be_aligned_with_from(signer: str, policy: bytes, proved: bool) -> None:
    resolver = Names(
        {f"{SELECTOR}._domainkey.{signer}": key().record, "_dmarc.example.org": policy}
    )
    assert proof(signed(MAIL, signer), resolver).proved is proved


def test_neighbours_under_one_public_suffix_are_strangers() -> None:
    raw = MAIL.replace(b"example.org>", b"ann.co.uk>", 1)
    assert not proof(signed(raw, "evil.co.uk"), names("evil.co.uk")).proved
    assert organisation("a.b.ann.co.uk.") == "ann.co.uk"
    assert not aligned("ann.github.io", "eve.github.io")
    assert not aligned("", "")


def test_a_body_length_lets_text_be_appended_and_counts_as_no_signature() -> None:
    raw = signed(MAIL, length=True)
    for mail in (raw, raw + b"play fox L2\n"):
        found = proof(mail)
        assert not found.proved
        assert [one.result for one in found.signatures] == ["policy"]
        assert "l=" in found.signatures[0].why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"identity": b"@example.org; x=1000; z=example.org"}, "expired"),
        ({"identity": b"@example.org; x=soon; z=example.org"}, "expired"),
        ({"algorithm": b"rsa-sha1"}, "weak"),
        ({"headers": (b"from", b"date")}, "subject"),
        ({"with_key": key(512, 2)}, ""),
    ],
)
def test_weak_and_old_signatures_prove_nothing(change: dict[str, object], why: str) -> None:
    raw = signed(MAIL, **change)  # type: ignore[arg-type]
    used = change.get("with_key", key())
    resolver = Names({f"{SELECTOR}._domainkey.example.org": used.record})  # type: ignore[attr-defined]
    found = proof(raw, resolver)
    assert not found.proved
    assert why in found.signatures[0].why


def test_one_that_has_not_expired_yet_still_counts() -> None:
    now = datetime.now(UTC)
    until = int(now.timestamp()) + 3600
    raw = signed(MAIL, identity=b"@example.org; x=%d; z=example.org" % until)
    assert proof(raw, now=now).proved
    assert not proof(raw, now=now + timedelta(hours=2)).proved


def test_the_signature_has_to_cover_from_and_name_its_own_domain() -> None:
    raw = signed(MAIL)
    assert not proof(raw.replace(b"h=from : ", b"h=")).proved
    assert not proof(raw.replace(b"i=@example.org", b"i=@evil.example")).proved


def test_a_revoked_or_missing_or_broken_key_proves_nothing() -> None:
    place = f"{SELECTOR}._domainkey.example.org"
    for record in (b"v=DKIM1; p=", b"", b"\xff\xfe", b"v=DKIM1; k=rsa; p=AAAA", b"=;=;"):
        assert proof(signed(MAIL), Names({place: record})).dmarc == "fail"
    assert proof(signed(MAIL), Names({place: key(1024, 7).record})).dmarc == "fail"


def test_of_several_signatures_one_good_one_is_enough() -> None:
    lists = signed(signed(MAIL), "lists.example")
    assert proof(lists).proved
    broken = signed(signed(MAIL), with_key=key(1024, 7))
    found = proof(broken)
    assert found.proved
    assert [one.result for one in found.signatures] == ["fail", "pass"]


def test_hundreds_of_signatures_are_not_all_tried() -> None:
    asked = Names({})
    raw = MAIL
    line = signed(MAIL)[: -len(MAIL)]
    found = proof(line * 300 + raw, asked)
    assert not found.proved
    assert len(asked.asked) <= 3


@pytest.mark.parametrize(
    "head",
    [
        b"From: eve@evil.example\n",
        b"from : ann@example.org\n",
        b"Subject: other\n",
        b"Content-Type: text/html\nContent-Type: text/plain\n",
        b"X: a\n \ntake: cat\n",
        b"X: a\n\t\nFrom: eve@evil.example\n",
        b"X: a\rFrom: eve@evil.example\n",
        b"X: a\0b\n",
        b"no header at all\n",
        b"\n",
        b"X: y\n" * 2000,
        b"X: " + b"y" * 200_000 + b"\n",
    ],
)
def test_lines_put_above_a_signed_mail_take_its_proof_away(head: bytes) -> None:
    """Two programs would read such a header block in two ways."""
    found = proof(head + signed(MAIL))
    assert found.dmarc == "permerror"
    assert found.fault


@pytest.mark.parametrize(
    "author",
    [
        b'"ann@example.org" <eve@evil.example>',
        b"ann@example.org <eve@evil.example>",
        b"ann@example.org, eve@evil.example",
        b"Friends: ann@example.org, eve@evil.example;",
        b"Friends: ann@example.org;",
        b"=?utf-8?q?ann=40example=2Eorg?= <eve@evil.example>",
        b"eve@evil.example =?utf-8?q?=3Cann=40example=2Eorg=3E?=",
        b"=?utf-8?q?Ann_=3Cann=40example=2Eorg=3E?=",
        b"<eve@evil.example> <ann@example.org>",
        b"(<ann@example.org>) eve@evil.example",
        b"eve@evil.example (<ann@example.org>)",
        b"Ann <ann@example.org",
        b"Ann <@evil.example:ann@example.org>",
        b"ann@example.org@evil.example",
        b'"ann@example.org',
        b"((((ann@example.org",
        b"",
    ],
)
def test_a_from_line_with_a_trick_never_proves_ann_s_domain(author: bytes) -> None:
    raw = MAIL.replace(b"Ann <ann@example.org>", author)
    both = names("example.org", "evil.example")
    for domain in ("example.org", "evil.example"):
        found = proof(signed(raw, domain), both)
        assert not (found.proved and found.domain == "example.org"), author


def test_honest_from_lines_are_understood() -> None:
    for author in (
        b'"Smith, Ann (private)" <ann@example.org>',
        b"ann@example.org (Ann; at home)",
        b"=?utf-8?b?w4Rubg==?= <Ann@Example.ORG>",
        b"\xc3\x84nn <ann@example.org>",
        b"Ann\n <ann@example.org>",
        b'"A \\" B" <ann@example.org>',
    ):
        raw = MAIL.replace(b"Ann <ann@example.org>", author)
        assert proof(signed(raw)).proved, author


def test_the_name_server_s_trouble_is_a_temporary_error() -> None:
    place = f"{SELECTOR}._domainkey.example.org"
    found = proof(signed(MAIL), Names({place: None}))
    assert found.dmarc == "temperror"
    assert "in time" in found.sentence
    related = Names(
        {f"{SELECTOR}._domainkey.m.example.org": key().record, "_dmarc.example.org": None}
    )
    assert proof(signed(MAIL, "m.example.org"), related).dmarc == "temperror"


def test_a_mail_s_questions_and_time_are_bounded() -> None:
    ticks = iter(range(1000))
    budget = Budget(Names({}), seconds=4.5, timer=lambda: next(ticks))
    for _ in range(4):
        budget.txt("x.example")
    with pytest.raises(LookupFailed):
        budget.txt("x.example")
    assert budget.failed
    budget = Budget(Names({}))
    for _ in range(MOST_QUESTIONS):
        budget.txt("x.example")
    with pytest.raises(LookupFailed):
        budget.txt("x.example")


def test_blanks_and_size_cannot_make_verifying_slow() -> None:
    for extra in (b" " * 3_000_000 + b"x", b"\t " * 100_000, b"x\n" * 4_000_000):
        began = time.process_time()
        assert not proof(signed(MAIL).rstrip(b"\n") + extra).proved
        took = time.process_time() - began
        assert took < 3, "a busy machine counts more; what is done badly takes minutes"
    raw = signed(MAIL).replace(b" b=", b" b=" + b"\n " * 9000, 1)
    assert proof(raw).dmarc in ("fail", "permerror")


def test_names_that_cannot_be_asked_for_are_an_answer_too() -> None:
    for name in ("a" * 300 + ".example", "..", "a..b"):
        with pytest.raises(LookupFailed):
            DnsResolver().txt(name, 0.2)


@given(st.binary(max_size=400), st.integers(0, 400))
def test_whatever_the_bytes_are_there_is_a_verdict(junk: bytes, place: int) -> None:
    raw = signed_once()
    for mail in (junk, raw[:place] + junk + raw[place:]):
        found = authenticate(mail, names("example.org"), now=NOW, authserv_id="mx.example")
        assert found.dmarc in ("pass", "fail", "none", "temperror", "permerror")
        found.to_json()


def signed_once(_made: list[bytes] = []) -> bytes:  # noqa: B006 - made once for all examples
    if not _made:
        _made.append(signed(MAIL))
    return _made[0]


def test_a_mail_as_python_writes_it() -> None:
    from email.message import EmailMessage

    message = EmailMessage(policy=SMTP)
    message["From"], message["Subject"] = "Änn <ann@example.org>", "Zug: 狐狸"
    message.set_content("拿 狐狸\n", cte="base64")
    assert proof(signed(message.as_bytes(), headers=SIGNED[:1] + SIGNED[2:3])).proved
