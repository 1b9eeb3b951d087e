"""Who may import whom (docs/architecture.md)."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ANYTHING = None
MAY: dict[str, set[str] | None] = {
    "engine": set(),
    "settings": set(),
    "translation": set(),
    "timing": set(),
    "logs": set(),
    "store": {"engine"},
    "commands": {"engine"},
    "letters": {"engine", "store", "commands"},
    "archive": {"engine", "store"},
    "desk": {"engine", "commands", "store", "letters"},
    "resolver": set(),
    "installation": {"engine", "commands", "store", "letters", "desk", "resolver"},
    "intake": {"engine", "commands", "desk", "store", "letters", "post", "installation",
               "resolver"},
    "clock": {"engine", "store", "letters", "desk", "installation"},
    "post": {"engine", "store", "letters", "desk", "installation"},
    "jobs": {"engine", "store", "clock", "post", "intake", "desk", "archive", "installation"},
    "moderation": {"engine", "commands", "store", "letters", "archive", "desk", "installation",
                   "intake", "clock", "post"},
    "web": {"engine", "store", "commands", "letters", "archive", "desk", "installation",
            "intake", "clock", "post", "jobs", "app", "moderation"},
    "app": {"engine", "store", "web", "installation", "desk", "archive"},
    "cli": ANYTHING,
    "__main__": ANYTHING,
}  # fmt: skip
ALWAYS = {"settings", "translation", "timing", "logs"}  # settings, sentences, arithmetic of time


def _part(module: str) -> str | None:
    """The part of the house a module belongs to: engine, or the child of pbem."""
    head, _, rest = module.partition(".")
    if head == "engine":
        return "engine"
    if head == "pbem":
        return rest.partition(".")[0] or None
    return None


def _imports(path: Path) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            base = node.module or ""
            found += [(node.lineno, base)]
            if base == "pbem":
                found += [(node.lineno, f"pbem.{alias.name}") for alias in node.names]
    return found


MODULES = sorted([*ROOT.glob("engine/**/*.py"), *ROOT.glob("pbem/**/*.py")])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_follow_the_floor_plan(path: Path) -> None:
    part = _part(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if part in (None, "__init__"):
        return
    assert part in MAY, f"{part} is not on the floor plan"
    allowed = MAY[part]
    for line, module in _imports(path):
        target = _part(module)
        if target is None or target in ALWAYS or target == part or allowed is ANYTHING:
            continue
        assert target in allowed, (
            f"{path.relative_to(ROOT)}:{line}: {part} must not import {target}"
        )


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("engine/**/*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_the_engine_needs_the_standard_library_only(path: Path) -> None:
    for line, module in _imports(path):
        head = module.partition(".")[0]
        assert head == "engine" or head in sys.stdlib_module_names, f"{path}:{line}: {module}"
        assert head not in {"random", "time", "datetime", "secrets", "uuid"}, f"{path}:{line}"


def test_the_plan_names_only_parts_that_exist() -> None:
    parts = {_part(".".join(p.relative_to(ROOT).with_suffix("").parts)) for p in MODULES}
    assert set(MAY) <= parts
