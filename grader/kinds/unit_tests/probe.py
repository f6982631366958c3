"""Methods of unit tests: a probe in the sandbox runs each in a process of its own, or those that share one in that.

The tests and the tested code share a process, so the record could be forged. The probe ignores everything in the
submission that a framework would search for: plugins, settings, engines, listeners, and classes with the name of one of
its own.

It gets its request on standard input before any of the student's code is loaded. It records the result of a method when
that is over, with a digest of a secret that is written nowhere. A process that ends earlier leaves no record, and the
method does not pass.
"""

import hashlib
import json
import re
import secrets
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.kind import Requirement, RunnerShowing
from grader.core.lazy import lazy_regex
from grader.core.model.decoding import decodable
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Spec
from grader.core.notebook.linear import is_notebook, module_name
from grader.kinds.harness.java import compile_probe, produced_archives
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
_PROBES = Path(__file__).with_name("probes")
_FOLDER = TEST_FOLDER = ".grader-unit"
PROBE_ARCHIVE, _CLASSES = f"{_FOLDER}/probe.jar", f"{_FOLDER}/classes"
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_PACKAGE, _NAMELESS_PACKAGE = "__init__.py", "course_tests"
"""the file that makes a package of the folder of a test, and its name where that of the folder is none"""
_MAX_REPORT_BYTES, _MAX_SHARED_REPORT_BYTES = 2**20, 2**24
_DIGEST = 64
_SECRET, _METHODS, _BETWEEN = 2, 6, "\t"
"""the fields of a request with its secret and the names of its methods, and what is between those"""
_SHARE = lazy_regex(r"[01]\.\d{1,12}")
REFERENCE_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, processes=256)


def method_of(case: Case) -> UnitMethod:
    """Return the method of a unit test that a case is, whose kind that is known to be."""
    unit = unit_of(case)
    if unit is None:
        raise TypeError(f"{case.id} is no method of a unit test")
    return unit


def framework_packages(case: Case) -> tuple[str, ...]:
    """Return the Debian package of the framework of a case, where it does not come with its language."""
    method = unit_of(case)
    package = UNIT_PACKAGES.get(method.framework) if method else None
    return (package,) if package else ()


