"""`report.json`, format 1: everything known about one submission, for programs and for the instructor.

Nothing is hidden here, whatever a test's `visibility`: this file is the course's own. Texts are strict UTF-8, with what
cannot be shown escaped as everywhere, and cut to `TEXT_LIMIT` bytes, which they then say at their end.
"""

import hashlib
from fractions import Fraction
from typing import Any

import msgspec

from grader.errors import HostError
from grader.model import VERSION, Calls, CaseResult, Deviation, Execution, Judgement, TestResult, Verdict
from grader.model.report import Report, without_outputs
from grader.report.transcript import said, speaker
from grader.text import points, show, to_bytes

FORMAT = 1
"""the version of the format: it changes when a key changes its meaning or goes"""

_Object = dict[str, Any]
_BLANKS = b" \t\r\n\v\f"


def to_json(report: Judgement) -> bytes:
    """Render the report as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(_report(report)), indent=2) + b"\n"


def to_json_line(report: Judgement) -> bytes:
    """Render the same on one line."""
    return on_one_line(msgspec.json.encode(_report(report)))


def on_one_line(data: bytes) -> bytes:
    """Lay written JSON out on one line, for standard output; CI systems read no `##[command]` in it."""
    return msgspec.json.format(data, indent=-1).replace(b"##", rb"#\u0023")


def from_json(data: bytes) -> Report:
    """Read a report back, without what programs wrote. Raises `HostError` for what is no report of this format."""
    try:
        record = msgspec.json.decode(data, type=Report)
    except msgspec.MsgspecError as error:
        raise HostError(f"this is no report of grader's: {error}") from error
    if record.format != FORMAT:
        raise HostError(f"the report has format {record.format}, and this grader reads format {FORMAT}")
    return without_outputs(record)


def _report(report: Judgement) -> _Object:
    spec, build = report.spec, report.build
    return {
        "format": FORMAT,
        "grader": VERSION,
        "spec": {"id": show(spec.id), "title": show(spec.title), "digest": show(spec.digest)},
        "submission": {"id": show(report.submission.id), "digest": show(report.submission_digest)},
        "verdict": report.verdict,
        "score": _points(report.score),
        "max_score": _points(report.max_score),
        "sandbox": {"level": show(report.sandbox.level), "warnings": [show(text) for text in report.sandbox.warnings]},
        "toolchain": {show(tool): show(version) for tool, version in report.toolchain.items()},
        "findings": [{"kind": show(one.kind), "message": show(one.message)} for one in report.findings],
        "build": {
            "ok": build.ok,
            "command": show(build.command),
            "log": show(build.log),
            "message": show(build.message),
            "time": build.time,
        },
        "tests": [_test(test) for test in report.tests],
    }


def _test(result: TestResult) -> _Object:
    test = result.test
    return {
        "name": show(test.name),
        "points": _points(test.points),
        "score": _points(result.score),
        "verdict": result.verdict,
        "visibility": test.visibility,
        "bonus": test.bonus,
        "about": show(test.about),
        "hint": show(test.hint),
        "cases": [_case(case) for case in result.cases],
    }


def _case(case: CaseResult) -> _Object:
    return {
        "id": show(case.id),
        "verdict": case.verdict,
        "credit": _share(case.credit),
        "command": show(case.command),
        "message": show(case.message),
        "deviations": [
            {"kind": one.kind, "stream": one.stream, "message": show(_whole(one)), "keeps": _share(one.keeps)}
            for one in case.deviations
        ],
        **_execution(case.execution),
        "likeness": _likeness(case),
        "expected_stdout": _text(case.expected_stdout),
        "expected_stderr": _text(case.expected_stderr),
        "values": [
            {"name": show(one.name), "expected": show(one.expected), "actual": show(one.actual)}
            for one in case.contrasts
        ],
    }


def _whole(deviation: Deviation) -> str:
    return f"{deviation.message}\n{deviation.drawing}" if deviation.drawing else deviation.message


def _execution(run: Execution | None) -> _Object:
    """Tell the facts. Of a case that never ran the same keys are there, and null."""
    if run is None:
        return dict.fromkeys(("exit", "limit", "limits", "time", "cpu", "memory", "stdout", "stderr", "transcript"))
    return {
        "exit": {"status": run.status} if run.signal is None else {"signal": run.signal},
        "limit": run.limit,
        "limits": run.limits,
        "time": run.time,
        "cpu": run.cpu,
        "memory": run.memory,
        "stdout": show(run.stdout),
        "stderr": show(run.stderr),
        "transcript": [
            {"time": turn.time, "who": speaker(turn), "stream": turn.stream, "text": said(turn)}
            for turn in run.transcript
        ],
    }


def _likeness(case: CaseResult) -> str:
    """Return what is the same for outputs that are the same up to blanks; empty where there is nothing to compare.

    What a function returned, raised or lacked counts too, and what is wrong with files, since neither is on a stream.
    """
    run = case.execution
    if run is None or case.verdict is Verdict.PASSED:
        return ""
    parts = [b"signal" if run.signal is not None else b"status"]
    parts += [run.stdout.translate(None, _BLANKS), run.stderr.translate(None, _BLANKS)]
    parts += [b"files " + to_bytes(one.message) for one in case.deviations if one.stream == "files"]
    parts += [b"calls " + to_bytes(_outcome(run.calls))] if run.calls else []
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()[:32]


def _outcome(calls: Calls) -> str:
    """Tell what came of calls; of an exception its type, since its place is another in every program."""
    raised = [one.type if one else "" for one in (calls.load_error, calls.raised)]
    return repr((calls.told, calls.loaded, raised, calls.missing, calls.returned, calls.args))


def _text(data: bytes | None) -> str | None:
    return None if data is None else show(data)


def _points(value: Fraction | None) -> float | None:
    if value is None:
        return None
    text = points(value)
    return float(text) if "." in text else int(text)


def _share(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)
