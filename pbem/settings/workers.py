"""Settings of an installation on more than one machine."""

from pydantic import Field

from pbem.settings.base import SettingsGroup


class Workers(SettingsGroup):
    """Who takes jobs from the queue (PostgreSQL only); the same for all of them."""

    silent_seconds: float = Field(
        30.0, ge=1, le=600, description="without a sign of life, until one is taken to be dead"
    )
