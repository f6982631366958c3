"""`unit`: a unit test of the course's, each of whose methods is a case.

The methods are read from the test's source without running it. So the cases, and their points, are known before any
program exists. A method that runs with several values is one case.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from grader.core.model import Case, Expectation
from grader.core.yaml.value import Value, attach, each_of, fields, in_quotes, inner_name, suggestion, text, wrong
from grader.kinds.base import CaseParts
from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.keys import UNIT
from grader.kinds.unit_tests.model import UNIT_LANGUAGES, UnitFramework, UnitMethod

UNIT_BESIDE = ("stdin", "env", "files", "limits", "repeat")
"""the keys of a case that go with a unit test"""
_UNFIT = (
    *("cases", "each", "args", "command", "terminal", "run", "dialogue", "interactor", "functions", "expect"),
    "tolerate",
)


def read_test(name: str, found: Mapping[str, Value], read_shared: Callable[[], CaseParts]) -> Iterator[Case]:
    """Make a case of each method of a test's `unit`; `read_shared` reads the parts that they share."""
    parts = read_shared()
    for key in _UNFIT:
        if key in found:
            wrong(found[key], f"{key} has no meaning beside unit, which says itself what is right: take it out")
    shared = {key: part for key, part in parts.items() if key in UNIT_BESIDE}
    for label, method in _read_unit(found["unit"]):
        yield Case(**shared, id=f"{name}[{label}]", expect=Expectation(), kind="unit", payload=method)


def _read_unit(value: Value) -> Iterator[tuple[str, UnitMethod]]:
    """Read `unit`: what each method is called among the cases, and the method."""
    found = fields(value, UNIT)
    framework = next((name for name in UNIT_LANGUAGES if name in found), None)
    if framework is None:
        return
    entry = found[framework]
    language = UNIT_LANGUAGES[framework]
    if value.context.language != language:
        wrong(entry, f"{framework} tests programs in {language}: say under language that they are")
        return
    file = inner_name(entry)
    known = len(value.context.problems)
    source = attach(entry, file)
    if len(value.context.problems) > known:
        return
    try:
        every = unit_methods(source, framework)
    except (SyntaxError, ValueError) as error:
        wrong(entry, f"{file} is no {language}: {error}")
        return
    if not every:
        wrong(entry, f"there is no test in {file}: {_WANTED[framework]}")
    named = {_label(method, file): method for method in every}
    if len(named) < len(every):
        twice = next(name for place, name in enumerate(every) if name in every[:place])
        wrong(entry, f"{file} has {in_quotes(twice)} more than once: rename one")
    for label in _chosen(found.get("only"), list(named)):
        yield label, UnitMethod(framework=framework, file=file, source=source, method=named[label])


def unit_methods(source: bytes, framework: UnitFramework) -> list[str]:
    """Return the methods of a test as `UnitMethod` names them, in their order. Raises SyntaxError and ValueError."""
    if framework == "junit":
        return [name for name, _ in find_java_methods(masked_java(source.decode()))]
    return list(_read_python(source, framework))


def _chosen(only: Value | None, labels: Sequence[str]) -> list[str]:
    """Return the methods that `only` names, or all."""
    if only is None:
        return list(labels)
    patterns = each_of(lambda item: (item, text(item)))(only)
    for item, pattern in patterns:
        if not any(fnmatchcase(label, pattern) for label in labels):
            wrong(item, f"there is no such test{suggestion(pattern, labels)}")
    return [label for label in labels if any(fnmatchcase(label, pattern) for _, pattern in patterns)]


def _label(method: str, file: str) -> str:
    """Return what a method is called among the cases: without the class that the file is named for."""
    owner, _, name = method.rpartition(".")
    inner = owner.rpartition(".")[2].removeprefix(PurePosixPath(file).stem).lstrip("$")
    return f"{inner.replace('$', '.')}.{name}" if inner else name


_WANTED: Mapping[UnitFramework, str] = {
    "junit": "methods with @Test, @ParameterizedTest or another annotation of JUnit 5",
    "pytest": "functions and methods whose names begin with test, the latter in classes that begin with Test",
    "unittest": "methods whose names begin with test, in classes that derive from unittest.TestCase",
}


def _read_python(source: bytes, framework: UnitFramework) -> Iterator[str]:
    """Yield the methods of a test in Python. Raises SyntaxError and ValueError."""
    tree = ast.parse(source)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and framework == "pytest":
            yield from [node.name] if node.name.startswith("test") else []
        elif isinstance(node, ast.ClassDef):
            lineage = list(lineage_of(node, classes))
            bases = [ast.unparse(base) for one in lineage for base in one.bases]
            methods = list(dict.fromkeys(_methods(lineage)))
            is_case = any(base.endswith("TestCase") for base in bases)
            is_named = framework == "pytest" and node.name.startswith("Test") and "__init__" not in methods
            if is_case or is_named:
                yield from (f"{node.name}.{name}" for name in methods if name.startswith("test"))


def lineage_of(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], most: int = 20) -> Iterator[ast.ClassDef]:
    """Yield a class and those of the file that it derives from."""
    yield node
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes and most:
            yield from lineage_of(classes[base.id], classes, most - 1)


def _methods(lineage: Sequence[ast.ClassDef]) -> Iterator[str]:
    for node in lineage:
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                yield inner.name
