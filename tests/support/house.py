"""Measure the rooms of the house; `python -m tests.support.house` lowers the budgets in `tests/house.yaml`."""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import yaml

from tests.support.rows import read_data

ROOT = Path(__file__).parents[2]
FILE = "tests/house.yaml"
Budgets = Mapping[str, Mapping[str, int]]
"""the name of a room, or of a walk -> what is counted -> at most so many"""

_DATA = read_data(__file__)
WALK = _DATA["WALK"]
"""prints how many functions of a package a command enters, and how often, in that order, the file changes"""
MOVED: dict[str, str] = {module: room for room, modules in _DATA["MOVED"].items() for module in modules.split()}
"""modules that left another room, whose budget went with them, and folders that share one"""


@cache
def budgets(text: str) -> Budgets:
    """Return what the file of budgets says."""
    read: Budgets = yaml.load(text, yaml.CSafeLoader)
    return read


def room_of(path: Path) -> str:
    """Return the room of a module: a folder of the core, or of the package."""
    place = path.relative_to(ROOT / "grader")
    parts = place.parts[:-1]
    folder = "/".join(parts[: 2 if parts[:1] == ("core",) else 1]) or "."
    return MOVED.get(place.as_posix()) or MOVED.get(folder, folder)


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module, which several rules of the house look at: the module first, then by depth."""
    return tuple(ast.walk(ast.parse(path.read_text())))


def rooms() -> Budgets:
    """Count lines, statements and modules of each room."""
    counted: dict[str, dict[str, int]] = {}
    for path in sorted((ROOT / "grader").rglob("*.py")):
        text = path.read_text()
        room = counted.setdefault(room_of(path), {"lines": 0, "statements": 0, "modules": 0})
        room["lines"] += text.count("\n")
        room["statements"] += sum(isinstance(node, ast.stmt) for node in nodes(path))
        room["modules"] += 1
    return counted


def walk(out: Path, cache_folder: Path) -> Mapping[str, int]:
    """Count what a warm `grader run` of a sample enters; `out` is for its results."""
    words = ("run", "sample_submissions/cmps12b-pa2/henry", "--out", str(out / "reports"))
    command = (sys.executable, "-c", WALK, str(ROOT / "grader"), *words)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(out), "XDG_CACHE_HOME": str(cache_folder), "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=True)
    counts: Mapping[str, int] = yaml.safe_load(done.stderr.splitlines()[-1])
    return counts


def raised(before: Budgets, after: Budgets) -> Iterator[str]:
    """Say which budgets rose: one of a room that stays, or the sum of all, with rooms that were split or moved."""
    for room in before.keys() & after.keys():
        yield from (f"{room}: {what}" for what, most in after[room].items() if most > before[room].get(what, most))
    for what in ("lines", "statements", "modules"):
        one, two = (sum(counts.get(what, 0) for counts in each.values()) for each in (before, after))
        if two > one:
            yield f"all rooms: {what}"


def to_yaml(counts: Budgets) -> str:
    """Write budgets, a room a line."""
    lines = (
        f"{room}: {{{', '.join(f'{what}: {most}' for what, most in each.items())}}}" for room, each in counts.items()
    )
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    """Lower each budget to what there is, or say what does not fit it."""
    path = ROOT / FILE
    text = path.read_text()
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    before = budgets(text)
    after = {**rooms(), **{name: counts for name, counts in before.items() if name.startswith("run ")}}
    if above := sorted(raised(before, after)):
        sys.exit(f"above its budget: {', '.join(above)}")
    path.write_text(head + to_yaml(after))


if __name__ == "__main__":
    main()
