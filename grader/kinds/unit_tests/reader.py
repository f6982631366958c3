"""`unit`: a unit test of the course's, each of whose methods is a case.

The methods are read from the test's source without running it. So the cases, and their points, are known before any
program exists. A method that runs with several values is one case.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

from grader.core.lazy import lazy_regex
from grader.core.model.spec import Case, Expectation
from grader.core.reader.files_and_build import read_jars, read_work_files
from grader.core.reader.shares import check_steps
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import (
    Value,
    attach,
    attach_folder,
    boolean,
    choice,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    inner_name,
    items,
    suggestion,
    text,
    wrong,
)
from grader.kinds.base import CaseParts
from grader.kinds.reported_tests.reader import read_reported, read_weights
from grader.kinds.unit_tests.java_text import find_java_methods, graded_weights, masked_java
from grader.kinds.unit_tests.junit_jars import MODULES_THAT_LOOK_INSIDE
from grader.kinds.unit_tests.keys import UNIT
from grader.kinds.unit_tests.model import ALL_METHODS, UNIT_LANGUAGES, UnitFramework, UnitMethod
from grader.kinds.unit_tests.python_text import decorated_weights, makes_tests, python_methods

UNIT_BESIDE = ("stdin", "env", "files", "limits", "repeat")
"""the keys of a case that go with a unit test"""
_WHOLE_NAME = lazy_regex(r"[^*?\[\]\n]+")
_VALUES = choice(("all", "share"), "way to count values")
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
    if "command" in (keys := fields(found["unit"], UNIT)):
        yield from read_reported(name, keys, shared)
        return
    if get(keys, "values", _VALUES, "all") == "share":
        check_steps(keys["values"], found, "values", "methods that pass with all values")
    for label, method, weight in _read_unit(found["unit"], keys):
        yield Case(**shared, id=f"{name}[{label}]", weight=weight, expect=Expectation(), kind="unit", payload=method)


def _read_unit(value: Value, found: Mapping[str, Value]) -> Iterator[tuple[str, UnitMethod, Fraction]]:
    """Read `unit`: what each method is called among the cases, the method, and its weight."""
    framework = next((name for name in UNIT_LANGUAGES if name in found), None)
    if framework is None:
        return
    entry = found[framework]
    if framework != "unittest" and value.context.language != UNIT_LANGUAGES[framework]:
        wrong(entry, f"{framework} tests programs in {UNIT_LANGUAGES[framework]}: say under language that they are")
        return
    file = inner_name(entry)
    known = len(value.context.problems)
    source = attach(entry, file)
    if len(value.context.problems) > known:
        return
    helpers = _read_helpers(found["with"], file) if "with" in found else {}
    named = _named_methods(entry, source, framework, helpers) if len(value.context.problems) == known else {}
    if not named:
        return
    jars, modules = _read_java_keys(found)
    named |= {name: name for name in _names_of_unseen(found, named)} if _may_have_more(source, framework) else {}
    chosen = _chosen(found.get("only"), list(named))
    written = dict(read_weights(found["weights"])) if "weights" in found else {}
    weights = _weights(found, entry, named, chosen, written)
    together = _read_together(found, chosen, has_all=not _may_have_more(source, framework))
    for label in chosen:
        method = UnitMethod(
            framework=framework,
            file=file,
            source=source,
            method=named[label],
            helpers=helpers,
            jars=jars,
            modules=modules,
            is_chosen="only" in found,
            weights=written,
            together=together,
            **_read_values(value, found, framework),
        )
        yield label, method, weights.get(label, Fraction(1))


def _read_values(value: Value, found: Mapping[str, Value], framework: UnitFramework) -> dict[str, Any]:
    by_value = get(found, "values", _VALUES, "all") == "share"
    return {
        "by_value": by_value,
        "is_counted": by_value and framework == "pytest" and not value.context.has_reference,
    }


def _read_together(found: Mapping[str, Value], chosen: Sequence[str], *, has_all: bool) -> bool:
    together = get(found, "together", boolean, False)
    if together and has_all and len(chosen) == 1:
        wrong(found["together"], f"{chosen[0]} is the only method of this test: take together out")
    return together


def _named_methods(
    entry: Value, source: bytes, framework: UnitFramework, helpers: Mapping[str, bytes]
) -> dict[str, str]:
    """Return what each method is called among the cases -> the method; nothing where a problem was noted."""
    file, language = inner_name(entry), UNIT_LANGUAGES[framework]
    try:
        every = unit_methods(source, framework, helpers)
    except (SyntaxError, ValueError) as error:
        wrong(entry, f"{file} is no {language}: {error}")
        return {}
    if not every and _may_have_more(source, framework):
        return {ALL_METHODS: ALL_METHODS}
    if not every:
        wrong(entry, f"there is no test in {file}: {_WANTED[framework]}")
    named = {case_label(method, file): method for method in every}
    if len(named) < len(every):
        labels = [case_label(method, file) for method in every]
        twice = next(label for place, label in enumerate(labels) if label in labels[:place])
        wrong(entry, f"two classes of {file} have a method {in_quotes(twice)}: rename one")
    return named


def _may_have_more(source: bytes, framework: UnitFramework) -> bool:
    """Whether only the framework knows all methods of a test."""
    return framework != "junit" and makes_tests(source)


def _names_of_unseen(found: Mapping[str, Value], labels: Collection[str]) -> Iterator[str]:
    """Yield the whole names under `only` and `weights` that the text does not show."""
    named = [text(item) for item in items(found["only"])] if "only" in found else []
    for name in named:
        if not matching_methods(name, list(labels)) and _WHOLE_NAME.fullmatch(name):
            yield name


def unit_methods(
    source: bytes, framework: UnitFramework, helpers: Mapping[str, bytes] = MappingProxyType({}), *, idle: bool = False
) -> list[str]:
    """Return the methods of a test as `UnitMethod` names them, in their order. Raises SyntaxError and ValueError.

    Methods of a class that share their name are one, as the runs of a method with several values are.

    A class in Java inherits from those of its `helpers`, too. With `idle`, those too that JUnit would not run.
    """
    if framework == "junit":
        others = [content.decode() for name, content in helpers.items() if name.endswith(".java")]
        methods = find_java_methods(masked_java(source.decode()), [masked_java(text) for text in others])
        return list(dict.fromkeys(one.name for one in methods if idle or not one.idle))
    return list(dict.fromkeys(method.name for method in python_methods(source, framework)))


def _chosen(only: Value | None, labels: Sequence[str]) -> list[str]:
    """Return the methods that `only` names, or all."""
    if only is None:
        return list(labels)
    patterns = each_of(lambda item: (item, text(item)))(only)
    for item, pattern in patterns:
        if not matching_methods(pattern, labels):
            wrong(item, f"there is no such test{suggestion(pattern, labels)}")
    chosen = {label for _, pattern in patterns for label in matching_methods(pattern, labels)}
    return [label for label in labels if label in chosen]


def _read_java_keys(found: Mapping[str, Value]) -> tuple[Mapping[str, bytes], tuple[str, ...]]:
    """Read `jars` and `modules`, which tests for JUnit alone have."""
    none: dict[str, bytes] = {}
    jars = get(found, "jars", read_jars, none)
    modules = _read_modules(found["modules"]) if "modules" in found else ()
    for key, name in (("jars", "archives of classes"), ("modules", "modules of Java")):
        if key in found and "junit" not in found:
            wrong(found[key], f"only tests for junit have {name}")
    return jars, modules


def _read_modules(value: Value) -> tuple[str, ...]:
    names = each_of(lambda item: (item, text(item)))(value)
    for item, name in names:
        if name not in MODULES_THAT_LOOK_INSIDE:
            others = sorted(MODULES_THAT_LOOK_INSIDE)
            wrong(item, f"this is not one of the modules that unit tests run without{suggestion(name, others)}")
    return tuple(name for _, name in names if name in MODULES_THAT_LOOK_INSIDE)


def _read_helpers(value: Value, file: str) -> dict[str, bytes]:
    """Read `with`: path from the test's folder -> content."""
    helpers: dict[str, bytes] = {}
    if isinstance(value.node, Table):
        helpers |= read_work_files(value)
        if PurePosixPath(file).name in helpers:
            wrong(value, f"another file lies there as {in_quotes(PurePosixPath(file).name)}: leave one out")
        return helpers
    folder = PurePosixPath(file).parent
    for item in items(value):
        name = inner_name(item).rstrip("/")
        is_folder = bool(name) and (value.context.root / name).is_dir()
        files = attach_folder(item, name) if is_folder else {"": attach(item, name)}
        own = PurePosixPath(name)
        beside = own.relative_to(folder) if own.is_relative_to(folder) and own != folder else PurePosixPath(own.name)
        placed = {str(beside / inside): content for inside, content in files.items()}
        if twice := next((one for one in placed if one in helpers or one == PurePosixPath(file).name), None):
            wrong(item, f"another file lies there as {in_quotes(twice)}: leave one out")
        helpers |= placed
    return helpers


