"""Which files of a course a spec needs at a student's, and which must stay with the instructor.

A check needs its file and what that imports, which can be read off the source: what instructors write is imported at
the top, by its plain name. The reference, and all that it imports, stays; and so do the other assignments' references.
"""

import ast
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from grader.errors import SpecError
from grader.load import load
from grader.model import Case, Expected, Spec


def imported(root: Path, name: str) -> frozenset[str]:
    """Return a Python file of the course and all that it imports from its own folder, as names below `root`."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imports(root, file)
    return frozenset(found)


def _imports(root: Path, name: str) -> Iterator[str]:
    path = root / name
    if path.suffix != ".py":
        return
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return  # whoever loads it tells
    for module in _modules(tree):
        beside = path.parent / module
        package = sorted(beside.rglob("*")) if beside.is_dir() else []
        for file in (beside.with_suffix(".py"), *package):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(root).as_posix()


def _modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module else [alias.name for alias in node.names]
        yield from (name.partition(".")[0] for name in names)


def checks(case: Case) -> Iterator[Expected]:
    """Iterate over the expectations of a case that a function of the instructor judges."""
    called = [case.functions.returns, *case.functions.args.values()] if case.functions else []
    texts = [case.expect.stdout, case.expect.stderr, *(value.text for value in called if value)]
    return (text for text in texts if text and text.function)


def program(spec: Spec) -> frozenset[str]:
    """Return the files that the reference's command names, below the course root."""
    words = spec.reference or ()
    return frozenset(PurePosixPath(word).as_posix() for word in words if (spec.root / word).is_file())


def private(spec: Spec, shared: frozenset[str]) -> frozenset[str]:
    """Return the files that students must not get, except for those that the instructor shares.

    The reference itself cannot be shared.
    """
    own = program(spec)
    others = frozenset(name for other in _others(spec) for name in program(other))
    behind = frozenset(name for file in own for name in imported(spec.root, file))
    return own | ((behind | others) - shared)


def _others(spec: Spec) -> Iterator[Spec]:
    """Iterate over the specs of the course; one with mistakes says nothing about its reference."""
    for path in sorted((spec.root / "specs").glob("*.yaml")):
        try:
            yield load(path)
        except SpecError:
            continue
