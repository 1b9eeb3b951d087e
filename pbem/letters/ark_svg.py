"""The ark as an SVG, for pages and downloads: the layout of the letter, drawn.

It brings its own light and dark colours and a text alternative; nothing is told by colour
alone.  Lengths are user units, one of them a pixel at natural size.
"""

from html import escape

from pbem.letters.ark import MOST_CARDS, Cabin, Loaded, Picture, Side
from pbem.letters.ark_text import ark_text
from pbem.letters.cards import breadth
from pbem.translation import _, capitalised

WIDTH = 720
MARGIN = 16
BOW = 132  # from the top to the first row of cabins
ROW = 62  # one cabin with the gap below it
CABIN_HEIGHT = 56
COLUMN = 322
LABEL = 34
CARD_WIDTH, CARD_HEIGHT = 93, 50
STRIP = 26
FLAG = 23
STERN = 30

FONTS = '"Segoe UI","Noto Sans","DejaVu Sans",Verdana,sans-serif'
_STYLE = """
.sea{fill:#cfe4ee}.hull{fill:#6b3f1d}.deck{fill:#f5e9d3}.cabin{fill:#e5d0a6}.fresh{stroke:#b3121d;stroke-width:2.5}
.open{fill:none;stroke:#7a4a22;stroke-dasharray:5 4}
.keel{stroke:#b8935c;stroke-dasharray:2 5;stroke-width:2}
.card{fill:#fffdf6;stroke:#8b7550}.new{stroke:#b3121d;stroke-width:2.5}
.hot{fill:#f6b73c}.cold{fill:#86c5f0}.space{fill:#fffdf6;stroke:#c3a674;stroke-width:2}
.disc{fill:#ffd23f;stroke:#2d1b0c;stroke-width:3}
text{font-family:FONTS;fill:#1f2933}
.wood{fill:#5b3718}.bold{font-weight:700}.fact{font-size:10.5px;fill:#4a4437}.ink,.tiny{fill:#14202b}
.tiny{font-size:9px}.flag{fill:#b3121d}.flag-text{fill:#fff;font-size:8.5px;font-weight:700}.star{fill:#b3121d}
@media(prefers-color-scheme:dark){
.sea{fill:#12303d}.hull{fill:#8a5a30}.deck{fill:#2a2118}.cabin{fill:#43341f}.fresh{stroke:#ff7a70}.open{stroke:#b48a58}
.keel{stroke:#8a6a45}.card{fill:#20272c;stroke:#6f7a83}.new{stroke:#ff7a70}.space{fill:#3b2f22;stroke:#8a6a45}
.disc{fill:#ffd23f;stroke:#fff3d6}text{fill:#f4f1ea}.wood{fill:#ecc999}.fact{fill:#c9cdd0}
.ink,.tiny{fill:#14202b}.star{fill:#ff9a91}}
""".replace("FONTS", FONTS)
_LIGHT = _STYLE.partition("@media")[0]


def ark_svg(ark: Picture, *, dark: bool = True) -> str:
    """The whole picture, a document of its own or to be put into a page as it is; with `dark`
    it follows the reader's light."""
    rows = max(len(side.cabins) + (side.next is not None) for side in ark.sides)
    height = BOW + rows * ROW + STERN
    columns = (MARGIN + 18, WIDTH - MARGIN - 18 - COLUMN)
    sides = "".join(_side(side, x) for side, x in zip(ark.sides, columns, strict=True))
    title = _("The ark: {words}", words=ark.balance_words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-labelledby="ark-title ark-words">'
        f'<title id="ark-title">{escape(title)}</title>'
        f'<desc id="ark-words">{escape(ark_text(ark))}</desc><style>'
        f"{_STYLE if dark else _LIGHT}</style>"
        f'<rect class="sea" width="{WIDTH}" height="{height}" rx="16"/>'
        f"{_hull(height)}{_balance(ark)}"
        f'<path class="keel" d="M{WIDTH / 2:g} {BOW - 22}V{height - STERN}"/>{sides}</svg>'
    )


def _hull(height: int) -> str:
    """Planks and deck, the bow a pointed arch."""
    return _outline("hull", MARGIN, 10, height - 8) + _outline("deck", MARGIN + 9, 22, height - 17)


def _outline(name: str, left: int, top: int, bottom: int) -> str:
    right, middle, shoulder = WIDTH - left, WIDTH / 2, BOW + 10
    return (
        f'<path class="{name}" d="M{middle:g} {top}C{right - 130} {top + 18} {right} {top + 50} '
        f"{right} {shoulder}V{bottom - 26}q0 26-26 26H{left + 26}q-26 0-26-26V{shoulder}"
        f'C{left} {top + 50} {left + 130} {top + 18} {middle:g} {top}z"/>'
    )


