"""The mistakes in one student's source as SARIF 2.1.0, which GitHub and editors show at their lines.

There is a result for each place that a visible test found, and for the first error of a build. A failure at run time
belongs to no line, and is in the report alone. Files are named relative to the submission, `%SRCROOT%`.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from grader.core.model import VERSION, Report, Verdict
from grader.core.report.json import to_json_file
from grader.core.report.view import build_problem, is_shown
from grader.core.text import one_line
from grader.exports.request import (
    Exported,
    Request,
    is_after_due,
    is_ungraded,
    read_report,
    reason_without_grade,
    single_grade,
)

_SCHEMA_OF_SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_RULES = {
    "build": "The work cannot be built; this is the first error.",
    "source": "The source has what the assignment forbids, or too much of something.",
    "memory": "The program handles its memory wrongly.",
    "style": "A style tool finds something in the source; the message begins with its own name for the rule.",
}
_PLACE = re.compile(r"([\w./+-]+\.\w+):([0-9]{1,9})\b")


def to_sarif(request: Request) -> Exported:
    """Write the findings in one student's work; an ungraded submission is left out."""
    grade = single_grade(request)
    report = read_report(request, grade)
    left_out = (f"{one_line(grade.entry.id)} is left out: {reason_without_grade(grade)}",) if is_ungraded(grade) else ()
    found = [] if left_out else list(_findings(report, after_due=is_after_due(request, grade)))
    rules = [
        {
            "id": name,
            "shortDescription": {"text": about},
            "fullDescription": {"text": about},
            "help": {"text": about},
            "defaultConfiguration": {"level": "error"},
        }
        for name, about in _RULES.items()
    ]
    nowhere = [{"level": "error", "message": {"text": message}} for _, message, file, _ in found if not file]
    run = {
        "tool": {"driver": {"name": "grader", "semanticVersion": VERSION, "version": VERSION, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not left_out, "toolExecutionNotifications": nowhere}],
        "results": [_result(*one) for one in found if one[2]],
    }
    log = {"$schema": _SCHEMA_OF_SARIF, "version": "2.1.0", "runs": [run]}
    return Exported(content=to_json_file(log), left_out=left_out)


def _findings(report: Report, *, after_due: bool) -> Iterator[tuple[str, str, str, int]]:
    """Iterate over the rule, the sentence, the file and the line of each; no file where that is not known."""
    if not report.build.ok or report.verdict is Verdict.NOT_READABLE:
        message = build_problem(report, after_due=after_due)
        place = _PLACE.search(message)
        yield "build", one_line(message), place[1] if place else "", int(place[2]) if place else 0
    for test in report.tests:
        for case in test.cases if is_shown(test, after_due=after_due) else ():
            if not case.spots and any(one.stream == "source" for one in case.deviations):
                yield "source", one_line(case.message), "", 0  # a missing construct has no line
            for number, spot in enumerate(case.spots or ()):
                if spot.rule:
                    yield "style", one_line(f"{spot.rule}: {spot.what}"), spot.file, spot.line
                    continue
                # The case's message is about the first place; the others have their own text.
                message = f"{case.id}: {spot.what or spot.source}" if number else case.message
                rule = "memory" if spot.rule.startswith("memory-") else "source"
                yield rule, one_line(message), spot.file, spot.line


def _result(rule: str, message: str, file: str, line: int) -> dict[str, Any]:
    artifact = {"uri": quote(file, errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}
    region = {"startLine": line, "startColumn": 1}
    return {
        "ruleId": rule,
        "ruleIndex": list(_RULES).index(rule),
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
