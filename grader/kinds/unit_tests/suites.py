"""The tests that a framework collects from a file in Python: which methods are cases, and which cannot be run.

A spec reads its cases from the text of a file. What a loop, a metaclass, `load_tests` or a class of another file adds
is seen only when the file is loaded. So it is collected once, with the reference or with stubs of what students hand
in, and never with anything that was handed in: nobody turns a zero into an ungraded case.
"""

import hashlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.limits import at_least, limit_sentence
from grader.core.model import VERSION
from grader.core.model.decoding import decodable
from grader.core.model.execution import Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Spec, Test
from grader.core.reader.selection import find_weights
from grader.core.text import quote
from grader.kinds.harness.host import python_driver, read_record, request_of, with_request
from grader.kinds.unit_tests.language import case_label
from grader.kinds.unit_tests.model import ALL_METHODS, UnitFailure, UnitMethod, unit_of
from grader.kinds.unit_tests.probe import (
    reference_files_for,
    reference_folder,
    test_file_of,
    unit_files,
)
from grader.kinds.unit_tests.python_text import imports_by_method

if TYPE_CHECKING:
    from grader.core.course import Course

_STDIN = ".grader-suite/stdin"
_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, processes=256)
_MAX_ANSWER_BYTES = 2**23
_NO_PACKAGE = "attempted relative import with no known parent package"
_WHERE = "name it under `with` (a file of the course), `files` (one that is handed in) or `requires` (a package)"


class CollectedMethod(Struct, frozen=True, kw_only=True):
    """A method that the framework collects, from all of its runs with values."""

    name: str
    skipped: str = ""
    expects_failure: bool = False
    skips: tuple[str, ...] = ()
    """those of its runs that are skipped, or expect to fail, and their places, where others are not"""
    idle: tuple[int, ...] = ()
    runs: int = 1
    weight: str | None = None
    """what a decorator of `gradescope_utils` says"""
    lacks: str = ""
    """a fixture that nobody defines"""
    is_nameless: bool = False
    """whether its name is one by which the framework cannot be asked for it"""
    failure: UnitFailure | None = None
    """how it fails with the reference"""


class CollectedSuite(Struct, frozen=True, kw_only=True):
    """What the framework collects from a file."""

    methods: tuple[CollectedMethod, ...] = ()
    loading: UnitFailure | None = None
    guessed: bool = False
    """whether something depended on what a stub is"""
    absent: tuple[str, ...] = ()
    """the imported modules that are not there"""
    unknown: str = ""
    """why nothing was collected, which says nothing about the file"""

    @property
    def is_certain(self) -> bool:
        """Whether the methods are those of every run."""
        return not self.unknown and not self.guessed and self.loading is None


def prepare_submission(course: "Course", _student: str) -> "Course":
    """Return the course with the cases that its frameworks collect. Raises HostError when the sandbox fails."""
    tests = tuple(_completed(test, course) for test in course.spec.tests)
    return replace(course, spec=replace(course.spec, tests=tests))


def suite_of(case: Case, course: "Course") -> CollectedSuite | None:
    """Return what the framework collects from the file of a case; None for another kind or language."""
    unit = unit_of(case)
    if unit is None or unit.framework == "junit":
        return None
    own = course.asked_in(case)
    launch = _launch(unit, case, own.spec, {} if isinstance(own.built[""], HostError) else own.built[""])
    content = msgspec.msgpack.encode(
        [launch.argv, launch.stdin, sorted(launch.files.items()), sorted(case.env.items())]
    )
    key = ["unit suite", VERSION, hashlib.sha256(content).hexdigest(), course.surroundings, dict(course.versions)]

    def collect() -> CollectedSuite:
        try:
            found, (request, _) = own.execute(launch), request_of(launch)
            record = next(read_record(found.files[request["record"]], request["secret"]))
            return msgspec.convert(record, decodable(CollectedSuite))
        except HostError as error:
            return CollectedSuite(unknown=str(error))
        except (KeyError, StopIteration, msgspec.MsgspecError):
            if found.limit:
                return CollectedSuite(unknown=f"it {limit_sentence(found.limit)} while {unit.framework} collected it")
            last = found.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            return CollectedSuite(unknown=f"it ended {unit.framework}, which collected it{f': {last}' if last else ''}")

    return course.cache.get_or_make(key, CollectedSuite, collect, is_storable=lambda suite: not suite.unknown)


