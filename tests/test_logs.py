"""The log: what a line is about, in text and in JSON, and what never stands in it."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import logs
from pbem.installation import Installation
from pbem.intake.inbox import drain
from pbem.store import Game
from pbem.store.positions import position_now
from tests.intake.mails import deposit, written
from tests.post.sending import deliver
from tests.tables import ADDRESSES, Table, open_table

log = logging.getLogger("pbem.somewhere")


Begin = Callable[[str, str], io.StringIO]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Sets the log up with nobody else listening; returns where it goes."""
    root = logging.getLogger()
    level = root.level

    def configured(level: str, form: str) -> io.StringIO:
        for handler in list(root.handlers):
            root.removeHandler(handler)
        stream = io.StringIO()
        logs.configure(level, form, stream)
        return stream

    yield configured
    for handler in list(root.handlers):
        root.removeHandler(handler)
    root.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_says_what_it_is_about(begin: Begin) -> None:
    stream = begin("INFO", "json")
    with logs.about(trace=logs.trace_of(17), mail=17), logs.about(game=3, seat=None):
        log.info("read %d lines", 2)
    log.info("elsewhere")
    first, second = lines(stream)
    assert first.items() >= {
        "level": "INFO", "logger": "pbem.somewhere", "said": "read 2 lines",
        "trace": "mail-17", "mail": 17, "game": 3,
    }.items()  # fmt: skip
    assert "seat" not in first
    assert first["at"].endswith("+00:00")
    assert "trace" not in second


def test_text_names_the_trace(begin: Begin) -> None:
    stream = begin("INFO", "text")
    with logs.about(trace=logs.trace_of(None, 12, 34)):
        log.warning("slow")
    assert stream.getvalue() == "WARNING pbem.somewhere: slow [event-12-34]\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_addresses_and_secrets_do_not_show(begin: Begin, form: str) -> None:
    stream = begin("INFO", form)
    secret = "a2" * 13
    try:
        raise ValueError(f"<ann.archer+x@example.org> has https://ark.example/p/{secret}")
    except ValueError:
        log.exception("mail to t-%s@ark.example from %s", secret, "Bo <bo@example.org>")
    said = stream.getvalue()
    assert "…@example.org" in said
    for word in ("ann.archer", "bo@", secret):
        assert word not in said


def test_debug_shows_addresses_but_no_secrets(begin: Begin) -> None:
    stream = begin("DEBUG", "text")
    log.debug("from ann@example.org: /p/%s", "b3" * 13)
    assert "ann@example.org" in stream.getvalue()
    assert "b3b3" not in stream.getvalue()


@given(local=st.text("abcdefgh.+-_0123456789", min_size=1, max_size=20))
def test_no_local_part_gets_through(local: str) -> None:
    assert logs.masked(f"to <{local}@example.org>.") == "to <…@example.org>."


def test_setting_it_twice_writes_every_line_once(begin: Begin) -> None:
    stream = begin("INFO", "json")
    for _ in range(3):
        logs.configure("INFO", "json", stream)
    log.info("once")
    assert len(lines(stream)) == 1


def test_one_trace_leads_from_a_mail_to_its_turn_and_its_letters(
    installation: Installation, begin: Begin
) -> None:
    table = open_table(installation)
    deliver(installation)
    stream = begin("INFO", "json")
    [seat] = position_now(game_of(installation, table)).to_move
    to, sender = table.reply_address(seat), ADDRESSES[seat]
    number = deposit(installation, written(table.legal(seat)[0], sender=sender, to=to), to, sender)
    drain(installation)
    deliver(installation)
    told = [line for line in lines(stream) if line.get("trace") == f"mail-{number}"]
    [settled] = [line for line in told if "mail" in line]
    assert settled["game"] == table.game_id
    assert settled["events"]
    seats = {line["seat"] for line in told if line.get("letter")}
    assert seats == {0, 1, 2}, "the receipt, and the letters of the others"
    assert not any(address in stream.getvalue() for address in ADDRESSES)


def game_of(installation: Installation, table: Table) -> Game:
    with installation.store.read() as session:
        return session.get_one(Game, table.game_id)
