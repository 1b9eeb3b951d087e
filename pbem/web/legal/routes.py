"""The two pages: what the server knows of itself, and what its operator has written."""

import re

from flask import Blueprint, Response, make_response, render_template

from pbem.web import installation
from pbem.web.security import public

blueprint = Blueprint("legal", __name__, template_folder="templates")

_PARAGRAPHS = re.compile(r"\n\s*\n")


@blueprint.get("/privacy")
def privacy() -> Response:
    """What is kept, for how long, who sees it, and how to have it wiped out."""
    settings = installation().settings
    page = render_template(
        "legal/privacy.html",
        keep_days=settings.mail.keep_days,
        held_days=settings.mail.held_days,
        own=paragraphs(settings.legal.privacy),
    )
    return public(make_response(page))


@blueprint.get("/imprint")
def imprint() -> Response:
    """Who answers for this server."""
    own = paragraphs(installation().settings.legal.imprint)
    return public(make_response(render_template("legal/imprint.html", own=own)))


def paragraphs(text: str) -> list[list[str]]:
    """What an operator wrote: paragraphs, each of lines."""
    found = [part.strip().splitlines() for part in _PARAGRAPHS.split(text)]
    return [lines for lines in found if lines]
