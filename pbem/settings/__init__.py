"""All settings of one installation, typed, in one object.

They come from ``settings.toml`` in the instance folder; an environment variable
``ARK_<GROUP>__<NAME>`` (``ARK_WEB__PORT=8081``) wins over the file.  A value that
cannot be used stops the start with one line that names it (`SettingsError`).
``instance/settings.example.toml`` documents every one of them.
"""

from pbem.settings.base import LOOPBACK, SettingsError
from pbem.settings.groups import Clock, Games, Legal, Site, Web
from pbem.settings.loading import (
    Settings,
    check_postroom,
    instance_folder,
    load_settings,
    unknown_variables,
)
from pbem.settings.quotas import Quotas
from pbem.settings.sending import Channels, Dkim, Post
from pbem.settings.ways_in import Imap, Limits, Lmtp, Mail, Starttls, Webhook

__all__ = [
    "LOOPBACK",
    "Channels",
    "Clock",
    "Dkim",
    "Games",
    "Imap",
    "Legal",
    "Limits",
    "Lmtp",
    "Mail",
    "Post",
    "Quotas",
    "Settings",
    "SettingsError",
    "Site",
    "Starttls",
    "Web",
    "Webhook",
    "check_postroom",
    "instance_folder",
    "load_settings",
    "unknown_variables",
]
