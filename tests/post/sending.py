"""What the tests of the outbox share: an installation with a scripted relay."""

import email
import email.policy
from collections.abc import Sequence
from dataclasses import replace
from email.message import EmailMessage

from pbem.installation import Installation
from pbem.post.delivery import deliver_due
from pbem.store import Letter
from tests.ports import refusing_port
from tests.post.relay import Relay, Script, patience, running


def by(installation: Installation, relay: Relay, **changes: object) -> Installation:
    """The installation with this relay."""
    post = installation.settings.post.model_copy(
        update={"port": relay.port, "timeout": patience(relay.scripts), **changes}
    )
    settings = installation.settings.model_copy(update={"post": post})
    return replace(
        installation, settings=settings, site=replace(installation.site, settings=settings)
    )


def deliver(installation: Installation, *scripts: Script, **changes: object) -> Relay:
    """One sweep with a relay that behaves like this; what it took is in it."""
    with running(Relay(scripts or ({},))) as relay:
        deliver_due(by(installation, relay, **changes))
    return relay


def nobody(installation: Installation) -> Installation:
    """The installation with a relay that nobody listens at."""
    return by(installation, Relay(port=refusing_port()))


def read(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def ids(relay: Relay) -> list[str]:
    """The Message-IDs of what the relay took, in its order."""
    return [str(read(one.content)["Message-ID"]) for one in relay.taken]


def states(letters: Sequence[Letter]) -> list[str]:
    return [letter.state for letter in letters]
