"""What a letter says: rendered anew as long as it has not gone, as it went afterwards.

A sent letter is kept without its secrets, so that the outbox cannot be harvested for
reply addresses; they are put in again when it is shown or sent once more.
"""

from collections.abc import Iterator
from datetime import datetime

from sqlmodel import Session

from pbem.letters import Site
from pbem.letters.bearers import page_bearer, reply_bearer
from pbem.letters.render import Rendered, render
from pbem.post.mime import Fields, build
from pbem.store import Game, Letter


def content_of(session: Session, site: Site, letter: Letter) -> Rendered:
    """Subject, text, HTML and reply address, with everything in them."""
    if letter.subject is None or letter.text is None:
        return render(session, site, letter)
    bearer = reply_bearer(letter)
    return Rendered(
        subject=letter.subject,
        text=_restored(site, letter, letter.text),
        html=None if letter.html is None else _restored(site, letter, letter.html),
        reply_to=site.settings.server_address
        if bearer is None
        else site.reply_address(site.keys.token(bearer)),
    )


def mime_of(session: Session, site: Site, letter: Letter) -> bytes:
    """The whole mail as it went or will go out, the reply address computed anew."""
    date = letter.sent_at or letter.next_at
    return message(session, site, letter, content_of(session, site, letter), date)


def message(
    session: Session, site: Site, letter: Letter, rendered: Rendered, date: datetime
) -> bytes:
    """The MIME message of a letter that says this."""
    settings = site.settings
    game = None if letter.game_id is None else session.get(Game, letter.game_id)
    place = settings.mail.server if game is None else f"game-{game.id}"
    fields = Fields(
        sender_name=settings.site.name if game is None else f"{settings.site.name} · {game.name}",
        reply_to=rendered.reply_to,
        to=letter.to_address,
        subject=rendered.subject,
        message_id=letter.message_id,
        date=date,
        letter_id=letter.id,
        list_name=settings.site.name if game is None else game.name,
        list_id=f"{place}.{settings.mail.domain}",
        in_reply_to=letter.in_reply_to or "",
        references=letter.references,
        is_reply=letter.answers_mail_id is not None,
    )
    return build(fields, rendered.text, rendered.html)


def keep(site: Site, letter: Letter, rendered: Rendered) -> None:
    """Note in the letter's row what it says, the secrets cut out."""
    letter.subject = rendered.subject
    letter.text = _cut(site, letter, rendered.text)
    letter.html = None if rendered.html is None else _cut(site, letter, rendered.html)


def _secrets(site: Site, letter: Letter) -> Iterator[tuple[str, str]]:
    for mark, bearer in (
        ("{reply-token}", reply_bearer(letter)),
        ("{page-token}", page_bearer(letter)),
    ):
        if bearer is not None:
            yield mark, site.keys.token(bearer)


def _cut(site: Site, letter: Letter, text: str) -> str:
    for mark, token in _secrets(site, letter):
        text = text.replace(token, mark)
    return text


def _restored(site: Site, letter: Letter, text: str) -> str:
    for mark, token in _secrets(site, letter):
        text = text.replace(mark, token)
    return text
