"""The pages: one folder a part of the site, each a blueprint with its own templates.

A page reads the installation through `installation()`; what changes a game goes to the
desk (`play.orders`), or out through real SMTP (`postroom`), never past them.
"""

from typing import cast

from flask import current_app

from pbem.installation import Installation

EXTENSION = "ark"


def installation() -> Installation:
    """The installation this application serves."""
    return cast(Installation, current_app.extensions[EXTENSION])
