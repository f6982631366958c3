"""What the text of a unit test in Python says: its methods, and the weights that decorators give them."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from grader.core.lazy import lazy_regex
from grader.kinds.unit_tests.model import UnitFramework

_Function = ast.FunctionDef | ast.AsyncFunctionDef
GRADESCOPE = "gradescope_utils"
"""the package whose decorators give weights"""
_WEIGHTS = ("weight", "partial_credit")
_WITHOUT_MEANING = ("number", "visibility", "hide_errors", "tags", "leaderboard")
_BASE_OF_TESTS = lazy_regex(r"TestCase$|(?:^|\.)[A-Z]\w*Tests?$|(?:^|\.)Test[A-Z]\w*$")
"""a class of another file that tests derive from"""


class PythonMethod(NamedTuple):
    """A method of a unit test in Python."""

    name: str
    """`TestBank.test_deposit` or `test_deposit`"""
    node: _Function
    is_case: bool
    """whether its class derives from `unittest.TestCase`, as far as the file says"""


def python_methods(source: bytes, framework: UnitFramework) -> Iterator[PythonMethod]:
    """Yield the methods of a test in Python. Raises SyntaxError and ValueError."""
    tree = ast.parse(source)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, _Function) and framework == "pytest" and node.name.startswith("test"):
            yield PythonMethod(node.name, node, is_case=False)
        elif isinstance(node, ast.ClassDef):
            yield from _methods_of_class(node, "", classes, framework)


def _methods_of_class(
    node: ast.ClassDef, around: str, classes: Mapping[str, ast.ClassDef], framework: UnitFramework
) -> Iterator[PythonMethod]:
    lineage = list(lineage_of(node, classes))
    own = {one.name for one in classes.values()}
    bases = [base for one in lineage for base in map(ast.unparse, one.bases) if base not in own]
    methods = _members(lineage)
    is_case = any(_BASE_OF_TESTS.search(base) for base in bases) and not around
    is_named = framework == "pytest" and node.name.startswith("Test") and "__init__" not in methods
    if not (is_case or is_named):
        return
    for name, inner in methods.items():
        if name.startswith("test"):
            yield PythonMethod(f"{around}{node.name}.{name}", inner, is_case=is_case)
    for part in node.body if framework == "pytest" and not is_case else ():
        if isinstance(part, ast.ClassDef):
            yield from _methods_of_class(part, f"{around}{node.name}.", classes, framework)


def lineage_of(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], most: int = 20) -> Iterator[ast.ClassDef]:
    """Yield a class and those of the file that it derives from."""
    yield node
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes and most:
            yield from lineage_of(classes[base.id], classes, most - 1)


def _members(lineage: Sequence[ast.ClassDef]) -> dict[str, _Function]:
    """Return the functions of a class in their order, each as it is found first."""
    found: dict[str, _Function] = {}
    for node in lineage:
        own = {inner.name: inner for inner in node.body if isinstance(inner, _Function)}
        found |= {name: inner for name, inner in own.items() if name not in found}
    return found


# ---------------------------------------------------------------- what the text does not show

_ADDING = frozenset(
    {"setattr", "globals", "locals", "vars", "exec", "eval", "__dict__", "load_tests", "runTest", "modules"}
)
"""names by which a file may make tests while it is loaded"""


def makes_tests(source: bytes) -> bool:
    """Whether a file may have tests that its text does not show. Raises SyntaxError and ValueError."""
    tree = ast.parse(source)
    own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    return any(_may_make_tests(node, own) for node in ast.walk(tree)) or any(
        isinstance(inner, _Function | ast.ClassDef) and inner.name.lower().startswith("test")
        for node in tree.body
        if isinstance(node, ast.If | ast.For | ast.Try | ast.With)
        for inner in ast.walk(node)
    )


def _may_make_tests(node: ast.AST, own: Collection[str]) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) if name in _ADDING:
            return True
        case ast.ImportFrom(names=names):
            return any(one.name == "*" or (one.asname or one.name).lower().startswith("test") for one in names)
        case ast.Assign(targets=targets):
            named = (one for target in targets for one in ast.walk(target))
            words = (getattr(one, "id", getattr(one, "attr", "")) for one in named)
            return any(word.lower().startswith("test") for word in words)
        case ast.ClassDef(bases=bases, keywords=keywords, decorator_list=decorators):
            others = [ast.unparse(base) for base in bases if ast.unparse(base) not in own]
            is_plain = all(base.rpartition(".")[2] in _CASES_OF_UNITTEST for base in others)
            return bool(keywords or decorators) or not is_plain
    return False


_CASES_OF_UNITTEST = ("TestCase", "IsolatedAsyncioTestCase", "object")


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
_BUILTINS = lazy_regex(r"\bimport builtins as (\w+)|(\b__builtins__\b)")
_REPLACED = lazy_regex(r"\b(\w+)\.(\w+)\s*=(?!=)|\b(\w+)\s*,\s*[\"'](\w+)[\"']|[\"'](?:\w+\.)*(\w+)\.(\w+)[\"']")
"""`TestCase.assertEqual = …`, `setattr(TestCase, "assertEqual", …)`, `patch("unittest.TestCase.assertEqual")`"""
_QUOTED = lazy_regex(r"[\"'](\w+)[\"']")


@lru_cache(maxsize=64)
def modules_imported_by(text: str) -> tuple[str, ...]:
    """Return the modules that files in Python import, as far as their lines show it."""
    found = (one for names in _IMPORT.findall(text) for one in ",".join(names).split(","))
    return tuple(dict.fromkeys(word for one in found if (word := one.strip().partition(".")[0].partition(" ")[0])))


@lru_cache(maxsize=64)
def replaced_names(text: str) -> tuple[str, ...]:
    """Return what tests themselves may put something in the place of: `builtins.sorted`, `TestCase.assertEqual`."""
    aliases = {name for names in _BUILTINS.findall(text) for name in names if name}
    pairs = [tuple(filter(None, groups)) for groups in _REPLACED.findall(text)]
    quoted = _QUOTED.findall(text) if "builtins" in text else []
    found = [f"{'builtins' if owner in aliases else owner}.{name}" for owner, name in pairs]
    return tuple(dict.fromkeys([*found, *(f"builtins.{name}" for name in quoted)]))


# ---------------------------------------------------------------- decorators of gradescope_utils


def decorated_weights(methods: Sequence[PythonMethod], source: bytes) -> dict[str, Fraction]:
    """Return the weight of each method where decorators of `gradescope_utils` give any.

    Those without one count nothing then. Raises ValueError, in a sentence, for a weight that is no written number.
    """
    if GRADESCOPE.encode() not in source:
        return {}
    found = {}
    for method in methods:
        for name, call in _decorators(method.node):
            if name in _WEIGHTS:
                found[method.name] = _number_in(call, method.name)
    return {method.name: found.get(method.name, Fraction(0)) for method in methods} if found else {}


def decorators_without_meaning(methods: Sequence[PythonMethod], source: bytes) -> dict[str, str]:
    """Return the decorators of `gradescope_utils` that mean nothing here: decorator -> the first method that has it."""
    found: dict[str, str] = {}
    for method in methods if GRADESCOPE.encode() in source else ():
        for name, call in _decorators(method.node):
            says_what_is = name == "visibility" and [ast.unparse(one) for one in call.args] == ["'visible'"]
            if name in _WITHOUT_MEANING and not says_what_is:
                found.setdefault(name, method.name)
    return found


def _decorators(node: _Function) -> Iterator[tuple[str, ast.Call]]:
    for one in node.decorator_list:
        if isinstance(one, ast.Call):
            yield ast.unparse(one.func).rpartition(".")[2], one


def _number_in(call: ast.Call, method: str) -> Fraction:
    given = [*call.args, *(one.value for one in call.keywords)]
    written = ast.unparse(given[0]) if given else ""
    if not re.fullmatch(r"\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}", written):
        raise ValueError(f"the weight of {method} is not written as a number")
    return Fraction(written)
