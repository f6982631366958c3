"""`unit`: each method of a unit test of the course's is a case. They are read from its text, before anything runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from grader.core.kind import CaseParts
from grader.core.lazy import lazy_regex
from grader.core.model.spec import Case, Expectation
from grader.core.reader.language import check_steps
from grader.core.reader.selection import find_weights, match_tests
from grader.core.yaml import value as yaml
from grader.core.yaml.types import read_given, refuse
from grader.core.yaml.value import Fields, Value, attach, fields, in_quotes, inner_name, items, suggestion, wrong
from grader.kinds.reported_tests.reader import read_course_files, read_reported
from grader.kinds.unit_tests.java_text import find_java_methods, graded_weights
from grader.kinds.unit_tests.model import ALL_METHODS, UNIT_LANGUAGES, UnitFramework, UnitMethod, case_label
from grader.kinds.unit_tests.python_text import decorated_weights, makes_tests, python_methods

_BESIDE = ("stdin", "env", "files", "limits", "repeat")  # the keys of a case that go with a unit test
_WHOLE_NAME = lazy_regex(r"[^*?\[\]\n]+")


def read_test(name: str, test_keys: Fields, read_shared: Callable[[], CaseParts]) -> Iterator[Case]:
    """Make a case of each method of a test's `unit`; `read_shared` reads the parts that they share."""
    shared = {key: part for key, part in read_shared().items() if key in _BESIDE}
    keys = fields(test_keys["unit"], "unit")
    read = read_given(keys, "only", "weights", "jars", "modules", "values", "together")
    if "command" in keys:
        yield from read_reported(name, keys, shared, read)
        return
    if read.get("by_value"):
        check_steps(keys["values"], test_keys, "values", "methods that pass with all values")
    for label, method, weight in _read_unit(test_keys["unit"], keys, read):
        yield Case(**shared, id=f"{name}[{label}]", weight=weight, expect=Expectation(), kind="unit", payload=method)


def _read_unit(value: Value, keys: Fields, read: Mapping[str, Any]) -> Iterator[tuple[str, UnitMethod, Fraction]]:
    """Read `unit`: what each method is called among the cases, the method, and its weight."""
    framework, problems = next((name for name in UNIT_LANGUAGES if name in keys), None), value.context.problems
    if framework is None:
        return
    entry, language = keys[framework], UNIT_LANGUAGES[framework]
    if framework != "unittest" and value.context.language != language:
        wrong(entry, f"{framework} tests programs in {language}: say under language that they are")
        return
    file, known = inner_name(entry), len(problems)
    source = attach(entry, file)
    helpers = _read_helpers(keys["with"], PurePosixPath(file)) if "with" in keys and len(problems) == known else {}
    named = _name_methods(entry, source, framework, helpers) if len(problems) == known else None
    if not named or not named.methods:
        return
    if framework != "junit":
        refuse(keys, ("jars", "modules"), "only tests for junit have {}")
    chosen = _choose(keys.get("only"), read.get("only", ()), named)
    weights = _read_weights(keys, read.get("weights", {}), named)
    if chosen and not any(weights.get(label, Fraction(1)) for label in chosen):
        wrong(keys.get("weights", entry), "every method counts 0: give one a weight")
    if read.get("together") and not named.has_more and len(chosen) == 1:
        wrong(keys["together"], f"{chosen[0]} is the only method of this test: take together out")
    more = {key: read[key] for key in ("jars", "weights", "together", "by_value") if key in read}
    more["is_chosen"] = "only" in keys
    more["is_counted"] = read.get("by_value", False) and framework == "pytest" and not value.context.has_reference
    shared = UnitMethod(framework=framework, file=file, source=source, method="", helpers=helpers, **more)
    for label in chosen:
        yield label, replace(shared, method=named.methods[label]), weights.get(label, Fraction(1))


