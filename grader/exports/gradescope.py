"""`results.json` for Gradescope, which grades one submission at a time (gradescope-autograders.readthedocs.io, specs).

The platform records a zero for an aborted run, and refuses an incomplete file. So `pending` is written before anything
runs, and the result then replaces it atomically.

An ungraded submission has no `score`, neither at the top nor in a test. The specification requires one of them, so the
platform shows that the autograder failed, and staff run it again. A zero would be a grade.

`score` at the top decides, whatever the tests add up to. A hidden test has its points and nothing else, whether or not
the platform would hide it. As long as there is such a test, the platform hides the total.
"""

from typing import Any

from grader.core.model.judgement import Verdict
from grader.core.model.report import ReportedTest
from grader.core.report.json import to_json
from grader.core.report.plain import report_text, test_text
from grader.core.report.view import is_shown
from grader.core.text import points, sentence, show
from grader.exports.request import Exported, Request

_OUTPUT_BYTES = 32 * 2**10
"""bytes of the text of one test"""

PENDING = (
    "This submission is not graded yet. If you still read this after some minutes, the grading was cut off: tell us."
)
"""the text that is shown until the result is there, or if it never comes"""

VISIBILITY = {"visible": "visible", "hidden": "hidden", "after-due": "after_due_date"}
"""ours -> the platform's"""


def pending() -> bytes:
    """Return the file for the time before the result is there: no score, and a sentence."""
    return to_json({"output": PENDING, "output_format": "text", "stdout_visibility": "hidden", "tests": []})


def to_gradescope(request: Request) -> Exported:
    """Write the result of one submission."""
    view = request.single
    report, is_scored = view.effective, view.state == "scored"
    width = len(str(len(report.tests)))
    content = {
        **({"score": _json_number(report.counted)} if is_scored else {}),
        "execution_time": round(sum(case.time or 0.0 for test in report.tests for case in test.cases), 3),
        "output": show(report_text(report, after_due=view.after_due), _OUTPUT_BYTES),
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
        "tests": [
            _gradescope_test(result, f"{number:0{width}}", after_due=view.after_due, is_scored=is_scored)
            for number, result in enumerate(report.tests, 1)
        ],
    }
    if view.state == "ungraded":
        left_out = (f"{view.name} is ungraded: the file has no score, and says so",)
        return Exported(content=to_json(content), left_out=left_out)
    return Exported(content=to_json(content), notes=() if is_scored else (f"{view.name} has no score: {view.reason}",))


def _gradescope_test(test: ReportedTest, number: str, *, after_due: bool, is_scored: bool) -> dict[str, Any]:
    has_score = is_scored and test.score is not None
    found: dict[str, Any] = {
        **({"score": _json_number(test.score)} if has_score else {}),
        "max_score": _json_number(test.points),
        "name": sentence(test.name) + (" (bonus)" if test.bonus else ""),
        "number": number,
        "visibility": VISIBILITY[test.visibility],
    }
    if is_shown(test, after_due=after_due):
        texts = filter(None, (sentence(test.about), test_text(test) or f"The test is {test.verdict}."))
        found |= {"output": show("\n\n".join(texts), _OUTPUT_BYTES), "output_format": "text"}
        found |= {"status": "passed" if test.verdict is Verdict.PASSED else "failed"} if has_score else {}
    return found


def _json_number(score: float | None) -> float:
    text = points(score or 0)
    return float(text) if "." in text else int(text)
