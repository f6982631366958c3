"""The driver of unit tests, which ignores files of a submission that configure a framework, and its record."""

import re
import secrets
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from grader.core.diagnosis import find_cause
from grader.core.errors import HostError
from grader.core.kind import RunnerShowing
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import Limits, limit_sentence
from grader.core.model.spec import Case, Requirement, Spec
from grader.core.model.values import decodable
from grader.core.notebook import is_notebook, module_name
from grader.core.run.runner import limits_of
from grader.core.text import quote
from grader.kinds.harness import host
from grader.kinds.harness.host import output_after_marks, python_driver, request_of, with_request
from grader.kinds.harness.java import produced_archives, ready_driver, share_classes
from grader.kinds.unit_tests import junit_jars
from grader.kinds.unit_tests.junit_jars import (
    JUNIT_4_JARS,
    JUNIT_JARS,
    PROBE_ARCHIVE,
    SHARED_PATH,
    TEST_FOLDER,
    class_path,
    course_jars,
    framework_jars,
    missing_jar,
)
from grader.kinds.unit_tests.model import UNIT_PACKAGES, UnitMethod, UnitRun, method_of, modules_imported_by, unit_of

if TYPE_CHECKING:
    from grader.core.course import Course

_Files = Mapping[str, bytes]
_COMPILER_CLASSES, _TEST_CLASSES = (f"{TEST_FOLDER}/{name}.jsa" for name in ("compiler", "tests"))
_STREAMS = ("stdout", "stderr")
_SERIAL = "-XX:+UseSerialGC"
_LATER = "-XX:CompileThresholdScaling=3"  # a test is over before what JUnit does once is worth to be compiled
_QUICK = ("-XX:TieredStopAtLevel=1", _SERIAL)
_MAX_ERROR_LENGTH, _MAX_COMPILED = 200, 32
_COMPILED: "dict[object, Compiled]" = {}
_MAX_RECORD_BYTES, _MAX_SHARED_RECORD_BYTES = 2**20, 2**24
_MOCKS = lazy_regex(rb"mock|[aA]syncio|concurrent")  # what loads half of Python, as a package may
_SHARE = lazy_regex(r"[01]\.\d{1,12}")
REFERENCE_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, processes=256)


