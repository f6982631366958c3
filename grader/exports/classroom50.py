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
from grader.exports.request import (
    Exported,
    Request,
    is_after_due,
    is_readable,
    is_ungraded,
    read_report,
    reason_without_grade,
    single_grade,
    with_scores_by_hand,
)

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

_TYPES = ("individual", "group", "team")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ")


def fields_from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Read the fields that the runner sets in its environment."""
    found = {
        name: next((environment[one] for one in variables if environment.get(one)), "")
        for name, variables in VARIABLES.items()
    }
    return {name: value for name, value in found.items() if value}


def to_classroom50(request: Request) -> Exported:
    """Write the result of one submission."""
    grade = single_grade(request)
    fields = _checked_fields(request)
    report = with_scores_by_hand(read_report(request, grade))
    name = one_line(grade.entry.id)
    if not is_readable(grade):
        raise UsageError(f"no result of {name} is written: {reason_without_grade(grade)}")
    if grade.is_excused:
        raise UsageError(f"no result of {name} is written: {reason_without_grade(grade)}")
    if is_ungraded(grade):
        raise HostError(f"{name} is ungraded, so no result is written: Classroom 50 then records an error and no score")
    unit = 1 if fields.pop("whole", "no") == "yes" else 100
    tests = [_classroom50_test(result, unit, after_due=is_after_due(request, grade)) for result in report.tests]
    counted, all_points = fraction(report.counted or 0), fraction(report.max_score)
    score, most = round_score(counted, all_points, unit), round_score(all_points, all_points, unit)
    content = {"schema": RESULT_SCHEMA, **fields, "score": min(score, most), "max-score": most, "tests": tests}
    notes, about = [], f"{name} has {out_of_points(report.counted, report.max_score)}: "
    if (report.counted or 0) > report.max_score:
        notes.append(f"{about}Classroom 50 takes no more than all")
    if score != counted * unit:
        notes.append(f"{about}they are rounded")
    return Exported(content=to_json(content), notes=tuple(notes))


def _checked_fields(request: Request) -> dict[str, str]:
    fields = {"assignment_type": "individual", **request.fields}
    if request.assignment:
        fields["assignment"] = request.assignment
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise UsageError(f"Classroom 50 has no field {unknown[0]}; there are {', '.join(FIELDS)}")
    wanted = {name: fields.get(name, "") for name in (*VARIABLES, "datetime")}
    if missing := [name for name, value in wanted.items() if not value]:
        raise UsageError(
            f"Classroom 50 needs {', '.join(missing)}: its runner sets "
            f"{', '.join(VARIABLES[name][0] for name in missing if name in VARIABLES)}; else use --set NAME=VALUE"
        )
    for name, is_valid, form in (
        ("submission", wanted["submission"].startswith("submit/"), "submit/…"),
        ("datetime", _INSTANT.fullmatch(wanted["datetime"]), "2026-05-04T12:00:00Z"),
        ("assignment_type", wanted["assignment_type"] in _TYPES, " or ".join(_TYPES)),
        ("whole", fields.get("whole", "no") in {"yes", "no"}, "yes or no"),
    ):
        if not is_valid:
            raise UsageError(f"{name} of Classroom 50 has the form {form}; it is '{one_line(fields.get(name, ''))}'")
    return {name: one_line(value, 2000) for name, value in {**wanted, "whole": fields.get("whole", "no")}.items()}


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
