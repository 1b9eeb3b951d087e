"""Who may import whom (docs/architecture.md)."""

import ast
import sys
from collections.abc import Iterable, Iterator
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
    "jobs": {"engine", "store", "clock", "post", "intake", "desk", "archive", "installation",
             "moderation"},
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


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every statement, also those within others; never an expression, which imports nothing."""
    for node in body:
        yield node
        for inner in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(node, inner, ()))


def _imports(source: str, name: str) -> Iterator[tuple[str, str]]:
    """The imports of a source file: where each stands, and the module."""
    for node in _statements(ast.parse(source).body):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        where = f"{name}:{node.lineno}"
        if isinstance(node, ast.Import):
            yield from ((where, alias.name) for alias in node.names)
            continue
        assert node.level == 0, f"{where}: relative import"
        base = node.module or ""
        yield where, base
        if base == "pbem":
            yield from ((where, f"pbem.{alias.name}") for alias in node.names)


@pytest.fixture(scope="module")
def imports() -> dict[Path, list[tuple[str, str]]]:
    """The imports of every module, each with where it stands."""
    paths = sorted([*ROOT.glob("engine/**/*.py"), *ROOT.glob("pbem/**/*.py")])
    return {
        path: list(_imports(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))))
        for path in paths
    }


def _part_of(path: Path) -> str | None:
    return _part(".".join(path.relative_to(ROOT).with_suffix("").parts))


def test_imports_follow_the_floor_plan(imports: dict[Path, list[tuple[str, str]]]) -> None:
    wrong = []
    for path, found in imports.items():
        part = _part_of(path)
        if part in (None, "__init__"):
            continue
        assert part in MAY, f"{path.relative_to(ROOT)}: {part} is not on the floor plan"
        allowed = MAY[part]
        for where, module in found:
            target = _part(module)
            if target is None or target in ALWAYS or target == part or allowed is ANYTHING:
                continue
            if target not in allowed:
                wrong.append(f"{where}: {part} must not import {target}")
    assert wrong == []


def test_the_engine_needs_the_standard_library_only(
    imports: dict[Path, list[tuple[str, str]]],
) -> None:
    wrong = []
    for path, found in imports.items():
        if path.relative_to(ROOT).parts[0] != "engine":
            continue
        for where, module in found:
            head = module.partition(".")[0]
            if head != "engine" and head not in sys.stdlib_module_names:
                wrong.append(f"{where}: {module} is not of the standard library")
            if head in {"random", "time", "datetime", "secrets", "uuid"}:
                wrong.append(f"{where}: {module} is chance or a clock")
    assert wrong == []


def test_the_plan_names_only_parts_that_exist(
    imports: dict[Path, list[tuple[str, str]]],
) -> None:
    assert set(MAY) <= {_part_of(path) for path in imports}


def test_imports_are_found_wherever_they_stand() -> None:
    source = """
import one
def f():
    try:
        from two import x
    except E:
        import three.part
    else:
        import four
    finally:
        import five
    match x:
        case 1:
            with y:
                import six
if a:
    pass
elif b:
    from pbem import seven
"""
    found = {name for _, name in _imports(source, "module.py")}
    assert found == {"one", "two", "three.part", "four", "five", "six", "pbem", "pbem.seven"}
