"""The tests that a framework collects from a file in Python: which methods are cases, and which cannot be run.

A spec reads its cases from the text of a file. What a loop, a metaclass, `load_tests` or a class of another file adds
is seen only when the file is loaded. So it is collected once, with the reference or with stubs of what students hand
in, and never with anything that was handed in: nobody turns a zero into an ungraded case.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.limits import at_least, limit_sentence
from grader.core.model import VERSION
from grader.core.model.execution import Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Spec, Test
from grader.core.text import quote
from grader.kinds.unit_tests.model import ALL_METHODS, UnitFailure, UnitMethod, unit_of
from grader.kinds.unit_tests.probe import (
    python_probe,
    reference_files_for,
    reference_folder,
    test_file_of,
    unit_files,
)
from grader.kinds.unit_tests.python_text import imports_by_method
from grader.kinds.unit_tests.reader import case_label

if TYPE_CHECKING:
    from grader.core.course import Course

_PROBES = Path(__file__).with_name("probes")
_FOLDER = ".grader-suite"
_PROBE, _ANSWER, _STDIN = f"{_FOLDER}/unit.py", f"{_FOLDER}/answer.json", f"{_FOLDER}/stdin"
_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, processes=256)
_MAX_ANSWER_BYTES = 2**23


class CollectedMethod(Struct, frozen=True, kw_only=True):
    """A method that the framework collects."""

    name: str
    skipped: str = ""
    """why it is not run, whatever is handed in"""
    expects_failure: bool = False
    skips: tuple[str, ...] = ()
    """those of its runs with values that are skipped, or expect to fail, where others are not"""
    runs: int = 1
    idle: tuple[int, ...] = ()
    """how often it is run, and the places of those"""
    weight: str | None = None
    """what a decorator of `gradescope_utils` says"""
    lacks: str = ""
    """a fixture that nobody defines"""
    is_nameless: bool = False
    """whether its name is one by which the framework cannot be asked for it"""
    failure: UnitFailure | None = None
    """how it fails with the reference"""


class Loading(UnitFailure, frozen=True, kw_only=True):
    """Why a file could not be loaded."""

    missing: str = ""
    """the module that is not there"""


class CollectedSuite(Struct, frozen=True, kw_only=True):
    """What the framework collects from a file."""

    methods: tuple[CollectedMethod, ...] = ()
    loading: Loading | None = None
    stubbed: tuple[str, ...] = ()
    """the modules that stubs took the place of"""
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


def complete_cases(course: "Course", _student: str) -> "Course":
    """Return the course with the cases that its frameworks collect. Raises HostError when the sandbox fails."""
    tests = tuple(_completed(test, course) for test in course.spec.tests)
    return replace(course, spec=replace(course.spec, tests=tests))


def suite_of(case: Case, course: "Course") -> CollectedSuite | None:
    """Return what the framework collects from the file of a case; None for another kind or language."""
    unit = unit_of(case)
    if unit is None or unit.framework == "junit":
        return None
    own = course.asked_in(case)
    files = {} if isinstance(own.reference_built, HostError) else dict(own.reference_built)
    launch = _launch(unit, case, own.spec, files)
    digest = hashlib.sha256("\0".join(launch.argv).encode() + launch.stdin)
    for name, content in sorted(launch.files.items()):
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    around = [sorted(case.env.items()), course.surroundings, dict(course.versions)]
    key = ["unit suite", VERSION, digest.hexdigest(), around]
    return course.cache.get_or_make(
        key, CollectedSuite, lambda: _collect(launch, unit, own), is_storable=lambda suite: not suite.unknown
    )


def broken_suite(unit: UnitMethod, suite: CollectedSuite, spec: Spec) -> str:
    """Return why a file can be run with no submission; "" where it can, or where that is unknown."""
    loading = suite.loading
    if loading is None:
        return ""
    if loading.missing and not loading.place:
        return f"{unit.file} imports {quote(loading.missing)}, which is not there: {_WHERE}"
    if suite.guessed:
        return ""
    if loading.message.startswith(_NO_PACKAGE):
        folder = str(PurePosixPath(unit.file).parent)
        init = "__init__.py" if folder == "." else f"{folder}/__init__.py"
        return (
            f"{unit.file} imports from its own package, and is in none: name {init} under `with`, or import the module"
        )
    place = f" ({loading.test_place or loading.place})" if loading.test_place or loading.place else ""
    told = f": {quote(loading.message, most=160)}" if loading.message else ""
    if loading.kind == "skipped" or loading.type.rpartition(".")[2] in ("SkipTest", "Skipped"):
        return f"{unit.file} skips itself, whatever is handed in{told}{place}"
    with_what = "with the reference either" if reference_files_for(unit, spec) else "whatever is handed in"
    what = loading.type.rpartition(".")[2]
    comma = "" if with_what.startswith("with the") else ","
    return f"{unit.file} cannot be loaded{comma} {with_what}: {quote(what)}{told}{place}"


_NO_PACKAGE = "attempted relative import with no known parent package"
_WHERE = "name it under `with` (a file of the course), `files` (one that is handed in) or `requires` (a package)"


# ---------------------------------------------------------------- collecting


def _launch(unit: UnitMethod, case: Case, spec: Spec, reference: Mapping[str, bytes]) -> Launch:
    within = reference_folder(unit, spec) if reference and reference_files_for(unit, spec) else ""
    exact, globs = _modules_of_students(spec)
    if within:
        inside = {PurePosixPath(name).relative_to(within).parts[0] for name in reference if _is_below(name, within)}
        there = {name.removesuffix(".py") for name in inside}
        exact, globs = [name for name in exact if name not in there], []
    helpers = dict.fromkeys(PurePosixPath(name).parts[0].removesuffix(".py") for name in unit.helpers)
    request = {
        "framework": unit.framework,
        "file": test_file_of(unit),
        "probe": _PROBE,
        "answer": _ANSWER,
        "stdin": _STDIN,
        "within": [*([within] if within else []), "."],
        "own": exact if not within else [PurePosixPath(name).stem for name in spec.files.required_names],
        "helpers": [name for name in helpers if name.isidentifier()],
        "stubs": exact,
        "guesses": globs,
        "imports": sorted({name for names in imports_by_method(unit.source).values() for name in names}),
        "has_reference": bool(within),
    }
    data = json.dumps(request).encode()
    files = {
        **(reference if within else {}),
        **(spec.build.files if spec.build else {}),
        **case.files,
        **unit_files(unit),
        _PROBE: python_probe(unit).encode(),
        _STDIN: case.stdin,
    }
    return Launch(
        argv=("python3", "-I", "-u", "-c", (_PROBES / "suite.py").read_text()),
        files=files,
        env=case.env,
        stdin=data,
        limits=at_least(_LIMITS, case.limits),
        collect=(_ANSWER,),
        collect_limit=_MAX_ANSWER_BYTES,
    )


def _is_below(name: str, folder: str) -> bool:
    return folder == "." or PurePosixPath(name).is_relative_to(folder)


def _modules_of_students(spec: Spec) -> tuple[list[str], list[str]]:
    """Return the modules that a submission may bring: by name, and by globs."""
    made = spec.build.produces if spec.build else ()
    started = [word for word in spec.program if word.endswith(".py")]
    names = [*spec.files.required_names, *spec.files.optional, *made, *started]
    tops = [PurePosixPath(name).parts[0].removesuffix(".py") for name in names if name.endswith(".py") or "/" in name]
    globs = [name for name in tops if any(sign in name for sign in "*?[")]
    exact = [name for name in dict.fromkeys(tops) if name.isidentifier()]
    is_open = not (spec.files.required or spec.files.optional)  # nobody says what may be handed in
    return exact, ["*"] if is_open else globs


def _collect(launch: Launch, unit: UnitMethod, course: "Course") -> CollectedSuite:
    try:
        found = course.execute(launch)
    except HostError as error:
        return CollectedSuite(unknown=str(error))
    try:
        return msgspec.json.decode(found.files[_ANSWER], type=CollectedSuite)
    except (KeyError, msgspec.MsgspecError):
        if found.limit:
            return CollectedSuite(unknown=f"it {limit_sentence(found.limit)} while {unit.framework} collected it")
        last = found.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return CollectedSuite(unknown=f"it ended {unit.framework}, which collected it{f': {last}' if last else ''}")


# ---------------------------------------------------------------- the cases of a test


def _completed(test: Test, course: "Course") -> Test:
    """Return a test with the methods that its framework collects as its cases."""
    first = test.cases[0]
    unit, suite = unit_of(first), suite_of(first, course)
    if unit is None or suite is None:
        return test
    fault = broken_suite(unit, suite, course.asked_in(first).spec)
    if suite.unknown or suite.loading is not None:
        fault = fault or _nothing_known(unit, suite)
        return replace(test, cases=tuple(_with(case, fault=fault) for case in test.cases)) if fault else test
    collected = {one.name: one for one in suite.methods}
    imports = imports_by_method(unit.source)
    known = [
        _checked(case, one, collected.get(one.method), suite, imports)
        for case in test.cases
        if (one := unit_of(case)) is not None and not is_idle(one, collected.get(one.method), suite)
    ]
    cases = [*known, *_added_cases(test, unit, suite)]
    if not cases:
        fault = f"{unit.framework} runs no test of {unit.file}: {_why_none(suite)}"
        cases = [_with(case, fault=fault) for case in test.cases]
    return replace(test, cases=tuple(cases))


def _nothing_known(unit: UnitMethod, suite: CollectedSuite) -> str:
    """Return why a test has no cases whose text shows none, or nobody knows with how many values they are run."""
    if unit.method != ALL_METHODS and not unit.is_counted:
        return ""
    return f"nobody knows the tests of {unit.file}: {suite.unknown or 'it cannot be loaded without a reference'}"


def _why_none(suite: CollectedSuite) -> str:
    why = next(filter(None, map(why_idle, suite.methods)), "")
    return f"each {why}" if why else "it finds none"


def _with(case: Case, **changed: object) -> Case:
    unit = unit_of(case)
    return replace(case, payload=replace(unit, **changed)) if unit else case


def is_idle(unit: UnitMethod, found: CollectedMethod | None, suite: CollectedSuite) -> bool:
    """Whether a method judges nothing, whatever is handed in."""
    if unit.method == ALL_METHODS:
        return True
    if not suite.is_certain:
        return False
    return not unit.is_chosen if found is None else bool(why_idle(found))


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
    """Return a case with what keeps it from running, or with how it fails with the reference."""
    if found is None:
        return (
            _with(case, fault=f"{unit.framework} finds no {unit.method} in {unit.file}") if suite.is_certain else case
        )
    if absent := sorted(imports.get(unit.method, frozenset()).intersection(suite.absent)):
        return _with(
            case, fault=f"{unit.method} of {unit.file} imports {quote(absent[0])}, which is not there: {_WHERE}"
        )
    if found.lacks:
        where = "write it, or name the `conftest.py` that has it under `with`"
        return _with(case, fault=f"{unit.method} of {unit.file} asks for the fixture {quote(found.lacks)}: {where}")
    if unit.is_counted and not suite.is_certain:
        why = "what is handed in decides with how many values it is run: give the spec a reference"
        return _with(case, fault=f"{unit.method} of {unit.file} shares its points among values, and {why}")
    if unit.is_counted:
        case = _with(case, values=found.runs, idle=found.idle)
    skips = found.skips if suite.is_certain else ()
    return _with(case, skips=skips) if skips else case


def _added_cases(test: Test, unit: UnitMethod, suite: CollectedSuite) -> Iterator[Case]:
    """Yield a case of each method that the text does not show."""
    own = [one.method for one in map(unit_of, test.cases) if one]
    if unit.is_chosen:
        return
    ids = {case.id for case in test.cases}
    default = Fraction(0 if any(one.weight for one in suite.methods) else 1)
    for found in suite.methods:
        if found.name in own or (suite.is_certain and why_idle(found)):
            continue
        label = case_label(found.name, unit.file)
        label = label if f"{test.name}[{label}]" not in ids else found.name
        weight = _weight(label, found, unit.weights, default)
        fault = f"{quote(found.name)} of {unit.file} has a name that no case can have" if found.is_nameless else ""
        made = replace(unit, method=found.name, fault=fault)
        case = replace(test.cases[0], id=f"{test.name}[{label}]", weight=weight, payload=made)
        yield case if fault else _checked(case, made, found, suite, {})


def _weight(label: str, found: CollectedMethod, weights: Mapping[str, Fraction], default: Fraction) -> Fraction:
    if label in weights:
        return weights[label]
    by_glob = (weight for pattern, weight in weights.items() if fnmatchcase(label, pattern))
    return next(by_glob, Fraction(found.weight) if found.weight else default)
