"""The words of `pbem.store.site_texts`, read once a page."""

import logging

from flask import Blueprint, Response, abort, g, make_response, render_template
from sqlalchemy.exc import SQLAlchemyError

from pbem.store.site_texts import HOUSE_RULES, NOTICE, words
from pbem.web import installation
from pbem.web.legal.routes import paragraphs
from pbem.web.security import public

log = logging.getLogger(__name__)

blueprint = Blueprint("notices", __name__, template_folder="templates")

Paragraphs = list[list[str]]


@blueprint.get("/house-rules")
def house_rules() -> Response:
    """What holds on this server beside the rules; 404 where nothing does."""
    text = _texts()[HOUSE_RULES]
    if not text:
        abort(404)
    return public(make_response(render_template("notices/house-rules.html", text=text)))


@blueprint.app_template_global("site_notice")
def site_notice() -> Paragraphs:
    """The notice for the top of a page; empty: none."""
    return _texts()[NOTICE]


@blueprint.app_template_global("has_house_rules")
def has_house_rules() -> bool:
    return bool(_texts()[HOUSE_RULES])


def _texts() -> dict[str, Paragraphs]:
    """Both texts as paragraphs of lines.  An error page must come even when the database
    does not answer: then there is nothing to be said."""
    if "site_texts" not in g:
        try:
            with installation().store.read() as session:
                found = {kind: paragraphs(words(session, kind)) for kind in (NOTICE, HOUSE_RULES)}
        except SQLAlchemyError:
            log.warning("the notice of the site cannot be read", exc_info=True)
            found = {NOTICE: [], HOUSE_RULES: []}
        g.site_texts = found
    texts: dict[str, Paragraphs] = g.site_texts
    return texts
