"""The result of one submission, as the platforms and tools take it that grade or show one at a time.

Gradescope (gradescope-autograders.readthedocs.io, specs) records a zero for an aborted run, and refuses an incomplete
file. So `pending` is written before anything runs, and the result then replaces it atomically. An ungraded submission
has no `score`, neither at the top nor in a test. The specification requires one of them, so the platform shows that the
autograder failed, and staff run it again; a zero would be a grade. `score` at the top decides, whatever the tests add
up to. As long as there is a hidden test, the platform hides the total.

PrairieLearn (docs/externalGrading.md of PrairieLearn): `score` is a share of the points, from 0 to 1. A submission that
is ungraded by our fault is not `gradable`: it gets no points, loses none, and the attempt does not count. It accepts at
most 1 MB; a larger file is cut, the texts of the tests first, and says so.

Exercism, version 2: whether each test passed, and a message about it; no points. `error` at the top means that no test
could run, or that there is nothing to say of the tests: who is excused has neither passed nor failed.

Autolab reads the last line that an autograder prints: the points of every problem, which are our tests. A problem that
is missing in it has no score, so an ungraded submission prints no line, and exits with 3.

Classroom 50 (`result.json`, classroom50/result/v1) has whole numbers, so points are written in hundredths. A score
above the maximum, by a bonus, would be refused: it is written as the maximum, with a note.

A hidden test has its name and its points, and nothing else, whether or not the platform would hide it.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from grader.core.errors import HostError, UsageError
from grader.core.model.report import Report, ReportedTest, Verdict, fraction
from grader.core.reader.files import read_data
from grader.core.report.document import FAULT_OF_OURS
from grader.core.report.json import on_one_line, to_json
from grader.core.report.plain import report_text, test_text
from grader.core.report.view import is_shown, out_of_points
from grader.core.text import one_line, points, round_score, sentence, show
from grader.exports.request import Exported, Request
from grader.results.view import GradeView

PENDING = (
    "This submission is not graded yet. If you still read this after some minutes, the grading was cut off: tell us."
)
VISIBILITY = {"visible": "visible", "hidden": "hidden", "after-due": "after_due_date"}  # ours -> Gradescope's
EXCUSED_TEXT = "You are excused from this assignment: it has no score, and none is missing."
_TEXT_LIMIT = 32 * 2**10  # bytes of the text of one test
FILE_LIMIT = 1_000_000  # bytes of the file for PrairieLearn
TEXT_LIMITS = (_TEXT_LIMIT, 8 * 2**10, 2 * 2**10, 500, 0)  # bytes of each text there; a smaller one if it is too large
BESIDE_TESTS = "beside the tests"  # the Autolab problem of the points in no test, including the post-grading
FIELDS: Mapping[str, Any] = read_data(Path(__file__).with_name("classroom50.yaml"))
_Object = dict[str, Any]


def _exported(content: Any, view: GradeView, ungraded: str = "", notes: Mapping[str, bool] = {}) -> Exported:
    """Return the export with the notes that hold, and one if there is no score; `ungraded` is what the file says then.

    `content` is what is written as JSON, or bytes.
    """
    left_out = (f"{view.name} is ungraded: {ungraded}",) if view.state == "ungraded" else ()
    all_notes = {f"{view.name} has no score: {view.reason}": bool(view.reason) and not left_out, **notes}
    data = content if isinstance(content, bytes) else to_json(content)
    return Exported(content=data, left_out=left_out, notes=tuple(note for note, holds in all_notes.items() if holds))


def _name_of(test: ReportedTest) -> str:
    return sentence(test.name) + (" (bonus)" if test.bonus else "")


def _whole_text(view: GradeView) -> str:
    return show(report_text(view.effective, after_due=view.after_due), _TEXT_LIMIT)


def to_report_format(render: Callable[[Report, str, bool], bytes], request: Request) -> Exported:
    """Render the report of one student with a report format of an installed package."""
    view = request.single
    return Exported(content=render(view.report, "", view.after_due))


def pending() -> bytes:
    """Return Gradescope's file for the time before the result is there: no score, and a sentence."""
    return to_json({"output": PENDING, "output_format": "text", "stdout_visibility": "hidden", "tests": []})


