"""The tests that a framework collects from a file in Python: which methods are cases, and which cannot be run.

Tests that a loop, a metaclass, `load_tests` or a class of another file adds appear only when the file is loaded. It is
loaded once, with the reference or stubs; never with a submission, which could turn a zero into an ungraded case.
"""

import hashlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model import VERSION
from grader.core.model.execution import Launch
from grader.core.model.limits import at_least, limit_sentence
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.values import decodable
from grader.core.reader.selection import find_weights
from grader.core.text import quote
from grader.kinds.harness.host import python_driver, read_record, request_of, with_request
from grader.kinds.unit_tests import probe
from grader.kinds.unit_tests.model import ALL_METHODS, UnitFailure, UnitMethod, case_label, method_of, unit_of
from grader.kinds.unit_tests.python_text import imports_by_method

if TYPE_CHECKING:
    from grader.core.course import Course

_MAX_ANSWER_BYTES = 2**23
_SECONDS_OF_REFERENCE = 60
_WHERE = "name it under `with` (a file of the course), `files` (one that is handed in) or `requires` (a package)"


class CollectedMethod(Struct, frozen=True, kw_only=True):
    """A method that the framework collects, from all of its runs with values."""

    name: str
    skipped: str = ""
    expects_failure: bool = False
    skips: tuple[str, ...] = ()
    idle: tuple[int, ...] = ()  # those of its runs that are skipped or expect to fail, if not all, and their places
    runs: int = 1
    weight: str | None = None
    lacks: str = ""  # a fixture that nobody defines
    is_nameless: bool = False  # whether its name is one by which the framework cannot be asked for it
    own_skip: str | None = None  # what it says where it skips itself with the reference


class CollectedSuite(Struct, frozen=True, kw_only=True):
    """What the framework collects from a file; `guessed` where something depended on what a stub is."""

    methods: tuple[CollectedMethod, ...] = ()
    loading: UnitFailure | None = None
    guessed: bool = False
    absent: tuple[str, ...] = ()  # the imported modules that are not there
    unknown: str = ""  # why nothing was collected, which says nothing about the file

    # Whether the methods are those of every run.
    is_certain = property(lambda self: not (self.unknown or self.guessed or self.loading))


def prepare_submission(course: "Course", _student: str) -> "Course":
    """Return the course with the cases that its frameworks collect. Raises HostError when the sandbox fails."""
    tests = tuple(_with_collected(test, course) for test in course.spec.tests)
    return replace(course, spec=replace(course.spec, tests=tests))


def suite_of(case: Case, course: "Course") -> CollectedSuite | None:
    """Return what the framework collects from the file of a case; None for another kind or language."""
    unit = unit_of(case)
    if unit is None or unit.framework == "junit":
        return None
    own = course.asked_in(case)
    launch = _launch(unit, case, own.spec, {} if isinstance(own.built[""], HostError) else own.built[""])
    content = [launch.argv, launch.stdin, sorted(launch.files.items()), sorted(case.env.items())]
    digest = hashlib.sha256(msgspec.msgpack.encode(content)).hexdigest()
    key = ["collected suite", VERSION, digest, course.surroundings, dict(course.versions)]

    def collect() -> CollectedSuite:
        try:
            execution, (request, _) = own.execute(launch), request_of(launch)
            record = next(read_record(execution.files[request["record"]], request["secret"]))
            suite = msgspec.convert(record, decodable(CollectedSuite))
            if suite.is_certain and suite.methods and len(request["within"]) > 1:
                suite = _run_with_reference(case, launch, suite, own)
        except HostError as error:
            return CollectedSuite(unknown=str(error))
        except (KeyError, StopIteration, msgspec.MsgspecError):
            last = execution.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            why = limit_sentence(execution.limit) if execution.limit else ": ".join(filter(None, ("ended", last)))
            return CollectedSuite(unknown=f"what collects it by {unit.framework} {why}")
        return suite

    return course.cache.get_or_make(key, CollectedSuite, collect, is_storable=lambda suite: not suite.unknown)