def _broken_suite(unit: UnitMethod, suite: CollectedSuite, spec: Spec) -> str:
    """Return why a file can be run with no submission; "" where it can, or where that is unknown."""
    loading = suite.loading
    if loading is None:
        return ""
    if loading.type == "ModuleNotFoundError" and not loading.place and "'" in loading.message:
        missing = loading.message.split("'")[1]
        return f"{unit.file} imports {quote(missing)}, which is not there: {_WHERE}"
    if suite.guessed:
        return ""
    if loading.message.startswith(_NO_PACKAGE):
        init, remedy = PurePosixPath(unit.file).with_name("__init__.py"), "or import the module"
        return f"{unit.file} imports from its own package, and is in none: name {init} under `with`, {remedy}"
    place = f" ({loading.test_place or loading.place})" if loading.test_place or loading.place else ""
    told = f": {quote(loading.message, most=160)}" if loading.message else ""
    kind = loading.type.rpartition(".")[2]
    if loading.kind == "skipped" or kind in ("SkipTest", "Skipped"):
        return f"{unit.file} skips itself, whatever is handed in{told}{place}"
    when = " with the reference either" if reference_files_for(unit, spec) else ", whatever is handed in"
    return f"{unit.file} cannot be loaded{when}: {quote(kind)}{told}{place}"


def _launch(unit: UnitMethod, case: Case, spec: Spec, reference: Mapping[str, bytes]) -> Launch:
    within = reference_folder(unit, spec) if reference and reference_files_for(unit, spec) else ""
    exact, globs = _modules_of_students(spec)
    if within:
        inside = [
            PurePosixPath(name) for name in reference if within == "." or PurePosixPath(name).is_relative_to(within)
        ]
        there = {path.relative_to(within).parts[0].removesuffix(".py") for path in inside}
        exact, globs = [name for name in exact if name not in there], []
    helpers = dict.fromkeys(PurePosixPath(name).parts[0].removesuffix(".py") for name in unit.helpers)
    request = {
        "framework": unit.framework,
        "file": test_file_of(unit),
        "within": [*([within] if within else []), "."],
        "own": [PurePosixPath(name).stem for name in spec.files.required_names] if within else exact,
        "helpers": [name for name in helpers if name.isidentifier()],
        "stubs": exact,
        "guesses": globs,
        "imports": sorted({name for names in imports_by_method(unit.source).values() for name in names}),
        "has_reference": bool(within),
    }
    files = {**(reference if within else {}), **(spec.build.files if spec.build else {}), **case.files}
    launch = Launch(
        argv=("python3", "-I", "-u", "-c", f"{python_driver('unit', 'suite')}answer_suite_request()\n"),
        files={**files, **unit_files(unit), _STDIN: case.stdin},
        env=case.env,
        limits=at_least(_LIMITS, case.limits),
    )
    return with_request(launch, request, "suite", _MAX_ANSWER_BYTES)


def _modules_of_students(spec: Spec) -> tuple[list[str], list[str]]:
    """Return the modules that a submission may bring: by name, and by globs."""
    made = spec.build.produces if spec.build else ()
    started = [word for word in spec.program if word.endswith(".py")]
    names = [*spec.files.required_names, *spec.files.optional, *made, *started]
    tops = [PurePosixPath(name).parts[0].removesuffix(".py") for name in names if name.endswith(".py") or "/" in name]
    exact = [name for name in dict.fromkeys(tops) if name.isidentifier()]
    if not (spec.files.required or spec.files.optional):  # nobody says what may be handed in
        return exact, ["*"]
    return exact, [name for name in tops if any(sign in name for sign in "*?[")]


# ---------------------------------------------------------------- the cases of a test


