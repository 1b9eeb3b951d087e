"""Static files under an address that changes with their content, so that a browser may
keep them for ever."""

import gzip
import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, request, url_for

FOR_EVER = "public, max-age=31536000, immutable"


PACKED = frozenset({"text/css", "text/javascript", "image/svg+xml"})
"""What is sent compressed.  Pages are not: what somebody wrote stands in them beside the
secret of their forms, and from the size of both together one could be guessed (BREACH)."""


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
            if response.mimetype in PACKED:
                response.vary.add("Accept-Encoding")
                if response.status_code == 200 and request.accept_encodings["gzip"]:
                    _pack(response, folder / name)
        return response

    app.jinja_env.globals["static"] = static


def _pack(response: Response, path: Path) -> None:
    response.direct_passthrough = False
    response.close()  # the file that would have been sent
    response.set_data(_packed(path, path.stat().st_mtime_ns))
    response.headers["Content-Encoding"] = "gzip"
    tag, _ = response.get_etag()
    if tag is not None:
        response.set_etag(f"{tag}-gzip")


@cache
def _packed(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
