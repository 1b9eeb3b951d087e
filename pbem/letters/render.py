"""From a row of the outbox to subject, text and HTML."""

import logging
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from sqlmodel import Session

from pbem.letters import broken, templates
from pbem.letters.bearers import link_bearer, page_bearer, reply_bearer
from pbem.letters.context import context_of
from pbem.letters.plain import clean, paragraphs, reply_subject
from pbem.letters.site import Site
from pbem.letters.styles import styles_in
from pbem.store import Letter, Person
from pbem.translation import speaking
from pbem.translation.catalogues import ORIGINAL

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Rendered:
    """A letter to be sent.  ``reply_address`` is From and Reply-To; ``secrets`` are the
    tokens that are cut out of what is kept."""

    subject: str
    text: str
    html: str
    reply_address: str
    secrets: tuple[str, ...]


def render(session: Session, site: Site, letter: Letter) -> Rendered:
    """The letter as it goes out, in its reader's language; nothing is written.  An operator's
    template that fails is replaced by the built-in one, and the log says so."""
    with speaking(language_of(session, letter)):
        return _rendered(session, site, letter)


def language_of(session: Session, letter: Letter) -> str:
    """The language its reader has chosen; of somebody who is not known (any more), the one
    the letter was queued for."""
    person = None if letter.person_id is None else session.get(Person, letter.person_id)
    if person is not None:
        return person.language
    return str(letter.context.get("language", ORIGINAL))


def _rendered(session: Session, site: Site, letter: Letter) -> Rendered:
    styles = styles_in(templates.BUILT_IN)
    context = context_of(session, site, letter, styles)
    subject, text, html = fill(site, letter.kind, context)
    secrets = tuple(
        site.keys.token(bearer)
        for bearer in (reply_bearer(letter), page_bearer(letter), link_bearer(letter))
        if bearer is not None
    )
    reply = reply_bearer(letter)
    address = (
        site.settings.server_address
        if reply is None
        else site.reply_address(site.keys.token(reply))
    )
    return Rendered(_subject(letter, subject), text, html, address, secrets)


def fill(site: Site, kind: str, context: dict[str, Any]) -> tuple[str, str, str]:
    """Subject, text and HTML of a letter from the variables of its templates."""
    own = templates.own(site.settings.instance / "mail_templates")
    if own is not None:
        try:
            return _parts(own, kind, context)
        except Exception as error:
            broken.note(site.settings.instance, kind, error)
            log.exception(
                "a template of the instance failed for %r; the built-in one is used", kind
            )
    return _parts(templates.built_in(), kind, context)


def _parts(environment: Environment, kind: str, context: dict[str, Any]) -> tuple[str, str, str]:
    subject, text, html = (
        environment.get_template(f"{kind}/{part}").render(context)
        for part in ("subject.txt", "body.txt", "body.html")
    )
    return clean(subject), paragraphs(text) + "\n", html


def _subject(letter: Letter, subject: str) -> str:
    """An answer keeps the subject of the mail; a letter that follows another one, its."""
    if letter.context.get("subject") is not None:
        return reply_subject(letter.context["subject"])
    return f"Re: {subject}" if letter.in_reply_to else subject
