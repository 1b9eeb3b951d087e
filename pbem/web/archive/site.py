"""The archive as a folder of pages that open from the disk."""

from pathlib import Path

from flask import Flask

from pbem.store import Store


def build(app: Flask, store: Store, folder: Path, language: str) -> int:
    """Write the site into a folder; returns how many games it holds."""
    raise NotImplementedError