def _run_with_reference(case: Case, launch: Launch, suite: CollectedSuite, course: "Course") -> CollectedSuite:
    """Return a suite with what each method says that skips itself with the reference; all are run in one process."""
    methods, (_, stdin), completed = suite.methods, request_of(launch), list[CollectedMethod]()
    seconds = _SECONDS_OF_REFERENCE / len(methods)
    own = replace(launch, stdin=stdin, limits=replace(launch.limits, time=seconds, cpu=seconds))
    own = probe.with_reference_unit(own, method_of(case), course.spec, {}, [method.name for method in methods])
    results = probe.recorded_in(course.execute(own), own)[0]
    for method in methods:
        failures, runs = (results.get(method.name, {}).get(key, ()) for key in ("failures", "runs"))
        skips = [failure for failure in failures[:1] if failure["kind"] == "skipped" and not failure.get("given")]
        completed.append(replace(method, own_skip=skips[0]["message"]) if skips and len(failures) >= runs else method)
    return replace(suite, methods=tuple(completed))


def _broken_suite(unit: UnitMethod, suite: CollectedSuite, spec: Spec) -> str:
    """Return why a file runs with no submission; "" where it runs, or where that is unknown."""
    loading = suite.loading
    if loading is None:
        return ""
    if loading.type == "ModuleNotFoundError" and not loading.place and "'" in loading.message:
        missing = loading.message.split("'")[1]
        return f"{unit.file} imports {quote(missing)}, which is not there: {_WHERE}"
    if suite.guessed:
        return ""
    place = f" ({loading.test_place or loading.place})" if loading.test_place or loading.place else ""
    message, kind = f": {quote(loading.message, most=160)}" if loading.message else "", loading.type.rpartition(".")[2]
    if loading.kind == "skipped" or kind in ("SkipTest", "Skipped"):
        return f"{unit.file} skips itself, whatever is handed in{message}{place}"
    what = " with the reference either" if probe.reference_files_for(unit, spec) else ", whatever is handed in"
    return f"{unit.file} cannot be loaded{what}: {quote(kind)}{message}{place}"


def _launch(unit: UnitMethod, case: Case, spec: Spec, reference: Mapping[str, bytes]) -> Launch:
    within = probe.reference_folder(unit, spec) if reference else ""
    modules = _modules_of_students(spec)
    exact, globs = [name for name in modules if name.isidentifier()], [name for name in modules if set("*?[") & {*name}]
    if within:
        inside = (PurePosixPath(name) for name in reference)
        below = [str(path.relative_to(within)) for path in inside if within == "." or path.is_relative_to(within)]
        exact, globs = [name for name in exact if name not in probe.modules_of(below)], []
    request = {
        "framework": unit.framework,
        **probe.about_files(unit, probe.unit_files(unit)),
        "within": [*([within] if within else []), "."],
        "own": [PurePosixPath(name).stem for name in spec.files.required_names] if within else exact,
        "stubs": exact,
        "guesses": globs,
        "imports": sorted({*chain(*imports_by_method(unit.source).values())}),
    }
    argv = ("python3", "-I", "-u", "-c", f"{python_driver('unit', 'suite')}answer_suite_request()\n")
    files = {**(reference if within else {}), **(spec.build.files if spec.build else {}), **case.files}
    files, limits = {**files, **probe.unit_files(unit)}, at_least(probe.REFERENCE_LIMITS, case.limits)
    launch = Launch(argv=argv, files=files, env=case.env, limits=limits, stdin=case.stdin)
    return with_request(launch, request, "suite", _MAX_ANSWER_BYTES)


def _modules_of_students(spec: Spec) -> list[str]:
    """Return the names and globs of the modules that a submission may bring; `*` where the spec names no files."""
    given, produced = (*spec.files.required_names, *spec.files.optional), spec.build.produces if spec.build else ()
    started = [word for word in spec.program if word.endswith(".py")]
    named = [name for name in (*given, *produced, *started) if name.endswith(".py") or "/" in name]
    return [*probe.modules_of(named), *([] if spec.files.required or spec.files.optional else ["*"])]