def to_gradescope(request: Request) -> Exported:
    """Write the result for Gradescope."""
    view = request.single
    report, is_scored = view.effective, view.state == "scored"

    def to_test(number: int, test: ReportedTest) -> _Object:
        has_score = is_scored and test.score is not None
        fields: _Object = {
            **({"score": _json_number(test.score)} if has_score else {}),
            "max_score": _json_number(test.points),
            "name": _name_of(test),
            "number": f"{number:0{len(str(len(report.tests)))}}",
            "visibility": VISIBILITY[test.visibility],
        }
        if is_shown(test, after_due=view.after_due):
            texts = filter(None, (sentence(test.about), test_text(test) or f"The test is {test.verdict}."))
            fields |= {"output": show("\n\n".join(texts), _TEXT_LIMIT), "output_format": "text"}
            fields |= {"status": "passed" if test.verdict is Verdict.PASSED else "failed"} if has_score else {}
        return fields

    content = {
        **({"score": _json_number(report.counted)} if is_scored else {}),
        "execution_time": round(sum(case.time or 0.0 for test in report.tests for case in test.cases), 3),
        "output": _whole_text(view),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "grader": report.grader,
            "sandbox": report.sandbox.level,
            "spec": report.spec.id,
            "spec_digest": report.spec.digest,
            "submission_digest": report.submission.digest,
        },
        "tests": [to_test(number, test) for number, test in enumerate(report.tests, 1)],
    }
    return _exported(content, view, "the file has no score, and says so")


def _json_number(score: float | None) -> float:
    text = points(score or 0)
    return float(text) if "." in text else int(text)


def to_prairielearn(request: Request) -> Exported:
    """Write the result for PrairieLearn."""
    view = request.single
    report = view.effective
    if view.reason:
        text = {"ungraded": FAULT_OF_OURS, "excused": EXCUSED_TEXT}.get(view.state) or _whole_text(view)
        content = {"gradable": False, "message": text, "format_errors": [text]}
        return _exported(content, view, "the file says that it cannot be graded")
    data, is_cut = fit_report(report, after_due=view.after_due)
    full = f"{view.name} has {out_of_points(report.counted, report.max_score)}: PrairieLearn takes it as full marks"
    cut = f"the report of {view.name} was too long for PrairieLearn: texts are cut"
    return _exported(data, view, notes={full: (report.counted or 0) > report.max_score, cut: is_cut})


def fit_report(report: Report, *, after_due: bool = False, most: int = FILE_LIMIT) -> tuple[bytes, bool]:
    """Render a graded report in at most so many bytes; return it, and whether anything was cut."""

    def to_test(test: ReportedTest, limit: int) -> _Object:
        fields: _Object = {"name": _name_of(test), "points": test.score or 0, "max_points": test.points}
        if is_shown(test, after_due=after_due) and limit:
            fields |= {"description": show(sentence(test.about), limit), "message": f"The test is {test.verdict}."}
            fields |= {"output": show(test_text(test), limit)}
        return fields

    share = fraction(report.counted or 0) / fraction(report.max_score) if report.max_score else 1
    message = f"{out_of_points(report.counted, report.max_score)}."
    head: _Object = {"gradable": True, "score": float(min(share, 1)), "message": message}
    text = report_text(report, after_due=after_due)
    for limit in TEXT_LIMITS:
        tests = [to_test(test, limit) for test in report.tests]
        content = to_json({**head, "output": show(text, max(limit, 500)), "tests": tests})
        if len(content) <= most:
            return content, limit != TEXT_LIMITS[0]
        head["message"] = f"{message} The report was too long for this page and is cut."
    return to_json({**head, "tests": []}), True


def to_exercism(request: Request) -> Exported:
    """Write the result for Exercism."""
    view = request.single
    report, tests = view.effective, list[_Object]()
    if view.state in ("ungraded", "excused") or not report.build.ok:
        text = EXCUSED_TEXT if view.state == "excused" else _whole_text(view)
        content = {"version": 2, "status": "error", "message": text, "tests": tests}
        return _exported(content, view, "the file says 'error'")
    for test in report.tests:
        passed = test.score is not None and test.score == test.points
        tests.append({"name": sentence(test.name), "status": "pass" if passed else "fail"})
        if is_shown(test, after_due=view.after_due) and (text := test_text(test)):
            tests[-1]["message"] = show(text, _TEXT_LIMIT)
    is_full = report.score is None and report.counted is not None and report.counted >= report.max_score
    status = "pass" if report.verdict is Verdict.PASSED or is_full else "fail"
    return _exported({"version": 2, "status": status, "tests": tests}, view)