def requirements(runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether this machine has pytest, in the Python of the sandbox, which is not ours, and JUnit."""
    pytest = Requirement(name="pytest", state="missing", found="not tried")
    if runner_showing:
        remedy = f"apt-get install {UNIT_PACKAGES['pytest']}"
        pytest = replace(pytest, found="the python3 of the sandbox has no pytest", remedy=remedy)
        try:
            run = runner_showing(())(Launch(argv=("python3", "-I", "-c", "import pytest; print(pytest.__version__)")))
            if run.status == 0:
                found = f"pytest {run.stdout.decode().strip()}, for unit tests in Python"
                pytest = Requirement(name="pytest", state="ok", found=found)
        except HostError as error:
            pytest = replace(pytest, found=str(error))
    yield pytest
    junit = Requirement(name="junit", state="ok", found="JUnit 5 and 4, for unit tests in Java")
    remedy = f"apt-get install {UNIT_PACKAGES['junit']}"
    if absent := missing_jar(JUNIT_JARS):
        junit = replace(junit, state="missing", found=f"there is no {absent}", remedy=remedy)
    elif absent := missing_jar(JUNIT_4_JARS):
        found = f"JUnit 5, for unit tests in Java; there is no {absent}, which tests for JUnit 4 need"
        junit = replace(junit, state="missing", found=found, remedy=f"{remedy} junit4")
    yield junit


def prepare(course: "Course") -> "Course":
    """Return the course with what runs unit tests, compiled once. Raises HostError when the framework is not there."""
    units = (unit_of(case) for test in course.spec.tests for case in test.cases)
    files = dict[str, bytes]()
    for unit in (unit for unit in units if unit and unit.framework == "junit"):
        if missing := missing_jar(framework_jars(unit)):
            version, more = ("JUnit 4", " junit4") if missing in JUNIT_4_JARS else ("JUnit", "")
            remedy = f"apt-get install {UNIT_PACKAGES['junit']}{more}"
            raise HostError(f"there is no {missing}, which {unit.file} for {version} needs: {remedy}")
        files = files or _java_files(course)
    return replace(course, prepared={**course.prepared, "unit": files})


def _java_files(course: "Course") -> dict[str, bytes]:
    """Return the driver of tests in Java, and the classes that its compiler and its runs take, for all machines."""
    around = (JUNIT_JARS, course.versions, course.cache, course.execute)
    files = {PROBE_ARCHIVE: ready_driver(["UnitProbe"], *around)}
    source, start = (host.PROBES / "UnitProbe.java").read_bytes(), (_SERIAL, "-cp", SHARED_PATH)
    compiler = (*start, "grader.UnitProbe$Copies", "+", "-proc:none", "-g", "-cp", SHARED_PATH, "UnitProbe.java")
    compiling = Launch(argv=compiler, files={**files, "UnitProbe.java": source})
    methods = [f"grader.UnitProbe$Warmup.{name}" for name in ("passes", "fails")]
    request = {"framework": "junit", "file": "UnitProbe.java", "methods": methods}
    testing = with_request(Launch(argv=(*start, "grader.UnitProbe"), files=files), request, "warm-up", 0)
    shared = {_COMPILER_CLASSES: compiling, _TEST_CLASSES: testing}
    return {**files, **{name: share_classes(launch, *around) for name, launch in shared.items()}}


def _sharing(archive: str) -> tuple[str, ...]:
    return f"-XX:SharedArchiveFile={archive}", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"


def javac_command(unit: UnitMethod, path: str, *options: str) -> tuple[str, ...]:
    """Return the command that compiles a test in Java with the classes of a `path`."""
    return ("javac", *(f"-J{option}" for option in _QUICK), *_javac_words(unit, TEST_FOLDER, path, *options))


def _javac_words(unit: UnitMethod, folder: str, path: str, *options: str) -> list[str]:
    sources = [name for name in unit_files(unit, folder) if name.endswith(".java")]
    return ["-proc:none", "-g", "-encoding", "UTF-8", "-cp", path, *options, "-d", f"{folder}/classes", *sources]


class Compiled(NamedTuple):
    """A unit test made ready to be run with what was built in a folder."""

    files: Mapping[str, bytes]  # that it needs in its folder
    problem: str = ""  # why it cannot be run with it, in one sentence


def compile_units(*copies: UnitMethod, folder: Path | None, course: "Course", run: Runner) -> list[Compiled]:
    """Compile a unit test in Java, or copies of it in one machine, with the classes in a folder."""
    if not copies or copies[0].framework != "junit" or folder is None:
        return [Compiled(unit_files(copy)) for copy in copies]
    spec, toolchain = course.spec, course.toolchain
    limits = limits_of(toolchain.build_limits, {})
    path = class_path(copies[0], spec, (*produced_archives(folder, spec.build), "."))
    # Neither processors of annotations nor sources of the student's have a place here: what was built is tested.
    options = ("-sourcepath", f"{TEST_FOLDER}/nothing", "-implicit:none")
    driver, jars = course.prepared["unit"], course_jars(copies[0])
    ready = {name: driver[name] for name in (PROBE_ARCHIVE, _TEST_CLASSES)} | jars
    placed = {f"{TEST_FOLDER}/copy{number}" if number else TEST_FOLDER: unit for number, unit in enumerate(copies)}
    arguments = (word for at, unit in placed.items() for word in ("+", *_javac_words(unit, at, path, *options)))
    # Nothing that was handed in is on the path of the compiler itself, which may look for services there.
    argv = ("java", *_QUICK, *_sharing(_COMPILER_CLASSES), "-cp", SHARED_PATH, "grader.UnitProbe$Copies", *arguments)
    files = {name: driver[name] for name in (PROBE_ARCHIVE, _COMPILER_CLASSES)} | jars
    files |= {name: content for at, unit in placed.items() for name, content in unit_files(unit, at).items()}
    limits = replace(limits, time=limits.time * len(copies), cpu=limits.cpu * len(copies))
    launch = Launch(argv=argv, folder=folder, files=files, limits=limits, env=toolchain.build_env)
    execution = run(replace(launch, collect=tuple(f"{at}/classes/*.class" for at in placed)))
    compiled = []
    for at, unit in placed.items():
        own = [name for name in execution.files if name.startswith(f"{at}/classes/")]
        classes = {name.replace(at, TEST_FOLDER, 1): execution.files[name] for name in own}
        resources = {name: content for name, content in unit_files(unit).items() if not name.endswith(".java")}
        is_compiled = classes and (execution.status == 0 or len(copies) > 1)
        files = {**ready, **resources, **classes}
        compiled.append(Compiled(files) if is_compiled else _why_not_compiled(unit, execution))
    return compiled


def compile_once(key: object, make: Callable[[], Compiled]) -> Compiled:
    """Return what was compiled for a key, or compile it; the latest are kept, since tests may share a file."""
    _COMPILED[key] = compiled = _COMPILED.pop(key, None) or make()
    for old in [*_COMPILED][:-_MAX_COMPILED]:
        _COMPILED.pop(old, None)
    return compiled


_NO_METHOD = lazy_regex(r": error: cannot find symbol\n.*\n.*\n +symbol: +method (.+)\n +location: .*?\b(\w+)(?:<|\n)")


def _why_not_compiled(unit: UnitMethod, execution: Execution) -> Compiled:
    error = find_cause(execution.stderr).error.replace(f"{TEST_FOLDER}/", "")
    lacks = _NO_METHOD.search(execution.stderr.decode(errors="replace"))
    why = f"{quote(lacks[2])} has no method {quote(lacks[1])}" if lacks else quote(error, most=_MAX_ERROR_LENGTH)
    why = f"the compiler {limit_sentence(execution.limit)}" if execution.limit else why
    name = PurePosixPath(unit.file).name
    return Compiled({}, f"The unit test {name} cannot be compiled with what was handed in: {why}.")


def unit_files(unit: UnitMethod, at: str = TEST_FOLDER) -> dict[str, bytes]:
    """Return the files of a unit test in the working folder: the test, and the course's files beside it."""
    file = test_file_of(unit).replace(TEST_FOLDER, at, 1)
    folder = str(PurePosixPath(file).parent)
    return {file: unit.source, **{f"{folder}/{name}": content for name, content in unit.helpers.items()}}


def about_files(unit: UnitMethod, files: _Files) -> dict[str, Any]:
    """Return what a request says of the files of a unit test; `files` are all in the working folder."""
    texts = [files.get(name, b"").decode(errors="replace") for name in unit_files(unit) if name.endswith(".py")]
    return {
        "file": test_file_of(unit),
        "helpers": [name for name in modules_of(unit.helpers) if name.isidentifier()],
        "imported": modules_imported_by("\n".join(texts)),
        "replaces_builtins": any("builtins" in text for text in texts),
    }


def modules_of(paths: Iterable[str]) -> list[str]:
    """Return the modules, or packages, that these files are, each once."""
    return [*dict.fromkeys(PurePosixPath(path).parts[0].removesuffix(".py") for path in paths)]


def test_file_of(unit: UnitMethod) -> str:
    """Return where a method's test lies in the working folder; that of a package lies in a folder of that name."""
    file = PurePosixPath(unit.file)
    if unit.framework == "junit" or "__init__.py" not in unit.helpers:
        return f"{TEST_FOLDER}/{file.name}"
    name = file.parent.name
    is_free = name.isidentifier() and name not in sys.stdlib_module_names
    return f"{TEST_FOLDER}/{name if is_free else 'course_tests'}/{file.name}"


def _preloaded(unit: UnitMethod, spec: Spec) -> str:
    """Return the beginning of the program that runs methods in Python, which needs no request."""
    texts = [content for name, content in unit_files(unit).items() if name.endswith(".py")]
    mocks = ', "unittest.mock"' if spec.requires or any(map(_MOCKS.search, texts)) else ""
    return f"{python_driver('unit')}loaded = load_framework(ready_{unit.framework}{mocks})\n"


def unit_command(unit: UnitMethod, folder: Path | None, spec: Spec) -> tuple[str, ...]:
    """Return the command that starts the probe in `folder`."""
    if unit.framework != "junit":
        # -I: a student's `pytest.py` or `sitecustomize.py` is not ours; -u: what was printed before the end is known.
        return ("python3", "-I", "-u", "-c", f"{_preloaded(unit, spec)}answer_unit_request(loaded)\n")
    behind = (f"{TEST_FOLDER}/classes", TEST_FOLDER, *produced_archives(folder, spec.build), ".")
    path, sharing = class_path(unit, spec, behind), _sharing(_TEST_CLASSES) if folder else ()
    return ("java", _SERIAL, _LATER, *sharing, "-XX:+DisableAttachMechanism", "-cp", path, "grader.UnitProbe")


def with_unit_request(
    launch: Launch, unit: UnitMethod, spec: Spec, files: _Files, token: str = "", *, methods: Sequence[str] = ()
) -> Launch:
    """Return `launch` with the request for a method, or all `methods` of its process, which test its folder."""
    modules = (name for name in (*_required_modules(spec), *spec.files.optional) if name.endswith(".py"))
    request = {
        "framework": "junit4" if junit_jars.is_junit_4(unit) else unit.framework,
        "within": ("" if launch.folder else reference_folder(unit, spec)) or ".",
        "methods": methods or (unit.method,),
        **about_files(unit, files),
        # A student's `queue` is tested where one is asked for, and not the one of the language.
        "own": [PurePosixPath(name).stem for name in modules if "*" not in name],
    }
    limits, count = launch.limits, len(request["methods"])
    limits = replace(limits, time=limits.time * count, cpu=limits.cpu * count, output=limits.output * count)
    preload = "" if unit.framework == "junit" else _preloaded(unit, spec)
    launch = replace(launch, preload=preload, files={**launch.files, **files}, limits=limits)
    limit = _MAX_SHARED_RECORD_BYTES if count > 1 else _MAX_RECORD_BYTES
    return with_request(launch, request, token or secrets.token_hex(16), limit)


def reference_files_for(unit: UnitMethod, spec: Spec) -> list[str]:
    """Return the files of the reference that a unit test could be about."""
    ending, work = ".java" if unit.framework == "junit" else ".py", spec.reference_work
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
    """Return the folder of the files of the reference that a unit test could be about; "" for none."""
    return next((str(PurePosixPath(word).parent) for word in reference_files_for(unit, spec)), "")


def with_reference_unit(launch: Launch, unit: UnitMethod, spec: Spec, driver: _Files, methods: Sequence[str]) -> Launch:
    """Return `launch` for the same method with the reference. Raises HostError where it has nothing to be tested."""
    within = reference_folder(unit, spec)
    if not within:
        raise HostError(f"the reference, {shlex.join(spec.reference or ())}, has nothing for {unit.file} to test")
    launch = replace(launch, argv=unit_command(unit, None, spec))
    if unit.framework == "junit":
        compiler = shlex.join(javac_command(unit, class_path(unit, spec, (within,)), "-sourcepath", within))
        launch = replace(launch, argv=("sh", "-c", f"{compiler} >&2 && exec {shlex.join(launch.argv)}"))
    shared = (_COMPILER_CLASSES, _TEST_CLASSES)  # which differ each time that they are made, and its launch is a key
    files = {name: content for name, content in driver.items() if name not in shared}
    files |= {**course_jars(unit), **unit_files(unit)}
    return with_unit_request(launch, unit, spec, files, "reference", methods=methods)


def methods_of(launch: Launch) -> list[str]:
    """Return the methods that a launch runs."""
    return list(request_of(launch)[0]["methods"])


def unit_by_hand(unit: UnitMethod, spec: Spec) -> str:
    """Return the command that runs a method by hand."""
    name = PurePosixPath(unit.file)
    owner, _, method = unit.method.rpartition(".")
    if unit.framework == "pytest":
        return shlex.join(["python3", "-m", "pytest", "::".join([str(name), *unit.method.split(".")])])
    if unit.framework == "unittest":
        return shlex.join(["python3", "-m", "unittest", f"{'.'.join(name.with_suffix('').parts)}.{unit.method}"])
    console = str(junit_jars.JAVA_LIBRARIES / "junit-platform-console-standalone.jar")
    path = ":".join((*junit_jars.course_archives(unit, spec.build), "."))
    helpers = (str(name.parent / helper) for helper in unit.helpers if helper.endswith(".java"))
    compiler = ["javac", "-cp", f"{console}:{path}", "-d", ".", str(name), *helpers]
    return f"{shlex.join(compiler)} && {shlex.join(['java', '-jar', console, '-cp', path, '-m', f'{owner}#{method}'])}"


def read_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return `execution` with the result of a method, from its record. HostError when the driver did not start."""
    unit, (request, _) = method_of(case), request_of(launch)
    mark, methods = request["mark"], request["methods"]
    # The sign of the start comes before any of the student's code, and that there is no framework in its place.
    if execution.stdout.startswith(f"\x1e{mark} absent\n".encode()):
        package = UNIT_PACKAGES.get(unit.framework, "")
        raise HostError(f"there is no {unit.framework} for the python3 of this machine: apt-get install {package}")
    printed = b"".join(output_after_marks(execution, mark, f"what runs {unit.file}"))
    record, run = recorded_in(execution, launch)[0].get(unit.method), UnitRun(is_recorded=False)
    with suppress(ValueError):
        recorded = msgspec.convert(record, decodable(UnitRun)) if record else run
        run = recorded if not recorded.share or _SHARE.fullmatch(recorded.share) else run
    execution = replace(execution, stdout=printed, files={}, facts=run)
    if len(methods) == 1:
        return execution
    parts = {name: _output_of(getattr(execution, name), methods.index(unit.method), mark) for name in _STREAMS}
    if not run.is_recorded:
        return replace(execution, **parts)
    limits, number = execution.limits, len(methods)
    limits = replace(limits, time=limits.time / number, cpu=limits.cpu / number, output=limits.output // number)
    # That the process ended later, in another method, is nothing of this one.
    ended: dict[str, Any] = {"limit": None, "status": 0, "signal": None, "measured": (), "doubts": frozenset()}
    return replace(execution, time=run.time / 1000, cpu=run.cpu / 1000, limits=limits, **ended, **parts)


def _output_of(stream: bytes, place: int, mark: str) -> bytes:
    """Return what was written in one of several methods; for the first, with what was written before."""
    loading, *parts = re.split(rb"\x1e%b (\d+)\n" % mark.encode(), stream)
    own = [part for number, part in zip(parts[::2], parts[1::2], strict=True) if int(number[:9]) == place]
    return b"".join([loading if not place else b"", *own])


def recorded_in(execution: Execution, launch: Launch) -> tuple[Mapping[str, Mapping[str, Any]], list[str]]:
    """Return what the driver of a launch recorded: what came of each method, and those that began, in their order."""
    request, _ = request_of(launch)
    return _read_lines(execution.files.get(request["record"], b""), request["secret"])


@lru_cache(maxsize=2)  # read once for all methods in it
def _read_lines(recorded: bytes, secret: str) -> tuple[Mapping[str, Mapping[str, Any]], list[str]]:
    begun, results = list[str](), dict[str, Mapping[str, Any]]()
    for line in host.read_record(recorded, secret):
        method, event = line.pop("method", None), line.pop("event", None)
        if event == "begin":
            begun.append(method)
        else:
            results.setdefault(method, {key: value for key, value in line.items() if value is not None})
    return results, begun
