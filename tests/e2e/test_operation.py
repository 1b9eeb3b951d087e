"""What an operator does with a server, and what the server says when something is wrong."""

from __future__ import annotations

import ctypes
import email
import email.policy
import json
import re
import signal
import socket
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import select

from engine.view import view
from pbem.store import Event, Game, Letter, Mail
from tests.e2e.browser import Browser
from tests.e2e.forked import ForkedServer
from tests.e2e.server import LONGEST, Server, server_at, wait_until
from tests.e2e.sink import Delivery, Sink
from tests.e2e.table import ANN, Now, Table
from tests.ports import free_port

BOTS = ("--seat", "bot:greedy", "--seat", "bot:random")


def new_game(server: Server, *more: str) -> int:
    """A game of Ann and two bots, begun; its number."""
    options = ("--name", "Trial", "--seat", ANN.written, *BOTS, "--seed", "trial", "--start")
    return int(server.printed("new-game", *options, *more).splitlines()[-1])


def one_line(errors: bytes) -> str:
    """The one line an operator gets instead of a traceback."""
    lines = errors.decode().splitlines()
    assert len(lines) == 1, errors.decode()
    return lines[0]


# -- start and end


def test_a_port_in_use_is_one_clear_line(server: Server) -> None:
    for setting in ("ARK_WEB__PORT", "ARK_MAIL__PORT"):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = str(other.getsockname()[1])
            server.variables = {setting: port}
            done = server.command("run")
        assert done.returncode == 1
        line = one_line(done.stderr)
        assert port in line
        assert "in use" in line
    server.variables = {}
    server.start()  # nothing was left behind that would be in the way
    end(server, signal.SIGTERM)


def test_a_second_server_on_the_same_folder_is_refused(server: Server) -> None:
    server.start()
    done = server.command("run")
    assert done.returncode == 1
    line = one_line(done.stderr)
    assert "another server" in line
    assert str(server.folder) in line
    end(server, signal.SIGINT)


def end(server: Server, way: signal.Signals) -> None:
    """It ends in peace, and says nothing about it on standard error."""
    assert server.process is not None
    server.process.send_signal(way)
    assert server.process.wait(LONGEST) == 0
    assert server.errors() == ""
    server.process = None


@pytest.mark.parametrize(
    ("file", "variables", "said"),
    [
        ("[web]\nport = 99999\n", {}, "web.port"),
        ("", {"ARK_POST__TRANSPORT": "pigeon"}, "post.transport"),
        ('[web]\nport = 0\n[starttls]\ncertificate = "nowhere.pem"\n', {}, "nowhere.pem"),
    ],
    ids=["file", "environment", "certificate"],
)
def test_a_bad_setting_is_one_clear_line(
    tmp_path: Path, file: str, variables: dict[str, str], said: str
) -> None:
    folder = tmp_path / "instance"
    folder.mkdir()
    (folder / "settings.toml").write_text(file, encoding="utf-8")
    with server_at(folder, kind=ForkedServer, variables=variables) as server:
        done = server.command("run")
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert done.stdout == b""


def test_a_pipe_that_is_switched_off_keeps_the_mail_with_its_sender(server: Server) -> None:
    server.variables = {"ARK_MAIL__PIPE": "false"}
    done = server.call("deliver", input=b"Subject: x\n\nhelp\n")
    assert done.exit_code == 75
    assert "mail.pipe" in done.stderr


def test_a_damaged_database_is_one_clear_line(server: Server) -> None:
    (server.folder / "ark.sqlite").write_bytes(b"this is no database" * 100)
    done = server.command("run")
    assert done.returncode == 1
    assert "database" in one_line(done.stderr)
    for command in (["letter", "--game", "1", "--seat", "0"], ["upgrade"], ["doctor"]):
        assert server.call(*command).exit_code == 1


# -- commands


def test_upgrade_creates_the_database_in_an_empty_folder(tmp_path: Path) -> None:
    with server_at(tmp_path / "nowhere" / "yet") as server:
        assert "was created" in server.printed("upgrade")
        assert (server.folder / "ark.sqlite").exists()
        assert "nothing to do" in server.printed("upgrade")