def to_autolab(request: Request) -> Exported:
    """Write the line for Autolab."""
    view = request.single
    report = view.effective
    if view.state == "ungraded":
        raise HostError(f"{view.name} is ungraded, so there is no line: Autolab then has no score")
    if view.state == "excused":
        raise UsageError(f"{view.name} is excused, so there is no line: excuse the student in Autolab")
    scores = {sentence(test.name): fraction(test.score) for test in report.tests if test.score is not None}
    if report.counted is not None:  # Autolab adds up all problems
        is_beside = report.on_top or report.final or not scores
        place = BESIDE_TESTS if is_beside else max(scores, key=lambda name: scores[name])
        scores[place] = scores.get(place, Fraction(0)) + fraction(report.counted) - sum(scores.values())
    numbers = {name: float(score) for name, score in scores.items()}
    return _exported(on_one_line(msgspec.json.encode({"scores": numbers})) + b"\n", view)


def fields_from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Read the fields that the runner of Classroom 50 sets in its environment."""
    known = [(name, key) for name, field in FIELDS.items() for key in reversed(field.get("variables", ()))]
    return {name: environment[key] for name, key in known if environment.get(key)}


def to_classroom50(request: Request) -> Exported:
    """Write the result for Classroom 50."""
    view = request.single
    fields, report = _checked_fields(request), view.effective
    if view.state == "ungraded":
        why = "Classroom 50 then records an error and no score"
        raise HostError(f"{view.name} is ungraded, so no result is written: {why}")
    if view.reason:
        raise UsageError(f"no result of {view.name} is written: {view.reason}")

    def scored(score: float | None, most: float) -> _Object:
        full = round_score(fraction(most), fraction(most))
        return {"score": min(round_score(fraction(score or 0), fraction(most)), full), "max-score": full}

    def to_test(test: ReportedTest) -> _Object:
        is_full = fraction(test.score or 0) == fraction(test.points)
        fields = {"test-name": sentence(test.name) or "test", "passed": is_full, **scored(test.score, test.points)}
        is_visible = is_shown(test, after_due=view.after_due)
        return fields | ({"verdict": test.verdict, "message": show(test_text(test), 2**13)} if is_visible else {})

    tests = [to_test(test) for test in report.tests]
    total = scored(report.counted, report.max_score)
    above = f"{view.name} has {out_of_points(report.counted, report.max_score)}: Classroom 50 takes no more than all"
    notes = {above: (report.counted or 0) > report.max_score}
    return _exported({"schema": "classroom50/result/v1", **fields, **total, "tests": tests}, view, notes=notes)


def _checked_fields(request: Request) -> dict[str, str]:
    """Return all fields; raises UsageError where one is missing, unknown or has another form."""
    given = {"assignment_type": "individual", **request.fields}
    given |= {"assignment": request.assignment} if request.assignment else {}
    if unknown := sorted(given.keys() - FIELDS.keys()):
        raise UsageError(f"Classroom 50 has no field {unknown[0]}; there are {', '.join(FIELDS)}")
    fields = {name: given.get(name, "") for name in FIELDS}
    if missing := [name for name, value in fields.items() if not value]:
        variables = ", ".join(FIELDS[name]["variables"][0] for name in missing if "variables" in FIELDS[name])
        hint = f"its runner sets {variables}; else use --set NAME=VALUE"
        raise UsageError(f"Classroom 50 needs {', '.join(missing)}: {hint}")
    for name, field in FIELDS.items():
        if not re.fullmatch(field.get("pattern", ".*"), fields[name], re.DOTALL):
            raise UsageError(f"{name} of Classroom 50 has the form {field['form']}; it is '{one_line(fields[name])}'")
    return {name: one_line(value, 2000) for name, value in fields.items()}
