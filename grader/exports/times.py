"""Measurements as CSV, a line for each case of each student: to look for limits that are too tight or too wide.

Seconds and bytes as measured, each followed by its limit. A case that was not run has no line.
"""

import csv
from io import StringIO

from grader.core.report.document import run_cases
from grader.exports.request import Exported, Request
from grader.results.class_files import csv_cell

_MEASURED = ("time", "time_limit", "cpu", "cpu_limit", "memory", "memory_limit")


def to_times(request: Request) -> Exported:
    """Write the lines, in the order of the class and of the spec."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("submission", "test", "case", "verdict", *_MEASURED))
    for view in request.views:
        for test, case in run_cases(view.report, after_due=view.after_due) if view.grade.report else ():
            time, cpu, memory = (
                (f"{case.limits.time:g}", f"{case.limits.cpu:g}", case.limits.memory) if case.limits else ("",) * 3
            )
            took = (f"{case.time or 0:.3f}", time, f"{case.cpu or 0:.3f}", cpu, case.memory or "", memory)
            writer.writerow((*map(csv_cell, (view.grade.entry.id, test.name, case.id)), case.verdict, *took))
    return Exported(content=file.getvalue().encode())
