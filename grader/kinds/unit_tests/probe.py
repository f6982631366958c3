"""Methods of unit tests: a driver in the sandbox runs each in a process of its own, or those that share one in that.

The tests and the tested code share a process, so the record could be forged. The driver ignores everything in the
submission that a framework would search for: plugins, settings, engines, listeners, and classes with the name of one of
its own. It records the result of a method when that is over: a process that ends earlier leaves no record, and the
method does not pass.
"""

import re
import secrets
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.diagnosis import find_cause
from grader.core.errors import HostError
from grader.core.kind import Requirement, RunnerShowing
from grader.core.lazy import lazy_regex
from grader.core.limits import limit_sentence
from grader.core.model.decoding import decodable
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Spec
from grader.core.notebook.linear import is_notebook, module_name
from grader.core.text import quote
from grader.kinds.harness.host import Driver, output_after_marks, python_driver, read_record, request_of, with_request
from grader.kinds.harness.java import produced_archives, ready_driver
from grader.kinds.unit_tests.junit_jars import (
    JAVA_LIBRARIES,
    JUNIT_4_JARS,
    JUNIT_JARS,
    class_path,
    course_archives,
    course_jars,
    framework_jars,
    is_junit_4,
    missing_jar,
)
from grader.kinds.unit_tests.model import UnitFramework, UnitMethod, UnitRun, modules_imported_by, unit_of

UNIT_PACKAGES: Mapping[UnitFramework, str] = {"junit": "junit5", "pytest": "python3-pytest"}
"""framework -> the Debian package that it is in, where it does not come with its language"""
TEST_FOLDER = ".grader-unit"
PROBE_ARCHIVE = f"{TEST_FOLDER}/probe.jar"
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_MAX_ERROR_LENGTH, _MAX_COMPILED = 200, 32
_COMPILED: "dict[object, Compiled]" = {}
_MAX_RECORD_BYTES, _MAX_SHARED_RECORD_BYTES = 2**20, 2**24
_SHARE = lazy_regex(r"[01]\.\d{1,12}")
REFERENCE_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, processes=256)


def framework_packages(case: Case) -> tuple[str, ...]:
    """Return the Debian package of the framework of a case, where it does not come with its language."""
    method = unit_of(case)
    package = UNIT_PACKAGES.get(method.framework) if method else None
    return (package,) if package else ()


