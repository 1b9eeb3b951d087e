"""HTML to lines of text: the structure a reader sees, and what the markup says of quotes.

Quotes are known three ways: block quotes count as quote marks; containers in which mail
programs put the quoted mail (`container`) and elements for attribution, signature and
forwarded mail (`role`) are second evidence.  What is hidden from the reader is left out.
"""

import re
from dataclasses import dataclass

from pbem.intake.html_tokens import TooMuch, attributes, tokens
from pbem.intake.lines import ATTRIBUTION, FORWARD, SIGNATURE, TextLine, split

_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div",
        "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "html", "includetail", "li", "main", "nav", "ol", "p", "pre",
        "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    }
)  # fmt: skip
_CELLS = frozenset({"td", "th"})
_SPACED = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
_VOID = frozenset(
    {
        "area", "base", "basefont", "br", "col", "command", "embed", "frame", "hr", "img",
        "input", "keygen", "link", "meta", "param", "source", "track", "wbr",
    }
)  # fmt: skip
_IMPLIED_END = {  # an element that ends when the next of these begins (HTML 13.1.2.4)
    "p": "p", "li": "li", "tr": "tr", "td": "td|th", "th": "td|th", "dt": "dt|dd", "dd": "dt|dd",
}  # fmt: skip
MAX_OPEN = 400  # elements open at once; deeper ones are read, but their style is not known

_HIDDEN = re.compile(
    r"(?:^|;)(?:display:none|visibility:hidden|mso-hide:all|font-size:0(?:px|pt|em|%)?(?:;|!|$)"
    r"|opacity:0(?:\.0+)?(?:;|!|$)|max-height:0(?:px)?(?:;|!|$))"
)
_NO_MARGIN = re.compile(r"(?:^|;)margin(?:-top|-bottom)?:0")
_CONTAINER = re.compile(
    r"(?:^|\s)(?:x_)*(?:gmail_quote(?:_container)?|yahoo_quoted\w*|ydp\w*yahoo_quoted|protonmail_quote"
    r"|mail-editor-reference-message-container|ms-outlook-mobile-reference-message|qmbox|mail_quote"
    r"|ntes-mailmaster-quote|xm_compose_origin_mail_container|xm_mail_oringinal_describe"
    r"|moz-email-headers-table|isreplycontent|zmail_extra|original-content|tutanota_quote"
    r"|replied-text|wordsection1quote|aolreplacedbody|aol_quote|bloop_original_html|cm_quote"
    r"|quoted-text|reply-intro-quote|hse_quote)(?:\s|$)"
)
_CITE = re.compile(
    r"(?:^|\s)(?:x_)*(?:gmail_attr|moz-cite-prefix|reply-intro|mail_cite_prefix)(?:\s|$)"
)
_SIGNATURE = re.compile(
    r"(?:^|\s)(?:x_)*(?:gmail_signature|gmail_signature_prefix|moz-signature|applemailsignature"
    r"|applemailsignaturepasted|protonmail_signature_block(?:-user)?|ms-outlook-mobile-signature"
    r"|ms-outlook-ios-signature|ydp\w*signature|yahoo-signature|signature|composer_signature"
    r"|spneditorsign|xmail_sign|mail_signature|bloop_sign\w*|tutanota_signature)(?:\s|$)"
)
_FORWARD = re.compile(r"(?:^|\s)(?:x_)*(?:moz-forward-container|zmail_extra_fwd)(?:\s|$)")

_BLANKS = re.compile(r"[ \t\r\n\f]+")


@dataclass(slots=True)
class _Open:
    """An open element and what held before it."""

    name: str
    hidden: bool
    pre: bool
    depth: int
    role: str
    container: int
    gap: bool = False


