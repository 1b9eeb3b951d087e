"""All benchmarks, one after another: python -m bench"""

import subprocess
import sys

NAMES = (
    "engine",
    "reading",
    "letters",
    "intake",
    "delivery",
    "clock",
    "moderator",
    "archive",
    "web",
)

if __name__ == "__main__":
    for name in NAMES:
        print(f"== {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"bench.{name}"], check=True)
