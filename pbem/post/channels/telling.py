"""What of the outbox is told beside mail: a person's letters of his tables, as they went
or will go, without anything that opens a door."""

import re
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.letters import Site
from pbem.letters.render import Rendered
from pbem.post.content import PAGE_MARK, TOKEN_MARKS, content_of, without_secrets
from pbem.store import Game, Letter

UNTOLD = frozenset({"confirm", "sent-elsewhere"})
"""Letters that only a mailbox may hold: answering them proves who has it."""
_TABLE = re.compile(rf"/p/{re.escape(PAGE_MARK)}/([0-9]+)")


@dataclass(frozen=True)
class ToldLetter:
    """A letter as a feed and a webhook tell it."""

    letter_id: int
    message_id: str
    kind: str
    game_id: int
    game: str
    seat: int | None
    at: datetime
    subject: str
    text: str
    url: str


def letters_told(person_id: int) -> SelectOfScalar[Letter]:
    """The letters of a person that are told beside mail."""
    return select(Letter).where(
        Letter.person_id == person_id,
        col(Letter.game_id).is_not(None),
        col(Letter.kind).not_in(UNTOLD),
        Letter.state != "replaced",
    )


def told(session: Session, site: Site, letter: Letter) -> ToldLetter:
    """What is told of a letter."""
    shown = shown_again(session, site, letter)
    game = session.get_one(Game, letter.game_id)
    assert letter.id is not None
    assert game.id is not None
    return ToldLetter(
        letter_id=letter.id,
        message_id=letter.message_id.strip("<>"),
        kind=letter.kind,
        game_id=game.id,
        game=game.name,
        seat=letter.seat,
        at=letter.created_at,
        subject=shown.subject,
        text=shown.text,
        url=f"{site.settings.base_url}/me/letters/{letter.id}",
    )


def shown_again(session: Session, site: Site, letter: Letter) -> Rendered:
    """A letter exactly as it went or will go, but for its tokens: the link to the reader's
    page leads there without one, where one stands alone it is cut out."""
    rendered = without_secrets(site, letter, content_of(session, site, letter))
    return Rendered(rendered.subject, _veiled(rendered.text), _veiled(rendered.html), "", ())


def _veiled(text: str) -> str:
    text = _TABLE.sub(r"/me/games/\1", text).replace(f"/p/{PAGE_MARK}", "/me")
    for mark in TOKEN_MARKS:
        text = text.replace(mark, "…")
    return text