class _Reader:
    def __init__(self, show_hidden: bool) -> None:
        self._show_hidden = show_hidden
        self.lines: list[TextLine] = []
        self.open: list[_Open] = []
        self.hidden = self.pre = False
        self.depth = 0
        self.role = ""
        self.container = 0
        self._containers = 0
        self._pieces: list[str] = []
        self._has_text = False
        self._want_gap = False

    def text(self, content: str) -> None:
        if self.hidden:
            return
        if self.pre:
            first, *rest = content.replace("\r\n", "\n").split("\n")
            self._add(first)
            for line in rest:
                self.end_line(always=True)
                self._add(line)
            return
        self._add(_BLANKS.sub(" ", content))

    def _add(self, piece: str) -> None:
        if not piece:
            return
        if not self._has_text:
            if not self.pre and not piece.strip(" "):
                return
            if not self.pre:
                piece = piece.lstrip(" ")
            if self._want_gap:
                if self.lines and self.lines[-1].text:
                    self.lines.append(self._line(""))
                self._want_gap = False
            self._has_text = True
        self._pieces.append(piece)

    def end_line(self, always: bool = False) -> None:
        """End the line being written; an empty one counts only if `always`."""
        if self._has_text or always:
            for text in split("".join(self._pieces)):
                self.lines.append(self._line(text if self.pre else _BLANKS.sub(" ", text)))
        self._pieces.clear()
        self._has_text = False

    def _line(self, text: str) -> TextLine:
        return TextLine(text, self.depth, self.role, self.container)

    def open_tag(self, name: str, raw: str) -> None:
        if name == "br":
            if not self.hidden:
                self.end_line(always=True)
            return
        if name in _IMPLIED_END:
            self._end_implied(_IMPLIED_END[name].split("|"))
        found = attributes(raw) if raw and not raw.isspace() else {}
        if name in _VOID:
            if name == "hr":
                self.end_line()
            return
        if name in _CELLS:
            if self._has_text:
                self._pieces.append(" ")
        elif name in _BLOCKS:
            self.end_line()
        gap = name in _SPACED and not self._is_tight(found)
        self._want_gap = self._want_gap or (gap and not self.hidden)
        if len(self.open) < MAX_OPEN:
            self.open.append(
                _Open(name, self.hidden, self.pre, self.depth, self.role, self.container, gap)
            )
        elif name == "blockquote":
            return
        self._enter(name, found)

    @staticmethod
    def _is_tight(found: dict[str, str]) -> bool:
        """A paragraph without space around it, as Outlook writes every line."""
        style = found.get("style", "").replace(" ", "").lower()
        return "mso" in found.get("class", "").lower() or bool(_NO_MARGIN.search(style))

    def _enter(self, name: str, found: dict[str, str]) -> None:
        if len(self.open) >= MAX_OPEN:
            return
        if name == "pre":
            self.pre = True
        elif name == "blockquote":
            self.depth += 1
        elif name == "head":
            self.hidden = True
        if not found:
            return
        style = found.get("style", "")
        if style:
            compact = style.replace(" ", "").lower()
            if not self._show_hidden and _HIDDEN.search(compact):
                self.hidden = True
            if "white-space:pre" in compact and name != "span":
                self.pre = True
        names = f"{found.get('class', '')} {found.get('id', '')}".strip().lower()
        if not names:
            return
        if name != "blockquote" and _CONTAINER.search(names):
            self._containers += 1
            self.container = self._containers
        if _CITE.search(names):
            self.role = ATTRIBUTION
        elif _SIGNATURE.search(names):
            self.role = SIGNATURE
        elif _FORWARD.search(names):
            self.role = FORWARD

    def _end_implied(self, names: list[str]) -> None:
        if self.open and self.open[-1].name in names:
            self.close_tag(self.open[-1].name)

    def close_tag(self, name: str) -> None:
        if name in _VOID:
            if name == "br" and not self.hidden:
                self.end_line(always=True)
            return
        # Looked for among the innermost only: a stray end tag must not cost the whole stack.
        for back in range(1, min(len(self.open), 12) + 1):
            if self.open[-back].name == name:
                break
        else:
            if name in _BLOCKS and name not in _CELLS:
                self.end_line()
            return
        closed = self.open[-back:]
        del self.open[-back:]
        if any(element.name in _BLOCKS and element.name not in _CELLS for element in closed):
            self.end_line()
        outer = closed[0]
        self._want_gap = self._want_gap or outer.gap
        self.hidden, self.pre, self.depth = outer.hidden, outer.pre, outer.depth
        self.role, self.container = outer.role, outer.container


def html_lines(html: str, show_hidden: bool = False) -> tuple[list[TextLine], bool]:
    """The lines of an HTML document, and whether all of it was read (`MAX_TOKENS`)."""
    reader = _Reader(show_hidden)
    complete = True
    try:
        for kind, name, content in tokens(html):
            if kind == "text":
                reader.text(content)
            elif kind == "open":
                reader.open_tag(name, content)
            else:
                reader.close_tag(name)
    except TooMuch:
        complete = False
    reader.end_line()
    return reader.lines, complete


def html_text(html: str) -> str:
    """The text of an HTML document, block quotes marked with ``>``."""
    lines, _ = html_lines(html)
    return "\n".join(">" * line.depth + " " * bool(line.depth) + line.text for line in lines)
