"""Is it true that a mail comes from the domain its From names?

    proof = authenticate(raw, resolver, authserv_id="mx.example.net", now=received)
    if proof.proved: …

Either our own mail server has said so (RFC 8601), or the mail's DKIM signatures are
verified here (RFC 6376).  A signature counts only where its domain is aligned with From
(RFC 7489 3.1) and nothing of the mail that is read is left unsigned.
"""

from pbem.intake.authentication.proof import Proof, Signature
from pbem.intake.authentication.verdict import authenticate

__all__ = ["Proof", "Signature", "authenticate"]