def _balance(ark: Picture) -> str:
    spaces = []
    for number, weight in enumerate(range(-2, 3)):
        x = WIDTH / 2 + 38 * (number - 2)
        name = "disc" if weight == ark.balance else "space"
        ink = "ink bold" if weight == ark.balance else "wood"
        spaces.append(
            f'<circle class="{name}" cx="{x:g}" cy="62" r="15"/>'
            f"{_text(x, 67, str(abs(weight)), ink, 13, 'middle')}"
        )
    words = capitalised(ark.balance_words)
    return (
        "".join(spaces)
        + _text(WIDTH / 2 - 100, 67, _("left"), "wood", 13, "end")
        + _text(WIDTH / 2 + 100, 67, _("right"), "wood", 13)
        + _text(WIDTH / 2, 98, words, "wood bold", 14, "middle")
    )


def _side(side: Side, x: int) -> str:
    parts = [_text(x + 4, BOW - 8, side.heading, "wood bold", 12.5)]
    parts += [_cabin(cabin, x, BOW + row * ROW) for row, cabin in enumerate(side.cabins)]
    if side.next is not None:
        y = BOW + len(side.cabins) * ROW
        middle, words = x + LABEL + (COLUMN - LABEL) / 2, _("the next new cabin")
        parts.append(
            f'<rect class="open" x="{x + LABEL}" y="{y + 4}" width="{COLUMN - LABEL}" '
            f'height="{CABIN_HEIGHT - 8}" rx="9"/>'
            f"{_text(x + LABEL / 2, y + 33, side.next, 'wood bold', 13, 'middle')}"
            f"{_text(middle, y + 32, words, 'wood', 12, 'middle')}"
        )
    return "".join(parts)


def _cabin(cabin: Cabin, x: int, y: int) -> str:
    cards = "".join(
        _card(card, x + LABEL + place * (CARD_WIDTH + 2), y + 3)
        for place, card in enumerate(cabin.cards[:MOST_CARDS])
    )
    flag = _flag(x + (LABEL - FLAG) / 2, y + 38) if cabin.new else ""
    return (
        f'<rect class="cabin{" fresh" if cabin.new else ""}" x="{x}" y="{y}" width="{COLUMN}" '
        f'height="{CABIN_HEIGHT}" rx="9"/>{flag}'
        f"{_text(x + LABEL / 2, y + 33, cabin.name, 'wood bold', 13, 'middle')}{cards}"
    )


def _card(card: Loaded, x: int, y: int) -> str:
    face, inside = card.face, x + STRIP + 5
    size = min(12.5, 84 / breadth(face.name))
    star = '<tspan class="star">★</tspan>' if face.special else ""
    words = escape(_("special"))
    special = f"{star} {words}" if star else ""
    kind = f"{escape(face.kind_word)} {star}" if face.kind else special
    facts = [line for line in (escape(face.diet_word), kind) if line]
    told = "".join(
        f'<text class="fact" x="{inside}" y="{y + 29 + 14 * number}">{line}</text>'
        for number, line in enumerate(facts)
    )
    flag = _flag(x + CARD_WIDTH - FLAG - 2, y + 35) if card.new else ""
    return (
        f'<g><rect class="card{" new" if card.new else ""}" x="{x}" y="{y}" '
        f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="7"/>{_strip(face.climate, x + 1, y + 1)}'
        f"{_text(x + 14, y + 24, str(face.weight), 'ink bold', 17, 'middle')}"
        f'<text class="tiny" x="{x + 14}" y="{y + 41}" text-anchor="middle">'
        f"{escape(face.climate_word)}</text>"
        f"{_text(inside, y + 15, face.name, 'bold', size)}{told}{flag}</g>"
    )


def _flag(x: float, y: float) -> str:
    """The word on what is new, so that not only a frame says it."""
    new = escape(_("new"))
    return (
        f'<rect class="flag" x="{x:g}" y="{y:g}" width="{FLAG}" height="12" rx="3"/>'
        f'<text class="flag-text" x="{x + FLAG / 2:g}" y="{y + 9:g}" '
        f'text-anchor="middle">{new}</text>'
    )


def _strip(climate: str, x: int, y: int) -> str:
    """Hot, cold, or one above the other for a card that goes with both."""
    high, half = CARD_HEIGHT - 2, CARD_HEIGHT // 2 - 1
    whole = f"M{x} {y + 6}q0-6 6-6h{STRIP - 8}v{high}h-{STRIP - 8}q-6 0-6-6z"
    if climate != "any":
        return f'<path class="{climate}" d="{whole}"/>'
    lower = f"M{x} {y + half}h{STRIP - 2}v{high - half}h-{STRIP - 8}q-6 0-6-6z"
    return f'<path class="hot" d="{whole}"/><path class="cold" d="{lower}"/>'


def _text(x: float, y: float, words: str, classes: str, size: float, anchor: str = "start") -> str:
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text class="{classes}" x="{x:g}" y="{y:g}" font-size="{size:.3g}"{place}>'
        f"{escape(words)}</text>"
    )
