"""Measurements as CSV, a line for each case of each student: to look for limits that are too tight or too wide.

Seconds and bytes as measured, each followed by its limit. A case that was not run has no line.
"""

import csv
from io import StringIO

from grader.core.report.document import run_cases
from grader.exports.request import Exported, Request, is_after_due, read_report
from grader.results.class_files import csv_cell

_HEADINGS = (
    "submission",
    "test",
    "case",
    "verdict",
    "time",
    "time_limit",
    "cpu",
    "cpu_limit",
    "memory",
    "memory_limit",
)


def to_times(request: Request) -> Exported:
    """Write the lines, in the order of the class and of the spec."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_HEADINGS)
    for grade in request.book.grades:
        if grade.report is None:
            continue
        report = read_report(request, grade)
        for test, case in run_cases(report, after_due=is_after_due(request, grade)):
            limits = case.limits
            writer.writerow(
                (
                    csv_cell(grade.entry.id),
                    csv_cell(test.name),
                    csv_cell(case.id),
                    case.verdict,
                    f"{case.time or 0:.3f}",
                    f"{limits.time:g}" if limits else "",
                    f"{case.cpu or 0:.3f}",
                    f"{limits.cpu:g}" if limits else "",
                    case.memory or "",
                    limits.memory if limits else "",
                )
            )
    return Exported(content=file.getvalue().encode())
