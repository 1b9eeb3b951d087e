"""`/api/v1`: the blueprint, and how it says what is wrong.

An error is a value: a code that does not change, its arguments, a sentence and what to do
next; never a page and never a traceback."""

from typing import Any

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from pbem.translation import _

VERSION = 1
PREFIX = f"/api/v{VERSION}"
blueprint = Blueprint("api", __name__, template_folder="templates")


class ApiError(Exception):
    """What a request gets instead of an answer."""

    def __init__(
        self, status: int, code: str, message: str, advice: str = "", **arguments: Any
    ) -> None:
        super().__init__(message)
        self.status = status
        self.form = {"code": code, "message": message, "next": advice, **arguments}
        self.retry_after: int | None = None


@blueprint.errorhandler(ApiError)
def refused(error: ApiError) -> Response:
    response = jsonify(error=error.form)
    response.status_code = error.status
    if error.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="seat"'
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> Response:
    return refused(
        ApiError(413, "too-large", _("The body is too large."), _("A move is a few words of JSON."))
    )


def bad_query(parameter: str) -> ApiError:
    """400 for a parameter of an address that cannot be read."""
    return ApiError(
        400, "query", _("The parameter {parameter} cannot be read.", parameter=parameter),
        _("Leave it out, or see the documentation of the API for what it takes."),
        parameter=parameter,
    )  # fmt: skip


def went_wrong(error: HTTPException) -> Response:
    """What an address of the API answers where a page of the site would say it in HTML."""
    status = error.code or 500
    if status == 405:
        said = ApiError(
            405, "method", _("This address is not asked in that way."),
            _("The header Allow names the methods it takes."),
        )  # fmt: skip
    elif status == 404:
        said = not_found()
    elif status >= 500:
        said = ApiError(status, "broken", _("Something broke on our side"), _("Ask again."))
    else:
        said = ApiError(status, "unreadable", _("This request cannot be read"))
    return refused(said)


def not_found() -> ApiError:
    return ApiError(
        404, "not-found", _("There is nothing at this address."),
        _("A game can be read by everybody when it is over and open."),
    )  # fmt: skip
