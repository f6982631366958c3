"""The output of a tool, which a student influences, -> its findings, in each of the formats."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.model.report import Spot
from grader.core.model.values import decode_json
from grader.core.untrusted_xml import read_xml
from grader.kinds.style.model import FindingFormat


class _Sarif(Struct, frozen=True, rename="camel"):
    """Any object of SARIF 2.1.0, with the keys that count in one or another."""

    runs: "tuple[_Sarif, ...] | None" = None
    results: "tuple[_Sarif, ...] | None" = None
    invocations: "tuple[_Sarif, ...]" = ()
    execution_successful: bool = True
    kind: str = "fail"
    rule_id: str | None = None
    message: "_Sarif | None" = None
    text: str = ""
    suppressions: "tuple[_Sarif, ...] | None" = None
    locations: "tuple[_Sarif, ...]" = ()
    physical_location: "_Sarif | None" = None
    artifact_location: "_Sarif | None" = None
    uri: str = ""
    region: "_Sarif | None" = None
    start_line: int = 0


def _read_sarif(stdout: bytes, stderr: bytes) -> list[Spot]:
    text = (stdout if stdout.strip() else stderr).decode("utf-8-sig", "replace")
    try:
        runs = decode_json(text, _Sarif).runs
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"no SARIF: {error}") from error
    if runs is None or not all(invocation.execution_successful for run in runs for invocation in run.invocations):
        raise ValueError("no SARIF: no runs" if runs is None else "it says itself that it was not successful")
    results = [result for run in runs for result in run.results or () if result.kind == "fail"]
    # A suppression in the source changes nothing; one in the course's rules does.
    return [
        _of_result(result) for result in results if all(mark.kind == "inSource" for mark in result.suppressions or ())
    ]


def _of_result(result: _Sarif) -> Spot:
    none = _Sarif()
    place = (result.locations or (none,))[0].physical_location or none
    file, line = unquote((place.artifact_location or none).uri), max(0, (place.region or none).start_line)
    return Spot(file=file, line=line, what=(result.message or none).text, rule=result.rule_id or "")


def _read_checkstyle(stdout: bytes, stderr: bytes) -> list[Spot]:
    spots: list[Spot] = []
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
            spots.append(Spot(file=file, line=number, what=values.get("message", ""), rule=rule))

    try:
        read_xml(stdout if stdout.strip() else stderr, start=start)
    except ValueError as error:
        raise ValueError(f"no XML of Checkstyle: {error}") from error
    return spots


_LINE = re.compile(r"(?P<file>[^:\n]+):(?P<line>[0-9]{1,9})(?::[0-9]{1,9})?: *(?P<text>.*)")
_LEVEL = re.compile(r"(?:fatal error|error|warning|style|performance|portability|information): *")
_FIRST_RULE = re.compile(r"(?P<rule>[A-Z]{1,4}[0-9]{2,5}):? +(?P<message>.*)")
_LAST_RULE = re.compile(r" *\[(?:-W)?(?P<rule>[\w.,=+-]+)\]$")
_MAX_RULE_LENGTH = 90


def _read_lines(stdout: bytes, stderr: bytes) -> list[Spot]:
    lines = (stdout + b"\n" + stderr).decode("utf-8", "replace").split("\n")
    places = [match for line in lines if (match := _LINE.fullmatch(line.rstrip("\r")))]
    # A note belongs to the finding before it.
    return [_of_line(match) for match in places if not match["text"].startswith("note: ")]


def _of_line(match: re.Match[str]) -> Spot:
    text = _LEVEL.sub("", match["text"], count=1)
    spot = Spot(file=match["file"], line=int(match["line"]), what=text)
    if first := _FIRST_RULE.fullmatch(text):
        return replace(spot, what=first["message"], rule=first["rule"])
    last = _LAST_RULE.search(text[-_MAX_RULE_LENGTH:])
    return replace(spot, what=text[: -len(last[0])], rule=last["rule"]) if last else spot


READERS: Mapping[FindingFormat, Callable[[bytes, bytes], list[Spot]]] = {
    "sarif": _read_sarif,
    "checkstyle": _read_checkstyle,
    "lines": _read_lines,
}
"""what reads findings from either stream, with line 0 where one has none; ValueError when it is no whole output"""