def find_frameworks(runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether this machine has pytest, in the Python of the sandbox, which is not ours, and JUnit."""
    is_there, found = False, "not tried"
    if runner_showing:
        try:
            run = runner_showing(())(Launch(argv=("python3", "-I", "-c", "import pytest; print(pytest.__version__)")))
            is_there, version = run.status == 0, run.stdout.decode().strip()
            absent = "the python3 of the sandbox has no pytest"
            found = f"pytest {version}, for unit tests in Python" if is_there else absent
        except HostError as error:
            found = str(error)
    yield _requirement("pytest", found, is_there=is_there, remedy=UNIT_PACKAGES["pytest"] if runner_showing else "")
    junit, older, package = missing_jar(JUNIT_JARS), missing_jar(JUNIT_4_JARS), UNIT_PACKAGES["junit"]
    found = "JUnit 5 and 4, for unit tests in Java"
    if older:
        found = f"JUnit 5, for unit tests in Java; there is no {older}, which tests for JUnit 4 need"
    if junit:
        yield _requirement("junit", f"there is no {junit}", is_there=False, remedy=package)
    else:
        yield _requirement("junit", found, is_there=not older, remedy=f"{package} junit4")


def _requirement(name: str, found: str, *, is_there: bool, remedy: str) -> Requirement:
    remedy = f"apt-get install {remedy}" if remedy and not is_there else ""
    return Requirement(name=name, state="ok" if is_there else "missing", found=found, remedy=remedy)


# ---------------------------------------------------------------- what has to be compiled


def ready_units(spec: Spec, versions: Mapping[str, str], cache: Cache, run: Runner) -> Driver:
    """Compile what runs unit tests, if any is in Java, once for all submissions.

    Raises HostError when the framework is missing.
    """
    units = [unit for test in spec.tests for unit in map(unit_of, test.cases) if unit and unit.framework == "junit"]
    if not units:
        return Driver(language="python")
    for unit in units:
        if missing := missing_jar(framework_jars(unit)):
            version = "JUnit 4" if missing in JUNIT_4_JARS else "JUnit"
            packages = f"{UNIT_PACKAGES['junit']}{' junit4' if missing in JUNIT_4_JARS else ''}"
            raise HostError(f"there is no {missing}, which {unit.file} for {version} needs: apt-get install {packages}")
    made = ready_driver(["UnitProbe", "Copies"], JUNIT_JARS, versions, cache, run)
    return Driver(language="java", files={PROBE_ARCHIVE: made})


def javac_command(*copies: UnitMethod, path: str, options: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the command that compiles a test in Java, or copies of one in one machine, with the classes of a `path`.

    Each copy is in `_copy_folder`.
    """
    words = ["-proc:none", "-g", "-encoding", "UTF-8", "-cp", path, *options]
    for number, unit in enumerate(copies):
        at = _copy_folder(number)
        sources = (name for name in (PurePosixPath(unit.file).name, *unit.helpers) if name.endswith(".java"))
        words += [*(("+",) if len(copies) > 1 else ()), "-d", f"{at}/classes", *(f"{at}/{name}" for name in sources)]
    if len(copies) > 1:
        return ("java", *_QUICK, "-cp", PROBE_ARCHIVE, "grader.Copies", *words)
    return ("javac", *(f"-J{option}" for option in _QUICK), *words)


def _copy_folder(number: int) -> str:
    """Return the folder of a copy of a test, of which the first is the test itself."""
    return f"{TEST_FOLDER}/copy{number}" if number else TEST_FOLDER


class Compiled(Struct, frozen=True, kw_only=True):
    """A unit test made ready to be run with what was built in a folder."""

    files: Mapping[str, bytes] = {}
    """the files that it needs in its folder"""
    problem: str = ""
    """why it cannot be run with it, in one sentence"""


def compile_units(
    *copies: UnitMethod, folder: Path, spec: Spec, build: tuple[Limits, Mapping[str, str]], probe: Driver, run: Runner
) -> list[Compiled]:
    """Compile a unit test, or copies of one, with the classes in `folder`, where its language asks for that.

    `build` are the limits and the environment of a build, `probe` is what runs it. Copies are compiled in one Java
    machine, whose start takes longer than they do; where one of them cannot be compiled, none is.
    """
    if copies[0].framework != "junit":
        return [Compiled(files=unit_files(one)) for one in copies]
    path = class_path(copies[0], (PROBE_ARCHIVE,), spec, (*produced_archives(folder, spec.build), "."))
    # Neither processors of annotations nor sources of the student's have a place here: what was built is tested.
    options = ("-sourcepath", f"{TEST_FOLDER}/nothing", "-implicit:none")
    folders = [_copy_folder(number) for number in range(len(copies))]
    files = {**probe.files, **course_jars(copies[0])}
    for unit, at in zip(copies, folders, strict=True):
        files |= {name.replace(TEST_FOLDER, at, 1): content for name, content in unit_files(unit).items()}
    found = run(
        Launch(
            argv=javac_command(*copies, path=path, options=options),
            folder=folder,
            files=files,
            limits=build[0],
            env=build[1],
            collect=tuple(f"{at}/classes/*.class" for at in folders),
        )
    )
    made = []
    for unit, at in zip(copies, folders, strict=True):
        classes = {name: one for name, one in found.files.items() if name.startswith(f"{at}/classes/")}
        resources = {name: content for name, content in unit_files(unit).items() if not name.endswith(".java")}
        moved = {name.replace(at, TEST_FOLDER, 1): one for name, one in classes.items()}
        is_made = found.status == 0 and classes
        ready = Compiled(files={**probe.files, **course_jars(unit), **resources, **moved})
        made.append(ready if is_made else Compiled(problem=_why_not_compiled(unit, found)))
    return made


def compile_once(key: object, make: Callable[[], Compiled]) -> Compiled:
    """Return what is compiled for a key, once unless many others were asked for meanwhile: tests may share a file."""
    _COMPILED[key] = found = _COMPILED.pop(key, None) or make()
    for old in [*_COMPILED][:-_MAX_COMPILED]:
        _COMPILED.pop(old, None)
    return found


def _why_not_compiled(unit: UnitMethod, found: Execution) -> str:
    error = find_cause(found.stderr).error.replace(f"{TEST_FOLDER}/", "")
    why = f"the compiler {limit_sentence(found.limit)}" if found.limit else quote(error, most=_MAX_ERROR_LENGTH)
    return f"The unit test {PurePosixPath(unit.file).name} cannot be compiled with what was handed in: {why}."


def unit_files(unit: UnitMethod) -> dict[str, bytes]:
    """Return the files of a unit test in the working folder: the test, and the course's files beside it."""
    folder = str(PurePosixPath(test_file_of(unit)).parent)
    return {
        **{f"{folder}/{name}": content for name, content in unit.helpers.items()},
        test_file_of(unit): unit.source,
    }


def helper_modules(unit: UnitMethod) -> list[str]:
    """Return the modules that the course's files beside a test are."""
    helpers = dict.fromkeys(PurePosixPath(name).parts[0].removesuffix(".py") for name in unit.helpers)
    return [name for name in helpers if name.isidentifier()]


def test_file_of(unit: UnitMethod) -> str:
    """Return where the test of a method is in the working folder: in a folder of that name where it is in a package."""
    file = PurePosixPath(unit.file)
    if unit.framework == "junit" or "__init__.py" not in unit.helpers:
        return f"{TEST_FOLDER}/{file.name}"
    name = file.parent.name
    is_free = name.isidentifier() and name not in sys.stdlib_module_names
    return f"{TEST_FOLDER}/{name if is_free else 'course_tests'}/{file.name}"


# ---------------------------------------------------------------- what is started


def _preloaded(unit: UnitMethod) -> str:
    """Return the beginning of the program that runs methods in Python, which needs no request."""
    if unit.framework == "junit":
        return ""
    return f"{python_driver('unit')}loaded = load_framework(ready_{unit.framework})\n"


def unit_command(unit: UnitMethod, folder: Path | None, spec: Spec) -> tuple[str, ...]:
    """Return the command that starts the probe in `folder`."""
    if unit.framework != "junit":
        # -I: a student's `pytest.py` or `sitecustomize.py` is not ours; -u: what was printed before the end is known.
        return ("python3", "-I", "-u", "-c", f"{_preloaded(unit)}answer_unit_request(loaded)\n")
    behind = (f"{TEST_FOLDER}/classes", TEST_FOLDER, *produced_archives(folder, spec.build), ".")
    path = class_path(unit, (PROBE_ARCHIVE,), spec, behind)
    return ("java", "-XX:+UseSerialGC", "-XX:+DisableAttachMechanism", "-cp", path, "grader.UnitProbe")


def with_unit_request(
    launch: Launch,
    unit: UnitMethod,
    spec: Spec,
    files: Mapping[str, bytes],
    token: str = "",
    *,
    methods: Sequence[str] = (),
    within: str = ".",
) -> Launch:
    """Return `launch` with the request for a method, or all `methods` of its process, and the `files` that it needs.

    What is tested is `within` a folder. Without a `token`, an unguessable one is generated.
    """
    texts = [files.get(name, b"").decode(errors="replace") for name in unit_files(unit) if name.endswith(".py")]
    request = {
        "framework": "junit4" if is_junit_4(unit) else unit.framework,
        "within": within,
        "file": test_file_of(unit),
        "methods": methods or (unit.method,),
        "helpers": helper_modules(unit),
        "imported": modules_imported_by("\n".join(texts)),
        # A student's `queue` is tested where one is asked for, and not the one of the language.
        "own": _own_modules(spec),
    }
    limits, count = launch.limits, len(request["methods"])
    limits = replace(limits, time=limits.time * count, cpu=limits.cpu * count, output=limits.output * count)
    launch = replace(launch, preload=_preloaded(unit), files={**launch.files, **files}, limits=limits)
    limit = _MAX_SHARED_RECORD_BYTES if count > 1 else _MAX_RECORD_BYTES
    return with_request(launch, request, token or secrets.token_hex(16), limit)


def reference_files_for(unit: UnitMethod, spec: Spec) -> list[str]:
    """Return the files of the reference that a unit test could be about."""
    ending = ".java" if unit.framework == "junit" else ".py"
    work = spec.reference_work
    # One that is built lies in its folder as a submission does.
    is_built = work is not None and work.language == spec.language
    if is_built and unit.framework == "unittest" and spec.language != "python":
        return list(spec.files.required_names)  # the test starts programs of another language
    words = _required_modules(spec) if is_built else spec.reference or ()
    return [word for word in words if PurePosixPath(word).suffix == ending]


def _required_modules(spec: Spec) -> tuple[str, ...]:
    """Return the names of the required files, and of the modules that are made of notebooks among them."""
    return tuple(module_name(name) if is_notebook(name) else name for name in spec.files.required_names)


def reference_folder(unit: UnitMethod, spec: Spec) -> str:
    """Return the folder of the files of the reference that a unit test could be about, of which there are some."""
    return str(PurePosixPath(reference_files_for(unit, spec)[0]).parent)


def with_reference_unit(launch: Launch, unit: UnitMethod, spec: Spec, driver: Driver, methods: Sequence[str]) -> Launch:
    """Return `launch` for the same method with the reference, which has to be in the language of the submissions.

    Raises HostError when it is in none of the files that the command of the reference names.
    """
    words = reference_files_for(unit, spec)
    if not words:
        raise HostError(f"the reference, {shlex.join(spec.reference or ())}, has nothing for {unit.file} to test")
    within = reference_folder(unit, spec)
    launch = replace(launch, argv=unit_command(unit, None, spec))
    if unit.framework == "junit":
        path = class_path(unit, (), spec, (within,))
        compiler = shlex.join(javac_command(unit, path=path, options=("-sourcepath", within)))
        launch = replace(launch, argv=("sh", "-c", f"{compiler} >&2 && exec {shlex.join(launch.argv)}"))
    files = {**driver.files, **course_jars(unit), **unit_files(unit)}
    return with_unit_request(launch, unit, spec, files, "reference", methods=methods, within=within)


def _own_modules(spec: Spec) -> list[str]:
    names = (*_required_modules(spec), *spec.files.optional)
    return [PurePosixPath(name).stem for name in names if name.endswith(".py") and "*" not in name]


def methods_of(launch: Launch) -> list[str]:
    """Return the methods that a launch runs."""
    return list(request_of(launch)[0]["methods"])


def unit_text(unit: UnitMethod, spec: Spec) -> str:
    """Write the command that runs a method by hand."""
    name = PurePosixPath(unit.file)
    if unit.framework == "pytest":
        return shlex.join(["python3", "-m", "pytest", "::".join([str(name), *unit.method.split(".")])])
    if unit.framework == "unittest":
        return shlex.join(["python3", "-m", "unittest", f"{'.'.join(name.with_suffix('').parts)}.{unit.method}"])
    owner, _, method = unit.method.rpartition(".")
    console = str(JAVA_LIBRARIES / "junit-platform-console-standalone.jar")
    path = ":".join((*course_archives(unit, spec.build), "."))
    helpers = (str(name.parent / one) for one in unit.helpers if one.endswith(".java"))
    compiler = ["javac", "-cp", f"{console}:{path}", "-d", ".", str(name), *helpers]
    return f"{shlex.join(compiler)} && {shlex.join(['java', '-jar', console, '-cp', path, '-m', f'{owner}#{method}'])}"


# ---------------------------------------------------------------- the record


def with_unit(execution: Execution, unit: UnitMethod, launch: Launch) -> Execution:
    """Return `execution` with the result of a method, read from the record of `launch`'s driver.

    Raises HostError when the driver or the framework did not start; any later failure is the submission's.
    """
    request, _ = request_of(launch)
    mark, methods = request["mark"], request["methods"]
    # The sign of the start comes before any of the student's code, and that there is no framework in its place.
    if execution.stdout.startswith(f"\x1e{mark} absent\n".encode()):
        package = UNIT_PACKAGES.get(unit.framework, "")
        raise HostError(f"there is no {unit.framework} for the python3 of this machine: apt-get install {package}")
    printed = b"".join(output_after_marks(execution, mark, f"what runs {unit.file}"))
    record = recorded_in(execution, launch).results.get(unit.method)
    run = UnitRun(is_recorded=False)
    with suppress(ValueError):
        found = msgspec.convert(record, decodable(UnitRun)) if record else run
        run = found if not found.share or _SHARE.fullmatch(found.share) else run
    execution = replace(execution, stdout=printed, files={}, facts=run)
    return _own_part(execution, run, methods.index(unit.method), mark, len(methods)) if len(methods) > 1 else execution


def _own_part(execution: Execution, run: UnitRun, place: int, mark: str, number: int) -> Execution:
    """Return what happened in one of several methods that shared a process: its time, its output, and its end."""
    written = {name: _written_in(getattr(execution, name), place, mark) for name in ("stdout", "stderr")}
    if not run.is_recorded:
        return replace(execution, **written)
    limits = execution.limits
    limits = replace(limits, time=limits.time / number, cpu=limits.cpu / number, output=limits.output // number)
    # That the process ended later, in another method, is nothing of this one.
    ended: dict[str, Any] = {"limit": None, "status": 0, "signal": None, "measured": (), "doubts": frozenset()}
    return replace(execution, time=run.time / 1000, cpu=run.cpu / 1000, limits=limits, **ended, **written)


def _written_in(stream: bytes, place: int, mark: str) -> bytes:
    """Return what was written in a method; for the first, with what was written before."""
    loading, *parts = re.split(rb"\x1e%b (\d+)\n" % mark.encode(), stream)
    own = [part for number, part in zip(parts[::2], parts[1::2], strict=True) if int(number[:9]) == place]
    return b"".join([loading if not place else b"", *own])


class RecordedLines(Struct, frozen=True, kw_only=True):
    """What a driver recorded."""

    results: Mapping[str, Mapping[str, Any]] = {}
    """method -> what came of it"""
    begun: tuple[str, ...] = ()
    """the methods that began, in their order"""


def recorded_in(execution: Execution, launch: Launch) -> RecordedLines:
    """Return what the driver of a launch recorded."""
    request, _ = request_of(launch)
    return _recorded_lines(execution.files.get(request["record"], b""), request["secret"])


@lru_cache(maxsize=2)  # read once for all methods in it
def _recorded_lines(recorded: bytes, secret: str) -> RecordedLines:
    begun, results = list[str](), dict[str, Mapping[str, Any]]()
    for line in read_record(recorded, secret):
        method, event = line.pop("method", None), line.pop("event", None)
        if event == "begin":
            begun.append(method)
        else:
            results.setdefault(method, {key: value for key, value in line.items() if value is not None})
    return RecordedLines(results=results, begun=tuple(begun))