def _completed(test: Test, course: "Course") -> Test:
    """Return a test with the methods that its framework collects as its cases."""
    first = test.cases[0]
    unit, suite = unit_of(first), suite_of(first, course)
    if unit is None or suite is None:
        return test
    fault = _broken_suite(unit, suite, course.asked_in(first).spec)
    if suite.unknown or suite.loading is not None:
        if not fault and (unit.method == ALL_METHODS or unit.is_counted):  # its text shows no cases, or no values
            why = suite.unknown or "it cannot be loaded without a reference"
            fault = f"nobody knows the tests of {unit.file}: {why}"
        return replace(test, cases=tuple(_with(case, fault=fault) for case in test.cases)) if fault else test
    collected = {one.name: one for one in suite.methods}
    imports = imports_by_method(unit.source)
    known = [(case, one, collected.get(one.method)) for case in test.cases if (one := unit_of(case))]
    cases = [_checked(*one, suite, imports) for one in known if not _is_idle(one[1], one[2], suite)]
    cases += [] if unit.is_chosen else _added_cases(test, unit, suite)
    if not cases:
        why = next(filter(None, map(why_idle, suite.methods)), "")
        fault = f"{unit.framework} runs no test of {unit.file}: {f'each {why}' if why else 'it finds none'}"
        cases = [_with(case, fault=fault) for case in test.cases]
    return replace(test, cases=tuple(cases))


def _with(case: Case, **changed: object) -> Case:
    unit = unit_of(case)
    return replace(case, payload=replace(unit, **changed)) if unit else case


def _is_idle(unit: UnitMethod, found: CollectedMethod | None, suite: CollectedSuite) -> bool:
    """Whether a method judges nothing, whatever is handed in."""
    if unit.method == ALL_METHODS or not suite.is_certain:
        return unit.method == ALL_METHODS
    return bool(why_idle(found)) if found else not unit.is_chosen


def why_idle(found: CollectedMethod) -> str:
    """Return why a method that is collected judges nothing; "" where it does."""
    if found.skipped:
        return f"is skipped: {quote(found.skipped, most=160)}"
    if found.expects_failure:
        return "expects to fail"
    if found.failure and found.failure.kind == "skipped" and not found.failure.given:
        return f"skips itself with the reference, too: {quote(found.failure.message, most=160)}"
    return ""


def _checked(
    case: Case,
    unit: UnitMethod,
    found: CollectedMethod | None,
    suite: CollectedSuite,
    imports: Mapping[str, frozenset[str]],
) -> Case:
    """Return a case with what keeps it from running, or with the runs that are skipped."""
    if found is None:
        fault = f"{unit.framework} finds no {unit.method} in {unit.file}"
        return _with(case, fault=fault) if suite.is_certain else case
    name, fault = f"{unit.method} of {unit.file}", ""
    if absent := sorted(imports.get(unit.method, frozenset()).intersection(suite.absent)):
        fault = f"{name} imports {quote(absent[0])}, which is not there: {_WHERE}"
    elif found.lacks:
        where = "write it, or name the `conftest.py` that has it under `with`"
        fault = f"{name} asks for the fixture {quote(found.lacks)}: {where}"
    elif unit.is_counted and not suite.is_certain:
        why = "what is handed in decides with how many values it is run: give the spec a reference"
        fault = f"{name} shares its points among values, and {why}"
    if fault:
        return _with(case, fault=fault)
    counted = {"values": found.runs, "idle": found.idle} if unit.is_counted else {}
    return _with(case, skips=found.skips if suite.is_certain else (), **counted)


def _added_cases(test: Test, unit: UnitMethod, suite: CollectedSuite) -> Iterator[Case]:
    """Yield a case of each method that the text does not show."""
    own = {one.method for one in map(unit_of, test.cases) if one}
    ids = {case.id for case in test.cases}
    default = Fraction(0 if any(one.weight for one in suite.methods) else 1)
    for found in suite.methods:
        if found.name in own or (suite.is_certain and why_idle(found)):
            continue
        label = case_label(found.name, unit.file)
        label = label if f"{test.name}[{label}]" not in ids else found.name
        weight = find_weights([label], unit.weights.items()).get(label, Fraction(found.weight or default))
        fault = f"{quote(found.name)} of {unit.file} has a name that no case can have" if found.is_nameless else ""
        made = replace(unit, method=found.name, fault=fault)
        case = replace(test.cases[0], id=f"{test.name}[{label}]", weight=weight, payload=made)
        yield case if fault else _checked(case, made, found, suite, {})
