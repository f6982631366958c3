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
_BASE_OF_TESTS = lazy_regex(r"TestCase$|(?:^|\.)[A-Z]\w*Tests?$|(?:^|\.)Test[A-Z]\w*$")
"""a class of another file that tests derive from"""


class PythonMethod(NamedTuple):
    """A method of a unit test in Python: `TestBank.test_deposit` or `test_deposit`."""

    name: str
    node: _Function
    every: Sequence[_Function]
    """that function, and those that it takes the place of"""


def python_methods(source: bytes, framework: UnitFramework) -> Iterator[PythonMethod]:
    """Yield the methods of a test in Python. Raises SyntaxError and ValueError."""
    tree = ast.parse(source)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _methods_of_class(node, "", classes, framework)
        elif isinstance(node, _Function) and framework == "pytest" and node.name.startswith("test"):
            yield PythonMethod(node.name, node, [node])


def _methods_of_class(
    node: ast.ClassDef, around: str, classes: Mapping[str, ast.ClassDef], framework: UnitFramework
) -> Iterator[PythonMethod]:
    members, bases = dict[str, list[_Function]](), list[str]()
    for one in lineage_of(node, classes):
        own = [inner for inner in one.body if isinstance(inner, _Function)]
        members |= {inner.name: [] for inner in own if inner.name not in members}
        for inner in reversed(own):
            members[inner.name].append(inner)
        bases += [base for base in map(ast.unparse, one.bases) if base not in classes]
    is_case = any(_BASE_OF_TESTS.search(base) for base in bases) and not around
    if not is_case and not (framework == "pytest" and node.name.startswith("Test") and "__init__" not in members):
        return
    for name, found in members.items():
        if name.startswith("test"):
            yield PythonMethod(f"{around}{node.name}.{name}", found[0], found)
    for part in node.body if framework == "pytest" and not is_case else ():
        if isinstance(part, ast.ClassDef):
            yield from _methods_of_class(part, f"{around}{node.name}.", classes, framework)


def python_functions(source: bytes, framework: UnitFramework) -> Iterator[tuple[str, int, int]]:
    """Yield each function that is a method, or was, and its place in bytes, with the comments before it."""
    lines = source.splitlines(keepends=True)
    for name, node in ((one.name, node) for one in python_methods(source, framework) for node in one.every):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1
        while first and re.match(rb"\s*#(?!.*coding)", lines[first - 1]):
            first -= 1
        yield name, len(b"".join(lines[:first])), len(b"".join(lines[: node.end_lineno]))


def lineage_of(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], most: int = 20) -> Iterator[ast.ClassDef]:
    """Yield a class and those of the file that it derives from."""
    yield node
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes and most:
            yield from lineage_of(classes[base.id], classes, most - 1)


# ---------------------------------------------------------------- what the text does not show

_ADDING = frozenset(
    {"setattr", "globals", "locals", "vars", "exec", "eval", "__dict__", "load_tests", "runTest", "modules"}
)
"""names by which a file may make tests while it is loaded"""


def makes_tests(source: bytes) -> bool:
    """Whether a file may have tests that its text does not show. Raises SyntaxError and ValueError."""
    tree = ast.parse(source)
    own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    within = (
        one for node in tree.body if isinstance(node, ast.If | ast.For | ast.Try | ast.With) for one in ast.walk(node)
    )
    defined = (one.name for one in within if isinstance(one, _Function | ast.ClassDef))
    return any(map(_is_test_name, defined)) or any(_may_make_tests(node, own) for node in ast.walk(tree))


def _is_test_name(name: str) -> bool:
    return name.lower().startswith("test")


def _may_make_tests(node: ast.AST, own: set[str]) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) if name in _ADDING:
            return True
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return _is_test_name(name)
        case ast.ImportFrom(names=names):
            return any(one.name == "*" or _is_test_name(one.asname or one.name) for one in names)
        case ast.ClassDef(bases=bases, keywords=keywords, decorator_list=decorators):
            others = {ast.unparse(base).rpartition(".")[2] for base in bases} - own
            return bool(keywords or decorators or others - {"TestCase", "IsolatedAsyncioTestCase", "object"})
    return False


def imports_by_method(source: bytes) -> dict[str, frozenset[str]]:
    """Return the modules that each method imports by itself, unless it expects that one may be missing."""
    return {one.name: frozenset(_imports_in(one.node)) for one in python_methods(source, "pytest")}


def _imports_in(node: ast.AST) -> Iterator[str]:
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Import):
            yield from (one.name.partition(".")[0] for one in inner.names)
        elif isinstance(inner, ast.ImportFrom) and inner.module and not inner.level:
            yield inner.module.partition(".")[0]
        elif not isinstance(inner, ast.Try | ast.With):
            yield from _imports_in(inner)


_IMPORT = lazy_regex(r"(?m)^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))")


@lru_cache(maxsize=64)
def modules_imported_by(text: str) -> tuple[str, ...]:
    """Return the modules that files in Python import, as far as their lines show it."""
    found = (one for names in _IMPORT.findall(text) for one in ",".join(names).split(","))
    return tuple(dict.fromkeys(word for one in found if (word := one.strip().partition(".")[0].partition(" ")[0])))


# ---------------------------------------------------------------- decorators of gradescope_utils


def decorated_weights(methods: Sequence[PythonMethod], source: bytes) -> dict[str, Fraction]:
    """Return the weight of each method where decorators of `gradescope_utils` give any.

    Those without one count nothing then. Raises ValueError, in a sentence, for a weight that is no written number.
    """
    found = {}
    for method, name, call in _decorators(methods, source):
        if name in ("weight", "partial_credit"):
            written = "".join(map(ast.unparse, [*call.args, *(one.value for one in call.keywords)][:1]))
            if not re.fullmatch(r"\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}", written):
                raise ValueError(f"the weight of {method} is not written as a number")
            found[method] = Fraction(written)
    return {method.name: found.get(method.name, Fraction(0)) for method in methods} if found else {}


def decorators_without_meaning(methods: Sequence[PythonMethod], source: bytes) -> dict[str, str]:
    """Return the decorators of `gradescope_utils` that mean nothing here: decorator -> the first method that has it."""
    found: dict[str, str] = {}
    for method, name, call in _decorators(methods, source):
        says_what_is = name == "visibility" and ast.unparse(call).endswith("('visible')")
        if name in ("number", "visibility", "hide_errors", "tags", "leaderboard") and not says_what_is:
            found.setdefault(name, method)
    return found


def _decorators(methods: Sequence[PythonMethod], source: bytes) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield method, name and call of each decorator of a file that uses `gradescope_utils`."""
    for method in methods if b"gradescope_utils" in source else ():
        for one in method.node.decorator_list:
            if isinstance(one, ast.Call):
                yield method.name, ast.unparse(one.func).rpartition(".")[2], one
