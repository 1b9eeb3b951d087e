"""How a command that serves is told to end."""

import signal
import socket
from contextlib import ExitStack


def told_to_end(stack: ExitStack) -> socket.socket:
    """Something can be read from it once Ctrl-C was pressed, or SIGTERM sent.

    An event that is set by the handler would not do: the system may hand the signal to any
    thread, and Python runs the handler only when the main one wakes up, which waits for just
    that.  This socket is written to by the thread that gets the signal."""
    reader, writer = socket.socketpair()
    stack.callback(reader.close)
    stack.callback(writer.close)
    writer.setblocking(False)
    stack.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(writer.fileno()))
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: None)  # else it would end the process as it stands
    return reader
