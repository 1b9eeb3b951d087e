"""Installations whose fuses blow sooner than in real life."""

from dataclasses import replace

from pbem.desk import Desk
from pbem.installation import Installation
from pbem.letters import Site


def limited(installation: Installation, **quotas: int) -> Installation:
    """The same installation with other `quotas`."""
    settings = installation.settings
    settings = settings.model_copy(update={"quotas": settings.quotas.model_copy(update=quotas)})
    site = Site(settings, installation.keys)
    desk = Desk(site, installation.clock, installation.entropy)
    return replace(installation, settings=settings, site=site, desk=desk)
