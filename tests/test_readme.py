"""The README does not lie: its examples are executed, its commands read, its links followed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlmodel import select

from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.store import Letter, Mail
from tests.e2e.server import LONGEST, Server, server_at, wait_until
from tests.ports import free_port

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
WEB_PORT, SMTP_PORT = "8080", "2525"  # as the README names them
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_EXECUTED = {"make run\n"}  # it builds the environment; what it starts is run here


@dataclass(frozen=True)
class Example:
    """A fenced block."""

    language: str
    text: str


EXAMPLES = [Example(language, text) for language, text in BLOCK.findall(README)]
SHELL = [one.text for one in EXAMPLES if one.language == "sh" and one.text not in NOT_EXECUTED]
PYTHON = [one.text for one in EXAMPLES if one.language == "python"]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like a checkout with its environment built, but may be written to."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("engine", "pbem", "mail_templates", "Makefile"):
        (folder / name).symlink_to(ROOT / name)
    for place in (".venv/bin", "path"):
        (folder / place).mkdir(parents=True)
        python = folder / place / "python"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        python.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def demo(checkout: Path) -> Iterator[Server]:
    """What `make run` starts, on ports of our own."""
    ports = {"web_port": free_port(), "smtp_port": free_port()}
    variables = {
        "ARK_WEB__PORT": str(ports["web_port"]), "ARK_MAIL__PORT": str(ports["smtp_port"]),
    }  # fmt: skip
    with server_at(checkout / "instance", variables=variables, **ports) as server:
        server.start("--demo")
        yield server


def run(checkout: Path, demo: Server, *command: str) -> str:
    environment = demo.environment()
    environment["PATH"] = os.pathsep.join([str(checkout / "path"), environment["PATH"]])
    done = subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=LONGEST
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def test_there_is_something_to_execute() -> None:
    assert len(SHELL) >= 3
    assert len(PYTHON) == 1


@pytest.mark.parametrize("example", SHELL, ids=lambda text: text.splitlines()[0][:40])
def test_shell_examples_work(checkout: Path, demo: Server, example: str) -> None:
    run(checkout, demo, "bash", "-euc", example)


def test_the_python_example_sends_a_mail_that_is_answered(checkout: Path, demo: Server) -> None:
    example = PYTHON[0]
    assert example.count(SMTP_PORT) == 1
    run(checkout, demo, "python", "-c", example.replace(SMTP_PORT, str(demo.smtp_port)))

    def answered() -> Letter | None:
        with demo.store.read() as session:
            return session.exec(
                select(Letter)
                .join(Mail, Mail.id == Letter.answers_mail_id)
                .where(Letter.state == "sent", Mail.envelope_from == "noah@example.net")
            ).first()

    letter = wait_until(answered, "the answer")
    assert "status" in (letter.text or "")


def test_the_addresses_are_printed_as_shown(demo: Server) -> None:
    shown = next(one.text for one in EXAMPLES if "Post room:" in one.text)
    printed = re.sub(r"(sign-in/)\w+", r"\1…", demo.output())
    assert shown == printed.replace(str(demo.web_port), WEB_PORT).replace(
        str(demo.smtp_port), SMTP_PORT
    )


def test_the_commands_of_the_table_are_commands() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", README, re.MULTILINE)
    commands = [command for row in rows for command in re.findall(r"`([^`]*)`", row)]
    assert len(commands) >= 10
    for command in commands:
        (line,) = read(command, Context(builtin_deck())).lines
        assert line.command is not None, command
        assert line.error is None, command


def test_what_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target
