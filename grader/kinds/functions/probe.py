"""Calls of functions: a probe in the sandbox makes them, in a fresh process for each case, and records the results.

The probe gets its request on standard input before any of the student's code is loaded. The request does not contain
the expectations. The probe records the results in a file with an unguessable name. A line that does not start with the
token of the request is not its own. On standard output it only writes a mark before each call, to show which call
printed the next output.

The first mark is written before the probe touches the student's code, and nobody can remove it from the pipe. From then
on the student's code may do anything. The probe may be broken; its file may be removed, forged, or of any size and
shape.
"""

import hashlib
import io
import json
import re
import secrets
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.decoding import decodable
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.layout import Build, matches_glob
from grader.core.model.limits import Limits
from grader.core.model.spec import Spec
from grader.core.model.values import Argument, MapValue, NewObject, Opaque, PlainValue, SetValue
from grader.kinds.functions.model import Calls, FunctionCase, Missing, Raised

_PROBES = Path(__file__).with_name("probes")
_PROBE_SOURCES = {"java": "Probe.java", "python": "probe.py", "javascript": "probe.js"}
_STARTED_AS = {
    "python": ("python3", "-I", "-u", "-c"),  # -I: a student's `json.py` is not ours; -u: what was printed is known
    "javascript": ("node", "-e"),
}
"""what stands before the source of a probe that needs no compiler"""
_SUFFIXES = {"python": ".py", "javascript": ".js"}
"""how the file of a module ends that a spec names without it"""
_ARCHIVE = ".grader-probe.jar"
_CLASSES = "probe-classes"
_ZIP_START = b"PK\x03\x04"
_OLD = (1980, 1, 1, 0, 0, 0)
_MAX_ARCHIVES = 100
_MAX_REPORT_BYTES, _MAX_LINE_LENGTH = 16 * 2**20, 4 * 2**20
"""the most bytes that are read of a probe's record, and of one line"""
_MAX_VALUES, _MAX_DEPTH = 100_000, 30
"""of a value, as the probes have it"""
_MAX_NAME_LENGTH, _MAX_PLACE_LENGTH, _MAX_FOUND = 1000, 300, 200
_COMPILER_LIMITS = Limits(time=60, cpu=60, memory=2**30, processes=128)


class Probe(Struct, frozen=True, kw_only=True):
    """The program that makes the calls: its language, and the files that its command needs in the working folder."""

    language: str
    files: Mapping[str, bytes] = field(default_factory=dict)


NATIVE = ("c", "cpp")
"""languages whose functions are in a library; a Python module in the built submission's folder calls it"""

REFERENCE_TOKEN = "reference"  # noqa: S105 - no secret
"""may be guessed: the reference always gets the same request, so its answer is cached"""

PYTHON = Probe(language="python")
"""also for the reference, whatever language the submissions are in"""


# ---------------------------------------------------------------- the probe itself


def ready_probe(spec: Spec, versions: Mapping[str, str], cache: Cache, run: Runner) -> Probe:
    """Make what calls functions; compiled once for each of the `versions` of a compiler.

    Raises HostError when it cannot be compiled.
    """
    source = hashlib.sha256((_PROBES / _PROBE_SOURCES.get(spec.language, "probe.py")).read_bytes()).hexdigest()
    return cache.get_or_make(["probe", source, dict(versions)], Probe, lambda: make_probe(spec.language, run))


def make_probe(language: str, run: Runner) -> Probe:
    """Make the probe for a language; `run` compiles it. Raises HostError when it cannot be compiled."""
    if language != "java":
        return Probe(language=language, files={})
    return Probe(language=language, files={_ARCHIVE: compile_probe([_PROBES / _PROBE_SOURCES[language]], "", run)})


def compile_probe(sources: Sequence[Path], class_path: str, run: Runner) -> bytes:
    """Compile a probe in Java, and return the archive of its classes. Raises HostError when that cannot be done."""
    names = [source.name for source in sources]
    compiled = run(
        Launch(
            argv=("javac", "-J-XX:TieredStopAtLevel=1", "-cp", class_path, "-d", _CLASSES, *names),
            files={source.name: source.read_bytes() for source in sources},
            limits=_COMPILER_LIMITS,
            collect=(f"{_CLASSES}/*.class",),
        )
    )
    if compiled.status != 0 or not compiled.files:
        errors = (compiled.stdout + compiled.stderr).decode(errors="backslashreplace").strip()
        raise HostError(f"the probe for java cannot be compiled: {errors or 'the compiler says nothing'}")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for path, content in sorted(compiled.files.items()):
            file.writestr(zipfile.ZipInfo(path.removeprefix(f"{_CLASSES}/"), _OLD), content)
    return archive.getvalue()


