"""All settings of one installation, typed, in one object.

They come from ``settings.toml`` in the instance folder; an environment variable
``ARK_<GROUP>__<NAME>`` (``ARK_WEB__PORT=8081``) wins over the file.  A value that
cannot be used stops the start with one line that names it (`SettingsError`).
``instance/settings.example.toml`` documents every one of them.
"""

import os
import tomllib
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class SettingsError(ValueError):
    """A setting that cannot be used; the text is one line for the operator."""


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Site(_Group):
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


class Web(_Group):
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


class Mail(_Group):
    """Addresses, and mail coming in by SMTP."""

    domain: str = Field("ark.localhost", pattern=r"^[A-Za-z0-9.-]+$", max_length=190)
    server: str = Field("ark", pattern=r"^[a-z0-9][a-z0-9._-]{0,30}$")
    host: str = "127.0.0.1"
    port: int = Field(2525, ge=0, le=65535)
    max_bytes: int = Field(25_000_000, ge=10_000)
    max_recipients: int = Field(50, ge=1, le=1000)

    @field_validator("domain")
    @classmethod
    def _lower(cls, value: str) -> str:
        return value.lower()


class Webhook(_Group):
    """Mail coming in by HTTP from a mail service; off while there is no secret."""

    secret: str = Field("", repr=False)

    @field_validator("secret")
    @classmethod
    def _long_enough(cls, value: str) -> str:
        if value and len(value) < 16:
            raise ValueError("must be at least 16 characters")
        return value


class Post(_Group):
    """Mail going out."""

    transport: Literal["smtp", "postroom"] = "smtp"
    host: str = "127.0.0.1"
    port: int = Field(25, ge=1, le=65535)
    security: Literal["none", "starttls", "tls"] = "none"
    user: str = ""
    password: str = Field("", repr=False)
    timeout: float = Field(30.0, gt=0, le=300, description="seconds per SMTP phase")


class Games(_Group):
    """Defaults of new games."""

    turn_hours: float = Field(48.0, gt=0, le=24 * 60)
    invitation_days: float = Field(7.0, gt=0, le=60)


class Settings(BaseSettings):
    """The settings of one installation.  ``instance`` is its folder."""

    model_config = SettingsConfigDict(
        env_prefix="ARK_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    instance: Path = Path("instance")
    database: str = Field("", description="SQLAlchemy URL; empty: SQLite in the instance folder")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    site: Site = Site()
    web: Web = Web()
    mail: Mail = Mail()
    webhook: Webhook = Webhook()
    post: Post = Post()
    games: Games = Games()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = instance_folder() / "settings.toml"
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, file)

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{(self.instance / 'ark.sqlite').absolute()}"

    @property
    def base_url(self) -> str:
        if self.web.url:
            return self.web.url
        host = f"[{self.web.host}]" if ":" in self.web.host else self.web.host
        return f"http://{host}:{self.web.port}"

    @property
    def server_address(self) -> str:
        return f"{self.mail.server}@{self.mail.domain}"

    @property
    def on_loopback(self) -> bool:
        return self.web.host in LOOPBACK


def instance_folder() -> Path:
    """The instance folder: ``ARK_INSTANCE``, else ``instance/`` of the working directory."""
    return Path(os.environ.get("ARK_INSTANCE") or "instance")


def load_settings(**overrides: object) -> Settings:
    """Read and check the settings; `SettingsError` names the first bad one in one line."""
    folder = instance_folder()
    try:
        settings = Settings(instance=folder, **overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        what = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"setting {where}: {what} (got {_shown(where, first)})") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{folder / 'settings.toml'} is not valid TOML: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{folder / 'settings.toml'} cannot be read: {error}") from None
    if settings.web.postroom and not settings.on_loopback:
        raise SettingsError(
            f"setting web.postroom: the post room shows every mail, so it is refused while "
            f"web.host is {settings.web.host}; set web.host to 127.0.0.1 or web.postroom to false"
        )
    return settings


def _shown(where: str, error: object) -> str:
    """The bad value, shortened; never a password."""
    value = error.get("input") if isinstance(error, dict) else None
    return "a secret" if "password" in where or "secret" in where else repr(value)[:60]
