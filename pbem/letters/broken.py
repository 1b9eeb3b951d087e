"""Templates of the operator that failed in this process, until somebody is told."""

from pathlib import Path
from threading import Lock

_lock = Lock()
_found: dict[tuple[Path, str], str] = {}


def note(folder: Path, kind: str, error: Exception) -> None:
    """The template of this kind failed; the built-in one was used."""
    with _lock:
        _found[folder, kind] = f"{type(error).__name__}: {error}"


def take(folder: Path) -> list[tuple[str, str]]:
    """(kind, what was wrong) of each that failed since this was asked last."""
    with _lock:
        keys = [key for key in _found if key[0] == folder]
        return sorted((key[1], _found.pop(key)) for key in keys)
