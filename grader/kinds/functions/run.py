"""Calls of functions: a driver in the sandbox makes them, in a fresh process for each case (`kinds/harness/`)."""

import secrets
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import astuple, replace

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, LaunchContext, Runner
from grader.core.model.layout import Artifact, Build
from grader.core.model.spec import Case, Test
from grader.core.model.values import MapValue, Opaque, PlainValue, SetValue, decodable
from grader.core.run.runner import limits_of
from grader.core.text import joined
from grader.kinds.functions.model import NAMES_OF_FORMS, Calls, FunctionCase, Missing, Raised, functions_in
from grader.kinds.functions.native import NATIVE, library_module, prepare_build
from grader.kinds.harness import host
from grader.kinds.harness.java import produced_archives, ready_driver

if TYPE_CHECKING:
    from grader.core.course import Course

__all__ = ["prepare_build"]

_ARCHIVE = ".grader-probe.jar"
_MAX_RECORD_BYTES = 16 * 2**20
_MAX_NAME_LENGTH, _MAX_FOUND = 1000, 200
_MAX_VALUES, _MAX_DEPTH = 100_000, 30  # of a value, as the probes have it
_REFERENCE_SECRET = "reference"  # noqa: S105 - no secret: the reference gets the same request, so its answer is cached
_MODULES = {"java": "{}", "python": "{}.py", "javascript": "{}.js", **dict.fromkeys(NATIVE, library_module("{}"))}
_PYTHON = host.Driver(language="python")  # also for the reference of submissions in another language


def prepare(course: "Course") -> "Course":
    """Return the course with the driver that calls functions, compiled once. Raises HostError when it cannot be."""
    driver = ready_calls(course.spec.language, course.versions, course.cache, course.execute)
    return replace(course, prepared={**course.prepared, "functions": driver})


def ready_calls(language: str, versions: Mapping[str, str], cache: Cache, run: Runner) -> host.Driver:
    """Build the driver, once for each of the `versions` of a compiler. Raises HostError if that fails."""
    files = {_ARCHIVE: ready_driver(["Calls"], [], versions, cache, run)} if language == "java" else {}
    return host.Driver(language=language, files=files)


def calls_command(driver: host.Driver, folder: Path | None = None, build: Build | None = None) -> tuple[str, ...]:
    """Return the command that starts the driver that was built in `folder`."""
    if driver.language == "java":
        jars = build.jars if build else ()
        return ("java", "-cp", ":".join((_ARCHIVE, *jars, *produced_archives(folder, build), ".")), "grader.Calls")
    if driver.language == "javascript":
        return ("node", "-e", (host.PROBES / "calls.js").read_text())
    # -I: a student's `json.py` is not ours; -u: what was printed is known
    return ("python3", "-I", "-u", "-c", f"{host.python_driver('calls')}answer_calls()\n")


def prepare_test(_test: Test, artifact: Artifact, _course: object) -> Mapping[str, bytes]:
    """Return the files that were made of the build."""
    return artifact.made


