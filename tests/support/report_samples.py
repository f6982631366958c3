"""Reports for the tests of the reporters: small parts, and one report with something of everything."""

from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any, get_type_hints

from msgspec.structs import replace
from rich.console import Console

from grader.core.model.execution import Execution, TranscriptEntry
from grader.core.model.layout import BuildResult, Finding, Submission
from grader.core.model.report import (
    CaseResult,
    Deviation,
    Judgement,
    Message,
    Report,
    ReportedCase,
    SandboxInfo,
    TestResult,
    Verdict,
    summarise,
)
from grader.core.model.spec import Case, Spec, Test
from grader.core.report.formats import render
from grader.core.report.json import to_report, to_reported_test
from grader.core.report.plain import to_renderable
from grader.core.text import show
from tests.support.rows import from_data, read_data

_DATA = read_data(__file__)
USAGE = b"Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions\n"
TRACE = b'Exception in thread "main" java.lang.NumberFormatException: "blah"\n\tat Queens.main(Queens.java:12)\n'

HOSTILE = (*from_data(_DATA["HOSTILE"], tuple[bytes, ...]), bytes(range(256)))
"""what students' programs may print, and files may be called (but for NUL and the slash)"""


def deviation(kind: str = "wrong", message: str = "The output differs.", keeps: Fraction | int = 0) -> Deviation:
    return Deviation(kind=kind, stream="stdout", message=message, keeps=Fraction(keeps))


def case_result(
    case_id: str = "count[n=4]",
    verdict: Verdict = Verdict.FAILED,
    message: str = "The output differs.",
    *,
    stdout: bytes = b"",
    stderr: bytes = b"",
    expected: bytes | None = None,
    deviations: tuple[Deviation, ...] = (),
    command: str = "java -jar Queens 4",
) -> CaseResult:
    return CaseResult(
        id=case_id,
        verdict=verdict,
        credit=Fraction(verdict is Verdict.PASSED),
        command=command,
        message=Message(message, (message,)),
        deviations=deviations,
        run=summarise(Execution(stdout=stdout, stderr=stderr, status=1, time=0.1234, cpu=0.25, memory=40 * 2**20)),
        expected_stdout=None if expected is None else show(expected),
    )


_ARGUMENTS = get_type_hints(case_result)
_FIELDS = get_type_hints(CaseResult)


def scored_test(
    name: str, cases: tuple[CaseResult, ...], verdict: Verdict, score: Fraction | int | None = 0, points: int = 10
) -> TestResult:
    test = Test(name=name, points=Fraction(points), cases=tuple(Case(id=case.id) for case in cases))
    return TestResult(test=test, score=None if score is None else Fraction(score), verdict=verdict, cases=cases)


def report_of(
    *tests: TestResult, student: str = "alice", verdict: Verdict = Verdict.FAILED, score: Fraction | int | None = 0
) -> Judgement:
    return Judgement(
        spec=Spec(
            id="cmps12b-pa2",
            title="All solutions of N-Queens, by recursion",
            root=Path(),
            digest="5bec" * 16,
            tests=tuple(result.test for result in tests),
            program=("java", "-jar", "Queens"),
        ),
        submission=Submission(id=student, path=Path()),
        submission_digest="c0de" * 16,
        verdict=verdict,
        score=None if score is None else Fraction(score),
        max_score=Fraction(sum((result.test.points for result in tests), Fraction(0))),
        sandbox=SandboxInfo(level="full"),
        toolchain={"javac": "javac 17.0.9"},
        findings=(),
        build=BuildResult(ok=True, command="make", log=b"javac Queens.java\n", time=1.5),
        tests=tests,
    )


def reported(case: CaseResult) -> ReportedCase:
    """Write one case down."""
    return to_reported_test(scored_test("a", (case,), case.verdict)).cases[0]


def to_page(report: Report, *, after_due: bool = False) -> bytes:
    return render(report, after_due=after_due)["feedback.html"]


def to_feedback(report: Report, *, after_due: bool = False) -> str:
    return render(report, after_due=after_due)["feedback.md"].decode()


def hostile_report(data: bytes, verdict: Verdict = Verdict.FAILED) -> Judgement:
    """Whatever can come from a student is `data`."""
    text = data.decode("utf-8", "surrogateescape")
    case = case_result(
        f"count[n={text}]",
        verdict,
        text,
        stdout=data * 3,
        stderr=data,
        expected=b"4-Queens has 2 solutions\n",
        deviations=(replace(deviation(message=text), stream="stderr"), deviation(message=text)),
        command=f"java -jar {text}",
    )
    report = report_of(scored_test(f"count {text}", (case,), verdict), student=text, verdict=verdict)
    return replace(
        report,
        findings=(Finding(kind="backup-file", message=f"{text} is a backup"),),
        build=BuildResult(ok=False, command=f"make {text}", log=data, message=f"error: {text}"),
        toolchain={"javac": text},
    )


def _sample_case(data: dict[str, Any]) -> CaseResult:
    """Return a case by the arguments of `case_result`, and by fields of the record under `fields`."""
    given = {name: from_data(one, _ARGUMENTS[name]) for name, one in data.items() if name != "fields"}
    fields = {name: from_data(one, _FIELDS[name]) for name, one in data.get("fields", {}).items()}
    return replace(case_result(**given), **fields)


def _sample_test(data: dict[str, Any]) -> TestResult:
    cases = tuple(map(_sample_case, data["cases"]))
    points = data["points"]
    result = scored_test(data["name"], cases, Verdict(data["verdict"]), Fraction(data["score"]), points)
    return replace(result, test=replace(result.test, **data.get("test", {})))


def full_report() -> Judgement:
    """Build a report with something of everything but a failed build; the golden files show it."""
    report = report_of(*map(_sample_test, _DATA["full_report"]), student="Müller, Anna", score=Fraction(235, 6))
    return replace(
        report,
        max_score=Fraction(100),
        findings=(
            Finding(kind="build-product", message="Queens.class was handed in; it was removed before the build."),
            Finding(kind="extra-folder", message="Everything is in the folder pa2."),
        ),
    )


def broken_report(verdict: Verdict = Verdict.BUILD_FAILED) -> Judgement:
    """Build the report of a submission that does not compile."""
    message = "Queens.java:3: error: ';' expected"
    log = b"javac Queens.java\nQueens.java:3: error: ';' expected\n    int n = 4\n             ^\n1 error\n"
    cases = tuple(replace(case_result(f"count[n={n}]", verdict, message), run=None) for n in (4, 5))
    report = report_of(scored_test("count", cases, verdict))
    return replace(report, build=BuildResult(ok=False, command="make", log=log, message=message, time=0.7))


def dialogue_report(turns: int = 4) -> Judgement:
    """Build the report of a program that was talked to, and did not answer."""
    question = TranscriptEntry(time=0.02, stream="stdout", text=b"Enter n: ")
    answer = TranscriptEntry(time=0.5, stream="stdin", text=b"4\n")
    case = case_result(
        "talk", message="Your program did not print `2 solutions` within 2 s; it had printed `Enter n: `."
    )
    run = Execution(transcript=(question, answer) * (turns // 2), time=2.0)
    return report_of(scored_test("talk", (replace(case, run=summarise(run)),), Verdict.FAILED))


def on_screen(report: Judgement | Report, width: int = 80, *, after_due: bool = False, colour: bool = False) -> str:
    """Return what a terminal shows of a report."""
    file = StringIO()
    console = Console(file=file, width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(*to_renderable(to_report(report) if isinstance(report, Judgement) else report, after_due=after_due))
    return file.getvalue()
