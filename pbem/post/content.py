"""What a letter says: rendered anew as long as it has not gone, as it went afterwards.

A sent letter is kept without its secrets, so that the outbox cannot be harvested for
reply addresses; they are put in again when it is shown or sent once more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import BindParameter, bindparam
from sqlmodel import Session, col, select

from pbem.letters import Site
from pbem.letters.ark_png import NAME, WITH_PICTURE, can_draw, png_of
from pbem.letters.bearers import (
    UNSUBSCRIBED_FROM,
    link_bearer,
    page_bearer,
    reply_bearer,
    unsubscribe_bearer,
)
from pbem.letters.calendar import file_of
from pbem.letters.personal import data_file
from pbem.letters.render import Rendered, render
from pbem.post.mime import Attachment, Fields, build
from pbem.store import Game, Letter, Person, TablePreference
from pbem.store.wishes import format_wanted
from pbem.translation import speaking

REPLY_MARK, PAGE_MARK, LINK_MARK = "{reply-token}", "{page-token}", "{link-token}"
UNSUBSCRIBE_MARK = "{unsubscribe-token}"
DATED = frozenset({"your-turn", "choose-pet", "reminder", "receipt"})
"""Letters that bring a deadline, or the end of one."""
TOKEN_MARKS = (REPLY_MARK, PAGE_MARK, LINK_MARK, UNSUBSCRIBE_MARK)
"""What stands in the place of a letter's secrets."""


def content_of(session: Session, site: Site, letter: Letter) -> Rendered:
    """Subject, text, HTML and reply address, with everything in them."""
    if letter.subject is None or letter.text is None:
        return render(session, site, letter)
    tokens = _tokens(site, letter)
    return Rendered(
        subject=letter.subject,
        text=_restored(tokens, letter.text),
        html=_restored(tokens, letter.html or ""),
        reply_address=site.reply_address(tokens[REPLY_MARK])
        if REPLY_MARK in tokens
        else site.settings.server_address,
        secrets=tuple(tokens.values()),
    )


def mime_of(session: Session, site: Site, letter: Letter) -> bytes:
    """The whole mail as it went or will go out, the reply address computed anew."""
    date = letter.sent_at or letter.next_at
    return message(session, site, letter, content_of(session, site, letter), date)


class Addressees:
    """Who gets some letters, how he wants them, and at which tables: asked once for all."""

    def __init__(self, session: Session, letters: Sequence[Letter]) -> None:
        people = list({one.person_id for one in letters} - {None})
        games = list({one.game_id for one in letters} - {None})
        asked = {"people": people, "games": games}
        self._names = dict(session.exec(_NAMES, params={"games": games}).all())
        persons = session.exec(_PERSONS, params={"people": people})
        self._people = {one.id: one for one in persons}
        wishes = session.exec(_WISHES, params=asked)
        self._wishes = {(one.person_id, one.game_id): one for one in wishes}

    def table(self, letter: Letter) -> str | None:
        """The name of the letter's table."""
        return None if letter.game_id is None else self._names[letter.game_id]

    def person(self, letter: Letter) -> Person | None:
        return self._people.get(letter.person_id)

    def wants_text(self, letter: Letter) -> bool:
        """Whether its reader wants it without HTML."""
        person = self.person(letter)
        own = self._wishes.get((letter.person_id or 0, letter.game_id or 0))
        return person is not None and format_wanted(person, own) == "text"


_PEOPLE: BindParameter[int] = bindparam("people", expanding=True)
_GAMES: BindParameter[int] = bindparam("games", expanding=True)
_PERSONS = select(Person).where(col(Person.id).in_(_PEOPLE))
_NAMES = select(Game.id, Game.name).where(col(Game.id).in_(_GAMES))
"""Of a table its name alone: a position is a large thing to read."""
_WISHES = select(TablePreference).where(
    col(TablePreference.person_id).in_(_PEOPLE), col(TablePreference.game_id).in_(_GAMES)
)


