"""format=flowed undone: paragraphs that were broken for the way are joined (RFC 3676)."""

from pbem.intake.lines import TextLine

SIGNATURE_DELIMITER = "-- "


def unflow(raw_lines: list[str], del_sp: bool) -> list[TextLine]:
    """The lines of a flowed text.  A line that ends with a space goes on in the next line
    of the same quote depth; with DelSp the space was put there for the way only."""
    out: list[TextLine] = []
    open_paragraph: list[str] = []
    open_depth = 0
    for raw in raw_lines:
        content = raw.lstrip(">")
        depth = len(raw) - len(content)
        content = content.removeprefix(" ")  # space-stuffed
        if open_paragraph and (depth != open_depth or content.rstrip() == "--"):
            _close(out, open_paragraph, open_depth)
        soft = content.endswith(" ") and content != SIGNATURE_DELIMITER
        open_depth = depth
        open_paragraph.append(content[:-1] if soft and del_sp else content)
        if not soft:
            _close(out, open_paragraph, depth)
    if open_paragraph:
        _close(out, open_paragraph, open_depth)
    return out


def _close(out: list[TextLine], paragraph: list[str], depth: int) -> None:
    out.append(TextLine("".join(paragraph).rstrip(), depth))
    paragraph.clear()
