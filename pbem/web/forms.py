"""Forms: nothing but a POST acts, and a POST has to come from a page of ours."""

import hmac
import secrets
from collections.abc import Callable

from flask import Flask, Response, request, session

FIELD = "csrf"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class StaleForm(Exception):
    """A form without the mark of this session: too old, or not from one of our pages."""


def csrf_token() -> str:
    """The mark of this session's forms."""
    token = session.get(FIELD)
    if not isinstance(token, str):
        token = session[FIELD] = secrets.token_urlsafe(24)
    return token


def form_key() -> str:
    """A key that tells one filled-in form from the next: sent twice, it acts once."""
    return secrets.token_urlsafe(18)


def signed_otherwise(view: Callable[..., Response]) -> Callable[..., Response]:
    """Mark a view whose requests carry a signature of their own and no session."""
    _SIGNED_OTHERWISE.add(view)
    return view


_SIGNED_OTHERWISE: set[object] = set()


def install(app: Flask) -> None:
    """Check every request that may act, and give the templates `csrf_token` and `form_key`."""

    @app.before_request
    def check() -> None:
        if request.method in SAFE_METHODS or request.endpoint is None:
            return  # no such page, or not for this method: routing says so itself
        if app.view_functions[request.endpoint] in _SIGNED_OTHERWISE:
            return
        expected = session.get(FIELD)
        given = request.form.get(FIELD, "")
        if not isinstance(expected, str) or not hmac.compare_digest(
            expected.encode(), given.encode("utf-8", "replace")
        ):
            raise StaleForm

    app.jinja_env.globals.update(csrf_token=csrf_token, form_key=form_key)