def launch(case: Case, context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return the launch of the driver with the calls of the case. HostError if the reference has no functions."""
    spec, function, driver, folder = context.spec, functions_in(case), context.prepared, context.folder
    if folder is None and not (driver and spec.reference_work and spec.reference_work.language == spec.language):
        files = [word for word in spec.reference or () if PurePosixPath(word).suffix == ".py"]
        if not files:
            languages = joined(sorted({"Python", spec.language.capitalize()}), "or")
            problem = f"has no functions that could be called: name a file in {languages}"
            raise HostError(f"the reference, {shlex.join(spec.reference or ())}, {problem}")
        asked = {"in": files[:1], "match": "any-spelling"}
        return with_calls_request(around(calls_command(_PYTHON)), function, _PYTHON, _REFERENCE_SECRET, asked)
    launch = around(calls_command(driver, folder, spec.build))
    if folder is None:
        launch = replace(launch, limits=limits_of({}, case.limits))
        return with_calls_request(launch, function, driver, _REFERENCE_SECRET)
    if driver.language in NATIVE:  # a file that was handed in with the name of our module is not ours
        own = tuple(name for name in function.within if library_module(name) in context.files)
        function = replace(function, within=own)
    charged = {PurePosixPath(name).stem for name in context.charged}
    is_charged = any(name.rpartition(".")[2] in charged for name in function.within)
    more = {"archives": produced_archives(folder, spec.build) if is_charged else None}
    launch = replace(launch, files={**launch.files, **context.files})
    return with_calls_request(launch, function, driver, context.token, more)


def with_calls_request(
    launch: Launch, case: FunctionCase, driver: host.Driver, secret: str = "", more: Mapping[str, Any] | None = None
) -> Launch:
    """Return `launch` with the driver's files and the request for the calls of `case`; without a secret one is made."""
    form, is_path = _MODULES[driver.language], driver.language in ("python", "javascript")
    requested = [
        {name: getattr(call.signature, name) for name in ("names", "returns", "static")}
        | {name: getattr(call, name) for name in ("sets", "makes", "optional")}
        | {"types": [parameter.type for parameter in call.signature.parameters], "args": to_wire(call.args)}
        for call in case.calls
    ]
    request = {
        "in": [form.format(name.replace(".", "/") if is_path else name) for name in case.within],
        "match": case.match,
        "archives": None,
        "access": case.access,
        "calls": requested,
        "main": case.main,
        "goes_on": bool(case.steps),
        "left": sorted(case.args),
        **(more or {}),
    }
    preload = "" if driver.language in ("java", "javascript") else host.python_driver("calls")
    launch = replace(launch, files={**launch.files, **driver.files}, preload=preload)
    return host.with_request(launch, request, secret or secrets.token_hex(16), _MAX_RECORD_BYTES)


class _Line(msgspec.Struct, frozen=True):
    """A line of the record; its event decides which keys it has."""

    event: str
    value: Any = None
    error: Raised | None = None
    call: int | None = None
    found: tuple[str, ...] = ()
    same_name: bool = False
    message: str = ""
    goes_on: bool = False


def read_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return `execution` with the results of the calls, and the output of the main one or each step. HostError."""
    function, (request, _) = functions_in(case), host.request_of(launch)
    printed = host.output_after_marks(execution, request["mark"], "the probe that calls functions")
    data = execution.files.get(request["record"])
    lines = host.read_record(data or b"", request["secret"], passes_others=True)
    calls = _read_calls([*islice(lines, 2 * len(function.calls) + 2)], function)  # a driver records no more than that
    if data is None or (data and calls == Calls()):  # what is there now does not begin as it did
        calls = Calls(is_recorded=False)
    main = min(2 + function.main, len(printed) - 1)
    stdout = printed[main] if not function.steps else b"".join(printed[min(2, main) :])
    return replace(execution, stdout=stdout, files={}, facts=calls)


def _read_calls(lines: Iterable[Mapping[str, Any]], case: FunctionCase) -> Calls:
    calls = Calls()
    for record in _converted(lines):
        match record.event:
            case "loaded" | "unloaded" as event:
                calls = replace(calls, loaded=event == "loaded", load_error=record.error)
            case "absent" | "missing" if record.call is None or 0 <= record.call < len(case.calls):
                # A case is about its main call, even if other functions are missing.
                if calls.missing is None or (not case.steps and record.call == case.main):
                    missing = Missing(call=record.call, found=record.found, same_name=record.same_name)
                    calls = replace(calls, missing=missing)
            case "returned" if len(calls.returned) < len(case.calls):
                calls = replace(calls, returned=(*calls.returned, record.value))
            case "raised" if record.goes_on and case.steps and record.error:
                caught = {**calls.caught, len(calls.returned): record.error}
                calls = replace(calls, caught=caught, returned=(*calls.returned, None))
            case "raised":
                calls = replace(calls, raised=record.error)
            case "args" if isinstance(record.value, tuple):
                calls = replace(calls, args=record.value)
            case "fault":
                calls = replace(calls, fault=record.message)
    return calls


def _converted(lines: Iterable[Mapping[str, Any]]) -> Iterator[_Line]:
    for line in lines:
        with suppress(ValueError, RecursionError):  # written by somebody else
            record = msgspec.convert(_bounded(line), decodable(_Line))
            is_args = record.event == "args" and isinstance(record.value, list)
            yield replace(record, value=tuple(map(from_wire, record.value)) if is_args else from_wire(record.value))


def _bounded(data: Any) -> Any:
    """Shorten all texts and lists of a line, but for a value, which has bounds of its own."""
    match data:
        case str():
            return data[:_MAX_NAME_LENGTH].encode(errors="backslashreplace").decode()
        case list():
            return list(map(_bounded, data[:_MAX_FOUND]))
        case dict():
            return {key: value if key == "value" else _bounded(value) for key, value in data.items()}
    return data


def to_wire(value: PlainValue) -> Any:
    """Write a value in the form in which a probe reads and records values."""
    if isinstance(value, tuple):
        return [to_wire(item) for item in value]
    name = NAMES_OF_FORMS.get(type(value))
    return {name: to_wire(astuple(value)[0])} if name else value


def from_wire(data: Any) -> PlainValue:
    """Read a value of a record. Raises ValueError for one that is larger or deeper than probes record."""
    budget = 2 * _MAX_VALUES  # a map takes two: the mapping that it is written as, and the list in that

    def convert(data: Any, depth: int = 0) -> PlainValue:
        nonlocal budget
        budget -= 1
        if budget < 0 or depth > _MAX_DEPTH:
            raise ValueError
        match data:
            case list():
                return tuple(convert(item, depth + 1) for item in data)
            case {"map": [*pairs]} if all(isinstance(pair, list) and len(pair) == len("kv") for pair in pairs):
                return MapValue(items=convert(pairs, depth + 1))
            case {"set": [*members]}:
                return SetValue(items=convert(members, depth + 1))
            case {"float": str(written)} if written.strip("+-").lower() in ("nan", "inf", "infinity"):
                return float(written)
            case {"opaque": str(kind), **more}:
                return Opaque(type=kind, text=says if isinstance(says := more.get("text"), str) else None)
        return Opaque(type="object") if isinstance(data, dict) else data

    return convert(data)
