"""What the relay has taken since the last commit, in a file beside the database.

A commit waits for the disk, so letters are recorded by the lot (`pbem.post.delivery`).  A line
of this file waits for nothing: if the process dies in between, the file is still there, and no
letter that the relay has taken goes out again.  If the machine dies the lines may be lost, and
nobody knows of these letters, as without it."""

import logging
from pathlib import Path
from typing import BinaryIO

log = logging.getLogger(__name__)

NAME = "post.journal"


class Journal:
    """The file of one installation: Message-IDs, one a line.  Trouble with it is logged and
    holds up no letter."""

    def __init__(self, instance: Path) -> None:
        self._path = instance / NAME
        self._file: BinaryIO | None = None

    def begin(self) -> None:
        """Nothing is under way that is not recorded: from here on."""
        self.close()
        try:
            self._file = self._path.open("wb", buffering=0)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error.strerror or error)

    def taken(self, message_id: str) -> None:
        """The relay has taken this letter."""
        if self._file is None:
            return
        try:
            self._file.write(f"{message_id}\n".encode())
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error.strerror or error)
            self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def read(self) -> frozenset[str]:
        """What the relay had taken when the process died that wrote it last; a line that was
        not written to its end is none."""
        try:
            text = self._path.read_bytes().decode(errors="replace")
        except OSError:
            return frozenset()
        return frozenset(line[:-1] for line in text.splitlines(keepends=True) if line[-1] == "\n")
