"""Groups of settings: mail going out, its signature, and the channels beside mail."""

from ipaddress import ip_network
from typing import Literal

from pydantic import Field, field_validator

from pbem.settings.base import SettingsGroup


class Post(SettingsGroup):
    """Mail going out.

    ``security``: ``none``; ``opportunistic`` (STARTTLS where the relay offers it, whatever
    its certificate: better than nothing, and no protection against an attacker);
    ``starttls`` and ``tls`` (from the first byte on), both required, the certificate
    checked unless ``verify`` is off."""

    transport: Literal["smtp", "postroom"] = "smtp"
    host: str = "127.0.0.1"
    port: int = Field(25, ge=1, le=65535)
    security: Literal["none", "opportunistic", "starttls", "tls"] = "none"
    verify: bool = Field(True, description="check the relay's certificate")
    authorities: str = Field("", description="PEM file; empty: those this machine trusts")
    user: str = ""
    password: str = Field("", repr=False)
    timeout: float = Field(30.0, gt=0, le=300, description="seconds per SMTP phase")
    per_connection: int = Field(100, ge=1, description="letters, then a new connection")
    per_domain_per_minute: int = Field(120, ge=0, description="0: no limit")
    per_domain: dict[str, int] = Field({}, description="other limits, by domain")

    @field_validator("per_domain")
    @classmethod
    def _limits(cls, value: dict[str, int]) -> dict[str, int]:
        for domain, limit in value.items():
            if limit < 0:
                raise ValueError(f"the limit of {domain} must not be negative")
        return {domain.lower(): limit for domain, limit in value.items()}

    def limit_of(self, domain: str) -> int:
        """Letters a minute to addresses of a domain; 0: as many as there are."""
        if self.transport == "postroom":
            return 0
        return self.per_domain.get(domain, self.per_domain_per_minute)


class Dkim(SettingsGroup):
    """A DKIM signature of our own (RFC 6376); off while there is no selector."""

    selector: str = Field("", pattern=r"^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)?$")
    domain: str = Field("", description="empty: that of mail.domain")
    key: str = Field("dkim.pem", description="PEM file with the private RSA key")


class Channels(SettingsGroup):
    """Ways out beside mail: a feed and webhooks, where a player asks for them."""

    feeds: bool = True
    webhooks: bool = False
    per_person: int = Field(3, ge=1, le=20, description="webhooks of one person")
    ports: tuple[int, ...] = (80, 443)
    networks: tuple[str, ...] = Field((), description="private ones that may be called")
    timeout: float = Field(10.0, gt=0, le=60, description="seconds a call may take")

    @field_validator("networks")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for one in value:
            ip_network(one)
        return value
