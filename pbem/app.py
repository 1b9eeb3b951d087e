"""The web application of one installation.

It answers pages and nothing else: no scheduler, no mail, no thread starts here, so any
WSGI server may run as many copies of it as it likes.
"""

from datetime import timedelta

from flask import Flask, Response, request

from pbem.installation import Installation, open_installation
from pbem.settings import check_postroom, load_settings
from pbem.web import (
    EXTENSION,
    api,
    archive,
    errors,
    forms,
    inert,
    languages,
    learn,
    legal,
    letterbox,
    lobby,
    moderator,
    notices,
    play,
    postroom,
    rules,
    start,
    static_files,
    webhook,
    words,
)
from pbem.web.security import guard_responses

MAX_FORM_BYTES = 100_000
SESSION_DAYS = 30


def create_app(installation: Installation | None = None) -> Flask:
    """The application for an installation; without one, for the instance folder's.

    Raises `SettingsError` for settings that cannot be used.
    """
    if installation is None:
        installation = open_installation(load_settings())
    app = Flask("pbem", static_folder="web/static", template_folder="web/templates")
    app.extensions[EXTENSION] = installation
    _configure(app, installation)
    languages.install(app)  # first: what pages ask before a request is in its language already
    for blueprint in (
        start.blueprint,
        rules.blueprint,
        archive.blueprint,
        api.blueprint,
        play.blueprint,
        letterbox.blueprint,
        lobby.blueprint,
        learn.blueprint,
        moderator.blueprint,
        legal.blueprint,
        notices.blueprint,
    ):
        app.register_blueprint(blueprint)
    if installation.settings.webhook.secret:
        app.register_blueprint(webhook.blueprint)
    _open_postroom(app, installation)
    static_files.install(app)
    words.install(app)
    inert.install(app)
    forms.install(app)
    errors.install(app)
    guard_responses(app)
    _nudge_after_changes(app, installation)
    return app


def _configure(app: Flask, installation: Installation) -> None:
    https = installation.settings.base_url.startswith("https:")
    app.config.update(
        SECRET_KEY=installation.keys.derive("web-session", "cookie"),
        # The prefix makes browsers refuse a cookie of this name set by anybody else.
        SESSION_COOKIE_NAME="__Host-ark" if https else "ark",
        SESSION_COOKIE_SECURE=https,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=SESSION_DAYS),
        MAX_CONTENT_LENGTH=MAX_FORM_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_FORM_BYTES,
    )
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.url_map.strict_slashes = False


def _nudge_after_changes(app: Flask, installation: Installation) -> None:
    """Bots and post start at once when a form may have given them work."""

    @app.after_request
    def nudge(response: Response) -> Response:
        if request.method == "POST":
            installation.nudge()
        return response


def _open_postroom(app: Flask, installation: Installation) -> None:
    """Checked again here: settings need not have come from the file."""
    check_postroom(installation.settings)
    if installation.settings.web.postroom:
        app.register_blueprint(postroom.blueprint)
