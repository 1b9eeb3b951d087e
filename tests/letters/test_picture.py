"""The ark as a picture: only where it is wanted, and where there are letters to draw with."""

import struct

import pytest
from sqlmodel import Session, select

from pbem.letters import Site, ark_png
from pbem.letters.small_png import SIGNATURE, small_png
from pbem.letters.stage import Stage
from pbem.post.content import mime_of
from pbem.store import Letter, Person
from tests.needs import need


def test_it_comes_for_whoever_wants_it(session: Session, site: Site) -> None:
    need(ark_png.can_draw("en"), "no font of Latin letters is installed")
    Stage(session, site, 3, "picture").begin()
    letter = session.exec(select(Letter).where(Letter.kind == "your-turn")).one()
    assert b"image/png" not in mime_of(session, site, letter)
    person = session.get_one(Person, letter.person_id)
    person.ark_picture = True
    assert b'filename="ark.png"' in mime_of(session, site, letter)
    drawn = ark_png.png_of(session, letter)
    assert struct.unpack(">II", drawn[16:24])[0] == 720


def test_no_picture_without_letters(
    session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ark_png, "FONTS", "NoSuchFont")
    ark_png.can_draw.cache_clear()
    assert not ark_png.can_draw("zh-Hant")
    Stage(session, site, 3, "picture").begin()
    letter = session.exec(select(Letter).where(Letter.kind == "your-turn")).one()
    session.get_one(Person, letter.person_id).ark_picture = True
    session.get_one(Person, letter.person_id).language = "zh-Hant"
    assert b"image/png" not in mime_of(session, site, letter)
    monkeypatch.undo()
    ark_png.can_draw.cache_clear()


def test_small_pictures_are_pictures() -> None:
    need(ark_png.can_draw("en"), "no font of Latin letters is installed")
    drawn = ark_png._drawn_text("Ark")
    small = small_png(drawn)
    assert small[:8] == SIGNATURE
    assert small[16:24] == drawn[16:24]
    assert small[25] == 3  # with a palette
    with pytest.raises(ValueError, match="8 bits"):
        small_png(small)
