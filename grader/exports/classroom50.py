"""`result.json` for Classroom 50, `classroom50/result/v1` (schemas/result-v1.schema.json of foundation50/classroom50).

The format has whole points only, and ours may have decimals. So that no grade changes, every number is written in
hundredths of a point, whether or not it is needed: 88.6 of 100 becomes 8860 of 10000. `whole=yes` writes whole points,
rounded half up, but neither the maximum for less nor 0 for more than nothing.

The file is published with the student's work, so a hidden test has its points alone. An ungraded submission writes no
file and exits with 3, which the runner records as an error, not as a grade. A score above the maximum, by a bonus,
would be refused: it is written as the maximum, with a note.
"""

import re
from collections.abc import Mapping
from typing import Any

from grader.core.errors import HostError, UsageError
from grader.core.model.report import ReportedTest, fraction
from grader.core.report.json import to_json
from grader.core.report.plain import test_text
from grader.core.report.view import is_shown, out_of_points
from grader.core.text import one_line, round_score, sentence, show
from grader.exports.request import Exported, Request

RESULT_SCHEMA = "classroom50/result/v1"

VARIABLES = {
    "classroom": ("CLASSROOM",),
    "assignment": ("ASSIGNMENT",),
    "assignment_type": ("ASSIGNMENT_TYPE",),
    "owner": ("OWNER", "USERNAME"),
    "submission": ("SUBMISSION_TAG",),
    "commit": ("COMMIT_URL",),
    "release": ("RELEASE_URL",),
    "review": ("REVIEW_URL", "COMMIT_URL"),
}
"""a field -> the variables of the runner's environment that hold it, the first that is set counts"""

FIELDS = (*VARIABLES, "datetime", "whole")
"""the fields that may be set"""

_TEXT_BYTES = 8 * 2**10
"""bytes of the text of one test"""

_FORMS = {
    "submission": ("submit/.*", "submit/…"),
    "datetime": (r"\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", "2026-05-04T12:00:00Z"),
    "assignment_type": ("individual|group|team", "individual or group or team"),
    "whole": ("yes|no", "yes or no"),
}
"""a field -> its pattern, and the pattern for people"""


def fields_from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Read the fields that the runner sets in its environment."""
    found = {name: [environment[one] for one in names if environment.get(one)] for name, names in VARIABLES.items()}
    return {name: values[0] for name, values in found.items() if values}


def to_classroom50(request: Request) -> Exported:
    """Write the result of one submission."""
    view = request.single
    fields, report = _checked_fields(request), view.effective
    if view.state == "ungraded":
        raise HostError(
            f"{view.name} is ungraded, so no result is written: Classroom 50 then records an error and no score"
        )
    if view.reason:
        raise UsageError(f"no result of {view.name} is written: {view.reason}")
    unit = 1 if fields.pop("whole") == "yes" else 100
    tests = [_classroom50_test(result, unit, after_due=view.after_due) for result in report.tests]
    counted, all_points = fraction(report.counted or 0), fraction(report.max_score)
    score, most = round_score(counted, all_points, unit), round_score(all_points, all_points, unit)
    content = {"schema": RESULT_SCHEMA, **fields, "score": min(score, most), "max-score": most, "tests": tests}
    about = f"{view.name} has {out_of_points(report.counted, report.max_score)}: "
    notes = {
        f"{about}Classroom 50 takes no more than all": counted > all_points,
        f"{about}they are rounded": score != counted * unit,
    }
    return Exported(content=to_json(content), notes=tuple(note for note, holds in notes.items() if holds))


def _checked_fields(request: Request) -> dict[str, str]:
    """Return all fields; raises UsageError where one is missing, unknown or has another form."""
    given = {"assignment_type": "individual", "whole": "no", **request.fields}
    given |= {"assignment": request.assignment} if request.assignment else {}
    if unknown := sorted(given.keys() - {*FIELDS}):
        raise UsageError(f"Classroom 50 has no field {unknown[0]}; there are {', '.join(FIELDS)}")
    fields = {name: given.get(name, "") for name in FIELDS}
    if missing := [name for name, value in fields.items() if not value and name != "whole"]:
        variables = ", ".join(VARIABLES[name][0] for name in missing if name in VARIABLES)
        raise UsageError(
            f"Classroom 50 needs {', '.join(missing)}: its runner sets {variables}; else use --set NAME=VALUE"
        )
    for name, (pattern, form) in _FORMS.items():
        if not re.fullmatch(pattern, fields[name], re.DOTALL):
            raise UsageError(f"{name} of Classroom 50 has the form {form}; it is '{one_line(fields[name])}'")
    return {name: one_line(value, 2000) for name, value in fields.items()}


def _classroom50_test(test: ReportedTest, unit: int, *, after_due: bool) -> dict[str, Any]:
    score, all_points = fraction(test.score or 0), fraction(test.points)
    most = round_score(all_points, all_points, unit)
    found: dict[str, Any] = {
        "test-name": sentence(test.name) or "test",
        "passed": score == all_points,
        "score": min(round_score(score, all_points, unit), most),
        "max-score": most,
    }
    if is_shown(test, after_due=after_due):
        found |= {"verdict": test.verdict, "message": show(test_text(test), _TEXT_BYTES)}
    return found
