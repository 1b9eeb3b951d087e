"""Groups of settings: the ways mail comes in."""

from ipaddress import ip_network
from typing import Literal

from pydantic import Field, field_validator

from pbem.settings.base import SettingsGroup


class Mail(SettingsGroup):
    """Addresses, mail coming in by SMTP and by pipe, and what no mail may exceed."""

    domain: str = Field("ark.localhost", pattern=r"^[A-Za-z0-9.-]+$", max_length=190)
    server: str = Field("ark", pattern=r"^[a-z0-9][a-z0-9._-]{0,30}$")
    smtp: bool = Field(True, description="listen for SMTP")
    host: str = "127.0.0.1"
    port: int = Field(2525, ge=0, le=65535)
    pipe: bool = Field(True, description="take mail by `python -m pbem deliver`")
    max_bytes: int = Field(25_000_000, ge=10_000)
    max_line: int = Field(0, ge=0, description="bytes of a line; 0: as long as a mail")
    max_recipients: int = Field(50, ge=1, le=1000)
    readers: int = Field(2, ge=0, le=32, description="processes that read mails; 0: none")
    reading_seconds: float = Field(20.0, ge=1, le=600, description="a mail may take to be read")
    authserv_id: str = Field(
        "", max_length=255, pattern=r"^\S*$", description="whose Authentication-Results count"
    )
    held_days: float = Field(14.0, gt=0, le=365, description="how long a held mail waits")
    keep_days: int = Field(90, ge=1, le=3650, description="how long a mail is kept as it came")

    @field_validator("domain")
    @classmethod
    def _lower(cls, value: str) -> str:
        return value.lower()

    @field_validator("max_line")
    @classmethod
    def _allowed_by_rfc(cls, value: int) -> int:
        if 0 < value < 1001:
            raise ValueError("must be 0 or at least 1001 (RFC 5321 4.5.3.1.6)")
        return value


class Starttls(SettingsGroup):
    """TLS for the SMTP listener; off while there is no certificate."""

    certificate: str = Field("", description="PEM file, the chain included")
    key: str = Field("", description="PEM file; empty: in the certificate's")
    required: bool = False


class Lmtp(SettingsGroup):
    """Mail coming in by LMTP; on a Unix socket if there is one, else by TCP."""

    enabled: bool = False
    host: str = "127.0.0.1"
    port: int = Field(2424, ge=0, le=65535)
    socket: str = Field("", max_length=100, description="path of a Unix socket")
    mode: str = Field("0660", pattern=r"^0?[0-7]{3}$", description="of the socket, octal")
    group: str = Field("", description="of the socket; empty: the server's own")


class Limits(SettingsGroup):
    """What one client may take up of the SMTP and LMTP listeners."""

    connections: int = Field(100, ge=1, le=10_000, description="at once, of all clients")
    connections_per_client: int = Field(20, ge=1, description="at once, of one client address")
    connections_per_minute: int = Field(60, ge=1, description="of one client address")
    mails_per_minute: int = Field(120, ge=1, description="of one client address")
    idle_seconds: float = Field(300.0, ge=1, le=3600)
    trusted: tuple[str, ...] = ("127.0.0.0/8", "::1/128")

    @field_validator("trusted")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for one in value:
            ip_network(one)
        return value


class Webhook(SettingsGroup):
    """Mail coming in by HTTP from a mail service; off while there is no secret."""

    secret: str = Field("", repr=False)

    @field_validator("secret")
    @classmethod
    def _long_enough(cls, value: str) -> str:
        if value and len(value) < 16:
            raise ValueError("must be at least 16 characters")
        return value


class Imap(SettingsGroup):
    """A mailbox that is read by IMAP; off while there is no host.

    The login is by password, or by XOAUTH2 with a token that a command prints or a file
    holds; both are asked again for every login."""

    host: str = ""
    port: int = Field(0, ge=0, le=65535, description="0: the usual one, 993 or 143")
    security: Literal["none", "starttls", "tls"] = "tls"
    user: str = ""
    password: str = Field("", repr=False)
    token_command: tuple[str, ...] = Field((), description="program and arguments")
    token_file: str = ""
    folder: str = "INBOX"
    taken: Literal["flag", "move", "delete"] = "flag"
    move_to: str = "Ark"
    poll_seconds: float = Field(120.0, ge=1, le=3600, description="where IDLE is missing")
    timeout: float = Field(30.0, gt=0, le=300, description="seconds an answer may take")

    @property
    def enabled(self) -> bool:
        return bool(self.host)

    @property
    def real_port(self) -> int:
        return self.port or (993 if self.security == "tls" else 143)

    @property
    def name(self) -> str:
        """The mailbox, in one word: ``user@host:port/folder``."""
        return f"{self.user}@{self.host}:{self.real_port}/{self.folder}"
