"""Logging in: by password, or by XOAUTH2 with a token that is fetched anew every time."""

import subprocess

from imap_tools import BaseMailBox

from pbem.settings import Settings

COMMAND_SECONDS = 30


class TokenError(Exception):
    """There is no token; the text is one line for the operator."""


def log_in(mailbox: BaseMailBox, settings: Settings) -> None:
    """`TokenError`, or whatever the connection raises."""
    imap = settings.imap
    if imap.password and imap.user.isascii() and imap.password.isascii():
        mailbox.login(imap.user, imap.password, initial_folder=None)
    elif imap.password:  # LOGIN knows ASCII only; SASL PLAIN takes UTF-8 (RFC 4616)
        mailbox.login_utf8(imap.user, imap.password, initial_folder=None)
    else:
        mailbox.xoauth2(imap.user, _token(settings), initial_folder=None)


def _token(settings: Settings) -> str:
    imap = settings.imap
    if imap.token_file:
        path = settings.path(imap.token_file)
        try:
            token = path.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise TokenError(f"the token file {path} cannot be read: {error}") from None
    else:
        token = _printed(imap.token_command)
    if not token.isprintable() or not token:
        raise TokenError("the token is empty, or more than one line")
    return token


def _printed(command: tuple[str, ...]) -> str:
    """What the operator's own command prints."""
    try:
        done = subprocess.run(  # noqa: S603 - the operator's setting, without a shell
            command, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=True,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.CalledProcessError as error:
        lines = str(error.stderr).strip().splitlines() or [""]
        said = f"the token command ended with {error.returncode}: {lines[-1][:200]}"
        raise TokenError(said) from None
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
        raise TokenError(f"the token command failed: {error}") from None
    return done.stdout.strip()
