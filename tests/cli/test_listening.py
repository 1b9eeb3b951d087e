"""Commands go to where the server that runs listens, whatever their own settings say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.cli.listening import NOTED, as_it_listens
from pbem.jobs.embedded import Lock
from pbem.settings import Settings, load_settings

NOTE = "Web: http://127.0.0.1:18080\nSMTP: 127.0.0.1:12525\nPost room: http://127.0.0.1:18080/x\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ARK_INSTANCE", str(tmp_path))
    (tmp_path / NOTED).write_text(NOTE, "utf-8")
    return load_settings()


@pytest.fixture
def running(settings: Settings) -> Iterator[None]:
    lock = Lock(settings.instance)
    lock.acquire()
    yield
    lock.release()


@pytest.mark.usefixtures("running")
def test_a_running_server_is_found_at_its_ports(settings: Settings) -> None:
    found = as_it_listens(settings)
    assert (found.web.port, found.mail.port, found.lmtp) == (18080, 12525, settings.lmtp)
    assert found.base_url == "http://127.0.0.1:18080"


def test_the_note_of_a_server_that_has_ended_counts_for_nothing(settings: Settings) -> None:
    assert as_it_listens(settings) == settings


@pytest.mark.usefixtures("running")
def test_a_link_leads_to_the_running_server() -> None:
    ark = CliRunner()
    ark.invoke(main, ["moderator", "add", "Olive", "olive@example.org", "--owner"])
    assert "http://127.0.0.1:18080/" in ark.invoke(main, ["moderator", "link", "Olive"]).output


@pytest.mark.usefixtures("settings")
def test_the_clock_says_when_no_server_runs() -> None:
    assert "no server runs" in CliRunner().invoke(main, ["clock"]).output


@pytest.mark.usefixtures("running")
def test_the_clock_of_a_running_server_runs() -> None:
    assert "no server" not in CliRunner().invoke(main, ["clock"]).output