def message(
    session: Session, site: Site, letter: Letter, rendered: Rendered, date: datetime,
    readers: Addressees | None = None,
) -> bytes:  # fmt: skip
    """The MIME message of a letter that says this.  `readers`: those of some letters, this
    one among them, for a caller who has asked for them."""
    settings = site.settings
    readers = readers or Addressees(session, [letter])
    game = readers.table(letter)
    place = settings.mail.server if game is None else f"game-{letter.game_id}"
    fields = Fields(
        sender_name=settings.site.name if game is None else f"{settings.site.name} · {game}",
        reply_to=rendered.reply_address,
        to=letter.to_address,
        subject=rendered.subject,
        message_id=letter.message_id,
        date=date,
        letter_id=letter.id,
        list_name=settings.site.name if game is None else game,
        list_id=f"{place}.{settings.mail.domain}",
        in_reply_to=letter.in_reply_to or "",
        references=letter.references,
        is_reply=letter.answers_mail_id is not None,
        unsubscribe=_unsubscribe_url(site, letter),
    )
    attachments = _attachments(session, site, letter, readers.person(letter))
    html = None if readers.wants_text(letter) else rendered.html
    return build(fields, rendered.text, html, attachments)


def _attachments(
    session: Session, site: Site, letter: Letter, person: Person | None
) -> list[Attachment]:
    """The files a letter brings: all data of a person in the letter for that, and what he
    has asked for: a deadline for his calendar, the ark as a picture."""
    found: list[Attachment] = []
    if person is None:
        return found
    if letter.kind == "my-data":
        found.append(Attachment("my-data.json", "application/json", data_file(session, person)))
    if person.calendar_files and letter.kind in DATED:
        with speaking(person.language):
            dated = file_of(session, site, letter)
        if dated is not None:
            method, content = dated
            kind = f"text/calendar; charset=utf-8; method={method}"
            found.append(Attachment("deadline.ics", kind, content))
    if person.ark_picture and letter.kind in WITH_PICTURE and can_draw(person.language):
        with speaking(person.language):
            found.append(Attachment(NAME, "image/png", png_of(session, letter)))
    return found


def _unsubscribe_url(site: Site, letter: Letter) -> str:
    bearer = unsubscribe_bearer(letter)
    if bearer is None:
        return ""
    return site.unsubscribe_url(site.keys.token(bearer), UNSUBSCRIBED_FROM[letter.kind])


def without_secrets(site: Site, letter: Letter, rendered: Rendered) -> Rendered:
    """What a letter says, its tokens cut out: to be kept, or shown again."""
    tokens = _tokens(site, letter)
    return replace(
        rendered,
        text=_cut(tokens, rendered.text),
        html=_cut(tokens, rendered.html),
        reply_address="",
        secrets=(),
    )


def keep(site: Site, letter: Letter, rendered: Rendered) -> None:
    """Note in the letter's row what it says, the secrets cut out."""
    kept = without_secrets(site, letter, rendered)
    letter.subject, letter.text, letter.html = kept.subject, kept.text, kept.html


def _tokens(site: Site, letter: Letter) -> dict[str, str]:
    """The secrets of a letter, by the mark that is kept in the place of each."""
    bearers = {
        REPLY_MARK: reply_bearer(letter),
        PAGE_MARK: page_bearer(letter),
        LINK_MARK: link_bearer(letter),
        UNSUBSCRIBE_MARK: unsubscribe_bearer(letter),
    }
    return {mark: site.keys.token(one) for mark, one in bearers.items() if one is not None}


def _cut(tokens: Mapping[str, str], text: str) -> str:
    for mark in TOKEN_MARKS:  # in somebody's words: they must not become the reader's secrets
        text = text.replace(mark, f"{{ {mark[1:]}")
    for mark, token in tokens.items():
        text = text.replace(token, mark)
    return text


def _restored(tokens: Mapping[str, str], text: str) -> str:
    for mark, token in tokens.items():
        text = text.replace(mark, token)
    return text
