"""Small gradebooks for the tests of what is done with results of the past."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from grader.core.model.gradebook import Entry, Grade, Gradebook, Student
from grader.core.model.report import (
    Report,
    ReportedBuild,
    ReportedCase,
    ReportedDeviation,
    ReportedSpec,
    ReportedSubmission,
    ReportedTest,
    SandboxInfo,
    Verdict,
)


def case(
    credit: float = 1, message: str = "", name: str = "usage", keeps: Mapping[str, float] | None = None
) -> ReportedCase:
    """Build a case whose verdict follows from its credit."""
    verdict = Verdict.PASSED if credit == 1 else Verdict.PARTIAL if credit else Verdict.FAILED
    deviations = tuple(
        ReportedDeviation(kind=kind, stream="stdout", message=f"It is {kind}.", keeps=share)
        for kind, share in (keeps or {}).items()
    )
    return ReportedCase(
        id=name, verdict=verdict, credit=credit, command=f"./x {name}", message=message, deviations=deviations
    )


def scored(
    name: str,
    score: float | None,
    points: float = 10,
    cases: Sequence[ReportedCase] = (),
    visibility: Literal["visible", "hidden", "after-due"] = "visible",
) -> ReportedTest:
    """Build a test; it passed when it has all its points."""
    verdict = Verdict.UNGRADED if score is None else Verdict.PASSED if score == points else Verdict.FAILED
    return ReportedTest(
        name=name, points=points, score=score, verdict=verdict, visibility=visibility, cases=tuple(cases)
    )


def record(*tests: ReportedTest, spec: str = "5bec", submission: str = "c0de", tools: str = "1") -> Report:
    """Build a report of these tests."""
    scores = [test.score for test in tests if test.score is not None]
    is_known = len(scores) == len(tests)
    most = sum(test.points for test in tests)
    verdict = Verdict.PASSED if sum(scores) == most else Verdict.FAILED
    return Report(
        format=1,
        grader="0.1.0",
        spec=ReportedSpec(id="pa1", title="Queens", digest=spec),
        submission=ReportedSubmission(id="alice", digest=submission),
        verdict=verdict if is_known else Verdict.UNGRADED,
        score=sum(scores) if is_known else None,
        max_score=most,
        sandbox=SandboxInfo(level="full"),
        toolchain={"cc": tools},
        build=ReportedBuild(ok=True),
        tests=tests,
    )


def grade(name: str, report: Report | None, *students: Student, path: str | None = "x") -> Grade:
    """Build a line of a gradebook."""
    entry = Entry(id=name, path=Path("class", path) if path else None, students=students or (Student(id=name),))
    return Grade(entry=entry, report=report, folder=name)


def book(*grades: Grade, max_score: float = 10, spec_text: str = "", spec: str = "5bec") -> Gradebook:
    """Build a gradebook."""
    return Gradebook(
        spec=ReportedSpec(id="pa1", title="Queens", digest=spec),
        max_score=max_score,
        grades=grades,
        spec_text=spec_text,
    )
