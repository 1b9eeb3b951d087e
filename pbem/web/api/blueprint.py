"""`/api/v1`: the blueprint, and how it says what is wrong.

An error is a value: a code that does not change, its arguments, a sentence and what to do
next; never a page and never a traceback."""

from typing import Any

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import RequestEntityTooLarge

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


def not_found() -> ApiError:
    return ApiError(
        404, "not-found", _("There is nothing at this address."),
        _("A game can be read by everybody when it is over and open."),
    )  # fmt: skip
