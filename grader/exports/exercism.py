"""`results.json` of an Exercism test runner, version 2: whether each test passed, and what is to be said about it.

There are no points. `error` at the top means that no test could run: the build failed, or the grader did.
"""

from typing import Any

from grader.exports.request import Exported, Request, is_ungraded, report_of, the_grade
from grader.model import Report, ReportedTest, Verdict
from grader.report.json import to_json_file
from grader.report.plain import report_text, test_text
from grader.report.view import is_shown
from grader.text import one_line, sentence, show

_FORMAT_VERSION = 2
MESSAGE_LIMIT = 32 * 2**10


def to_exercism(request: Request) -> Exported:
    """Write the result of one submission."""
    grade = the_grade(request)
    report = report_of(request, grade)
    left_out = (f"{one_line(grade.entry.id)} is ungraded: the file says 'error'",) if is_ungraded(grade) else ()
    if is_ungraded(grade) or not report.build.ok:
        return Exported(content=to_json_file(_error_content(report)), left_out=left_out)
    tests = [_exercism_test(result, after_due=request.after_due) for result in report.tests]
    status = "pass" if report.verdict is Verdict.PASSED else "fail"
    return Exported(content=to_json_file({"version": _FORMAT_VERSION, "status": status, "tests": tests}))


def _error_content(report: Report) -> dict[str, Any]:
    return {
        "version": _FORMAT_VERSION,
        "status": "error",
        "message": show(report_text(report), MESSAGE_LIMIT),
        "tests": [],
    }


def _exercism_test(result: ReportedTest, *, after_due: bool) -> dict[str, Any]:
    passed = result.score is not None and result.score == result.points
    found: dict[str, Any] = {"name": sentence(result.name), "status": "pass" if passed else "fail"}
    if is_shown(result, after_due=after_due) and (text := test_text(result)):
        found["message"] = show(text, MESSAGE_LIMIT)
    return found
