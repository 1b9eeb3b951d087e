"""What is known about where a mail comes from."""

from dataclasses import dataclass
from typing import Any

from pbem.translation import _


@dataclass(frozen=True)
class Signature:
    """One DKIM signature (RFC 6376), as it was found.

    ``result`` is a word of RFC 8601 2.7.1: pass, fail, policy (valid perhaps, but not good
    enough for us: ``why`` says what it leaves open), temperror, permerror."""

    domain: str
    selector: str
    result: str
    why: str = ""


@dataclass(frozen=True)
class Proof:
    """Whether the domain of From is proved, by what, and if not, why not.

    ``dmarc``: pass (a passing DKIM signature or SPF result is aligned with From), fail,
    none (nothing to go by), temperror (the DNS did not answer in time), permerror (From or
    the header block cannot be trusted to mean one thing; ``fault`` says why)."""

    dmarc: str
    domain: str = ""  # of From
    source: str = ""  # own, for a verification of ours; else the authserv-id that was believed
    signatures: tuple[Signature, ...] = ()
    spf: str = ""  # the result that was told; "" where nobody did
    by: str = ""  # dkim, spf or dmarc: what the pass rests on
    fault: str = ""

    @property
    def proved(self) -> bool:
        """Whether the mail may be taken to come from the domain of its From."""
        return self.dmarc == "pass"

    @property
    def sentence(self) -> str:
        """What is to be said about it to a person, in the language spoken."""
        if self.dmarc == "pass":
            return _("It was proved that it comes from {domain}.", domain=self.domain)
        if self.dmarc == "temperror":
            return _(
                "Whether it comes from {domain} could not be looked up in time.",
                domain=self.domain,
            )
        if self.dmarc == "permerror":
            return _("Its sender line is irregular, so nothing proves who wrote it.")
        if self.dmarc == "fail":
            return _("The proof that it comes from {domain} failed.", domain=self.domain)
        return _("Nothing in it proves that it comes from {domain}.", domain=self.domain)

    def to_json(self) -> dict[str, Any]:
        """For the mail's receipt."""
        return {
            "dmarc": self.dmarc,
            "domain": self.domain,
            "source": self.source,
            "by": self.by,
            "spf": self.spf,
            "fault": self.fault,
            "signatures": [
                {"domain": one.domain, "result": one.result, "why": one.why}
                for one in self.signatures
            ],
        }
