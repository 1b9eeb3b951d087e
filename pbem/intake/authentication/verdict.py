"""From stamps and signatures to one verdict on the domain of From (RFC 7489)."""

from datetime import datetime

from pbem.intake.authentication.budget import MAIL_SECONDS, Budget
from pbem.intake.authentication.domains import aligned, organisation
from pbem.intake.authentication.letterhead import Irregular, Letterhead, read_letterhead
from pbem.intake.authentication.proof import Proof, Signature
from pbem.intake.authentication.signatures import (
    MOST_SIGNATURES,
    domain_of,
    leaves_text_unsigned,
    too_much,
    verify,
)
from pbem.intake.authentication.stamps import MethodResult, believed
from pbem.resolver import LookupFailed, Resolver

OWN = "own"


def authenticate(
    raw: bytes,
    resolver: Resolver,
    *,
    now: datetime,
    authserv_id: str = "",
    seconds: float = MAIL_SECONDS,
) -> Proof:
    """Find out whether a mail comes from the domain of its From.

    `authserv_id` is the name under which our own mail server stamps its findings; its
    stamp is believed, and only a mail without one is verified here.  `now` is when the
    mail came.  Takes `seconds` at most for lookups, and never raises."""
    try:
        head = read_letterhead(raw)
    except Irregular as irregular:
        return Proof("permerror", fault=str(irregular))
    if authserv_id:
        stamped = believed(head.all("authentication-results"), authserv_id)
        if stamped is not None:
            return _by_stamp(head, stamped, authserv_id)
    return _by_signature(head, Budget(resolver, seconds), now)


def _by_stamp(head: Letterhead, outcomes: list[MethodResult], authserv_id: str) -> Proof:
    spf = next((one for one in outcomes if one.method == "spf"), None)
    signatures = tuple(
        Signature(
            one.domain("header.d", "header.i"), one.properties.get("header.s", ""), one.result
        )
        for one in outcomes
        if one.method == "dkim" and one.result != "none"
    )
    by = _passing(head, outcomes, spf, signatures)
    told = next((one.result for one in outcomes if one.method == "dmarc"), "")
    if by:
        dmarc = "pass"
    elif "temperror" in {told, *(one.result for one in outcomes)}:
        dmarc = "temperror"
    else:
        dmarc = "fail" if told == "fail" or signatures else "none"
    return Proof(dmarc, head.domain, authserv_id, signatures, "" if spf is None else spf.result, by)


def _passing(
    head: Letterhead,
    outcomes: list[MethodResult],
    spf: MethodResult | None,
    signatures: tuple[Signature, ...],
) -> str:
    """What of a stamp proves the domain of From: dmarc, dkim, spf, or nothing."""
    told = [one for one in outcomes if one.method == "dmarc"]
    if any(one.result == "fail" for one in told):
        return ""
    by_spf = (
        spf is not None
        and spf.result == "pass"
        and aligned(spf.domain("smtp.mailfrom", "smtp.mail", "smtp.from"), head.domain)
    )
    own = [one for one in head.all("dkim-signature") if aligned(domain_of(one), head.domain)]
    whole = not any(leaves_text_unsigned(one) for one in own)  # a stamp does not tell
    by_dkim = whole and any(
        one.result == "pass" and aligned(one.domain, head.domain) for one in signatures
    )
    for one in told:
        if one.result == "pass" and one.domain("header.from") == head.domain and (whole or by_spf):
            return "dmarc"
    return "dkim" if by_dkim else "spf" if by_spf else ""


def _by_signature(head: Letterhead, budget: Budget, now: datetime) -> Proof:
    found = head.all("dkim-signature")
    own = [index for index, value in enumerate(found) if aligned(domain_of(value), head.domain)][
        :MOST_SIGNATURES
    ]
    if not own:
        return Proof("none", head.domain, OWN)
    if fault := too_much(head):
        return Proof("fail", head.domain, OWN, fault=fault)
    tried: list[Signature] = []
    for index in own:
        signature = verify(head, index, budget, now)
        tried.append(signature)
        if signature.result == "pass" and _allowed(signature, head, budget):
            return Proof("pass", head.domain, OWN, tuple(tried), by="dkim")
    return Proof("temperror" if budget.failed else "fail", head.domain, OWN, tuple(tried))


def _allowed(signature: Signature, head: Letterhead, budget: Budget) -> bool:
    """Whether a related domain may sign for From: unless its policy asks for the very
    same one (``adkim=s``)."""
    if signature.domain == head.domain:
        return True
    try:
        policy = _policy(head.domain, budget) or _policy(organisation(head.domain), budget)
    except LookupFailed:
        return False
    return policy.get("adkim", "r") != "s"


def _policy(domain: str, budget: Budget) -> dict[str, str]:
    """The tags of a domain's DMARC record; several records are none (RFC 7489 6.6.3)."""
    records = [one for one in budget.txt(f"_dmarc.{domain}") if one.startswith(b"v=DMARC1")]
    if len(records) != 1:
        return {}
    pairs = (part.partition("=") for part in records[0].decode("ascii", "replace").split(";"))
    return {name.strip().lower(): value.strip().lower() for name, _, value in pairs}
