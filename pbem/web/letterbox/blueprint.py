"""What the pages of this part hang on."""

from flask import Blueprint, Response, request

from pbem.web.security import personal

FEED = "letterbox.atom"
SECONDS = 300  # a feed reader need not ask more often

blueprint = Blueprint("letterbox", __name__, template_folder="templates")


@blueprint.after_request
def keep(response: Response) -> Response:
    """Nobody keeps these pages; a feed reader may keep what it got, for itself and a while."""
    personal(response)
    if request.endpoint == FEED and response.status_code in (200, 304):
        response.headers["Cache-Control"] = f"private, max-age={SECONDS}"
    return response
