"""A relay that behaves as a test tells it, phase by phase."""

import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

DROP = "drop"  # close the connection without an answer
HANG = "hang"  # say nothing until the client has gone
DRIP = "drip"  # a byte now and then, never a whole answer
FLOOD = "flood"  # an answer that never ends
FINE = {
    "greeting": "220 relay ready",
    "EHLO": "250-relay\r\n250 SIZE 1000000",
    "STARTTLS": "220 go ahead",
    "tls": "",  # anything else: nonsense in the place of the handshake
    "AUTH": "235 welcome",
    "MAIL": "250 sender fine",
    "RCPT": "250 recipient fine",
    "DATA": "354 go on",
    "content": "",  # in the middle of the mail: DROP or HANG
    "end": "250 taken",
    "RSET": "250 forgotten",
    "QUIT": "221 bye",
}


Script = Mapping[str, str | Sequence[str]]
SILENT = (HANG, DRIP, "250-", "")
"""Answers of which the rest never comes: a client waits for it as long as it is told to."""
DECISIVE = ("end", "QUIT")
"""Phases that a client has to come to, or the mail ends otherwise."""


def patience(scripts: Sequence[Script]) -> float:
    """The time-out, in seconds, of a client of these scripts.  Where something is never said
    it is short, as all of it is waited for; but long enough for a busy machine, where it must
    not run out before that."""
    silent = {
        phase
        for script in scripts
        for phase, said in script.items()
        if any(one in SILENT for one in ([said] if isinstance(said, str) else said))
    }
    if not silent:
        return 60.0
    return 2.0 if silent.intersection(DECISIVE) else 0.3


@dataclass(frozen=True)
class Taken:
    """One mail the relay has read to its final dot."""

    sender: str
    recipient: str
    content: bytes


@dataclass
class Relay:
    """`scripts` holds the unusual answers, one mapping (phase → answer, or the answers
    one after another) a connection; the last one serves all further connections."""

    scripts: Sequence[Script] = ({},)
    tls: ssl.SSLContext | None = None
    taken: list[Taken] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    connections: int = 0
    encrypted: bool = False
    port: int = 0

    def serve(self, connection: socket.socket, number: int) -> None:
        """Converse over the connection that came as the `number`th, from 1."""
        script = {**FINE, **self.scripts[min(number, len(self.scripts)) - 1]}
        conversation = _Conversation(self, connection, script)
        with suppress(OSError):
            conversation.run()
        conversation.connection.close()


class _EndedError(OSError):
    """The script says that the conversation is over."""


class _Conversation:
    def __init__(self, relay: Relay, connection: socket.socket, script: Script) -> None:
        self.relay, self.connection, self.script = relay, connection, script
        self.said: Counter[str] = Counter()
        self.sender = self.recipient = ""

    def answer(self, phase: str) -> str:
        text = self.script[phase]
        if not isinstance(text, str):
            text = text[min(self.said[phase], len(text) - 1)]
        self.said[phase] += 1
        if text == HANG:
            while self.connection.recv(65536):
                pass
        while text == DRIP:
            self.connection.sendall(b"2")
            time.sleep(0.1)
        while text == FLOOD:
            self.connection.sendall(b"250-and so on\r\n" * 100)
        if text in (DROP, HANG):
            raise _EndedError
        self.connection.sendall(text.encode() + b"\r\n")
        return text

    def run(self) -> None:
        self.answer("greeting")
        while (line := self.line()) is not None:
            verb = line.split()[0].upper() if line.split() else ""
            self.relay.commands.append(verb)
            if verb not in FINE:
                self.connection.sendall(b"502 what?\r\n")
                continue
            said = self.answer(verb)
            if verb == "MAIL":
                self.sender = line.partition(":")[2].split()[0].strip("<>")
            elif verb == "RCPT":
                self.recipient = line.partition(":")[2].split()[0].strip("<>")
            elif verb == "STARTTLS" and said.startswith("220"):
                self.start_tls()
            elif verb == "DATA" and said.startswith("354"):
                self.content()
            elif verb == "QUIT":
                return

    def start_tls(self) -> None:
        if self.script["tls"]:  # TLS failure: what comes is no handshake
            self.connection.recv(1)
            self.connection.sendall(b"nonsense\r\n" * 10)
            raise _EndedError
        assert self.relay.tls is not None
        self.connection = self.relay.tls.wrap_socket(self.connection, server_side=True)
        self.relay.encrypted = True

    def content(self) -> None:
        if self.script["content"] in (DROP, HANG):
            self.connection.recv(1)
            if self.script["content"] == HANG:
                time.sleep(1.0)  # long after the client's patience
            raise _EndedError
        lines = []
        while (line := self.raw_line()) != b".\r\n":
            lines.append(line[1:] if line.startswith(b".") else line)
        self.relay.taken.append(Taken(self.sender, self.recipient, b"".join(lines)))
        self.answer("end")

    def line(self) -> str | None:
        raw = self.raw_line()
        return raw.decode("ascii", "replace").rstrip("\r\n") if raw else None

    _buffer = b""

    def raw_line(self) -> bytes:
        while b"\n" not in self._buffer:
            more = self.connection.recv(65536)
            if not more:
                raise _EndedError
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line + b"\n"


@contextmanager
def running(relay: Relay, wrap: bool = False) -> Iterator[Relay]:
    """The relay on a free loopback port; with `wrap` it speaks TLS from the first byte."""
    listener = socket.create_server(("127.0.0.1", 0))
    relay.port = listener.getsockname()[1]
    threads: list[threading.Thread] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            relay.connections += 1
            thread = threading.Thread(target=converse, args=(connection, relay.connections))
            thread.start()
            threads.append(thread)

    def converse(connection: socket.socket, number: int) -> None:
        if wrap:
            assert relay.tls is not None
            try:
                connection = relay.tls.wrap_socket(connection, server_side=True)
            except OSError:
                connection.close()
                return
        relay.serve(connection, number)

    acceptor = threading.Thread(target=accept)
    acceptor.start()
    try:
        yield relay
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        acceptor.join()
        for thread in threads:
            thread.join(60)