def _weights(
    found: Mapping[str, Value],
    entry: Value,
    named: Mapping[str, str],
    chosen: Sequence[str],
    written: Mapping[str, Fraction],
) -> dict[str, Fraction]:
    """Return label -> weight of the methods whose weight is said, by `weights` or by a decorator in the file."""
    weights: dict[str, Fraction] = {}
    source = entry.context.attached[inner_name(entry)]
    if "junit" in found:
        scores = graded_weights(masked_java(source.decode()))
        weights = {label: Fraction(scores[method]) for label, method in named.items() if method in scores}
    else:
        methods = list(python_methods(source, "unittest" if "unittest" in found else "pytest"))
        try:
            decorated = decorated_weights(methods, source)
        except ValueError as error:
            wrong(entry, str(error))
            return {}
        weights = {label: decorated[method] for label, method in named.items() if method in decorated}
    if "weights" in found:
        is_open = "junit" not in found and makes_tests(source)
        weights |= _written_weights(found["weights"], written, list(named), is_open=is_open)
    if chosen and not any(weights.get(label, Fraction(1)) for label in chosen):
        wrong(found.get("weights", entry), "every method counts 0: give one a weight")
    return weights


def _written_weights(
    value: Value, written: Mapping[str, Fraction], labels: Sequence[str], *, is_open: bool
) -> dict[str, Fraction]:
    """Spread `weights`: a name comes before a glob, and the first glob that fits decides."""
    exact: dict[str, Fraction] = {}
    by_glob: dict[str, Fraction] = {}
    for name, (key, _) in entries(value).items():
        fitting = matching_methods(name, labels)
        if not fitting and not is_open:
            wrong(key, f"there is no such test{suggestion(name, labels)}")
        for label in fitting:
            (exact if label == name else by_glob).setdefault(label, written[name])
    return by_glob | exact


def matching_methods(pattern: str, labels: Sequence[str]) -> list[str]:
    """Return the methods that a name or glob of a spec means."""
    return [pattern] if pattern in labels else [label for label in labels if fnmatchcase(label, pattern)]


def case_label(method: str, file: str) -> str:
    """Return what a method is called among the cases: without the class that the file is named for."""
    owner, _, name = method.rpartition(".")
    inner = owner.rpartition(".")[2].removeprefix(PurePosixPath(file).stem).lstrip("$")
    return f"{inner.replace('$', '.')}.{name}" if inner else name


_WANTED: Mapping[UnitFramework, str] = {
    "junit": "methods with @Test, @ParameterizedTest or another annotation of JUnit 5 or 4, none of them disabled",
    "pytest": "functions and methods whose names begin with test, the latter in classes that begin with Test",
    "unittest": "methods whose names begin with test, in classes that derive from unittest.TestCase",
}
