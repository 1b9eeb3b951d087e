"""All settings of one installation in one object, and where they are read from."""

import os
import tomllib
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pbem.settings.base import LOOPBACK, SettingsError
from pbem.settings.groups import Clock, Games, Legal, Site, Web
from pbem.settings.quotas import Quotas
from pbem.settings.sending import Channels, Dkim, Post
from pbem.settings.ways_in import Imap, Limits, Lmtp, Mail, Starttls, Webhook
from pbem.settings.workers import Workers


class Settings(BaseSettings):
    """The settings of one installation.  ``instance`` is its folder."""

    model_config = SettingsConfigDict(
        env_prefix="ARK_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    instance: Path = Path("instance")
    database: str = Field("", description="SQLAlchemy URL; empty: SQLite in the instance folder")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    log_format: Literal["text", "json"] = "text"
    site: Site = Site()
    web: Web = Web()
    mail: Mail = Mail()
    starttls: Starttls = Starttls()
    lmtp: Lmtp = Lmtp()
    limits: Limits = Limits()
    imap: Imap = Imap()
    webhook: Webhook = Webhook()
    post: Post = Post()
    dkim: Dkim = Dkim()
    channels: Channels = Channels()
    games: Games = Games()
    legal: Legal = Legal()
    clock: Clock = Clock()
    quotas: Quotas = Quotas()
    workers: Workers = Workers()

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

    def path(self, written: str) -> Path:
        """A file named in a setting: relative ones lie in the instance folder."""
        return self.instance / written

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


def unknown_variables() -> list[str]:
    """Variables of the environment that look like settings and are none."""
    settings = Settings.model_fields
    return sorted(
        name
        for name in os.environ
        if name.startswith("ARK_")
        and name.removeprefix("ARK_").lower().partition("__")[0] not in settings
    )


def load_settings(**overrides: object) -> Settings:
    """Read and check the settings; `SettingsError` names the first bad one in one line."""
    folder = instance_folder()
    try:
        settings = Settings(instance=folder, **overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        what = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            what = "there is none of this name; is its [section] written out above it?"
        raise SettingsError(f"setting {where}: {what} (got {_shown(where, first)})") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{folder / 'settings.toml'} is not valid TOML: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{folder / 'settings.toml'} cannot be read: {error}") from None
    _check_together(settings)
    return settings


def _check_together(settings: Settings) -> None:
    """What no setting says alone."""
    check_postroom(settings)
    if settings.starttls.required and not settings.starttls.certificate:
        raise SettingsError(
            "setting starttls.required: needs a certificate (setting starttls.certificate)"
        )
    if settings.clock.loop_minutes and settings.post.transport != "smtp":
        raise SettingsError(
            "setting clock.loop_minutes: loop mails need a relay (post.transport smtp); set it to 0"
        )
    imap = settings.imap
    if imap.enabled and not imap.user:
        raise SettingsError("setting imap.user: is missing for the mailbox at imap.host")
    if imap.enabled and sum(map(bool, (imap.password, imap.token_command, imap.token_file))) != 1:
        raise SettingsError(
            "setting imap.password: the mailbox needs exactly one of "
            "imap.password, imap.token_command and imap.token_file"
        )
    if imap.enabled and imap.taken == "move" and imap.move_to == imap.folder:
        raise SettingsError("setting imap.move_to: must be another folder than imap.folder")


def check_postroom(settings: Settings) -> None:
    """Refuse (`SettingsError`) to show every mail to more than this machine."""
    if settings.web.postroom and not settings.on_loopback:
        raise SettingsError(
            f"setting web.postroom: the post room shows every mail, so it is refused while "
            f"web.host is {settings.web.host}; set web.host to 127.0.0.1 or web.postroom to false"
        )


def _shown(where: str, error: object) -> str:
    """The bad value, shortened; never a password."""
    value = error.get("input") if isinstance(error, dict) else None
    return "a secret" if "password" in where or "secret" in where else repr(value)[:60]
