"""DKIM signatures, verified here (RFC 6376, RFC 8301).

dkimpy does the cryptography.  What it would let pass is looked at before: a body length
that lets text be appended, a subject that is not signed, an old signature, a weak one.
"""

import logging
import re
from collections.abc import Mapping
from datetime import datetime

import dkim
from dkim.util import InvalidTagValueList, parse_tag_value

from pbem.intake.authentication.budget import Budget
from pbem.intake.authentication.letterhead import Letterhead
from pbem.intake.authentication.proof import Signature
from pbem.resolver import LookupFailed

MOST_SIGNATURES = 3  # of the sender's own domain that are tried
MOST_BYTES = 5_000_000  # of a mail whose signatures are verified
MOST_FIELD = 8_192  # of one signature
SHORTEST_KEY = 1024  # bits (RFC 8301 3.2)
LONGEST_BLANK = 200
"""Longer runs of blanks make the library's expressions slow; nobody writes them."""
ALGORITHMS = frozenset({b"rsa-sha256", b"ed25519-sha256"})  # SHA-1 proves nothing any more

_NUMBER = re.compile(rb"[0-9]{1,12}")
_log = logging.getLogger("pbem.dkim")
_log.setLevel(logging.CRITICAL)  # what the library says about strangers' mails is no news


def verify(head: Letterhead, index: int, budget: Budget, now: datetime) -> Signature:
    """Verify the signature that stands at this place, from the top.  Never raises."""
    try:
        tags = parse_tag_value(head.all("dkim-signature")[index].replace(b"\n", b""))
    except InvalidTagValueList:
        return Signature("", "", "permerror", "it cannot be read")
    domain, selector = _text(tags, b"d"), _text(tags, b"s")
    if why := _weakness(head, tags, now):
        return Signature(domain, selector, "policy", why)
    result, why = _verified(head, index, budget)
    return Signature(domain, selector, result, why)


def domain_of(value: bytes) -> str:
    """The domain that a DKIM-Signature claims, "" when it cannot be read."""
    try:
        return _text(parse_tag_value(value.replace(b"\n", b"")), b"d")
    except InvalidTagValueList:
        return ""


def leaves_text_unsigned(value: bytes) -> bool:
    """Whether a DKIM-Signature limits itself to the beginning of the body (``l=``)."""
    try:
        return b"l" in parse_tag_value(value.replace(b"\n", b""))
    except InvalidTagValueList:
        return True


def too_much(head: Letterhead) -> str:
    """Why the signatures of a mail are not looked at; "" when they are."""
    if len(head.raw) > MOST_BYTES:
        return "it is too large for its signature to be verified"
    if b" " * LONGEST_BLANK in head.raw.replace(b"\t", b" "):
        return "it has longer blanks than a signed mail may have"
    if any(len(value) > MOST_FIELD for value in head.all("dkim-signature")):
        return "its signature is too long"
    return ""


def _weakness(head: Letterhead, tags: Mapping[bytes, bytes], now: datetime) -> str:
    """Why a signature does not count, were it valid."""
    if b"l" in tags:
        return "it lets text be appended (l=)"
    if tags.get(b"a", b"").strip().lower() not in ALGORITHMS:
        return "its algorithm is too weak"
    signed = [name.strip().lower() for name in tags.get(b"h", b"").split(b":")]
    if b"from" not in signed:
        return "From is not signed"
    if head.all("subject") and b"subject" not in signed:
        return "the subject is not signed"
    expires = tags.get(b"x", b"").strip()
    if expires and (not _NUMBER.fullmatch(expires) or int(expires) < now.timestamp()):
        return "it has expired"
    return ""


def _verified(head: Letterhead, index: int, budget: Budget) -> tuple[str, str]:
    def key(name: bytes, timeout: float = 0) -> bytes | None:
        records = budget.txt(name.decode("ascii", "replace").rstrip("."))
        return records[0] if records else None  # several: undefined (RFC 6376 3.6.2.2)

    try:
        verifier = dkim.DKIM(head.raw, logger=_log, minkey=SHORTEST_KEY)
        valid = verifier.verify(index, dnsfunc=key)
    except LookupFailed:
        return "temperror", "its key could not be looked up in time"
    except dkim.KeyFormatError as error:
        return "permerror", str(error)[:200]
    except dkim.DKIMException as error:
        return "fail", str(error)[:200]
    except Exception as error:  # noqa: BLE001 - whatever a mail does to the library, it proves nothing
        return "permerror", type(error).__name__
    return ("pass", "") if valid else ("fail", "it does not match the mail, or has no key")


def _text(tags: Mapping[bytes, bytes], name: bytes) -> str:
    return tags.get(name, b"").decode("ascii", "replace").strip().lower().rstrip(".")
