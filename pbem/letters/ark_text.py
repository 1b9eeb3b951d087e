"""The ark in words: one cabin a line, in reading order, no aligned columns."""

from functools import lru_cache

from pbem.letters.ark import Cabin, Loaded, Picture
from pbem.letters.plain import wrap
from pbem.translation import _, clauses

INDENT = "    "


def ark_text(ark: Picture) -> str:
    """Every cabin with all its cards, then the cabins that could be opened."""
    lines: list[str] = []
    for side in ark.sides:
        for cabin in side.cabins:
            lines += _cabin(cabin)
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def _cabin(cabin: Cabin) -> list[str]:
    new = _("(new)")
    name = f"{cabin.name} {new}  " if cabin.new else f"{cabin.name}  "
    return wrap(name + clauses(map(_card, cabin.cards)), indent=INDENT)


def _card(card: Loaded) -> str:
    face = card.face
    words = (
        face.name,
        str(face.weight),
        "" if face.climate == "any" else face.climate_word,
        face.diet_word.replace(" ", "-"),
        face.kind_word,
        _("special") if face.special else "",
        _("(new)") if card.new else "",
    )
    return " ".join(filter(None, words))
