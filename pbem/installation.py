"""One installation, put together: what every entrance (server, page, command line)
works with."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbem.desk import Desk
from pbem.letters import Site
from pbem.resolver import DnsResolver, Resolver
from pbem.settings import Settings
from pbem.store import Store
from pbem.store.tokens import Keys

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]


def system_clock() -> datetime:
    """The time of this machine, in UTC; the one place of the server that asks for it."""
    return datetime.now(UTC)


class Nudge:
    """Tells whoever works in the background of this process that there is work.  What is
    due stands in the tables: a nudge that is lost costs seconds, never a letter."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def __call__(self) -> None:
        for listener in self._listeners:
            listener()


@dataclass(frozen=True)
class Installation:
    """Settings, database, keys, clock, chance, desk and name server of one installation."""

    settings: Settings
    store: Store
    keys: Keys
    clock: Clock
    entropy: Entropy
    site: Site
    desk: Desk
    nudge: Nudge = field(default_factory=Nudge)
    resolver: Resolver = field(default_factory=DnsResolver)

    def close(self) -> None:
        self.store.close()


def open_installation(
    settings: Settings, clock: Clock = system_clock, entropy: Entropy = os.urandom
) -> Installation:
    """Open the instance folder's key and the database (which must be up to date:
    `pbem.store.migrate.upgrade`)."""
    keys = Keys.of_instance(settings.instance)
    store = Store(settings.database_url)
    site, nudge = Site(settings, keys), Nudge()
    if not store.is_sqlite:  # workers on any machine do what there is to do
        from pbem.store.queue import Queue

        queue = Queue(store.engine)
        site = Site(settings, keys, queue.ring)
        nudge.listen(queue.nudge)
    desk = Desk(site, clock, entropy)
    return Installation(settings, store, keys, clock, entropy, site, desk, nudge)
