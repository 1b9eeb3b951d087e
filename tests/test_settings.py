"""Settings: read from file and environment, every bad value one clear line."""

import os
from pathlib import Path

import pytest

from pbem.settings import Settings, SettingsError, load_settings, unknown_variables

ROOT = Path(__file__).parent.parent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARK_INSTANCE", str(tmp_path))
    return tmp_path


def test_an_empty_instance_folder_is_enough(folder: Path) -> None:
    settings = load_settings()
    assert settings.instance == folder
    assert settings.database_url == f"sqlite:///{folder / 'ark.sqlite'}"
    assert settings.base_url == "http://127.0.0.1:8080"


def test_the_file_is_read_and_the_environment_wins(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "settings.toml").write_text('[web]\nport = 9000\n[site]\nzone = "Asia/Hong_Kong"\n')
    assert load_settings().web.port == 9000
    monkeypatch.setenv("ARK_WEB__PORT", "9001")
    settings = load_settings()
    assert (settings.web.port, settings.site.zone) == (9001, "Asia/Hong_Kong")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[web]\nport = 70000", "web.port"),
        ('[web]\nport = "many"', "web.port"),
        ("[web]\nprot = 80", "web.prot"),
        ('name = "Harbour"', "is its [section] written out above it?"),
        ('[site]\nzone = "Mars/Olympus"', "site.zone"),
        ('[post]\nsecurity = "maybe"', "post.security"),
        ('[mail]\ndomain = "a b"', "mail.domain"),
        ("[games]\nturn_hours = -1", "games.turn_hours"),
        ('[web]\nurl = "example.net"', "web.url"),
        ("[nonsense]\na = 1", "nonsense"),
        ("[web\nport = 1", "not valid TOML"),
        ('[web]\nhost = "0.0.0.0"\npostroom = true', "web.postroom"),
        ('[site]\nname = "two\\nlines"', "site.name"),
        ("[mail]\nmax_line = 80", "mail.max_line"),
        ("[starttls]\nrequired = true", "starttls.certificate"),
        ('[lmtp]\nmode = "rw"', "lmtp.mode"),
        ('[limits]\ntrusted = ["somewhere"]', "limits.trusted"),
        ('[imap]\nhost = "imap.example"', "imap.user"),
        ('[imap]\nhost = "imap.example"\nuser = "ark"', "imap.password"),
        (
            '[imap]\nhost = "imap.example"\nuser = "ark"\npassword = "a"\ntoken_file = "b"',
            "imap.token_file",
        ),
        (
            '[imap]\nhost = "h"\nuser = "u"\npassword = "p"\ntaken = "move"\nmove_to = "INBOX"',
            "imap.move_to",
        ),
    ],
)
def test_a_bad_value_is_one_clear_line(folder: Path, text: str, named: str) -> None:
    (folder / "settings.toml").write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_password_is_never_shown(folder: Path) -> None:
    (folder / "settings.toml").write_text('[post]\npassword = "hunter2"\n')
    assert "hunter2" not in repr(load_settings())
    (folder / "settings.toml").write_text("[post]\npassword = 12345\n")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "12345" not in str(caught.value)


def test_a_file_that_is_not_text_is_one_clear_line(folder: Path) -> None:
    (folder / "settings.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"settings\.toml"):
        load_settings()


def test_the_example_documents_every_setting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uncommented it is read as it stands, and gives the defaults."""
    example = (ROOT / "instance" / "settings.example.toml").read_text()
    lines = [line.removeprefix("#: ") for line in example.splitlines()]
    (folder / "settings.toml").write_text("\n".join(lines))
    read = load_settings()
    (folder / "settings.toml").unlink()
    assert read == load_settings()
    text = "\n".join(lines)
    for group, field in Settings.model_fields.items():
        if group == "instance":
            continue
        names = getattr(field.annotation, "model_fields", None)
        if names is None:
            assert f"\n{group} = " in text
            continue
        section = text.split(f"[{group}]")[1].split("\n[")[0]
        for name in names:
            assert f"\n{name} = " in section, f"{group}.{name} is not in the example"


def test_a_variable_that_is_no_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in os.environ if one.startswith("ARK_")]:
        monkeypatch.delenv(name)
    for name in ("ARK_WEB__PORT", "ARK_INSTANCE", "ARK_LOG_LEVEL"):
        monkeypatch.setenv(name, "1")
    assert unknown_variables() == []
    monkeypatch.setenv("ARK_PORT", "8080")
    monkeypatch.setenv("ARK_WEBB__PORT", "8080")
    assert unknown_variables() == ["ARK_PORT", "ARK_WEBB__PORT"]
