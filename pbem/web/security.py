"""What every answer says about itself to the browser."""

from flask import Flask, Response

_POLICY = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "script-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}

PERSONAL = "no-store"
PUBLIC = "no-cache"


def content_policy(**changes: str) -> str:
    """The Content-Security-Policy of a page; `frame_src="'self'"` adds or replaces a line."""
    lines = {**_POLICY, **{name.replace("_", "-"): value for name, value in changes.items()}}
    return "; ".join(f"{name} {value}" for name, value in lines.items())


def guard_responses(app: Flask) -> None:
    """Add the headers to every answer; a page that set one of them itself keeps it."""
    secure = app.config["SESSION_COOKIE_SECURE"]

    @app.after_request
    def add_headers(response: Response) -> Response:
        headers = response.headers
        headers.setdefault("Content-Security-Policy", content_policy())
        headers.setdefault("Referrer-Policy", "no-referrer")
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        headers.setdefault("Cache-Control", PERSONAL)
        if secure:
            headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        return response


def personal(response: Response) -> Response:
    """Mark an answer as one person's: nobody stores it, no search engine lists it."""
    response.headers["Cache-Control"] = PERSONAL
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def public(response: Response) -> Response:
    """Mark an answer as the same for everybody; it may be kept, but is asked for again."""
    response.headers["Cache-Control"] = PUBLIC
    return response
