"""The language of a page: the one chosen on this browser, else the visitor's own, else the
first that the browser asks for and we have."""

from contextlib import ExitStack
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, g, request, session, url_for

from pbem.store import Person
from pbem.translation import LANGUAGES, speaking
from pbem.translation.catalogues import NAMES, ORIGINAL
from pbem.translation.speaking import speak

FIELD = "language"
"""In the address of a page and in the cookie: what the visitor chose at its foot.  It changes
how pages are shown here, and nothing else."""

_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def install(app: Flask) -> None:
    """Let every page speak its reader's language, and offer the others at its foot."""

    @app.before_request
    def begin() -> None:
        wanted = request.args.get(FIELD, "")
        if wanted in LANGUAGES and request.method == "GET":
            session[FIELD] = wanted
        g.speaking = ExitStack()
        g.speaking.enter_context(speaking(_chosen() or _asked_for()))

    @app.teardown_request
    def end(_error: BaseException | None) -> None:
        stack = g.pop("speaking", None)
        if stack is not None:
            stack.close()

    @app.after_request
    def vary(response: Response) -> Response:
        if response.mimetype == "text/html":
            response.vary.update(("Accept-Language", "Cookie"))
        return response

    @app.context_processor
    def offered() -> dict[str, Any]:
        return {"languages": [(code, name, _here_in(code)) for code, name in NAMES.items()]}


def speak_to(person: Person) -> None:
    """From here on in the language of a person who is known now, unless he chose another on
    this browser."""
    if _chosen() is None:
        speak(person.language)


def _chosen() -> str | None:
    chosen = session.get(FIELD)
    return chosen if chosen in LANGUAGES else None


def _asked_for() -> str:
    for tag in request.accept_languages.values():
        found = _language_of(tag.lower())
        if found is not None:
            return found
    return ORIGINAL


def _language_of(tag: str) -> str | None:
    """The language of ours that a tag of RFC 5646 is read in."""
    if tag.startswith(_TRADITIONAL):
        return "zh-Hant"
    if tag == "zh" or tag.startswith("zh-"):
        return "zh-Hans"
    main = tag.partition("-")[0]
    return main if main in LANGUAGES else None


def _here_in(code: str) -> str:
    """The address of this page in another language; of the start page, where it was a form."""
    if request.endpoint is None or request.method != "GET":
        return url_for("start.index", language=code)
    page = url_for(request.endpoint, **(request.view_args or {}))
    return f"{page}?{urlencode({**request.args.to_dict(), FIELD: code})}"