def probe_command(probe: Probe, folder: Path | None = None, build: Build | None = None) -> tuple[str, ...]:
    """Return the command that starts a probe in `folder`, which was built so."""
    if probe.language != "java":
        language = probe.language if probe.language in _STARTED_AS else "python"
        return (*_STARTED_AS[language], (_PROBES / _PROBE_SOURCES[language]).read_text())
    jars = build.jars if build else ()
    return ("java", "-cp", ":".join((_ARCHIVE, *jars, *own_archives(folder, build), ".")), "grader.Probe")


def own_archives(folder: Path | None, build: Build | None) -> list[str]:
    """Return the names of the archives of classes that were built, without the course's."""
    return [name for name in produced_archives(folder, build.produces) if name not in build.jars] if build else []


def produced_archives(folder: Path | None, produces: Sequence[str]) -> list[str]:
    """Return the names of the archives of classes among what the build produced, whatever they are called."""
    archives = []
    for path in sorted(folder.rglob("*")) if folder else ():
        name = path.relative_to(folder or path).as_posix()
        if ":" not in name and path.is_file() and any(matches_glob(name, pattern) for pattern in produces):
            with path.open("rb") as file:
                if file.read(len(_ZIP_START)) == _ZIP_START:
                    archives.append(name)
    return archives[:_MAX_ARCHIVES]


# ---------------------------------------------------------------- asking

_Asked = tuple[list[str], str, str, Sequence[str] | None]
"""where functions are looked for, how names are compared, the token, and the archives of `with_request`"""


def with_request(
    launch: Launch, case: FunctionCase, probe: Probe, token: str = "", archives: Sequence[str] | None = None
) -> Launch:
    """Return `launch` with the probe as its command, and with the request for the calls of `case`.

    Without a `token`, an unguessable one is generated. With `archives` the class of Java may have another name: the
    one with which these are started, or that is alone.
    """
    if suffix := _SUFFIXES.get(probe.language):
        within = [f"{name.replace('.', '/')}{suffix}" for name in case.within]
    else:
        within = [library_module(name) if probe.language in NATIVE else name for name in case.within]
    match = "any-case" if case.any_case else "exact"
    return _add_request(launch, case, probe.files, (within, match, token or secrets.token_hex(8), archives))


def library_module(file: str) -> str:
    """Return the name of the module that calls the functions of a source file in C or C++."""
    return f".grader-{file}.py"


def with_reference_request(launch: Launch, case: FunctionCase, file: str) -> Launch:
    """Return `launch` with the request for the same calls of the functions in `file`, a Python file of the reference.

    Those may be called as Python has it: `place_queen` stands for `placeQueen`.
    """
    return _add_request(launch, case, {}, ([file], "any-spelling", REFERENCE_TOKEN, None))


def _add_request(launch: Launch, case: FunctionCase, files: Mapping[str, bytes], asked: _Asked) -> Launch:
    within, match, token, archives = asked
    requested = [
        {
            "names": call.signature.names,
            "types": [parameter.type for parameter in call.signature.parameters],
            "returns": call.signature.returns,
            "static": call.signature.static,
            "sets": call.sets,
            "makes": call.makes,
            "optional": call.optional,
            "args": [_to_wire(arg) for arg in call.args],
        }
        for call in case.calls
    ]
    request = {
        "in": within,
        "match": match,
        "access": "any" if case.any_access else "package",
        "token": token,
        "file": f".{token}",
        "calls": requested,
        "main": len(case.before),
        "goes_on": case.steps is not None,
        "left": sorted(case.args),
        "archives": archives,
    }
    data = json.dumps(request).encode()
    return replace(
        launch,
        files={**launch.files, **files},
        stdin=b"%010d" % len(data) + data + launch.stdin,
        collect=(f".{token}",),
        collect_limit=_MAX_REPORT_BYTES,
    )


