"""Groups of settings: the site, its pages, its games."""

from typing import Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator

from pbem.settings.base import Group


class Site(Group):
    """Who runs this, as players read it."""

    name: str = Field("Ark by mail", min_length=1, max_length=60)
    operator: str = Field("its operator", min_length=1, max_length=120)
    zone: str = "UTC"
    may_open_games: Literal["operator", "invited", "anyone"] = "invited"

    @field_validator("name", "operator")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("must be one line of printable text")
        return value

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError
            raise ValueError(f"{value!r} is no IANA time zone such as Europe/Berlin") from None
        return value


class Web(Group):
    """The web server."""

    host: str = "127.0.0.1"
    port: int = Field(8080, ge=0, le=65535)
    url: str = Field("", description="public address; empty: http://HOST:PORT")
    threads: int = Field(6, ge=1, le=64)
    postroom: bool = Field(False, description="development only; needs a loopback host")

    @field_validator("url")
    @classmethod
    def _absolute(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.netloc):
            raise ValueError("must be an absolute http(s) address")
        return value.rstrip("/")


class Games(Group):
    """Defaults of new games."""

    turn_hours: float = Field(48.0, gt=0, le=24 * 60)
    invitation_days: float = Field(7.0, gt=0, le=60)
    mail_policy: Literal["token", "sender", "dmarc"] = "sender"
