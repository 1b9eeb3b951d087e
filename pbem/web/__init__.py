"""The pages: one folder a part of the site, each a blueprint with its own templates.

A page reads the installation through `installation()`; what changes a game goes to the
desk (`play.orders`), or out through real SMTP (`postroom`), never past them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from flask import current_app

from pbem.installation import Installation

EXTENSION = "ark"


@dataclass(frozen=True)
class Served:
    """What the application serves, and whom it tells when a page has changed something."""

    installation: Installation
    on_change: Callable[[], None] | None


def served() -> Served:
    found = current_app.extensions[EXTENSION]
    assert isinstance(found, Served)
    return found


def installation() -> Installation:
    """The installation this application serves."""
    return served().installation
