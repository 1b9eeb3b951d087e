"""Telling those who run the server that a letter template of theirs fails."""

from pbem.installation import Installation
from pbem.letters import announce, broken


def alert(installation: Installation) -> int:
    """One letter a day, template and owner at most; returns how many templates failed."""
    now = installation.clock()
    failed = broken.take(installation.settings.instance)
    if failed:
        with installation.store.work() as session:
            for kind, why in failed:
                announce.template_failed(session, installation.site, now, kind, why)
    return len(failed)