def test_new_game_prints_its_number_and_letter_the_letter(server: Server, sink: Sink) -> None:
    seats = ("--seat", ANN.written, *BOTS)
    done = server.command("new-game", "--name", "Sunday club", *seats, "--start")
    assert done.stdout.decode().splitlines()[-1] == "1"
    queued = shown_letter(server)
    assert queued.get_content_type() == "multipart/alternative"
    assert ANN.address in queued["To"]
    assert "Sunday club" in queued["Subject"]
    server.start()
    sent = sink.wait_for(
        lambda one: one.message_id == queued["Message-ID"], "the letter that was shown"
    ).message
    wait_until(lambda: is_noted(server, sent["Message-ID"]), "the letter to be noted")
    assert shown_letter(server)["Date"] == sent["Date"]
    kept = shown_letter(server)
    for header in ("From", "Reply-To", "To", "Subject", "Message-ID", "List-Id"):
        assert queued[header] == sent[header] == kept[header]
    assert text_of(kept) == text_of(sent)
    assert text_of(queued).splitlines()[:10] == text_of(sent).splitlines()[:10]
    link = re.search(rf"{re.escape(server.web)}/p/\S+", text_of(sent))
    assert link, "no link to the player's page"
    page, address = Browser().get(link[0])
    assert "Sunday club" in page
    assert link[0] not in (address, page), "the token stays in the address line"
    assert server.stop() == 0


def is_noted(server: Server, message_id: str) -> bool:
    with server.store.read() as session:
        letter = select(Letter.state).where(Letter.message_id == message_id)
        return session.exec(letter).one() == "sent"


def shown_letter(server: Server) -> EmailMessage:
    """What `letter` prints, as a mail program reads it."""
    printed = server.call("letter", "--game", "1", "--seat", "0").stdout_bytes
    message = email.message_from_bytes(printed, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["letter", "--game", "7", "--seat", "0"], "no game 7"),
        (["export", "--game", "7"], "no game 7"),
        (["new-game", "--name", "x", "--seat", "bot:deep", *BOTS, "--start"], "deep"),
        (["new-game", "--name", "x", "--seat", "nobody", *BOTS, "--start"], "nobody"),
        (["new-game", "--name", "x", *BOTS, "--start"], "3 to 5"),
    ],
)
def test_a_wrong_call_is_one_clear_line(server: Server, arguments: list[str], said: str) -> None:
    done = server.call(*arguments)
    assert done.exit_code not in (0, None)
    assert said in one_line(done.stderr_bytes or b"")


def test_explain_reads_mails_and_changes_nothing(server: Server, tmp_path: Path) -> None:
    new_game(server)
    quoted = "".join(f"> {line}\n" for line in text_of(shown_letter(server)).splitlines())
    mails = {
        "answer.eml": f"From: {ANN.address}\n\nstatus\n\nOn Tuesday Ark wrote:\n{quoted}".encode(),
        "typo.eml": b"Subject: Re: Ark\n\npaly fox L2\n",
        "vacation.eml": b"Auto-Submitted: auto-replied\n\ntake fox\n",
        "empty.eml": b"",
        "noise.eml": bytes(range(256)) * 50,
        "charset.eml": b"Content-Type: text/plain; charset=x-mars\n\ntake f\xf6x\n",
    }
    for name, raw in mails.items():
        (tmp_path / name).write_bytes(raw)
    files = [str(tmp_path / name) for name in mails]
    with server.store.read() as session:
        before = session.exec(select(Game)).one().model_dump()
    printed = server.printed("explain", "--game", "1", "--seat", "0", *files)
    read = {Path(one["file"]).name: one for one in map(json.loads, printed.splitlines())}
    assert list(read) == list(mails)
    assert read["answer.eml"]["text"].split() == ["status"]
    assert read["answer.eml"]["cut"] == ["quote"]
    assert [line["command"] for line in read["answer.eml"]["lines"]] == ["status"]
    assert read["typo.eml"]["lines"][0]["error"] == "not understood"
    assert read["typo.eml"]["lines"][0]["suggest"] == "play fox L2"
    assert read["vacation.eml"]["kind"] == "auto-reply"
    assert read["empty.eml"]["kind"] == "empty"
    with server.store.read() as session:
        assert session.exec(select(Game)).one().model_dump() == before
        assert session.exec(select(Mail)).all() == []
    from_input = server.command("explain", input=mails["typo.eml"])
    assert from_input.returncode == 0
    assert json.loads(from_input.stdout)["subject"] == "Re: Ark"


