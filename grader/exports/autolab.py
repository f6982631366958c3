"""The last line that an autograder prints for Autolab: the points of every problem, which are our tests.

Autolab takes a problem that is not named for one without a score. So an ungraded submission makes no line, and exit
code 3. Names and points are all there is, of every test.
"""

import msgspec

from grader.errors import HostError
from grader.exports.request import Exported, Request, is_ungraded, report_of, the_grade
from grader.text import one_line, points, sentence


def to_autolab(request: Request) -> Exported:
    """Write the line for one submission."""
    grade = the_grade(request)
    report = report_of(request, grade)
    if is_ungraded(grade):
        raise HostError(f"{one_line(grade.entry.id)} is ungraded, so there is no line: Autolab then has no score")
    scores = {sentence(test.name): float(points(test.score)) for test in report.tests if test.score is not None}
    line = msgspec.json.encode({"scores": scores}).replace(b"##", rb"#\u0023")
    return Exported(content=line + b"\n")