def _with_collected(test: Test, course: "Course") -> Test:
    """Return a test with the methods that its framework collects as its cases."""
    first, cases = test.cases[0], list[Case]()
    unit, suite = unit_of(first), suite_of(first, course)
    if unit is None or suite is None:
        return test
    if suite.unknown or suite.loading is not None:
        fault = _broken_suite(unit, suite, course.asked_in(first).spec)
        if not fault and (unit.method == ALL_METHODS or unit.is_counted):  # its text shows no cases, or no values
            why = suite.unknown or "it cannot be loaded without a reference"
            fault = f"nobody knows the tests of {unit.file}: {why}"
    else:
        cases = [*_collected_cases(test, unit, suite)]
        why = next(filter(None, map(why_idle, suite.methods)), "")
        fault = f"{unit.framework} runs no test of {unit.file}: {f'each {why}' if why else 'it finds none'}"
    if not cases and fault:
        cases = [replace(case, payload=replace(own, fault=fault)) for case in test.cases if (own := unit_of(case))]
    return replace(test, cases=tuple(cases)) if cases else test


def why_idle(method: CollectedMethod) -> str:
    """Return why a method that is collected judges nothing; "" where it does."""
    if method.skipped:
        return f"is skipped: {quote(method.skipped, most=160)}"
    if method.expects_failure:
        return "expects to fail"
    if method.own_skip is not None:
        return f"skips itself with the reference, too: {quote(method.own_skip, most=160)}"
    return ""


def _collected_cases(test: Test, unit: UnitMethod, suite: CollectedSuite) -> Iterator[Case]:
    """Yield a case of each method that judges something: of those that the text shows, and then of the others."""
    collected = {method.name: method for method in suite.methods}
    shown = {own.method: case for case in test.cases if (own := unit_of(case))}
    others = [] if unit.is_chosen else [name for name in collected if name not in shown]
    for name in [*shown, *others]:
        method = collected.get(name)
        is_idle = bool(why_idle(method)) if method else not unit.is_chosen
        if name == ALL_METHODS or (suite.is_certain and is_idle):
            continue
        changed: dict[str, Any] = {"method": name, "fault": _fault_of(name, method, unit, suite)}
        if method and not changed["fault"]:
            changed |= {"skips": method.skips if suite.is_certain else ()}
            changed |= {"values": method.runs, "idle": method.idle} if unit.is_counted else {}
        yield replace(shown.get(name) or _added_case(test, unit, name, collected), payload=replace(unit, **changed))


def _added_case(test: Test, unit: UnitMethod, name: str, collected: Mapping[str, CollectedMethod]) -> Case:
    """Return the case of a method that the text does not show."""
    label = case_label(name, unit.file)
    label = label if f"{test.name}[{label}]" not in {case.id for case in test.cases} else name
    default = collected[name].weight or (any(method.weight for method in collected.values()) and "0") or "1"
    weight = find_weights([label], unit.weights.items()).get(label, Fraction(default))
    return replace(test.cases[0], id=f"{test.name}[{label}]", weight=weight)


def _fault_of(method: str, known: CollectedMethod | None, unit: UnitMethod, suite: CollectedSuite) -> str:
    """Return what keeps a method from running, whatever is handed in; "" where nothing does."""
    if known is None:
        return f"{unit.framework} finds no {method} in {unit.file}" if suite.is_certain else ""
    name, why = f"{method} of {unit.file}", ""
    if known.is_nameless:
        name, why = f"{quote(method)} of {unit.file}", "has a name that no case can have"
    elif absent := sorted(imports_by_method(unit.source).get(method, set()) & {*suite.absent}):
        why = f"imports {quote(absent[0])}, which is not there: {_WHERE}"
    elif known.lacks:
        why = f"asks for the fixture {quote(known.lacks)}: write it, or name the `conftest.py` that has it under `with`"
    elif unit.is_counted and not suite.is_certain:
        why = "shares its points among values, and what is handed in decides with how many values it is run"
        why = f"{why}: give the spec a reference"
    return f"{name} {why}" if why else ""
