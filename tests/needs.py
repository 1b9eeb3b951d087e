"""What a test needs from the machine: skipped with its reason where it is missing,
failed where `ARK_REQUIRE=all` says that nothing may be missing."""

import os
import shutil
from glob import glob

import pytest

# The headless shell first: the same engine without windows, at a third of the cost.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def need(condition: object, reason: str) -> None:
    """Go on if `condition` holds; else skip, or fail under `ARK_REQUIRE=all`."""
    if condition:
        return
    if os.environ.get("ARK_REQUIRE") == "all":
        pytest.fail(f"needed here, and missing: {reason}")
    pytest.skip(reason)


def program(*names: str) -> str:
    """The path of the first of these programs that is installed (sbin included, and where
    Debian keeps those of each PostgreSQL)."""
    path = os.pathsep.join(
        [
            os.environ.get("PATH", ""), "/usr/sbin", "/sbin", "/usr/lib/dovecot",
            *sorted(glob("/usr/lib/postgresql/*/bin")),
        ]
    )  # fmt: skip
    found = next(filter(None, (shutil.which(name, path=path) for name in names)), None)
    need(found, f"{names[0]} is not installed")
    assert found is not None
    return found


def chromium() -> str:
    """The path of the browser."""
    return program(*CHROMIUM_NAMES)
