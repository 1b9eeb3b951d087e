"""Ports of loopback whose numbers must be known before anybody listens there: each is one
process's alone, however many run tests."""

import os
import socket

_number = 20_000 + os.getpid() * 61 % 11_000
_taken: list[socket.socket] = []


def free_port() -> int:
    """A port for a server that must be told one, and may be started there again.

    Below the range from which the system hands out ports.  Until this process ends it also has
    the UDP port of this number, by which every other process sees that it is given away."""
    global _number
    while True:
        _number += 1
        mark = socket.socket(type=socket.SOCK_DGRAM)
        try:
            mark.bind(("127.0.0.1", _number))
            with socket.socket() as trial:
                trial.bind(("127.0.0.1", _number))
        except OSError:
            mark.close()
            continue
        _taken.append(mark)
        return _number


def refusing_port() -> int:
    """A port that refuses every connection: it is taken until this process ends, and nobody
    will ever listen there."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    _taken.append(taken)
    port: int = taken.getsockname()[1]
    return port
