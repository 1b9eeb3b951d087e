"""What others wrote and is kept beside our own is what it says it is."""

import hashlib
import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "pbem" / "web" / "static" / "vendor"


def test_each_vendored_file_is_the_one_that_was_looked_at() -> None:
    listed = dict(
        re.findall(r"\| `([\w.-]+)` \|.*`([0-9a-f]{64})` \|", (FOLDER / "README.md").read_text())
    )
    kept = {path.name: path for path in FOLDER.iterdir() if path.name != "README.md"}
    assert listed
    assert listed == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in kept.items()
    }
