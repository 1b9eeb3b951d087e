"""The log: a line of text or JSON an event, with what it is about and no address in clear.

What is logged inside ``with about(mail=17):`` says so.  ``trace`` follows one mail through
the house: ``mail-17`` stands with the mail itself, with the events it made and with every
letter those caused; what came by no mail is followed from its event, ``event-12-34`` (game,
number).  Addresses show their domain only, unless the log is set to DEBUG; secrets of links
never show.
"""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

_ADDRESS = re.compile(r"""[^\s<>@,;:"'()\[\]{}=]+@(?=[A-Za-z0-9])""")
BEFORE_SECRETS = "t-|/p/|sign-in/|address/|undo/|unsubscribe/|feed/|calendar/|bearer "
"""What stands before the secret of a reply address, a link or a header; of any case."""
_SECRET = re.compile(rf"(?i)({BEFORE_SECRETS})[a-z2-7]{{26}}")
_LIBRARIES = ("apscheduler", "waitress")
"""They say at INFO what is news to nobody."""

_about: ContextVar[Mapping[str, Any]] = ContextVar("about", default={})  # noqa: B039 - never changed


@contextmanager
def about(**facts: Any) -> Iterator[None]:
    """Let every line that is logged inside say what it is about; what is None is left out."""
    known = {name: value for name, value in facts.items() if value is not None}
    token = _about.set({**_about.get(), **known})
    try:
        yield
    finally:
        _about.reset(token)


def trace_of(mail_id: int | None, game_id: int | None = None, seq: int | None = None) -> str | None:
    """By what something is followed: the mail it came from, else the event it made."""
    if mail_id is not None:
        return f"mail-{mail_id}"
    return None if game_id is None or seq is None else f"event-{game_id}-{seq}"


def configure(level: str, form: str = "text", stream: TextIO | None = None) -> None:
    """Write the log to standard error (or `stream`) from now on; `form`: text or json.  A
    program that has set up a log of its own keeps it."""
    root = logging.getLogger()
    root.setLevel(level)
    for handler in list(root.handlers):
        if isinstance(handler.formatter, TextLines | JsonLines):
            root.removeHandler(handler)
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(logging.DEBUG if level == "DEBUG" else logging.WARNING)
    if root.handlers:
        return
    handler = logging.StreamHandler(stream)
    masks = level != "DEBUG"
    handler.setFormatter(JsonLines(masks) if form == "json" else TextLines(masks))
    root.addHandler(handler)


def masked(text: str, *, addresses: bool = True) -> str:
    """A text without the secrets of links, and (unless told otherwise) with the domains of
    addresses only."""
    text = _SECRET.sub(r"\1…", text)
    return _ADDRESS.sub("…@", text) if addresses else text


class TextLines(logging.Formatter):
    """LEVEL logger: what was said [trace]"""

    def __init__(self, masks: bool = True) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")
        self._masks = masks

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of the library
        said = super().formatMessage(record)
        trace = _about.get().get("trace")
        return f"{said} [{trace}]" if trace else said

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record), addresses=self._masks)


class JsonLines(logging.Formatter):
    """One JSON object a line: at (UTC, ISO 8601), level, logger, said, what it is about
    (trace, mail, letter, game, seat, event), error (a traceback)."""

    def __init__(self, masks: bool = True) -> None:
        super().__init__()
        self._masks = masks

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "said": masked(record.getMessage(), addresses=self._masks),
            **_about.get(),
        }
        if record.exc_info:
            line["error"] = masked(self.formatException(record.exc_info), addresses=self._masks)
        return json.dumps(line, ensure_ascii=False, default=str)
