"""Sockets that mail comes in at: bound and listening, or one line that says why not."""

import errno
import os
import shutil
import socket
import stat
from pathlib import Path

BACKLOG = 100


class ListenError(OSError):
    """The address cannot be listened on; the text is one line for the operator."""


def tcp_socket(host: str, port: int, setting: str) -> socket.socket:
    """A listening TCP socket (port 0: any free one); `setting` names the port's setting."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ListenError(f"cannot listen for mail on {host}:{port}: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)  # so that the port is ours from here on
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ListenError(
                f"port {port} on {host} is in use: stop the other server, "
                f"or choose another port (setting {setting})"
            ) from None
        raise ListenError(f"cannot listen for mail on {host}:{port}: {error.strerror}") from None
    return listener


def unix_socket(path: Path, mode: int, group: str) -> socket.socket:
    """A listening Unix socket at `path`, for those that `mode` and `group` let write.

    What a dead server left there is taken away; a socket somebody listens on, or a file of
    another kind, is not."""
    _clear(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # Nobody else may connect between the binding and the mode that is wanted.
        before = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(before)
        if group:
            shutil.chown(path, group=group)
        path.chmod(mode)
        listener.listen(BACKLOG)
    except (OSError, LookupError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else f"there is no group {group}"
        raise ListenError(f"cannot listen for mail on {path}: {reason}") from None
    return listener


def _clear(path: Path) -> None:
    """Make room for a socket; `ListenError` when somebody else needs what is there."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise ListenError(
                f"{path} is there, and no socket: take it away, "
                "or choose another path (setting lmtp.socket)"
            )
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            caller.settimeout(5)
            caller.connect(str(path))
    except FileNotFoundError:
        return
    except ConnectionRefusedError:  # nobody listens: it was left behind
        path.unlink(missing_ok=True)
        return
    except ListenError:
        raise
    except OSError as error:
        raise ListenError(f"cannot listen for mail on {path}: {error.strerror or error}") from None
    raise ListenError(
        f"the socket {path} is in use: stop the other server, "
        "or choose another path (setting lmtp.socket)"
    )
