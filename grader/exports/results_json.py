"""The results of one submission as JSON for PrairieLearn, Exercism and Autolab.

PrairieLearn's `results.json` (docs/externalGrading.md of PrairieLearn): `score` is a share of the points, from 0 to 1.
A submission that is ungraded by our fault is not `gradable`: it gets no points, loses none, and the attempt does not
count. The platform has no hidden tests: those have their points and nothing else. It accepts at most 1 MB; a larger
file is cut, the texts of the tests first, and says so.

Exercism's `results.json`, version 2: whether each test passed, and a message about it. There are no points.
`error` at the top means that no test could run: the build failed, or the grader did.

Autolab reads the last line that an autograder prints: the points of every problem, which are our tests. A problem that
is missing in it has no score. So an ungraded submission prints no line, and exits with 3. The line has only the names
and points of tests.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec

from grader.core.errors import HostError, UsageError
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedTest, fraction
from grader.core.report.document import FAULT_OF_OURS
from grader.core.report.json import to_json
from grader.core.report.plain import report_text, test_text
from grader.core.report.view import is_shown, out_of_points
from grader.core.text import sentence, show
from grader.exports.request import Exported, Request

FILE_LIMIT = 1_000_000
"""bytes of the file"""

TEXT_LIMITS = (32 * 2**10, 8 * 2**10, 2 * 2**10, 500, 0)
"""bytes of each text; the next limit is tried if the file is too large"""

BESIDE_TESTS = "beside the tests"
"""the Autolab problem with the points that belong to no test, including the post-grading"""

EXCUSED_TEXT = "You are excused from this assignment: it has no score, and none is missing."
_TOO_LONG = " The report was too long for this page and is cut."
_Object = dict[str, Any]


def to_prairielearn(request: Request) -> Exported:
    """Write the result of one submission."""
    view = request.single
    report = view.effective
    if view.reason:
        text = {"ungraded": FAULT_OF_OURS, "excused": EXCUSED_TEXT}.get(view.state)
        message = show(text or report_text(report, after_due=view.after_due), MESSAGE_LIMIT)
        content = to_json({"gradable": False, "message": message, "format_errors": [message]})
        if view.state == "ungraded":
            left_out = f"{view.name} is ungraded: the file says that it cannot be graded"
            return Exported(content=content, left_out=(left_out,))
        return Exported(content=content, notes=(f"{view.name} has no score: {view.reason}",))
    content, is_cut = fit_report(report, after_due=view.after_due)
    points = out_of_points(report.counted, report.max_score)
    notes = {
        f"{view.name} has {points}: PrairieLearn takes it as full marks": (report.counted or 0) > report.max_score,
        f"the report of {view.name} was too long for PrairieLearn: texts are cut": is_cut,
    }
    return Exported(content=content, notes=tuple(note for note, holds in notes.items() if holds))


def fit_report(report: Report, *, after_due: bool = False, most: int = FILE_LIMIT) -> tuple[bytes, bool]:
    """Render a graded report in at most so many bytes; return it, and whether anything was cut."""
    for limit in TEXT_LIMITS:
        tests = [_prairielearn_test(result, limit, after_due=after_due) for result in report.tests]
        head = _score_and_message(report, cut_off=limit != TEXT_LIMITS[0])
        output = show(report_text(report, after_due=after_due), max(limit, 500))
        content = to_json({**head, "output": output, "tests": tests})
        if len(content) <= most:
            return content, limit != TEXT_LIMITS[0]
    return to_json({**_score_and_message(report, cut_off=True), "tests": []}), True


def _score_and_message(report: Report, *, cut_off: bool) -> _Object:
    share = fraction(report.counted or 0) / fraction(report.max_score) if report.max_score else 1
    message = f"{out_of_points(report.counted, report.max_score)}."
    return {"gradable": True, "score": float(min(share, 1)), "message": message + (_TOO_LONG if cut_off else "")}


def _prairielearn_test(test: ReportedTest, limit: int, *, after_due: bool) -> _Object:
    found: _Object = {
        "name": sentence(test.name) + (" (bonus)" if test.bonus else ""),
        "points": test.score or 0,
        "max_points": test.points,
    }
    if is_shown(test, after_due=after_due) and limit:
        found |= {
            "description": show(sentence(test.about), limit),
            "message": f"The test is {test.verdict}.",
            "output": show(test_text(test), limit),
        }
    return found


# ---------------------------------------------------------------- Exercism

MESSAGE_LIMIT = 32 * 2**10
"""bytes of the message of one test"""


def to_exercism(request: Request) -> Exported:
    """Write the result of one submission."""
    view = request.single
    report, is_excused = view.effective, view.state == "excused"
    if view.state == "ungraded" or is_excused or not report.build.ok:
        text = EXCUSED_TEXT if is_excused else report_text(report, after_due=view.after_due)
        content = {"version": 2, "status": "error", "message": show(text, MESSAGE_LIMIT), "tests": []}
        left_out = (f"{view.name} is ungraded: the file says 'error'",) if view.state == "ungraded" else ()
        notes = (f"{view.name} has no score: {view.reason}",) if is_excused else ()
        return Exported(content=to_json(content), left_out=left_out, notes=notes)
    tests: list[_Object] = []
    for test in report.tests:
        passed = test.score is not None and test.score == test.points
        tests.append({"name": sentence(test.name), "status": "pass" if passed else "fail"})
        if is_shown(test, after_due=view.after_due) and (text := test_text(test)):
            tests[-1]["message"] = show(text, MESSAGE_LIMIT)
    is_full = report.score is None and report.counted is not None and report.counted >= report.max_score
    status = "pass" if report.verdict is Verdict.PASSED or is_full else "fail"
    return Exported(content=to_json({"version": 2, "status": status, "tests": tests}))


# ---------------------------------------------------------------- Autolab


def to_autolab(request: Request) -> Exported:
    """Write the line for one submission."""
    view = request.single
    report = view.effective
    if view.state == "ungraded":
        raise HostError(f"{view.name} is ungraded, so there is no line: Autolab then has no score")
    if view.state == "excused":
        raise UsageError(f"{view.name} is excused, so there is no line: excuse the student in Autolab")
    notes = (f"{view.name} has no score: {view.reason}",) if view.reason else ()
    scores = {sentence(test.name): fraction(test.score) for test in report.tests if test.score is not None}
    if report.counted is not None:  # Autolab adds up all problems
        is_beside = report.on_top or report.final or not scores
        place = BESIDE_TESTS if is_beside else max(scores, key=lambda name: scores[name])
        scores[place] = scores.get(place, Fraction(0)) + fraction(report.counted) - sum(scores.values())
    numbers = {name: float(score) for name, score in scores.items()}
    line = msgspec.json.encode({"scores": numbers}).replace(b"##", rb"#\u0023")
    return Exported(content=line + b"\n", notes=notes)


def to_report_format(render: Callable[[Report, str, bool], bytes], request: Request) -> Exported:
    """Render the report of one student with a report format of an installed package."""
    view = request.single
    return Exported(content=render(view.report, "", view.after_due))
