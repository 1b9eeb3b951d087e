"""What drives inbox, post, bots and clock: `embedded` in one process, `distributed` on several
machines."""

from typing import Protocol

from pbem.installation import Installation


class Driver(Protocol):
    """What works in the background of a server."""

    def start(self) -> None: ...

    def ring(self) -> None:
        """There is something to read, or to send."""

    def stop(self) -> None:
        """Wait for what is under way."""


def driver_of(installation: Installation) -> Driver:
    """The one that fits the database: what is shared by machines is driven by all of them."""
    if installation.store.is_sqlite:
        from pbem.jobs import embedded

        return embedded.Jobs(installation)
    from pbem.jobs import distributed  # what it needs comes with PostgreSQL only

    return distributed.Worker(installation)
