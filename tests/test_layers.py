"""The import rules of ARCHITECTURE.md, read off the source with `ast`."""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "grader"
LEAVES = {"errors", "text", "model", "chance", "late", "errand", "untrusted_xml", "plugins"}
STAGES = {"load", "build", "run", "review", "judge", "report", "oracle"}
GRADING = {
    "pipeline",
    "course",
    *STAGES,
    "sandbox",
    "patterns",
    "diagnosis",
    "comparators",
    "deviations",
    "cache",
    "programs",
    "trace",
    "yaml",
    *LEAVES,
}
ALLOWED = {
    "errors": set[str](),
    "text": {"late"},
    "late": set[str](),
    "untrusted_xml": set[str](),
    "plugins": {"errors", "text"},
    "errand": set[str](),
    "chance": set[str](),
    "model": {"errors"},
    "cache": LEAVES,
    "trace": LEAVES,
    "diagnosis": LEAVES,
    "programs": {"cache", "diagnosis", *LEAVES},
    "sandbox": LEAVES,
    "yaml": LEAVES,
    "patterns": {"sandbox", "errors", "model"},
    "deviations": LEAVES,
    "comparators": {"deviations", "patterns", "yaml", *LEAVES},
    **{stage: {"sandbox", *LEAVES} for stage in STAGES},
    "judge": {"comparators", "deviations", "diagnosis", "trace", *LEAVES},
    "report": {"cache", "trace", *LEAVES},
    "review": {"cache", "sandbox", *LEAVES},
    "build": {"cache", "diagnosis", "sandbox", *LEAVES},
    "run": {"patterns", "programs", "diagnosis", "sandbox", "cache", *LEAVES},
    "load": {"cache", "comparators", "yaml", *LEAVES},
    "oracle": {"cache", "programs", "sandbox", *LEAVES},
    "course": GRADING - {"pipeline", "course"},
    "pipeline": GRADING - {"pipeline"},
    "doctor": GRADING - {"pipeline"},
    "smallest": GRADING,
    "classroom": {"smallest", *GRADING},
    "gradebook": {"exports", "classroom", *GRADING},
    "exports": {"gradebook", "classroom", *GRADING},
    "imports": GRADING,
    "verify": GRADING,
    "lint": {"verify", *GRADING},
    "author": {"lint", "verify", "smallest", *GRADING},
    "__init__": {"pipeline", "load", *LEAVES},
    "__main__": {"cli"},
    "pytest_plugin": GRADING,
    "cli": {"doctor", "smallest", "author", "lint", "verify", "imports", "exports", "gradebook", "classroom", *GRADING},
}
PRIVATE = {
    "tree_sitter": "review",
    "pexpect": "run",
    "yaml": "yaml",
    "junit_xml": "report",
    "markdown_it": "report",
    "jinja2": "report",
    "rich": "report gradebook cli",
    "click": "cli",
    "platformdirs": "cache",
    "pytest": "pytest_plugin",
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


@cache
def imported(path: Path) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module
            # `from grader import load` names a module, `from grader.core.reader import load` a thing in one.
            found |= {full if (full := f"{node.module}.{alias.name}") in NAMES else node.module for alias in node.names}
    return frozenset(found)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    used = {name.split(".")[1] for name in imported(path) if name.startswith("grader.")} - {part}
    parts = {part_of(module) for module in MODULES}
    assert used & parts <= ALLOWED[part], f"{part} imports {sorted((used & parts) - ALLOWED[part])}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_library_stays_in_its_part(path: Path) -> None:
    for name in imported(path):
        owners = PRIVATE.get(name.split(".")[0])
        assert owners is None or part_of(path) in owners.split(), f"{name} belongs to {owners}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_what_starts_up_imports_inside_functions_or_prints(path: Path) -> None:
    if part_of(path) in ("cli", "__init__"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = [n for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)]
            assert not inner, f"{path}:{node.lineno} imports inside a function"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{path}:{node.lineno} prints"


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