def test_a_record_goes_into_another_installation(
    server: Server, tmp_path: Path, sink: Sink
) -> None:
    """A game the bots have played to its end is exported, and imported elsewhere."""
    number = new_game(server)
    file = tmp_path / "running.ark.json"
    assert "secrets" in server.call("export", "--game", str(number), "--out", str(file)).stderr
    server.start()
    table = Table(server, sink, number, [ANN], "resign")
    letter = table.letter_to(0, table.ready())
    table.settled(table.answer(letter, "resign\n"))
    asked = sink.wait_for(lambda one: "confirm" in one.text and one.in_reply_to, "the question")
    table.settled(table.answer(asked, "confirm\n"))
    wait_until(table.over, "the bots to play on to the end")
    assert server.stop() == 0
    server.printed("export", "--game", str(number), "--out", str(file))
    with server_at(tmp_path / "elsewhere") as other:
        assert other.printed("import", str(file)).split() == ["1"]
        again = other.printed("export", "--game", "1")
        assert _without_proof(again) == _without_proof(file.read_text(encoding="utf-8"))
        broken = tmp_path / "broken.ark.json"
        broken.write_text(again.replace('"gather"', '"pass"', 1), encoding="utf-8")
        refused = other.call("import", str(broken))
        assert refused.exit_code == 1
        assert "turn" in one_line(refused.stderr_bytes or b"")
        with other.store.read() as session:
            assert len(session.exec(select(Game.id)).all()) == 1


def _without_proof(record: str) -> dict[str, object]:
    form = json.loads(record)
    assert isinstance(form, dict)
    return {key: value for key, value in form.items() if key != "proof"}


def test_state_survives_a_restart_and_a_restored_backup(
    server: Server, sink: Sink, tmp_path: Path
) -> None:
    server.start()
    table = Table(server, sink, new_game(server), [ANN], "backup")
    table.play_turn()
    before = table.ready()
    letter = table.letter_to(0, before)
    file = tmp_path / "ark-backup.tar.gz"
    server.printed("backup", str(file))  # the server running
    assert file.stat().st_mode & 0o077 == 0, "a backup holds everybody's secrets"
    twice = server.call("backup", str(file))
    assert twice.exit_code == 1
    assert "exists already" in twice.stderr
    assert server.stop() == 0
    assert_goes_on(table, server, letter, before)
    with server_at(tmp_path / "restored", kind=ForkedServer) as restored:
        assert "Restored" in restored.printed("restore", str(file))
        assert_goes_on(table, restored, letter, before)
        again = restored.call("restore", str(file))
        assert again.exit_code == 1
        assert "empty instance folder" in again.stderr


def assert_goes_on(table: Table, server: Server, letter: Delivery, before: Now) -> None:
    """Started again, the server stands where it stood, and the old letter can be answered."""
    table.server = server
    server.start()
    assert table.now() == before
    message_id = table.answer(letter, f"take {view(before.position, 0).display[0]}\n")
    table.settled(message_id)
    assert len(table.turns_of(message_id)) == 1
    assert server.stop() == 0


def test_the_clock_is_wound_up(server: Server, sink: Sink) -> None:
    """Somebody who lets his time run out is reminded, and the table told."""
    number = new_game(server, "--hours", "0.001")
    server.start()

    def missed() -> int:
        with server.store.read() as session:
            kinds = session.exec(select(Event.kind).where(Event.game_id == number)).all()
        return kinds.count("deadline")

    assert wait_until(missed, "the deadline to be noticed") == 1
    told = sink.wait_for(lambda one: "news" in one.subject, "word of it")
    assert "time" in told.text
    assert server.stop() == 0


def test_whichever_thread_gets_the_signal_the_server_ends(server: Server) -> None:
    """The system chooses it; Python runs handlers in the main thread only."""
    server.start()
    assert server.process is not None
    pid = server.process.pid
    threads = {int(one.name) for one in Path(f"/proc/{pid}/task").iterdir()}
    kill = ctypes.CDLL(None).tgkill
    newest = sorted(threads - {pid}, reverse=True)
    assert any(kill(pid, one, signal.SIGTERM) == 0 for one in newest)  # one may just have ended
    assert server.process.wait(LONGEST) == 0
    server.process = None


def test_the_doctor_tells_a_running_server_from_none(tmp_path: Path, sink: Sink) -> None:
    ports = {"web_port": free_port(), "smtp_port": free_port()}
    with server_at(tmp_path / "instance", sink.port, kind=ForkedServer, **ports) as server:
        server.start()
        healthy = server.command("doctor")
        assert healthy.returncode == 0, healthy.stdout.decode()
        checks = healthy.stdout.decode().splitlines()
        assert all(line.startswith("ok") for line in checks)
        assert {"settings", "database", "pages", "smtp", "pipe"} == {
            line.split()[1].rstrip(":") for line in checks
        }
        assert server.stop() == 0
        ill = server.call("doctor")
        assert ill.exit_code == 1
        assert ill.stderr == ""
        failed = [line for line in ill.stdout.splitlines() if line.startswith("FAIL")]
        assert len(failed) == 3
        assert all("Is the server running?" in line for line in failed)
