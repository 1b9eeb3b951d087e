"""The ark as a picture for mail programs (PNG), for those who ask for it.

Drawn from the SVG by resvg, with the fonts of the machine: where they lack the letters of a
language, no picture is offered rather than one without words."""

from functools import cache, lru_cache

from sqlmodel import Session

from engine.view import view
from pbem.letters.ark import Picture, picture
from pbem.letters.ark_svg import FONTS, ark_svg
from pbem.letters.sentences import new_cabins, new_cards
from pbem.store import Game, Letter
from pbem.store.log import events_of, last_turn_of, seen_by
from pbem.store.positions import position_at

NAME = "ark.png"
WITH_PICTURE = frozenset(
    {"your-turn", "what-happened", "choose-pet", "pets-chosen", "end-phase", "receipt", "over"}
)
SAMPLES = {"en": "Ark", "de": "Köln", "zh-Hant": "龜鱷", "zh-Hans": "龟鳄"}
"""Letters that a font for the language has; two of them, for a box that stands for a missing
one looks the same for both."""


@cache
def can_draw(language: str) -> bool:
    """Whether this machine has what it takes to write this language into a picture."""
    blank, *drawn = (_drawn_text(text) for text in ("", *SAMPLES[language]))
    return blank not in drawn and len(set(drawn)) > 1


def _drawn_text(text: str) -> bytes:
    return _drawn(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
        f"<style>text{{font-family:{FONTS}}}</style>"
        f'<text x="4" y="30" font-size="24">{text}</text></svg>'
    )


@lru_cache(maxsize=64)
def _drawn(svg: str) -> bytes:
    """Kept, as a table's letters of one turn show the same."""
    from resvg_py import svg_to_bytes  # here, as few processes ever draw

    return bytes(svg_to_bytes(svg_string=svg))


def ark_png(ark: Picture) -> bytes:
    """The picture of an ark, in the light; only where `can_draw`."""
    return _drawn(ark_svg(ark, dark=False))


def png_of(session: Session, letter: Letter) -> bytes:
    """The ark as this letter shows it, what is new to its reader framed."""
    game = session.get_one(Game, letter.game_id)
    seq = letter.seq or game.seq
    shown = view(position_at(session, game, seq), letter.seat)
    last = seq if letter.seat is None else last_turn_of(session, game, letter.seat, seq)
    seen = seen_by(events_of(session, game, last, seq), letter.seat)
    return ark_png(picture(shown, new_cards(seen), new_cabins(seen)))
