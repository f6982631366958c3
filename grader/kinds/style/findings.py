"""The output of a tool -> its findings, in each of the formats.

A student influences the output, so it is not trusted.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.model.decoding import decode_json
from grader.core.model.judgement import Spot
from grader.core.untrusted_xml import read_xml
from grader.kinds.style.model import FindingFormat


def read_findings(form: FindingFormat, stdout: bytes, stderr: bytes) -> list[Spot]:
    """Read the findings in a tool's output, each with the tool's name of the file; line 0 where it has none.

    Raises ValueError when the output is not in its format, or not completely.
    """
    return _READERS[form](stdout, stderr)


# ---------------------------------------------------------------- SARIF 2.1.0


class _Message(Struct, frozen=True):
    text: str = ""


class _Artifact(Struct, frozen=True):
    uri: str = ""


class _Region(Struct, frozen=True, rename="camel"):
    start_line: int = 0


class _Physical(Struct, frozen=True, rename="camel"):
    artifact_location: _Artifact = _Artifact()
    region: _Region = _Region()


class _Location(Struct, frozen=True, rename="camel"):
    physical_location: _Physical = _Physical()


class _Suppression(Struct, frozen=True):
    kind: str = ""


class _Result(Struct, frozen=True, rename="camel"):
    rule_id: str | None = None
    message: _Message = _Message()
    kind: str = "fail"
    locations: tuple[_Location, ...] = ()
    suppressions: tuple[_Suppression, ...] | None = None


class _Invocation(Struct, frozen=True, rename="camel"):
    execution_successful: bool = True


class _Run(Struct, frozen=True):
    results: tuple[_Result, ...] | None = None
    invocations: tuple[_Invocation, ...] = ()


class _Log(Struct, frozen=True):
    runs: tuple[_Run, ...]


def _read_sarif(stdout: bytes, stderr: bytes) -> list[Spot]:
    text = (stdout if stdout.strip() else stderr).decode("utf-8-sig", "replace")
    try:
        log = decode_json(text, _Log)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"no SARIF: {error}") from error
    if not all(one.execution_successful for run in log.runs for one in run.invocations):
        raise ValueError("it says itself that it was not successful")
    return [_of_result(one) for run in log.runs for one in run.results or () if _counts(one)]


def _counts(result: _Result) -> bool:
    """Whether a result is a fault. A suppression in the source does not change that; one in the course's rules does."""
    return result.kind == "fail" and all(one.kind == "inSource" for one in result.suppressions or ())


def _of_result(result: _Result) -> Spot:
    place = (result.locations or (_Location(),))[0].physical_location
    file, line = unquote(place.artifact_location.uri), max(0, place.region.start_line)
    return Spot(file=file, line=line, what=result.message.text, rule=result.rule_id or "")


# ---------------------------------------------------------------- the XML of Checkstyle


def _read_checkstyle(stdout: bytes, stderr: bytes) -> list[Spot]:
    found: list[Spot] = []
    file = ""

    def start(name: str, values: Mapping[str, str]) -> None:
        nonlocal file
        if name == "file":
            file = values.get("name", "")
        elif name == "exception":
            raise ValueError(f"it failed on {file}")
        elif name == "error":
            line = values.get("line", "")
            number = int(line) if re.fullmatch(r"[0-9]{1,9}", line) else 0
            rule = values.get("source", "").rpartition(".")[2]
            found.append(Spot(file=file, line=number, what=values.get("message", ""), rule=rule))

    try:
        read_xml(stdout if stdout.strip() else stderr, start=start)
    except ValueError as error:
        raise ValueError(f"no XML of Checkstyle: {error}") from error
    return found


# ---------------------------------------------------------------- lines

_LINE = re.compile(r"(?P<file>[^:\n]+):(?P<line>[0-9]{1,9})(?::[0-9]{1,9})?: *(?P<text>.*)")
_LEVEL = re.compile(r"(?:fatal error|error|warning|style|performance|portability|information): *")
_FIRST_RULE = re.compile(r"(?P<rule>[A-Z]{1,4}[0-9]{2,5}):? +(?P<message>.*)")
_LAST_RULE = re.compile(r" *\[(?:-W)?(?P<rule>[\w.,=+-]+)\]$")
_MAX_RULE_LENGTH = 90


def _read_lines(stdout: bytes, stderr: bytes) -> list[Spot]:
    lines = (stdout + b"\n" + stderr).decode("utf-8", "replace").split("\n")
    places = [found for line in lines if (found := _LINE.fullmatch(line.rstrip("\r")))]
    # A note belongs to the finding before it.
    return [_of_line(found) for found in places if not found["text"].startswith("note: ")]


def _of_line(found: re.Match[str]) -> Spot:
    text = _LEVEL.sub("", found["text"], count=1)
    spot = Spot(file=found["file"], line=int(found["line"]), what=text)
    if first := _FIRST_RULE.fullmatch(text):
        return replace(spot, what=first["message"], rule=first["rule"])
    last = _LAST_RULE.search(text[-_MAX_RULE_LENGTH:])
    return replace(spot, what=text[: -len(last[0])], rule=last["rule"]) if last else spot


_READERS: Mapping[FindingFormat, Callable[[bytes, bytes], list[Spot]]] = {
    "sarif": _read_sarif,
    "checkstyle": _read_checkstyle,
    "lines": _read_lines,
}