def _to_wire(value: PlainValue) -> Any:
    """Write a value in the form in which a probe reads and records values."""
    match value:
        case tuple():
            return [_to_wire(item) for item in value]
        case Argument(position=position):
            return {"argument": position}
        case NewObject(args=args):
            return {"new": _to_wire(args)}
        case MapValue(items=pairs):
            return {"map": _to_wire(pairs)}
        case SetValue(items=members):
            return {"set": _to_wire(members)}
        case _:
            return value


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
    main = min(2 + len(case.before), len(printed) - 1)
    stdout = printed[main] if case.steps is None else b"".join(printed[min(2, main) :])
    return replace(execution, stdout=stdout, files={}, facts=calls)


def _read_calls(data: bytes, token: bytes, case: FunctionCase) -> Calls:
    facts: dict[str, Any] = {}
    returned: list[PlainValue] = []
    caught: dict[int, Raised] = {}
    for record in _records(data, token, 2 * len(case.calls) + 2):  # a probe records no more than that
        match record.event:
            case "loaded" | "unloaded" as event:
                facts |= {"loaded": event == "loaded", "load_error": record.error and _shortened(record.error)}
            case "absent" | "missing" if record.call is None or 0 <= record.call < len(case.calls):
                found = tuple(map(_short, record.found[:_MAX_FOUND]))
                missing = Missing(call=record.call, found=found, same_name=record.same_name)
                if "missing" not in facts or (case.steps is None and record.call == len(case.before)):
                    facts["missing"] = missing  # a case is about its main call, whatever else is not there
            case "returned" if _is_moderate(record.value):
                returned.append(_to_value(record.value))
            case "raised" if record.goes_on and case.steps is not None and record.error:
                caught[len(returned)] = _shortened(record.error)
                returned.append(None)
            case "raised":
                facts["raised"] = record.error and _shortened(record.error)
            case "args" if isinstance(record.value, list) and all(map(_is_moderate, record.value)):
                facts["args"] = tuple(map(_to_value, record.value))
            case "fault":
                facts["fault"] = _short(record.message)
    return Calls(**facts, returned=tuple(returned), caught=caught)


def _records(data: bytes, token: bytes, most: int) -> Iterator[_ProbeRecord]:
    """Yield the records in those lines that the probe itself wrote."""
    for line in islice(re.finditer(b"^%b(.*)" % re.escape(token), data, re.MULTILINE), most):
        if line.end() - line.start() > _MAX_LINE_LENGTH:
            continue
        with suppress(ValueError, RecursionError):  # written by somebody else, or cut off by the end
            yield msgspec.convert(json.loads(line[1]), decodable(_ProbeRecord))


def _short(text: str) -> str:
    return text[:_MAX_NAME_LENGTH].encode(errors="backslashreplace").decode()


def _shortened(raised: Raised) -> Raised:
    return Raised(
        type=_short(raised.type),
        kinds=tuple(map(_short, raised.kinds[:_MAX_FOUND])),
        message=_short(raised.message),
        place=_short(raised.place) if len(raised.place) <= _MAX_PLACE_LENGTH else "",
    )


def _is_moderate(value: Any) -> bool:
    """Whether a value is no larger and no deeper than those that a probe records."""
    level, count = [value], 0
    for _ in range(_MAX_DEPTH + 1):
        count += len(level)
        level = [item for one in level for item in _inside(one)]
        if not level:
            return count <= 2 * _MAX_VALUES  # a map takes two: the mapping that it is written as, and the list in that
    return False


def _inside(data: Any) -> list[Any]:
    """Return the parts of a JSON value; a mapping stands for one value, and its texts are no parts."""
    if isinstance(data, dict):
        return [one for one in data.values() if isinstance(one, list)]
    return data if isinstance(data, list) else []


def _to_value(data: Any) -> PlainValue:
    """Convert JSON to the value that it describes."""
    match data:
        case list():
            return tuple(map(_to_value, data))
        case {"float": str(text)} if text.strip("+-").lower() in ("nan", "inf", "infinity"):
            return float(text)
        case dict():
            return _to_special(data)
        case _:
            return data


def _to_special(data: Mapping[str, Any]) -> PlainValue:
    """Make a value of a mapping, which stands for what JSON has not."""
    match data:
        case {"map": [*pairs]} if all(isinstance(pair, list) and len(pair) == len(("key", "value")) for pair in pairs):
            return MapValue(items=tuple((_to_value(key), _to_value(value)) for key, value in pairs))
        case {"set": [*members]}:
            return SetValue(items=tuple(map(_to_value, members)))
        case {"opaque": str(name), "text": str(text)}:
            return Opaque(type=name, text=text)
        case {"opaque": str(name)}:
            return Opaque(type=name)
        case _:
            return Opaque(type="object")
