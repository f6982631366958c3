"""Calls of functions: a probe in the sandbox makes them, in a fresh process for each case (docs/reference/probes.md).

The request, without the expectations, is read before any of the student's code is loaded. So is the first mark on
standard output written, and nobody can remove it from the pipe. From then on the student's code may do anything: the
probe's record may be removed, forged, or of any size and shape.
"""

import hashlib
import json
import re
import secrets
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.kind import LaunchContext
from grader.core.model.decoding import decodable
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.layout import Build
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.run.launch import limits_of
from grader.core.text import joined
from grader.kinds.functions.call_text import command_text
from grader.kinds.functions.model import Calls, FunctionCase, Missing, Raised, functions_in
from grader.kinds.functions.native import NATIVE, library_module, prepare_build
from grader.kinds.functions.values import from_wire, to_wire
from grader.kinds.harness.java import compile_probe, produced_archives

if TYPE_CHECKING:
    from grader.core.course import Course

__all__ = ["command_text", "prepare_build"]

_PROBES = Path(__file__).with_name("probes")
_ARCHIVE = ".grader-probe.jar"
_MAX_REPORT_BYTES, _MAX_LINE_LENGTH = 16 * 2**20, 4 * 2**20  # bytes of a probe's record, and of one line
_MAX_NAME_LENGTH, _MAX_PLACE_LENGTH, _MAX_FOUND = 1000, 300, 200
_REFERENCE_TOKEN = "reference"  # noqa: S105 - no secret
"""may be guessed: the reference always gets the same request, so its answer is cached"""


class _Driver(NamedTuple):
    """What makes the calls in a language."""

    source: str
    started_as: tuple[str, ...] = ()
    """what stands before the source, where no compiler is needed"""
    module: str = "{}"
    """the file of what a spec names"""


_PYTHON_DRIVER = _Driver(
    "probe.py",
    ("python3", "-I", "-u", "-c"),  # -I: a student's `json.py` is not ours; -u: what was printed is known
    "{}.py",
)
_DRIVERS: Mapping[str, _Driver] = {
    "java": _Driver("Probe.java"),
    "python": _PYTHON_DRIVER,
    "javascript": _Driver("probe.js", ("node", "-e"), "{}.js"),
    **dict.fromkeys(NATIVE, _PYTHON_DRIVER._replace(module=library_module("{}"))),
}


class Probe(Struct, frozen=True, kw_only=True):
    """The program that makes the calls: its language, and the files that its command needs in the working folder."""

    language: str
    files: Mapping[str, bytes] = field(default_factory=dict)


_PYTHON = Probe(language="python")
"""also for the reference, whatever language the submissions are in"""


# ---------------------------------------------------------------- the probe itself


def prepare(course: "Course") -> "Course":
    """Return the course with the probe that calls functions, compiled once. Raises HostError when it cannot be."""
    probe = ready_probe(course.spec, course.versions, course.cache, course.execute)
    return replace(course, prepared={**course.prepared, "functions": probe})


def ready_probe(spec: Spec, versions: Mapping[str, str], cache: Cache, run: Runner) -> Probe:
    """Make what calls functions, once for each of the `versions` of a compiler. Raises HostError where that fails."""
    source = hashlib.sha256((_PROBES / _DRIVERS[spec.language].source).read_bytes()).hexdigest()
    return cache.get_or_make(["probe", source, dict(versions)], Probe, lambda: make_probe(spec.language, run))


def make_probe(language: str, run: Runner) -> Probe:
    """Make the probe for a language; `run` compiles it. Raises HostError when it cannot be compiled."""
    driver = _DRIVERS[language]
    files = {} if driver.started_as else {_ARCHIVE: compile_probe([_PROBES / driver.source], "", run)}
    return Probe(language=language, files=files)


def probe_command(probe: Probe, folder: Path | None = None, build: Build | None = None) -> tuple[str, ...]:
    """Return the command that starts a probe in `folder`, which was built so."""
    driver = _DRIVERS[probe.language]
    if driver.started_as:
        return (*driver.started_as, (_PROBES / driver.source).read_text())
    jars = build.jars if build else ()
    return ("java", "-cp", ":".join((_ARCHIVE, *jars, *_own_archives(folder, build), ".")), "grader.Probe")


