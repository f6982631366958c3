"""A whole report out of `report.json`, for what is written long after grading.

`from_json` leaves out what programs wrote, because a class has to fit into memory. Here is all of it, for one
submission at a time. The texts are as they were shown: escaped, and cut where they were long.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from grader.errors import HostError
from grader.model import (
    BuildResult,
    CaseResult,
    Contrast,
    Deviation,
    Execution,
    Finding,
    Judgement,
    SandboxInfo,
    Spec,
    Submission,
    Test,
    TestResult,
    Turn,
    Verdict,
)
from grader.model.report import ReportedTest
from grader.report.json import from_json


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    time: float
    stream: Literal["stdin", "stdout", "stderr"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    name: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deviation:
    kind: str
    stream: Literal["stdout", "stderr", "exit", "files", "call"]
    message: str
    keeps: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A case with all its texts; those of a run are None when nothing ran."""

    id: str
    verdict: Verdict
    credit: float
    command: str
    message: str
    deviations: tuple[_Deviation, ...] = ()
    exit: Mapping[str, int] | None = None
    time: float | None = None
    stdout: str | None = None
    stderr: str | None = None
    transcript: tuple[_Turn, ...] | None = None
    expected_stdout: str | None = None
    expected_stderr: str | None = None
    values: tuple[_Value, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    cases: tuple[_Case, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tests:
    tests: tuple[_Test, ...] = ()


def to_report(data: bytes) -> Judgement:
    """Read a report back, with all its texts. Raises `HostError` for what is no report of this format."""
    record = from_json(data)
    try:
        whole = msgspec.json.decode(data, type=_Tests)
    except msgspec.MsgspecError as error:
        raise HostError(f"this is no report of grader's: {error}") from error
    tests = tuple(_test(slim, full) for slim, full in zip(record.tests, whole.tests, strict=True))
    build = record.build
    return Judgement(
        spec=Spec(
            id=record.spec.id,
            title=record.spec.title,
            root=Path(),
            digest=record.spec.digest,
            tests=tuple(result.test for result in tests),
            program=(),
        ),
        submission=Submission(id=record.submission.id, path=Path()),
        submission_digest=record.submission.digest,
        verdict=record.verdict,
        score=None if record.score is None else fraction(record.score),
        max_score=fraction(record.max_score),
        sandbox=SandboxInfo(level=record.sandbox.level, warnings=record.sandbox.warnings),
        toolchain=record.toolchain,
        findings=tuple(Finding(kind=one.kind, message=one.message) for one in record.findings),
        build=BuildResult(ok=build.ok, command=build.command, message=build.message, log=build.log.encode()),
        tests=tests,
    )


def fraction(number: float) -> Fraction:
    """Return the decimal number that was written, exactly: 0.1 is a tenth."""
    return Fraction(repr(number))


def _test(slim: ReportedTest, full: _Test) -> TestResult:
    test = Test(
        name=slim.name,
        points=fraction(slim.points),
        cases=(),
        about=slim.about,
        bonus=slim.bonus,
        visibility=slim.visibility,
        hint=slim.hint,
    )
    score = None if slim.score is None else fraction(slim.score)
    return TestResult(test=test, score=score, verdict=slim.verdict, cases=tuple(_case(case) for case in full.cases))


def _case(case: _Case) -> CaseResult:
    return CaseResult(
        id=case.id,
        verdict=case.verdict,
        credit=fraction(case.credit),
        command=case.command,
        message=case.message,
        deviations=tuple(_deviation(one) for one in case.deviations),
        execution=None if case.exit is None else _execution(case, case.exit),
        expected_stdout=_bytes(case.expected_stdout),
        expected_stderr=_bytes(case.expected_stderr),
        contrasts=tuple(
            Contrast(name=one.name, expected=one.expected.encode(), actual=one.actual.encode()) for one in case.values
        ),
    )


def _deviation(one: _Deviation) -> Deviation:
    """Take apart what the report joins: the sentence, and the lines that are drawn below it."""
    message, _, drawing = one.message.partition("\n")
    return Deviation(kind=one.kind, stream=one.stream, message=message, keeps=fraction(one.keeps), drawing=drawing)


def _execution(case: _Case, ended: Mapping[str, int]) -> Execution:
    return Execution(
        stdout=(case.stdout or "").encode(),
        stderr=(case.stderr or "").encode(),
        status=ended.get("status"),
        signal=ended.get("signal"),
        time=case.time or 0.0,
        transcript=tuple(_turn(one) for one in case.transcript or ()),
    )


def _turn(one: _Turn) -> Turn:
    return Turn(time=one.time, stream=one.stream, text=one.text.encode())


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
