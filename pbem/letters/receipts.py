"""How a mail was read, in words: for its receipt page and for the answer to `test`.

A receipt is what `pbem.intake.handling` keeps of a mail; nothing of a table's position
stands in these words.
"""

from collections.abc import Mapping
from typing import Any

from pbem.translation import _

MOST_PARTS = 20


def came_by(channel: str) -> str:
    """The way in."""
    match channel:
        case "smtp":
            return _("Handed in by SMTP")
        case "lmtp":
            return _("Handed in by LMTP")
        case "imap":
            return _("Fetched from a mailbox (IMAP)")
        case "pipe":
            return _("Handed in by the mail server (pipe)")
        case "webhook":
            return _("Handed in by a mail service (webhook)")
    return channel


def identified(receipt: Mapping[str, Any]) -> str:
    """Whose mail it was taken for, and by what."""
    match receipt.get("verdict"):
        case "act" if receipt.get("by") == "moderator":
            return _("{sentence}.", sentence=_found(receipt))
        case "act":
            return _("{found}, and an address of its owner wrote.", found=_found(receipt))
        case "ask":
            return _("{found}, but a strange address wrote.", found=_found(receipt))
        case "server":
            return _("A known sender, at the server's own address.")
        case "resend":
            return _("A known sender, but no valid reply address.")
        case "postmaster":
            return _("Mail to the postmaster.")
        case "stranger":
            return _("No valid reply address, and nobody known here wrote.")
    return _("Not identified.")


def _found(receipt: Mapping[str, Any]) -> str:
    match receipt.get("by"):
        case "envelope":
            return _("A valid reply address, by the envelope")
        case "header":
            return _("A valid reply address, by a recipient header")
        case "thread":
            return _("No reply address, but it answers one of our letters")
        case "moderator":
            return _("A moderator has said whose it is")
    return _("A valid reply address")


def kind_of(kind: str | None) -> str:
    """What kind of mail it was taken for."""
    match kind:
        case "commands":
            return _("a mail with text")
        case "auto-reply":
            return _("an automatic reply: it never acts and is never answered")
        case "bounce":
            return _("a bounce")
        case "list":
            return _("mail of a list, or bulk mail")
        case "own":
            return _("our own letter, come back")
        case "encrypted":
            return _("encrypted: it cannot be read here")
        case "empty":
            return _("a mail without new text")
        case "unreadable":
            return _("a mail without text that can be read here")
    return _("not read yet")


def cuts(receipt: Mapping[str, Any]) -> list[str]:
    """What was cut away, and why."""
    return [_cut(name) for name in receipt.get("cut", ())]


def _cut(name: str) -> str:
    match name:
        case "quote":
            return _("Quoted text: what our letters or earlier mails say already.")
        case "signature":
            return _("The signature: what stands below a line of two dashes.")
        case "footer":
            return _("The footer a telephone or mail program adds.")
        case "disclaimer":
            return _("A legal disclaimer.")
        case "banner":
            return _("A warning banner, put in on the way.")
        case "list-footer":
            return _("The footer of a mailing list.")
        case "forward":
            return _("A forwarded original: somebody else's words.")
    return name


def parts(receipt: Mapping[str, Any], *, with_names: bool = True) -> list[str]:
    """What the mail consisted of; attachments are never opened.  Their names are the
    sender's own words, and so not for a letter."""
    found = receipt.get("parts", ())
    told = [_part(part, part["filename"] if with_names else "") for part in found[:MOST_PARTS]]
    if (more := len(found) - MOST_PARTS) > 0:
        told.append(_("… and {count} more.", count=more))
    return told


def _part(part: Mapping[str, Any], name: str) -> str:
    what = f"{part['content_type']} “{name}”" if name else part["content_type"]
    if part["used"]:
        return _("{part}, {size} bytes: read.", part=what, size=part["size"])
    return _("{part}, {size} bytes: not read.", part=what, size=part["size"])


def facts(channel: str, kind: str | None, receipt: Mapping[str, Any]) -> list[str]:
    """The receipt's facts but for the text and what it says: a line each, for a letter."""
    return [
        _("{sentence}.", sentence=came_by(channel)),
        _("From {sender}.", sender=receipt.get("sender") or _("nobody")),
        identified(receipt),
        _("Taken for {kind}.", kind=kind_of(kind)),
        *parts(receipt, with_names=False),
        *(_("Cut: {what}", what=what) for what in cuts(receipt)),
    ]