def _read_helpers(value: Value, file: PurePosixPath) -> dict[str, bytes]:
    """Read `with`: path from the test's folder -> content."""
    folder = file.parent

    def beside(own: PurePosixPath) -> PurePosixPath:
        return own.relative_to(folder) if own.is_relative_to(folder) and own != folder else PurePosixPath(own.name)

    return read_course_files(value, beside, file.name)


def _read_weights(keys: Fields, written: Mapping[str, Fraction], named: "_Named") -> Mapping[str, Fraction]:
    """Return the weights that the spec or the file gives to methods, by their labels."""
    labels = list(named.methods)
    for pattern in () if named.has_more else written:
        if not match_tests(labels, pattern):
            wrong(yaml.entries(keys["weights"])[pattern][0], f"there is no such test{suggestion(pattern, labels)}")
    return named.weights | find_weights(labels, written.items())


class _Named(NamedTuple):
    """The methods of a file by what they are called among the cases."""

    methods: dict[str, str]
    weights: dict[str, Fraction]  # what decorators of the file say
    has_more: bool  # whether only the framework knows all


def _name_methods(entry: Value, source: bytes, framework: UnitFramework, helpers: Mapping[str, bytes]) -> _Named | None:
    """Return the methods of a file; None where they cannot be read."""
    file, decorated = inner_name(entry), dict[str, Fraction]()
    try:
        names, has_more = unit_methods(source, framework, helpers), framework != "junit" and makes_tests(source)
    except (SyntaxError, ValueError) as error:
        wrong(entry, f"{file} is no {UNIT_LANGUAGES[framework]}: {error}")
        return None
    labels = [case_label(method, file) for method in names or [ALL_METHODS] * has_more]
    if not labels:
        wrong(entry, f"there is no test in {file}: {_WANTED[framework]}")
    if twice := [label for place, label in enumerate(labels) if label in labels[:place]]:
        wrong(entry, f"two classes of {file} have a method {in_quotes(twice[0])}: rename one")
    methods = dict(zip(labels, names or [ALL_METHODS], strict=False))
    try:
        decorated = graded_weights(source.decode()) if framework == "junit" else decorated_weights(source, framework)
    except ValueError as error:
        wrong(entry, str(error))
    weights = {label: decorated[method] for label, method in methods.items() if method in decorated}
    return _Named(methods, weights, has_more)


def _choose(value: Value | None, only: Sequence[str], named: _Named) -> list[str]:
    """Return the methods that `only` names, or all; adds whole names that the text does not show."""
    if value is None:
        return list(named.methods)
    whole = (name for name in only if _WHOLE_NAME.fullmatch(name) and not match_tests(list(named.methods), name))
    named.methods.update({name: name for name in whole if named.has_more})
    labels, fitting = list(named.methods), set[str]()
    for item, pattern in zip(items(value), only, strict=True):
        fitting |= {*(matching := match_tests(labels, pattern))}
        if not matching:
            wrong(item, f"there is no such test{suggestion(pattern, labels)}")
    return [label for label in labels if label in fitting]


def unit_methods(
    source: bytes, framework: UnitFramework, helpers: Mapping[str, bytes] = MappingProxyType({}), *, idle: bool = False
) -> list[str]:
    """Return the methods of a test, with `idle` those too that JUnit would not run. SyntaxError and ValueError."""
    if framework == "junit":
        others = [content.decode() for name, content in helpers.items() if name.endswith(".java")]
        methods = find_java_methods(source.decode(), others)
        return list(dict.fromkeys(method.name for method in methods if idle or not method.idle))
    return list(dict.fromkeys(method.name for method in python_methods(source, framework)))


_WANTED: Mapping[UnitFramework, str] = {
    "junit": "methods with @Test, @ParameterizedTest or another annotation of JUnit 5 or 4, none of them disabled",
    "pytest": "functions and methods whose names begin with test, the latter in classes that begin with Test",
    "unittest": "methods whose names begin with test, in classes that derive from unittest.TestCase",
}
