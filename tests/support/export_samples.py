"""A class with its reports, as an export is given it: nothing on a disk, but the reports are real ones."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from grader.core.model.gradebook import Entry, Grade, Gradebook, Student
from grader.core.model.layout import BuildResult
from grader.core.model.report import Judgement, ReportedSpec, Verdict, without_outputs
from grader.core.report.document import Rendering
from grader.core.report.formats import FORMATS
from grader.core.report.json import from_json, to_json, to_report
from grader.exports.request import Request, Template
from tests.support.report_samples import case_result, deviation, report_of, scored_test

FOLDER = Path(__file__).parents[1] / "exports" / "samples"
"""files in the platforms' formats, with people who do not exist"""

SECRET = "a7f3-nobody-may-read-this"  # noqa: S105 - no password
"""stands in whatever belongs to a test that students may not see"""

LATER = "b9e1-after-the-date"
"""stands in whatever belongs to a test that students may see later"""


def template(name: str) -> Template:
    return Template(name=name, content=(FOLDER / name).read_bytes())


def graded(score: Fraction | float | str, most: int = 100) -> Judgement:
    """Build a report with one test."""
    points = Fraction(score)
    verdict = Verdict.PASSED if points == most else Verdict.FAILED
    case = case_result("count", verdict, "" if points == most else "Line 1 is `3`; expected `<2>`.")
    return report_of(scored_test("count", (case,), verdict, points, most), verdict=verdict, score=points)


def ungraded() -> Judgement:
    case = case_result("count", Verdict.UNGRADED, "The reference crashed: /srv/course/reference.py line 3.")
    return report_of(scored_test("count", (case,), Verdict.UNGRADED, None, 100), verdict=Verdict.UNGRADED, score=None)


def not_readable() -> Judgement:
    case = case_result("count", Verdict.NOT_READABLE, "This is a RAR.")
    report = report_of(
        scored_test("count", (case,), Verdict.NOT_READABLE, None, 100), verdict=Verdict.NOT_READABLE, score=None
    )
    return replace(report, build=BuildResult(ok=False, message="This is a RAR.", is_readable=False))


def keeping_secrets(data: str = "") -> Judgement:
    """Build a report with a visible test, a hidden one and one for later; whatever is not for now is marked."""
    tests = [
        scored_test("count", (_case("count[1]", f"Line 1 differs.{data}"),), Verdict.FAILED, 4),
        scored_test("covert", (_case("covert[1]", SECRET + data),), Verdict.FAILED, 3),
        scored_test("deferred", (_case("deferred[1]", LATER + data),), Verdict.FAILED, 2),
    ]
    visible = replace(tests[0], test=replace(tests[0].test, about="How many.", hint={"default": "Count again."}))
    hidden = replace(tests[1], test=replace(tests[1].test, visibility="hidden", about=SECRET, hint={"default": SECRET}))
    later = replace(tests[2], test=replace(tests[2].test, visibility="after-due", about=LATER, hint={"default": LATER}))
    return report_of(visible, hidden, later, verdict=Verdict.FAILED, score=9)


def _case(name: str, text: str) -> Any:
    return case_result(
        name,
        message=text,
        stdout=text.encode("utf-8", "surrogateescape"),
        stderr=text.encode("utf-8", "surrogateescape"),
        expected=f"right {text}\n".encode("utf-8", "surrogateescape"),
        deviations=(deviation(message=text),),
        command=f"java -jar Queens {text}",
    )


def request_of(
    reports: Mapping[str, Judgement | None],
    people: Mapping[str, Student] | None = None,
    uploads: Mapping[str, tuple[str, ...]] | None = None,
    **asked: Any,
) -> Request:
    """Ask for the export of these reports, by the ids of their entries; None is one who handed in nothing."""
    written = {name: to_json(to_report(report)) for name, report in reports.items() if report is not None}
    grades = tuple(
        Grade(
            entry=Entry(
                id=name,
                path=Path(name.replace("/", "_")) if name in written else None,
                students=((people or {}).get(name, Student(id=name)),),
                uploads=(uploads or {}).get(name, ()),
            ),
            report=without_outputs(from_json(written[name])) if name in written else None,
            folder=name,
        )
        for name in sorted(reports)
    )
    most = next((float(report.max_score) for report in reports.values() if report), 100.0)
    spec = ReportedSpec(id="cmps12b-pa2", title="All solutions of N-Queens", digest="5bec" * 16)
    book = Gradebook(spec=spec, max_score=most, grades=grades)
    after_due = asked.get("after_due", False)

    def file(grade: Grade, name: str) -> bytes | None:
        report = written.get(grade.entry.id)
        return None if report is None else FORMATS[name](Rendering(from_json(report), after_due=after_due))

    return Request(book=book, file=file, **asked)
