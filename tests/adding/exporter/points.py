"""Points alone, a line for each student: for a spreadsheet on the wall."""

from grader.core.text import one_line, points
from grader.exports.request import Exported, Request


def to_points(request: Request) -> Exported:
    """Write a line for everybody who has a score."""
    scored = [(grade.entry.id, grade.report.score) for grade in request.book.grades if grade.report]
    lines = [f"{one_line(name)} {points(score)}" for name, score in scored if score is not None]
    left_out = tuple(f"{one_line(name)} has no score" for name, score in scored if score is None)
    return Exported(content="".join(f"{line}\n" for line in lines).encode(), left_out=left_out)
