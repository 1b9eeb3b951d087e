"""A folder for a service that gives up root's rights: pytest's own are root's alone."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

START_SECONDS = 300.0
T = TypeVar("T")


@contextmanager
def service_folder(name: str) -> Iterator[Path]:
    """A short path (a Unix socket's may have 107 bytes) that everybody may look into, and
    files in it too: the service's own users read them."""
    folder = Path(tempfile.mkdtemp(prefix=f"ark-{name}-"))
    folder.chmod(0o755)
    before = os.umask(0o022)  # our own command line has left a stricter one in this process
    try:
        yield folder
    finally:
        os.umask(before)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(condition: Callable[[], T], what: str, seconds: float = START_SECONDS) -> T:
    """What `condition` gives once it is true; `AssertionError` names `what`."""
    end = time.monotonic() + seconds
    while True:
        if result := condition():
            return result
        assert time.monotonic() < end, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.02)
