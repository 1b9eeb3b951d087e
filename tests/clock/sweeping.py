"""A process that sweeps an installation at a given time until nothing is due: to be killed,
or to run beside another one."""

from __future__ import annotations

import os
from datetime import datetime
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path

from pbem.clock import sweep
from pbem.installation import open_installation
from pbem.settings import load_settings
from tests.conftest import CountedEntropy, HandClock
from tests.forks import forks


def sweeping(folder: Path, now: datetime) -> BaseProcess:
    """The process, which is about to sweep; it ends by itself when there is nothing to do."""
    ready = forks.Event()
    process = forks.Process(target=_sweep, args=(str(folder), now, ready))
    process.start()
    assert ready.wait(300)
    return process


def _sweep(folder: str, now: datetime, ready: Event) -> None:
    os.environ["ARK_INSTANCE"] = folder
    mail = {"domain": "ark.example", "port": 0, "readers": 0}
    settings = load_settings(mail=mail, web={"port": 0})
    installation = open_installation(settings, clock=HandClock(now), entropy=CountedEntropy())
    ready.set()
    while sweep(installation):
        pass
    installation.close()
