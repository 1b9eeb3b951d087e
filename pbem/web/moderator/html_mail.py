"""The HTML of a mail as it may be looked at: its words and their order, nothing that loads,
runs, leads away or hides.

Every attribute goes but the direction of writing, and with them all styles, so that what was
hidden in the mail shows here.  Links and pictures leave their words behind.
"""

import nh3

from pbem.intake.mime import Walk
from pbem.web.inert import masked, visible

MOST = 200_000  # characters of HTML
TAGS = {
    "b", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4",
    "h5", "h6", "hr", "i", "ins", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "sup",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul",
}  # fmt: skip
ATTRIBUTES = {"*": {"dir"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}


def html_of(raw: bytes) -> str | None:
    """The first HTML part of a mail, made harmless; None where it has none."""
    walk = Walk(raw)
    for part in walk.root.walk():
        if part.content_type == "text/html" and part.disposition != "attachment":
            return harmless(walk.text(part))
    return None


def harmless(html: str) -> str:
    """HTML that may stand in a page of ours."""
    cleaned = nh3.clean(html[:MOST], tags=TAGS, attributes=ATTRIBUTES, strip_comments=True)
    return visible(masked(cleaned))
