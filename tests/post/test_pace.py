"""Letters to one domain go no faster than it is set; those beyond wait, and none is lost."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from sqlmodel import col, select

from pbem.installation import Installation
from pbem.letters import announce
from pbem.post.delivery import deliver_due
from pbem.settings import Post
from pbem.store import Letter
from tests.conftest import HandClock
from tests.post.relay import Relay, running
from tests.post.sending import by

LIMITS = {"per_domain_per_minute": 4, "per_domain": {"slow.example": 1, "free.example": 0}}


def queue(installation: Installation, domain: str, count: int) -> None:
    with installation.store.work() as session:
        for number in range(count):
            announce.stranger(
                session, installation.site, installation.clock(), to_address=f"x{number}@{domain}"
            )


def outbox(installation: Installation) -> list[Letter]:
    with installation.store.read() as session:
        return list(session.exec(select(Letter).order_by(col(Letter.id))))


@pytest.fixture
def relay() -> Iterator[Relay]:
    with running(Relay()) as relay:
        yield relay


def most_a_minute(times: list[datetime]) -> int:
    return max(sum(one <= other < one + timedelta(minutes=1) for other in times) for one in times)


def test_what_is_beyond_the_limit_waits_in_its_order(
    installation: Installation, clock: HandClock, relay: Relay
) -> None:
    queue(installation, "example.org", 11)
    here = by(installation, relay, **LIMITS)
    assert deliver_due(here) == 4
    waiting = outbox(installation)[4:]
    assert {(row.state, row.delayed_by, row.attempts) for row in waiting} == {("queued", "pace", 0)}
    assert [row.next_at - clock() for row in waiting] == [
        timedelta(minutes=1 + number // 4) for number in range(7)
    ]
    while any(row.state != "sent" for row in outbox(installation)):
        clock.advance(seconds=20)
        deliver_due(here)
    assert [one.recipient for one in relay.taken] == [f"x{n}@example.org" for n in range(11)]
    sent = [row.sent_at for row in outbox(installation) if row.sent_at is not None]
    assert most_a_minute(sent) == 4
    assert max(sent) - min(sent) <= timedelta(minutes=2, seconds=20)


def test_each_domain_has_a_limit_of_its_own(installation: Installation, relay: Relay) -> None:
    for domain in ("example.org", "slow.example", "free.example"):
        queue(installation, domain, 6)
    assert deliver_due(by(installation, relay, **LIMITS)) == 4 + 1 + 6
    domains = [one.recipient.partition("@")[2] for one in relay.taken]
    assert {domain: domains.count(domain) for domain in domains} == {
        "example.org": 4, "slow.example": 1, "free.example": 6,
    }  # fmt: skip


def test_the_limit_holds_over_sweeps_and_restarts(
    installation: Installation, clock: HandClock, relay: Relay
) -> None:
    here = by(installation, relay, **LIMITS)
    for _ in range(4):
        queue(installation, "example.org", 2)
        deliver_due(here)
        clock.advance(seconds=10)
    assert len(relay.taken) == 4
    clock.advance(minutes=5)
    assert deliver_due(here) == 4


def test_the_post_room_knows_no_hurry() -> None:
    post = Post(transport="postroom", per_domain_per_minute=1)
    assert post.limit_of("example.org") == 0
