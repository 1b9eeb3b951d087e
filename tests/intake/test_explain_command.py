"""`python -m pbem explain`: one JSON object a mail, whatever the mail is (commands.md 5)."""

import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import func, select

from pbem.cli.explain import explain
from pbem.installation import Installation
from pbem.intake.explain import UnknownSeatError
from pbem.intake.explain import explain as explained
from pbem.post.content import content_of
from pbem.post.delivery import deliver_due
from pbem.store import Letter, Mail
from tests.examples import examples
from tests.intake.mails import written
from tests.tables import Table, open_table

ROOT = Path(__file__).parents[2]


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def lines(raw: bytes, *args: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = explained(raw, *args)["lines"]
    return found


def test_the_object_of_a_mail() -> None:
    text = "Hi all,\ntake fox\npaly fox L2\nsay all: hi"
    assert explained(written(text, message_id="<1@x.example>")) == {
        "kind": "commands",
        "message_id": "<1@x.example>",
        "from": "ann@example.org",
        "subject": "Re: Ark",
        "text": text,
        "cut": [],
        "lines": [
            {"line": "Hi all,", "ignored": "prose"},
            {
                "line": "take fox",
                "command": "take",
                "args": {"type": "gather", "take": "fox"},
                "error": "not tried",
            },
            {"line": "paly fox L2", "error": "not understood", "suggest": "play fox L2"},
            {"line": "say all: hi", "command": "say", "args": {"to": ["all"], "text": "hi"}},
        ],
    }


def test_the_subject_of_a_mail_without_text() -> None:
    found = explained(written("", subject="Re: AW: take fox"))
    assert (found["kind"], found["text"]) == ("commands", "take fox")
    assert [line["command"] for line in found["lines"]] == ["take"]
    for subject in ("Fwd: take fox", "Ark, Sunday club: your turn 27", "take fox; pass", ""):
        found = explained(written("", subject=subject))
        assert (found["kind"], found["text"], found["lines"]) == ("empty", "", []), subject


def test_the_subject_does_not_count_beside_a_text() -> None:
    assert [line["line"] for line in lines(written("status", subject="take fox"))] == ["status"]


def test_what_never_acts_has_no_lines() -> None:
    found = explained(written("take fox", Auto_Submitted="auto-replied"))
    assert (found["kind"], found["lines"]) == ("auto-reply", [])


def test_a_bounce_tells_whom_it_is_about() -> None:
    raw = (
        b"From: MAILER-DAEMON@mx.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report;"
        b' report-type=delivery-status; boundary="b"\r\n\r\n--b\r\nContent-Type: '
        b"message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; "
        b"ann@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--\r\n"
    )
    found = explained(raw)
    assert found["kind"] == "bounce"
    assert found["bounce"] == {"recipient": "ann@example.org", "status": "5.1.1", "permanent": True}


def test_with_a_seat_turns_are_checked_against_the_position(
    installation: Installation, table: Table
) -> None:
    legal = table.legal(0)[0]
    [line] = lines(written(legal), installation, table.game_id, 0)
    assert "error" not in line
    [line] = lines(written("pass"), installation, table.game_id, 0)
    assert (line["error"], line["rules"]) == ("refused", ["R4.1"])
    [line] = lines(written(table.legal(0)[0]), installation, table.game_id, 1)
    assert line["error"] == "refused"  # not Bo's turn


@pytest.mark.parametrize("gone", [False, True], ids=["in the outbox", "delivered"])
def test_with_a_seat_bare_quotes_of_our_letters_are_known(
    installation: Installation, table: Table, gone: bool
) -> None:
    """The letter quoted without a mark, as some programs do; examples in it lose theirs."""
    if gone:
        post = installation.settings.post.model_copy(update={"transport": "postroom"})
        room = installation.settings.model_copy(update={"post": post})
        deliver_due(Installation(**{**vars(installation), "settings": room}))
    with installation.store.read() as session:
        letter = session.get_one(Letter, table.letters(seat=0, kind="your-turn")[0].id)
        assert letter.state == ("sent" if gone else "queued")
        quote = content_of(session, installation.site, letter).text
    legal = table.legal(0)[0]
    found = explained(written(f"{legal}\n\n{quote}"), installation, table.game_id, 0)
    assert found["text"] == legal
    assert found["cut"] == ["quote"]


def test_a_seat_that_does_not_exist(installation: Installation, table: Table) -> None:
    for game_id, seat in ((table.game_id, 3), (99, 0), (None, None)):
        with pytest.raises(UnknownSeatError):
            explained(b"", installation, game_id, seat)


def test_nothing_is_stored(installation: Installation, table: Table) -> None:
    before = len(table.letters())
    for _ in range(2):  # nor does reading twice make a difference (1.7)
        [line] = lines(written(table.legal(0)[0], message_id="<1@x>"), installation, 1, 0)
        assert "error" not in line
    assert table.moves() == []
    assert len(table.letters()) == before
    with installation.store.read() as session:
        assert session.exec(select(func.count()).select_from(Mail)).one() == 0


# The command


def run(*args: str, raw: bytes = b"") -> list[dict[str, Any]]:
    result = CliRunner().invoke(explain, args, input=raw)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_one_mail_from_standard_input() -> None:
    [found] = run(raw=written("take fox"))
    assert found["kind"] == "commands"
    assert "file" not in found


def test_several_files_are_told_apart(tmp_path: Path) -> None:
    paths = []
    for number, text in enumerate(["take fox", "take\u2028hen", "nimm Bär"]):
        path = tmp_path / f"{number}.eml"
        path.write_bytes(written(text))
        paths.append(str(path))
    assert [found["file"] for found in run(*paths)] == paths
    [alone] = run(paths[0])
    assert "file" not in alone


def test_explain_reads_a_mail_as_its_seat_would(installation: Installation, table: Table) -> None:
    legal = table.legal(0)[0]
    [found] = run("--game", str(table.game_id), "--seat", "0", raw=written(legal))
    assert "error" not in found["lines"][0]


@pytest.mark.parametrize(
    "args", [("--game", "1"), ("--seat", "0"), ("--game", "77", "--seat", "0")]
)
def test_an_impossible_seat_is_said_in_a_line(
    installation: Installation, args: tuple[str, ...]
) -> None:
    result = CliRunner().invoke(explain, args, input=b"")
    assert result.exit_code != 0
    assert "Traceback" not in result.output
    assert result.output.splitlines()[-1].startswith(("Error: there is no seat", "Error: --game"))


@pytest.mark.parametrize(
    "args", [("--game", "9" * 30, "--seat", "0"), ("--game", "1", "--seat", "5")]
)
def test_a_number_no_game_or_seat_can_have_is_a_wrong_call(args: tuple[str, ...]) -> None:
    result = CliRunner().invoke(explain, args, input=b"")
    assert (result.exit_code, result.stdout) == (2, "")


def test_it_needs_no_instance_and_makes_none(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ARK_INSTANCE": str(tmp_path / "none")}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "explain"],
        input=written("take fox"), capture_output=True, cwd=tmp_path, env=environment, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["lines"][0]["command"] == "take"
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_breaks_or_hangs_still_answers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RecursionError

    def hanging(*_: object) -> None:
        while True:
            pass

    command = importlib.import_module("pbem.cli.explain")  # `pbem.cli.explain` is the command
    monkeypatch.setattr(command, "MOST_SECONDS", 0.05)
    for reader in (broken, hanging):
        monkeypatch.setattr(command, "explanation", reader)
        started = time.monotonic()
        assert run(raw=b"x")[0]["kind"] == "unreadable"
        assert time.monotonic() - started < 60
    assert "could not be read" in caplog.text


KINDS = {"commands", "auto-reply", "bounce", "list", "own", "encrypted", "empty", "unreadable"}
HOSTILE = [
    b"",
    b"\0" * 1000,
    b"\r\n\r\n\r\n",
    b"Content-Type: multipart/mixed; boundary=a\r\n\r\n" + b"--a\r\n\r\n" * 20_000,
    b"Content-Type: text/html\r\n\r\n" + b"<div>" * 50_000,
    b"Subject: " + b"=?utf-8?q?x?= " * 20_000 + b"\r\n\r\nhi",
    b"From: " + b"<" * 50_000 + b"\r\n\r\nhi",
    b"\r\n\r\n" + b"> " * 200_000,
    b"\r\n\r\n" + b"take fox\r\n" * 20_000,
    b"\r\n\r\n" + b"-" * 1_000_000,
    b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=A=" * 300_000,
    b"Content-Type: text/plain; charset=\xff\xfe\r\n\r\n\xff\xfe\x00",
]


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_mails_take_no_second(raw: bytes) -> None:
    started = time.process_time()
    [found] = run(raw=raw)
    took = time.process_time() - started
    assert took < 3, "a busy machine counts more; what is done badly takes minutes"
    assert found["kind"] in KINDS


@examples(20)
@given(st.binary(max_size=400), st.binary(max_size=200))
def test_any_bytes_are_some_kind_of_mail(head: bytes, body: bytes) -> None:
    found = explained(head + b"\r\n\r\n" + body)
    assert found["kind"] in KINDS
    assert set(found) - {"bounce"} == {
        "kind", "message_id", "from", "subject", "text", "cut", "lines"
    }  # fmt: skip
    json.dumps(found)
