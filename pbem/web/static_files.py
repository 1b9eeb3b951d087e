"""Static files under an address that changes with their content, so that a browser may
keep them for ever."""

import hashlib
from pathlib import Path

from flask import Flask, Response, request, url_for

FOR_EVER = "public, max-age=31536000, immutable"


def install(app: Flask) -> None:
    """Give the templates `static(name)`."""
    folder = Path(str(app.static_folder))
    versions = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        for path in folder.rglob("*")
        if path.is_file()
    }

    def static(name: str) -> str:
        return url_for("static", filename=name, v=versions[name])

    @app.after_request
    def keep(response: Response) -> Response:
        if request.endpoint == "static" and response.status_code in (200, 304):
            name = (request.view_args or {}).get("filename", "")
            if request.args.get("v") == versions.get(name):
                response.headers["Cache-Control"] = FOR_EVER
        return response

    app.jinja_env.globals["static"] = static
