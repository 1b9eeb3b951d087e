"""`/games.atom`: the newest finished games (RFC 4287)."""

from flask import Response, render_template

from pbem.archive.search import Wanted, search
from pbem.web import installation
from pbem.web.archive import listing
from pbem.web.archive.routes import blueprint, same_again
from pbem.web.security import public

ENTRIES = 30


@blueprint.get("/games.atom")
def feed() -> Response:
    with installation().store.read() as session:
        found = search(session, Wanted(), size=ENTRIES)
        page = render_template(
            "archive/feed.xml",
            listed=listing.listed(session, found),
            base=installation().settings.base_url.rstrip("/"),
        )
    return same_again(public(Response(page, mimetype="application/atom+xml")))
