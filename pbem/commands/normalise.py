"""From a line as it was written to a line that can be compared (commands.md 1.4, 3.1).

Two steps. `clean` takes away what does not matter (bullets, numbers, quotation marks, bold,
emoji, closing stops) and keeps the player's own spelling, because `say` and `note` hand it on.
`fold` makes spelling alike: NFKC, case, apostrophes, dashes, spaces. Both are linear.
"""

import re
import unicodedata

#: Pictures: emoji and their like. `^` and backtick (Sk) are never part of a command either.
_PICTURES = frozenset({"So", "Sk"})

_KEYCAP = re.compile("([0-9#*])\ufe0f?\u20e3")
_SMILEY = re.compile(r"(?<!\S)(?:[:;=][-o^']?[()\]\[DPpO3*|]|[xX]D|\^\^|<3)(?=[\s.!?]|$)")
_ACUTE = re.compile(r"(?<=\w)´(?=\w)")  # typed for an apostrophe: "don´t"
_BOLD = re.compile(r"\*([^*]+)\*")
_BULLET = re.compile(
    r"(?:[-•*·‣◦–—]|\(?[0-9]{1,2}[.)、．）])\s+(?=\S)"
    r"|(?:[-•·‣◦–—]|\(?[0-9]{1,2}[.)、．）])(?=[^\W\d_])"
)
_QUOTES = {
    '"': '"', "'": "'", "“": "”", "”": "”", "„": "“”", "‘": "’", "’": "’", "‚": "‘’", "«": "»",
    "»": "«", "‹": "›", "「": "」", "『": "』", "《": "》", "〈": "〉", "`": "`'", "´": "´",
}  # fmt: skip
AROUND_WORDS = frozenset("-•*·‣◦–—").union(_QUOTES, *_QUOTES.values())
"""Signs that may stand beside words and say nothing: bullets and quotation marks."""
_CLOSING_STOPS = ".!。！．｡"
_PUNCTUATION = str.maketrans({
    "’": "'", "‘": "'", "`": "'", "´": "'", "‛": "'", "ʼ": "'",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "﹣": "-",
    "、": ",", "。": ".", "｡": ".",
})  # fmt: skip
#: How often quotation marks and stops are peeled off in turns: enough for any hand-written line.
_PEELINGS = 4


_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060\u00ad"


def is_blank(line: str) -> bool:
    """Is nothing to be seen on the line?"""
    return not line or line.isspace() or not line.strip(_INVISIBLE).strip()


def _strip_pictures(text: str) -> str:
    """Emoji become spaces; invisible characters (joiners, direction marks) become nothing."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", _KEYCAP.sub(r"\1. ", _ACUTE.sub("'", text)))
    kept = []
    for character in text:
        if character < "\u00a8":
            kept.append(character)
            continue
        category = unicodedata.category(character)
        if category in _PICTURES:
            kept.append(" ")
        elif category != "Cf" and not _is_selector(character):
            kept.append(character)
    return "".join(kept)


def _is_selector(character: str) -> bool:
    """A variation selector or keycap: it only changes how the character before it looks."""
    return "\ufe00" <= character <= "\ufe0f" or character == "\u20e3" or character >= "\U000e0100"


def plain(text: str) -> str:
    """The text without emoji and smileys, its spaces (no-break, ideographic …) single."""
    return " ".join(_SMILEY.sub(" ", _strip_pictures(text)).split())


def clean(line: str) -> str:
    """The line without what 1.4 says does not matter, in the writer's own spelling."""
    text = _peeled(plain(line), stops=True)
    return _BOLD.sub(r"\1", text).strip() if "*" in text else text


def own_words(line: str) -> str:
    """The line as its writer would have it handed on: emoji and closing stops stay."""
    return _peeled(line.strip(), stops=False)


def _peeled(text: str, *, stops: bool) -> str:
    for _ in range(_PEELINGS):
        before = text
        text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
        text = _peel(text, stops=stops)
        if text == before:
            break
    return text


def _peel(text: str, *, stops: bool) -> str:
    """Take one layer of closing stops, and one pair of quotation marks, off the line."""
    bare = text.rstrip(_CLOSING_STOPS + " ")
    closing = text[len(bare) :].replace(" ", "")
    # "…" and ".." are hesitation, not a full stop: they stay and keep the line from acting
    if stops and closing and closing.count(".") <= 1:
        text = bare
    if len(text) > 1 and text[-1] in _QUOTES.get(text[0], ""):
        inner = text[1:-1]
        if text[0] not in inner and text[-1] not in inner:
            text = inner.strip()
    if len(text) > 2 and text[0] == text[-1] == "*":
        text = text.strip("*").strip() if "*" not in text.strip("*") else text
    return text


def same_length(text: str) -> str:
    """The text with apostrophes and dashes of one kind, every character in its place."""
    return text.translate(_PUNCTUATION)


def semicolons(line: str) -> list[int]:
    """Where the line is divided: at semicolons that are no part of a smiley."""
    places = [found.start() for found in re.finditer("[;；]", line)]
    if not places:
        return places
    winks = {found.start() for found in _SMILEY.finditer(line)}
    return [place for place in places if place not in winks]


def fold(text: str) -> str:
    """NFKC and case folding, apostrophes and dashes of one kind, single spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_PUNCTUATION)).translate(_PUNCTUATION)
        text = unicodedata.normalize("NFKC", text.casefold())
    else:
        text = text.casefold().replace("`", "'")
    return " ".join(text.split())


def is_han(character: str) -> bool:
    """Is this a Chinese character?"""
    return (
        "\u3400" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003ffff"
    )
