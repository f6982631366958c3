"""The import rules of ARCHITECTURE.md, read off the source with `ast`."""

import ast
import re
from functools import cache
from pathlib import Path

from grader import _PLACES as PLACES
from grader.cli import COMMANDS
from grader.core.comparators import MODULES_OF_COMPARATORS
from tests.support.house import nodes
from tests.support.rows import read_data

PACKAGE = Path(__file__).parent.parent / "grader"
DATA = read_data(__file__)
GROUPS: dict[str, set[str]] = {}


def parts_of(words: str) -> set[str]:
    """Return the parts of a row of `layers.yaml`."""
    found: set[str] = set()
    for word in words.split():
        some = GROUPS.get(word.removeprefix("-"), {word.removeprefix("-")})
        found = found - some if word.startswith("-") else found | some
    return found


for group, members in DATA["GROUPS"].items():
    GROUPS[group] = parts_of(members)
ALLOWED = {part: parts_of(allowed) for part, allowed in DATA["ALLOWED"].items()}
STAGES = GROUPS["STAGES"]
PRIVATE = DATA["PRIVATE"]
MODULES = sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    return part_named(name_of(path)) if path.name != "__init__.py" or path.parent != PACKAGE else "__init__"


def part_named(module: str) -> str:
    """Return the part to which a module belongs: `core.run`, `kinds`, `cli`."""
    parts = module.split(".")[1:]
    return ".".join(parts[: 2 if parts[:1] == ["core"] else 1]) or "__init__"


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


@cache
def imported(path: Path) -> frozenset[str]:
    """Return what a module imports: by statements and by strings."""
    found: set[str] = set()
    # What only types are taken from is imported by nobody.
    for_types = {
        one
        for node in ast.iter_child_nodes(nodes(path)[0])
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for one in ast.walk(node)
    }
    for node in nodes(path):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module
            # `from grader import load` names a module, `from grader.core.reader import load` a thing in one.
            found |= {full if (full := f"{node.module}.{alias.name}") in NAMES else node.module for alias in node.names}
        elif isinstance(node, ast.Call) and name_of_call(node) == "import_module":
            found |= named_by_string(node.args[0], path)
    return frozenset(found)


def name_of_call(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


TABLES = {
    "grader/__init__.py": {*PLACES.values()},
    "grader/cli/__init__.py": {f"grader.cli.{module}" for module, _ in COMMANDS.values()},
    "grader/cli/lazy.py": set[str](),  # what type checkers are told there is imported, too
    "grader/core/comparators/__init__.py": {*MODULES_OF_COMPARATORS.values()},
    "grader/core/lazy.py": set[str](),  # what is passed to it is counted where it is passed
    "grader/core/explain/mistake_queries.py": {"tree_sitter"},
    "grader/kinds/source_rules/syntax.py": {"tree_sitter"},
    # The one arrow that goes back: the table of kinds, by which the core reaches the rooms that import it.
    "grader/core/kind.py": set[str](),
    "grader/core/reader/spec_cache.py": set[str](),  # modules of records alone, by the names in what was stored
    "grader/exports/kattis_programs/output_validator.py": set[str](),  # the checks of a course, in its package
    "grader/kinds/harness/probes/base.py": set[str](),  # a digest of Python itself
    "grader/kinds/harness/probes/calls.py": set[str](),  # the package of a student's module
    "grader/kinds/harness/probes/unit.py": set[str](),  # the plugins of pytest itself
    "grader/kinds/harness/probes/suite.py": set[str](),  # the `conftest.py` of a course
}
"""what a module imports by strings that are not written where they are imported"""


def named_by_string(argument: ast.expr, path: Path) -> set[str]:
    """Return what a call of `import_module` may import."""
    if isinstance(argument, ast.Constant):
        return {str(argument.value)}
    return TABLES[path.relative_to(PACKAGE.parent).as_posix()]


def test_imports_point_one_way() -> None:
    parts = {part_of(module) for module in MODULES}
    wrong = {}
    for path in MODULES:
        part = part_of(path)
        used = {part_named(name) for name in imported(path) if name.startswith("grader.")} - {part}
        if used & parts - ALLOWED[part]:
            wrong[name_of(path)] = used & parts - ALLOWED[part]
    assert wrong == {}


def test_a_library_stays_in_its_part() -> None:
    owned = [
        (name_of(path), name, PRIVATE[name.split(".")[0]])
        for path in MODULES
        for name in imported(path)
        if part_of(path) not in PRIVATE.get(name.split(".")[0], part_of(path)).split()
    ]
    assert owned == []


def test_only_what_starts_up_imports_inside_functions_or_prints() -> None:
    wrong = []
    for path in MODULES:
        if part_of(path) in ("cli", "__init__"):
            continue
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = any(isinstance(one, ast.Import | ast.ImportFrom) for one in ast.walk(node))
                wrong += [f"{path}:{node.lineno} imports inside a function"] * inner
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                wrong.append(f"{path}:{node.lineno} prints")
    assert wrong == []


def test_there_is_no_import_cycle() -> None:
    names = {name_of(path): path for path in MODULES}
    graph = {name: {other for other in imported(path) if other in names} - {name} for name, path in names.items()}
    finished: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name not in finished:
            for other in graph[name]:
                visit(other, (*trail, name))
            finished.add(name)

    for name in graph:
        visit(name, ())
    assert finished == set(names)


def test_what_is_allowed_is_what_the_page_says() -> None:
    page = (PACKAGE.parent / "ARCHITECTURE.md").read_text()
    (chain,) = re.findall(r"`(cli -> [^`]*)`", page)
    ranks: dict[str, int] = {}
    places = {"stages": sorted(STAGES)}
    for rank, names in enumerate(" ".join(chain.split()).split(" -> ")):
        for name in names.split(", "):
            ranks |= dict.fromkeys(places.get(name, [f"core.{name}" if f"core.{name}" in ALLOWED else name]), rank)
    below = ranks.pop("what is below")
    ranks |= {"__init__": 0, "__main__": -1}  # the doors
    for part, used in ALLOWED.items():
        if part in ("core", "kinds"):  # what a kind may import is for its interface to say
            continue
        upwards = {one for one in used if ranks.get(one, below) < ranks.get(part, below)}
        assert not upwards, f"{part} may import {sorted(upwards)}, which the page forbids"
        assert part in STAGES or f"`{part.removeprefix('core.')}" in page or part.startswith("__"), (
            f"the page does not name {part}"
        )
    for stage in STAGES:
        assert ALLOWED[stage].isdisjoint(STAGES), f"{stage} may import another stage, which the page forbids"
