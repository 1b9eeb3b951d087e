"""Counting clients: a minute, a network, and what is forgotten."""

from pbem.intake import guard
from pbem.intake.guard import FULL, TOO_BROAD, TOO_MUCH, TOO_OFTEN, Guard
from pbem.settings import Limits


class Seconds:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_minute_later_a_client_may_go_on() -> None:
    seconds = Seconds()
    door = Guard(Limits(mails_per_minute=2, trusted=()), seconds)
    assert [door.sends("192.0.2.1") for _ in range(3)] == [None, None, TOO_MUCH]
    assert door.sends("192.0.2.2") is None  # another client
    seconds.now += 60
    assert door.sends("192.0.2.1") is None


def test_one_customer_s_ipv6_addresses_are_one_client() -> None:
    door = Guard(Limits(mails_per_minute=1, trusted=()), Seconds())
    assert door.sends("2001:db8::1") is None
    assert door.sends("2001:db8::2") == TOO_MUCH
    assert door.sends("2001:db8:0:1::2") is None


def test_an_ipv4_address_is_known_in_ipv6_clothes() -> None:
    door = Guard(Limits(mails_per_minute=1, trusted=("192.0.2.0/24",)), Seconds())
    assert [door.sends("::ffff:192.0.2.1") for _ in range(3)] == [None] * 3
    assert [door.sends("::ffff:198.51.100.1") for _ in range(2)] == [None, TOO_MUCH]
    assert door.sends("198.51.100.1") == TOO_MUCH


def test_connections_count_until_they_are_left() -> None:
    door = Guard(Limits(connections=2, connections_per_minute=3, trusted=()), Seconds())
    assert [door.connects("192.0.2.1") for _ in range(3)] == [None, None, FULL]
    door.leaves("192.0.2.1")
    assert door.connects("192.0.2.1") is None
    door.leaves("192.0.2.1")
    assert door.connects("192.0.2.1") == TOO_OFTEN
    assert door.connects(None) is None  # a Unix socket


def test_one_client_does_not_take_every_place() -> None:
    door = Guard(Limits(connections_per_client=2, trusted=("198.51.100.1",)), Seconds())
    assert [door.connects("192.0.2.1") for _ in range(3)] == [None, None, TOO_BROAD]
    assert door.connects("192.0.2.2") is None  # another one
    assert [door.connects("198.51.100.1") for _ in range(3)] == [None] * 3
    door.leaves("192.0.2.1")
    assert door.connects("192.0.2.1") is None


def test_many_clients_do_not_fill_the_memory() -> None:
    seconds = Seconds()
    door = Guard(Limits(trusted=()), seconds)
    for number in range(guard.MOST_CLIENTS + 10):
        door.sends(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(door._counts) <= guard.MOST_CLIENTS
    seconds.now += 60
    door.sends("192.0.2.1")
