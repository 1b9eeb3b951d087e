"""Groups of settings: the site, its pages, its games."""

from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator

from pbem.settings.base import SettingsGroup
from pbem.timing import Control, ControlError, GameOptions, PerTurn, parse_control, print_control
from pbem.timing.options import OnMiss


class Site(SettingsGroup):
    """Who runs this, as players read it."""

    name: str = Field("Ark by mail", min_length=1, max_length=60)
    operator: str = Field("", max_length=120)
    """Empty where nobody is named: then no sentence speaks of somebody."""
    zone: str = "UTC"
    may_open_games: Literal["operator", "invited", "anyone"] = "invited"

    @property
    def is_named(self) -> bool:
        """Whether the settings say who runs it."""
        return bool(self.operator)

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


class Legal(SettingsGroup):
    """What the law where the operator lives asks for; shown as it is written, a paragraph
    where a line is empty."""

    imprint: str = Field("", max_length=20_000, description="who answers for this server")
    privacy: str = Field("", max_length=20_000, description="beside what the page says anyway")


class Web(SettingsGroup):
    """The web server."""

    host: str = "127.0.0.1"
    port: int = Field(8080, ge=0, le=65535)
    url: str = Field("", description="public address; empty: http://HOST:PORT")
    threads: int = Field(6, ge=1, le=64)
    proxy: str = Field("", description="address of the web server in front; empty: none")
    postroom: bool = Field(False, description="development only; needs a loopback host")

    @field_validator("url")
    @classmethod
    def _absolute(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in {"http", "https"} or not parts.netloc):
            raise ValueError("must be an absolute http(s) address")
        return value.rstrip("/")

    @field_validator("proxy")
    @classmethod
    def _of_a_machine(cls, value: str) -> str:
        return str(ip_address(value)) if value else ""


class Games(SettingsGroup):
    """Defaults of new games."""

    turn_hours: float = Field(48.0, gt=0, le=24 * 60)
    time: str = Field("", description="another time control; empty: turn_hours for each turn")
    free_hours: float = Field(8.0, ge=0, le=72)
    nights_count: bool = True
    weekends_count: bool = True
    absence_days: int = Field(21, ge=0, le=366)
    grace_hours: float = Field(24.0, ge=0, le=14 * 24)
    on_miss: OnMiss = "wait"
    misses_before_offer: int = Field(2, ge=1, le=20)
    invitation_days: float = Field(7.0, gt=0, le=60)
    mail_policy: Literal["token", "sender", "dmarc"] = "sender"

    @field_validator("time")
    @classmethod
    def _a_control(cls, value: str) -> str:
        try:
            return print_control(parse_control(value)) if value else ""
        except ControlError:
            raise ValueError(
                "must be a time control such as 48h, bank 5d + 8h cap 10d, "
                "daily 20:00 Europe/Berlin mon-fri, or none"
            ) from None

    def options(self, control: Control | None = None) -> GameOptions:
        """The options of a new game, with this time control or the usual one."""
        if control is None and self.time:
            control = parse_control(self.time)
        return GameOptions(
            control=control or PerTurn(seconds=max(1, round(self.turn_hours * 3600))),
            free_hours=self.free_hours,
            nights_count=self.nights_count,
            weekends_count=self.weekends_count,
            absence_days=self.absence_days,
            grace_hours=self.grace_hours,
            on_miss=self.on_miss,
            misses_before_offer=self.misses_before_offer,
        )


class Clock(SettingsGroup):
    """Loop mails: the server writes to itself by the relay, and when such a mail does not
    come back, nobody's time runs until one does."""

    loop_minutes: float = Field(0, ge=0, le=1440, description="from one to the next; 0: none")
    loop_patience_minutes: float = Field(10, ge=1, le=1440, description="until mail is out")
