"""Error pages: what went wrong in one sentence, what to do next, nothing of the inside."""

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from pbem.translation import _, later
from pbem.web.api.blueprint import PREFIX, went_wrong
from pbem.web.forms import StaleForm
from pbem.web.security import PERSONAL

PAGES = {
    400: (
        later("This request cannot be read"),
        later("Go back, reload the page and try again."),
    ),
    403: (
        later("This page opens from your mail"),
        later(
            "Every letter of the server holds your personal link. "
            "Open the newest one, and you are in."
        ),
    ),
    404: (
        later("Nothing is moored here"),
        later(
            "The address may be mistyped, or the page is not public (yet): "
            "a game can be seen by everybody when it is over."
        ),
    ),
    405: (
        later("That is not how this page is used"),
        later("Open it from a link, or use the button on the page itself."),
    ),
    413: (
        later("That is more than fits on board"),
        later("Write fewer lines (fifty at most) and send them again."),
    ),
    500: (
        later("Something broke on our side"),
        later(
            "Nothing of yours was lost: what you sent was either done completely or not at all. "
            "Look at the table again, then repeat it if it is not there."
        ),
    ),
}
STALE = (
    later("This form has gone stale"),
    later(
        "It was opened in another session, or too long ago, and nothing was done. "
        "Go back, reload the page and send it again."
    ),
)


def install(app: Flask) -> None:
    """Show every error as a page."""

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        code = error.code or 500
        if request.path.startswith(f"{PREFIX}/"):
            response = went_wrong(error)
        else:
            response = error_page(code, *PAGES.get(code, PAGES[400 if code < 500 else 500]))
        for name, value in error.get_headers():
            if name == "Allow":
                response.headers[name] = value
        return response

    @app.errorhandler(StaleForm)
    def stale(_error: StaleForm) -> Response:
        return error_page(400, *STALE)

    @app.errorhandler(500)
    def broken(error: Exception) -> Response:
        if request.path.startswith(f"{PREFIX}/"):
            return went_wrong(InternalServerError(original_exception=error))
        return error_page(500, *PAGES[500])


def error_page(code: int, title: str, advice: str) -> Response:
    """A page with the HTTP status `code`; title and advice are said in its reader's language."""
    page = render_template("error.html", code=code, title=_(title), advice=_(advice))
    response = make_response(page, code)
    response.headers["Cache-Control"] = PERSONAL
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
