"""What every group of settings shares."""

from pydantic import BaseModel, ConfigDict

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class SettingsError(ValueError):
    """A setting that cannot be used; the text is one line for the operator."""


class SettingsGroup(BaseModel):
    """A table of the settings file: typed, unchangeable, without unknown names."""

    model_config = ConfigDict(extra="forbid", frozen=True)