def find_frameworks(runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether this machine has pytest, in the Python of the sandbox, which is not ours, and JUnit."""
    yield _find_pytest(runner_showing(()) if runner_showing else None)
    remedy = f"apt-get install {UNIT_PACKAGES['junit']}"
    if absent := missing_jar(JUNIT_JARS):
        yield Requirement(name="junit", state="missing", found=f"there is no {absent}", remedy=remedy)
    elif absent := missing_jar(JUNIT_4_JARS):
        found = f"JUnit 5, for unit tests in Java; there is no {absent}, which tests for JUnit 4 need"
        yield Requirement(name="junit", state="missing", found=found, remedy=f"{remedy} junit4")
    else:
        yield Requirement(name="junit", state="ok", found="JUnit 5 and 4, for unit tests in Java")


def _find_pytest(run: Runner | None) -> Requirement:
    remedy = f"apt-get install {UNIT_PACKAGES['pytest']}"
    if run is None:
        return Requirement(name="pytest", state="missing", found="not tried")
    try:
        found = run(Launch(argv=("python3", "-I", "-c", "import pytest; print(pytest.__version__)")))
    except HostError as error:
        return Requirement(name="pytest", state="missing", found=str(error), remedy=remedy)
    if found.status != 0:
        absent = "the python3 of the sandbox has no pytest"
        return Requirement(name="pytest", state="missing", found=absent, remedy=remedy)
    version = found.stdout.decode().strip()
    return Requirement(name="pytest", state="ok", found=f"pytest {version}, for unit tests in Python")


# ---------------------------------------------------------------- what has to be compiled


class ReadyProbe(Struct, frozen=True, kw_only=True):
    """What runs unit tests, made once for all submissions; for Python that needs nothing."""

    files: Mapping[str, bytes] = {}
    """the files that it needs in the working folder"""


def ready_units(spec: Spec, versions: Mapping[str, str], cache: Cache, run: Runner) -> ReadyProbe:
    """Compile the files that run unit tests, if there are any: for Java a probe, once for all submissions.

    Raises HostError when the framework is missing.
    """
    units = [unit for test in spec.tests for unit in map(unit_of, test.cases) if unit and unit.framework == "junit"]
    if not units:
        return ReadyProbe()
    for unit in units:
        if missing := missing_jar(framework_jars(unit)):
            version = "JUnit 4" if missing in JUNIT_4_JARS else "JUnit"
            packages = f"{UNIT_PACKAGES['junit']}{' junit4' if missing in JUNIT_4_JARS else ''}"
            raise HostError(f"there is no {missing}, which {unit.file} for {version} needs: apt-get install {packages}")
    sources = [_PROBES / name for name in ("UnitProbe.java", "Copies.java")]
    source = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    jars = [[path, Path(path).resolve().name, Path(path).stat().st_size] for path in JUNIT_JARS]
    made = cache.get_or_make(
        ["unit-probe-7", source, jars, dict(versions)], bytes, lambda: compile_probe(sources, ":".join(JUNIT_JARS), run)
    )
    return ReadyProbe(files={PROBE_ARCHIVE: made})


def javac_command(*copies: UnitMethod, path: str, options: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the command that compiles a test in Java, or copies of one in one machine, with the classes of a `path`.

    Each copy is in `copy_folder`.
    """
    words = ("-proc:none", "-g", "-encoding", "UTF-8", "-cp", path, *options)
    each = [_words_for_copy(unit, copy_folder(number)) for number, unit in enumerate(copies)]
    if len(each) > 1:
        start = ("java", *_QUICK, "-cp", PROBE_ARCHIVE, "grader.Copies")
        return (*start, *words, *(word for copy in each for word in ("+", *copy)))
    return ("javac", *(f"-J{option}" for option in _QUICK), *words, *each[0])


def _words_for_copy(unit: UnitMethod, folder: str) -> tuple[str, ...]:
    sources = (name for name in (PurePosixPath(unit.file).name, *unit.helpers) if name.endswith(".java"))
    return ("-d", f"{folder}/classes", *(f"{folder}/{name}" for name in sources))


def copy_folder(number: int) -> str:
    """Return the folder of a copy of a test, of which the first is the test itself."""
    return f"{_FOLDER}/copy{number}" if number else _FOLDER


def unit_files(unit: UnitMethod) -> dict[str, bytes]:
    """Return the files of a unit test in the working folder: the test, and the course's files beside it."""
    folder = str(PurePosixPath(test_file_of(unit)).parent)
    return {
        **{f"{folder}/{name}": content for name, content in unit.helpers.items()},
        test_file_of(unit): unit.source,
    }


def test_file_of(unit: UnitMethod) -> str:
    """Return where the test of a method is in the working folder: in a folder of that name where it is in a package."""
    file = PurePosixPath(unit.file)
    if unit.framework == "junit" or _PACKAGE not in unit.helpers:
        return f"{_FOLDER}/{file.name}"
    name = file.parent.name
    is_free = name.isidentifier() and name not in sys.stdlib_module_names
    return f"{_FOLDER}/{name if is_free else _NAMELESS_PACKAGE}/{file.name}"


# ---------------------------------------------------------------- what is started


def python_probe(unit: UnitMethod) -> str:
    """Return the program that runs the methods of a file in Python, which does nothing before it is called."""
    return "\n".join((_PROBES / name).read_text() for name in ("unit.py", f"with_{unit.framework}.py"))


def _preloaded(unit: UnitMethod, spec: Spec) -> str:
    """Return the beginning of the program that runs methods in Python, which needs no request."""
    if unit.framework == "junit":
        return ""
    mock = ', "unittest.mock"' if _needs_mock(unit, spec) else ""
    return f"{python_probe(unit)}\nloaded = load_framework(ready_{unit.framework}{mock})\n"


def unit_command(unit: UnitMethod, folder: Path | None, spec: Spec) -> tuple[str, ...]:
    """Return the command that starts the probe in `folder`."""
    if unit.framework != "junit":
        # -I: a student's `pytest.py` or `sitecustomize.py` is not ours; -u: what was printed before the end is known.
        return ("python3", "-I", "-u", "-c", f"{_preloaded(unit, spec)}answer_unit_request(loaded)\n")
    archives = produced_archives(folder, spec.build.produces if spec.build else ())
    path = class_path(unit, (PROBE_ARCHIVE,), spec, (_CLASSES, _FOLDER, *archives, "."))
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
    methods = methods or (unit.method,)
    # A student's `queue` is tested where one is asked for, and not the one of the language.
    own = _own_modules(spec)
    helpers = dict.fromkeys(PurePosixPath(name).parts[0].removesuffix(".py") for name in unit.helpers)
    importable = " ".join(name for name in helpers if name.isidentifier())
    framework = "junit4" if is_junit_4(unit) else unit.framework
    texts = [files.get(name, b"").decode(errors="replace") for name in unit_files(unit) if name.endswith(".py")]
    imported = " ".join(modules_imported_by("\n".join(texts)))
    lines = [framework, within, test_file_of(unit), _BETWEEN.join(methods), importable, imported, *own]
    limits, count = launch.limits, len(methods)
    limits = replace(limits, time=limits.time * count, cpu=limits.cpu * count, output=limits.output * count)
    most = _MAX_SHARED_REPORT_BYTES if count > 1 else _MAX_REPORT_BYTES
    launch = replace(launch, preload=_preloaded(unit, spec), files={**launch.files, **files})
    return _ask(replace(launch, limits=limits, collect_limit=most), lines, token or secrets.token_hex(16))


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


def with_reference_unit(
    launch: Launch, unit: UnitMethod, spec: Spec, probe: ReadyProbe, methods: Sequence[str]
) -> Launch:
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
    files = {**probe.files, **course_jars(unit), **unit_files(unit)}
    return with_unit_request(launch, unit, spec, files, "reference", methods=methods, within=within)


def _own_modules(spec: Spec) -> list[str]:
    names = (*_required_modules(spec), *spec.files.optional)
    return [PurePosixPath(name).stem for name in names if name.endswith(".py") and "*" not in name]


def _needs_mock(unit: UnitMethod, spec: Spec) -> bool:
    """Whether `unittest.mock` is imported before what was handed in, which takes as long as unittest itself.

    What it imports is Python's own then, also where students are asked for a module such as `queue`.
    """
    texts = (unit.source, *unit.helpers.values())
    is_named = bool(spec.requires) or any(b"mock" in text for text in texts)
    return is_named or not sys.stdlib_module_names.isdisjoint(_own_modules(spec))


def _ask(launch: Launch, lines: Sequence[str], secret: str) -> Launch:
    """Return the launch with a request in front of its input; the names in it are made from the secret."""
    mark, name = (hashlib.sha256(f"{what} {secret}".encode()).hexdigest()[:16] for what in ("mark", "name"))
    data = "\n".join([mark, f".{name}", secret, *lines]).encode()
    return replace(launch, stdin=b"%010d" % len(data) + data + launch.stdin, collect=(f".{name}",))


def with_new_secret(launch: Launch, purpose: str) -> Launch:
    """Return the launch for the same method with another secret, always the same for the same `purpose`."""
    (_, _, secret, *lines), given = _read_request(launch)
    return _ask(replace(launch, stdin=given), lines, hashlib.sha256(f"{purpose} {secret}".encode()).hexdigest()[:32])


def methods_of(launch: Launch) -> list[str]:
    """Return the methods that a launch runs."""
    fields, _ = _read_request(launch)
    return fields[_METHODS].split(_BETWEEN)


def _read_request(launch: Launch) -> tuple[list[str], bytes]:
    """Return the lines of a launch's request, and the input behind it."""
    end = 10 + int(launch.stdin[:10])
    return launch.stdin[10:end].decode().split("\n"), launch.stdin[end:]


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


# ---------------------------------------------------------------- the probe's record


def with_unit(execution: Execution, unit: UnitMethod, launch: Launch) -> Execution:
    """Return `execution` with the result of a method, read from the record of `launch`'s probe.

    Raises HostError when the probe or the framework did not start; any later failure is the submission's.
    """
    (mark, name, secret, *_), _ = _read_request(launch)
    before, sign, printed = execution.stdout.partition(f"\x1e{mark}\n".encode())
    # The sign of the start comes before any of the student's code, and that there is no framework in its place.
    if not sign and f"\x1e{mark} absent\n".encode() in execution.stdout:
        package = UNIT_PACKAGES.get(unit.framework, "")
        raise HostError(f"there is no {unit.framework} for the python3 of this machine: apt-get install {package}")
    if not sign and not execution.limit:
        errors = execution.stderr.decode(errors="backslashreplace").strip()
        raise HostError(f"what runs {unit.file} did not start: {errors[:1000] or 'it says nothing'}")
    record = read_record_lines(execution.files.get(name, b""), secret).results.get(unit.method)
    try:
        run = msgspec.convert(record, decodable(UnitRun)) if record else UnitRun(is_recorded=False)
        if run.share and not _SHARE.fullmatch(run.share):
            run = UnitRun(is_recorded=False)
    except ValueError:
        run = UnitRun(is_recorded=False)
    found = replace(execution, stdout=before + printed, files={}, facts=run)
    methods = methods_of(launch)
    return _own_part(found, record, methods.index(unit.method), mark, len(methods)) if len(methods) > 1 else found


def _own_part(execution: Execution, record: Mapping[str, Any] | None, place: int, mark: str, number: int) -> Execution:
    """Return what happened in one of several methods that shared a process: its time, its output, and its end."""
    written = {name: _written_in(getattr(execution, name), place, mark) for name in ("stdout", "stderr")}
    if record is None:
        return replace(execution, **written)
    limits, facts = execution.limits, execution.facts
    limits = replace(limits, time=limits.time / number, cpu=limits.cpu / number, output=limits.output // number)
    took = {"time": facts.time / 1000, "cpu": facts.cpu / 1000, "limits": limits} if isinstance(facts, UnitRun) else {}
    # That the process ended later, in another method, is nothing of this one.
    ended: dict[str, Any] = {"limit": None, "status": 0, "signal": None, "measured": (), "doubts": frozenset()}
    return replace(execution, **took, **ended, **written)


def _written_in(stream: bytes, place: int, mark: str) -> bytes:
    """Return what was written in a method; for the first, with what was written before."""
    loading, *parts = re.split(rb"\x1e%b (\d+)\n" % mark.encode(), stream)
    own = [part for number, part in zip(parts[::2], parts[1::2], strict=True) if int(number[:9]) == place]
    return b"".join([loading if not place else b"", *own])


class RecordedLines(Struct, frozen=True, kw_only=True):
    """What a probe recorded."""

    results: Mapping[str, Mapping[str, Any]] = {}
    """method -> what came of it"""
    begun: tuple[str, ...] = ()
    """the methods that began, in their order"""


def recorded_in(execution: Execution, launch: Launch) -> RecordedLines:
    """Return what the probe of a launch recorded."""
    (_, name, secret, *_), _ = _read_request(launch)
    return read_record_lines(execution.files.get(name, b""), secret)


@lru_cache(maxsize=2)
def read_record_lines(recorded: bytes, secret: str) -> RecordedLines:
    """Return the probe's record, up to what another process wrote; read once for all methods in it."""
    content, begun = hashlib.sha256(), list[str]()
    results: dict[str, Mapping[str, Any]] = {}
    for line in recorded.split(b"\n"):
        digest, payload = line[:_DIGEST], line[_DIGEST:]
        content.update(payload)
        seal = hashlib.sha256(secret.encode() + content.hexdigest().encode())
        if not secrets.compare_digest(seal.hexdigest().encode(), digest):
            break
        try:
            record = json.loads(payload)
        except (ValueError, RecursionError):
            break
        method = record.pop("method", None)
        event = record.pop("event", None)
        if event == "begin":
            begun.append(method)
        else:
            results.setdefault(method, {key: value for key, value in record.items() if value is not None})
    return RecordedLines(results=results, begun=tuple(begun))
