"""What the text of a unit test in Python says: its methods, and the weights that decorators give them."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from grader.core.lazy import lazy_regex
from grader.kinds.unit_tests.model import UnitFramework

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# A class of another file that tests derive from:
_BASE_OF_TESTS = lazy_regex(r"TestCase$|(?:^|\.)[A-Z]\w*Tests?$|(?:^|\.)Test[A-Z]\w*$")


class PythonMethod(NamedTuple):
    """A method of a unit test in Python: `TestBank.test_deposit` or `test_deposit`."""

    name: str
    node: _Function
    definitions: Sequence[_Function]  # that function, and those that it takes the place of
    is_certain: bool = True  # whether no other class of the file may have another function for it


def python_methods(source: bytes, framework: UnitFramework | None) -> Iterator[PythonMethod]:
    """Yield the methods of a test, or without a framework of all its classes. Raises SyntaxError and ValueError."""
    tree = ast.parse(source)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _methods_of_class(node, "", classes, framework)
        elif isinstance(node, _Function) and framework != "unittest" and node.name.startswith("test"):
            yield PythonMethod(node.name, node, [node])


def _methods_of_class(
    node: ast.ClassDef, around: str, classes: Mapping[str, ast.ClassDef], framework: UnitFramework | None
) -> Iterator[PythonMethod]:
    members, bases = dict[str, list[_Function]](), list[str]()
    for ancestor in dict.fromkeys(_lineage_of(node, classes)):
        functions = [inner for inner in ancestor.body if isinstance(inner, _Function)]
        members |= {inner.name: [] for inner in functions if inner.name not in members}
        for inner in reversed(functions):
            members[inner.name].append(inner)
        bases += [base for base in map(ast.unparse, ancestor.bases) if base not in classes]
    is_case = any(_BASE_OF_TESTS.search(base) for base in bases) and not around
    is_plain = framework == "pytest" and node.name.startswith("Test") and "__init__" not in members
    for name, nodes in members.items() if is_case or is_plain or not framework else ():
        if name.startswith("test"):
            yield PythonMethod(f"{around}{node.name}.{name}", nodes[0], nodes, nodes[0] in node.body or not nodes[1:])
    for part in node.body if (is_plain and not is_case) or not framework else ():
        if isinstance(part, ast.ClassDef):
            yield from _methods_of_class(part, f"{around}{node.name}.", classes, framework)


def _lineage_of(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], most: int = 20) -> list[ast.ClassDef]:
    """Return a class and those of the file that it derives from."""
    bases = [classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in classes and most]
    return [node, *(ancestor for base in bases for ancestor in _lineage_of(base, classes, most - 1))]


@lru_cache(maxsize=8)
def functions_of_methods(source: bytes) -> Mapping[str, _Function]:
    """Return the function that is run for each method, where no other could be; nobody changes what is returned."""
    return {method.name: method.node for method in python_methods(source, None) if method.is_certain}


def python_functions(source: bytes, framework: UnitFramework) -> Iterator[tuple[str, int, int]]:
    """Yield each function that is a method, or was, and its place in bytes, with the comments before it."""
    lines = source.splitlines(keepends=True)
    methods = python_methods(source, framework)
    for name, node in ((method.name, node) for method in methods for node in method.definitions):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        while first and re.match(rb"\s*#(?!.*coding)", lines[first - 1]):
            first -= 1
        yield name, len(b"".join(lines[:first])), len(b"".join(lines[: node.end_lineno]))


_ADDING = lazy_regex(  # by what a file may make tests while it is loaded
    r"(?m)\b(?:setattr|globals|locals|vars|exec|eval|__dict__|load_tests|runTest|modules)\b|\b[tT]est\w*\s*=(?!=)"
    r"|^[ \t]*from\b.*\bimport\b(?:[^\n(]*|\s*\([^)]*)(?:\*|\b[tT]est)|^(?:@.*\n)+class\b|^class\b[^:]*="
    r"|^(?!def|class|async)[a-z]+\b.*\n(?:[ \t].*\n|\n)*?[ \t]+(?:async[ \t]+)?(?:def|class)[ \t]+[tT]est"
)
_PLAIN_BASES = frozenset({"TestCase", "IsolatedAsyncioTestCase", "object"})


def makes_tests(source: bytes) -> bool:
    """Whether a file may have tests that its text does not show. Raises SyntaxError and ValueError."""
    tree = ast.parse(source)
    own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    bases = [base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]
    others = {ast.unparse(base).rpartition(".")[2] for base in bases} - _PLAIN_BASES - own
    return bool(others or _ADDING.search(source.decode(errors="replace")))


@lru_cache(maxsize=8)
def imports_by_method(source: bytes) -> dict[str, set[str]]:
    """Return the modules that each method imports by itself, unless it may expect that one is missing."""
    methods = [(method.name, [*ast.walk(method.node)]) for method in python_methods(source, "pytest")]
    return {
        name: {*_imported(nodes)}
        for name, nodes in methods
        if not any(isinstance(node, ast.Try | ast.With) for node in nodes)
    }


def _imported(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        absolute = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else absolute
        yield from (str(name).partition(".")[0] for name in names)


def decorated_weights(source: bytes, framework: UnitFramework) -> dict[str, Fraction]:
    """Return the weight of each method, 0 without, where decorators of `gradescope_utils` give any, or ValueError."""
    weights = dict[str, Fraction]()
    for method, name, call in _decorators(source, framework):
        if name in ("weight", "partial_credit"):
            written = "".join(map(ast.unparse, [*call.args, *(keyword.value for keyword in call.keywords)][:1]))
            if not re.fullmatch(r"\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}", written):
                raise ValueError(f"the weight of {method} is not written as a number")
            weights[method] = Fraction(written)
    return {method.name: Fraction(0) for method in python_methods(source, framework) if weights} | weights


def decorators_without_meaning(source: bytes, framework: UnitFramework) -> dict[str, str]:
    """Return the decorators of `gradescope_utils` that mean nothing here: decorator -> the first method that has it."""
    users: dict[str, str] = {}
    for method, name, call in _decorators(source, framework):
        says_what_is = name == "visibility" and ast.unparse(call).endswith("('visible')")
        if name in ("number", "visibility", "hide_errors", "tags", "leaderboard") and not says_what_is:
            users.setdefault(name, method)
    return users


def _decorators(source: bytes, framework: UnitFramework) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield each method of a file that uses `gradescope_utils` with each call that decorates it, and its name."""
    for method in python_methods(source, framework) if b"gradescope_utils" in source else ():
        for decorator in method.node.decorator_list:
            if isinstance(decorator, ast.Call):
                yield method.name, ast.unparse(decorator.func).rpartition(".")[2], decorator
