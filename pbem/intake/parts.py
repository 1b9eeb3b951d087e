"""Which parts of a mail hold the text its reader would be shown (commands.md 1.2)."""

from pbem.intake.lines import is_blank
from pbem.intake.mime import Part, Walk


def shown_parts(walk: Walk) -> list[Part]:
    """The text parts that are shown, in order.  Of alternatives the plain one, or the HTML
    one when the plain one is missing or blank.  Attachments are not opened; a text with a
    name is one, unless it is all there is."""
    found = _shown(walk, walk.root)
    if not found:
        texts = [part for part in walk.root.walk() if _is_text(part)]
        found = [part for part in texts if part.disposition != "attachment"][:1]
    return found


def _is_text(part: Part) -> bool:
    return part.content_type in ("text/plain", "text/html") and not part.children


def _shown(walk: Walk, part: Part) -> list[Part]:
    if not part.children:
        is_named = bool(part.filename) and part.depth > 0
        return (
            [part] if _is_text(part) and part.disposition != "attachment" and not is_named else []
        )
    if part.content_type == "multipart/alternative":
        return _best(walk, [_shown(walk, child) for child in part.children])
    children = part.children
    if part.content_type in ("multipart/signed", "multipart/related"):
        children = [_start(part)]
    elif part.content_type == "multipart/report":
        children = children[:1]
    return [found for child in children for found in _shown(walk, child)]


def _best(walk: Walk, forms: list[list[Part]]) -> list[Part]:
    """The form of an alternative that is read."""
    for form in forms:
        if any(one.content_type == "text/plain" and not is_blank(walk.text(one)) for one in form):
            return form
    for form in forms:
        if any(one.content_type == "text/html" for one in form):
            return form
    return next(filter(None, forms), [])


def _start(part: Part) -> Part:
    """The part of a multipart/related that is shown (RFC 2387), or that was signed."""
    start = part.parameters.get("start", "").strip("<> ")
    if start and part.content_type == "multipart/related":
        for child in part.children:
            if child.headers.raw("content-id").strip("<> ") == start:
                return child
    return part.children[0]