def _own_archives(folder: Path | None, build: Build | None) -> list[str]:
    """Return the names of the archives of classes that were built, without the course's."""
    return [name for name in produced_archives(folder, build.produces) if name not in build.jars] if build else []


# ---------------------------------------------------------------- starting it


def prepare_test(_test: Test, artifact: Artifact, _course: object) -> Mapping[str, bytes]:
    """Return the files that were made of the build."""
    return artifact.made


def launch(case: Case, context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return what starts the probe, with the request for the calls of the case. Raises as `_launch_reference`."""
    if context.folder is None:
        return _launch_reference(case, context, around)
    function, probe = functions_in(case), context.prepared
    if probe.language in NATIVE:  # a file that was handed in with the name of our module is not ours
        own = tuple(name for name in function.within if library_module(name) in context.files)
        function = replace(function, within=own)
    launch = around(probe_command(probe, context.folder, context.spec.build))
    launch = replace(launch, files={**launch.files, **context.files})
    charged = {PurePosixPath(name).stem for name in context.charged}
    is_charged = any(name.rpartition(".")[2] in charged for name in function.within)
    archives = _own_archives(context.folder, context.spec.build) if is_charged else None
    return with_request(launch, function, probe, context.token, archives)


def _launch_reference(case: Case, context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return what is started to know what the calls are expected to come to.

    Functions of a reference in Python may be called as Python has it: `place_queen` stands for `placeQueen`. Raises
    HostError when the reference has no functions that could be called.
    """
    spec, function, probe = context.spec, functions_in(case), context.prepared
    work = spec.reference_work
    if work and probe and work.language == spec.language:
        launch = replace(around(probe_command(probe, build=spec.build)), limits=limits_of({}, case.limits))
        return with_request(launch, function, probe, _REFERENCE_TOKEN)
    files = [word for word in spec.reference or () if PurePosixPath(word).suffix == ".py"]
    if not files:
        languages = joined(sorted({"Python", spec.language.capitalize()}), "or")
        named = shlex.join(spec.reference or ())
        raise HostError(f"the reference, {named}, has no functions that could be called: name a file in {languages}")
    return _add_request(
        around(probe_command(_PYTHON)), function, _REFERENCE_TOKEN, {"in": files[:1], "match": "any-spelling"}
    )


def with_request(
    launch: Launch, case: FunctionCase, probe: Probe, token: str = "", archives: Sequence[str] | None = None
) -> Launch:
    """Return `launch` with the probe's files, and with the request for the calls of `case`.

    Without a `token`, an unguessable one is generated. With `archives` the class of Java may have another name: the
    one with which these are started, or that is alone.
    """
    form, is_java = _DRIVERS[probe.language].module, probe.language == "java"
    is_path = not is_java and probe.language not in NATIVE
    within = [form.format(name.replace(".", "/") if is_path else name) for name in case.within]
    match = "any-case" if case.any_case else "exact"
    launch = replace(launch, files={**launch.files, **probe.files})
    request = {"in": within, "match": match, "archives": archives}
    return _add_request(launch, case, token or secrets.token_hex(8), request)


def _add_request(launch: Launch, case: FunctionCase, token: str, more: Mapping[str, Any]) -> Launch:
    requested = [
        {
            "names": call.signature.names,
            "types": [parameter.type for parameter in call.signature.parameters],
            "returns": call.signature.returns,
            "static": call.signature.static,
            "sets": call.sets,
            "makes": call.makes,
            "optional": call.optional,
            "args": to_wire(call.args),
        }
        for call in case.calls
    ]
    request = {
        "archives": None,
        **more,
        "access": "any" if case.any_access else "package",
        "token": token,
        "file": f".{token}",
        "calls": requested,
        "main": case.main,
        "goes_on": bool(case.steps),
        "left": sorted(case.args),
    }
    data = json.dumps(request).encode()
    return replace(
        launch,
        stdin=b"%010d" % len(data) + data + launch.stdin,
        collect=(f".{token}",),
        collect_limit=_MAX_REPORT_BYTES,
    )


# ---------------------------------------------------------------- the probe's record


class _ProbeRecord(msgspec.Struct, frozen=True):
    """A line that a probe wrote; which of the keys are there depends on the event."""

    event: str
    value: Any = None
    error: Raised | None = None
    call: int | None = None
    found: tuple[str, ...] = ()
    same_name: bool = False
    message: str = ""
    goes_on: bool = False


def read_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return what happened with what the calls came to. Raises HostError when the probe did not start."""
    return with_calls(execution, functions_in(case), launch)


def with_calls(execution: Execution, case: FunctionCase, launch: Launch) -> Execution:
    """Return `execution` with the results of the calls of `case`, read from the record of `launch`'s probe.

    Standard output becomes that of the main call, or of the last call that was made before it. With steps it is the
    output of all calls. Raises HostError when the probe did not start; any later failure is the submission's.
    """
    (name,) = launch.collect
    token = name.removeprefix(".")
    data = execution.files.get(name)
    printed = execution.stdout.split(f"\x1e{token}\n".encode())
    if len(printed) == 1 and not execution.limit:
        errors = execution.stderr.decode(errors="backslashreplace").strip()
        raise HostError(f"the probe that calls functions did not start: {errors[:1000] or 'it says nothing'}")
    calls = Calls(is_recorded=False) if data is None else _read_calls(data, token.encode(), case)
    main = min(2 + case.main, len(printed) - 1)
    stdout = printed[main] if not case.steps else b"".join(printed[min(2, main) :])
    return replace(execution, stdout=stdout, files={}, facts=calls)


def _read_calls(data: bytes, token: bytes, case: FunctionCase) -> Calls:
    calls = Calls()
    for record in _records(data, token, 2 * len(case.calls) + 2):  # a probe records no more than that
        error = record.error and _shortened(record.error)
        match record.event:
            case "loaded" | "unloaded" as event:
                calls = replace(calls, loaded=event == "loaded", load_error=error)
            case "absent" | "missing" if record.call is None or 0 <= record.call < len(case.calls):
                found = tuple(map(_short, record.found[:_MAX_FOUND]))
                # A case is about its main call, whatever else is not there.
                if calls.missing is None or (not case.steps and record.call == case.main):
                    missing = Missing(call=record.call, found=found, same_name=record.same_name)
                    calls = replace(calls, missing=missing)
            case "returned":
                calls = replace(calls, returned=(*calls.returned, record.value))
            case "raised" if record.goes_on and case.steps and error:
                caught = {**calls.caught, len(calls.returned): error}
                calls = replace(calls, caught=caught, returned=(*calls.returned, None))
            case "raised":
                calls = replace(calls, raised=error)
            case "args" if isinstance(record.value, tuple):
                calls = replace(calls, args=record.value)
            case "fault":
                calls = replace(calls, fault=_short(record.message))
    return calls


def _records(data: bytes, token: bytes, most: int) -> Iterator[_ProbeRecord]:
    """Yield the records in those lines that the probe itself wrote, with their values."""
    for line in islice(re.finditer(b"^%b(.*)" % re.escape(token), data, re.MULTILINE), most):
        if line.end() - line.start() > _MAX_LINE_LENGTH:
            continue
        with suppress(ValueError, RecursionError):  # written by somebody else, or cut off by the end
            record = msgspec.convert(json.loads(line[1]), decodable(_ProbeRecord))
            is_args = record.event == "args" and isinstance(record.value, list)
            yield replace(record, value=tuple(map(from_wire, record.value)) if is_args else from_wire(record.value))


def _short(text: str) -> str:
    return text[:_MAX_NAME_LENGTH].encode(errors="backslashreplace").decode()


def _shortened(raised: Raised) -> Raised:
    return Raised(
        type=_short(raised.type),
        kinds=tuple(map(_short, raised.kinds[:_MAX_FOUND])),
        message=_short(raised.message),
        place=_short(raised.place) if len(raised.place) <= _MAX_PLACE_LENGTH else "",
    )
