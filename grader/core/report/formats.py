"""The formats of a report: one function from what is written, or from its document, to bytes, and one row each."""

from collections.abc import Callable
from pathlib import Path

from grader.core.errors import HostError
from grader.core.model.report import Report
from grader.core.report.blocks import Document
from grader.core.report.document import to_document
from grader.core.report.feedback import to_markdown
from grader.core.report.files import safe_name, write_files
from grader.core.report.html import to_html
from grader.core.report.json import to_json
from grader.core.report.junit import to_junit

ReportFormat = Callable[[Report, str, bool], bytes]
"""Renders a report, in a course of this name, before or after the due date"""


def _of_document(render: Callable[[Document], bytes]) -> ReportFormat:
    return lambda report, course, after_due: render(to_document(report, course=course, after_due=after_due))


FORMATS: dict[str, ReportFormat] = {
    "report.json": lambda report, course, after_due: to_json(report),  # noqa: ARG005 - nothing is hidden in it
    "feedback.md": _of_document(to_markdown),
    "feedback.html": _of_document(to_html),
    "junit.xml": lambda report, course, after_due: to_junit(report, after_due=after_due),  # noqa: ARG005 - no place for it
}
"""the file's name -> what renders it"""


def to_feedback(report: Report, *, after_due: bool = False) -> str:
    """Render a report in Markdown."""
    return to_markdown(to_document(report, after_due=after_due)).decode()


def to_page(report: Report, *, course: str = "", after_due: bool = False) -> bytes:
    """Render a report as a page, in a course of this name."""
    return to_html(to_document(report, course=course, after_due=after_due))


def render(report: Report, *, course: str = "", after_due: bool = False) -> dict[str, bytes]:
    """Render every format; `after_due` shows also the tests that are hidden until then."""
    return {name: write(report, course, after_due) for name, write in FORMATS.items()}


def write_report(report: Report, student: str, out: Path, *, course: str = "", after_due: bool = False) -> Path:
    """Write every format into the student's folder below `out` and return that folder.

    `student` is the id as it was handed in: the report has it as it is shown, and two may be shown the same.

    A format that cannot be rendered loses no other: its file of an earlier report goes, and the rest is written.

    Raises `HostError` when a file cannot be rendered or written; what cannot be written is there as it was before.
    """
    folder = out / safe_name(student)
    files: dict[str, bytes] = {}
    faults: list[HostError] = []
    for name, write in FORMATS.items():
        try:
            files[name] = write(report, course, after_due)
        except HostError as error:
            faults.append(error)
        except Exception as error:  # noqa: BLE001 - nor does a fault of ours in one
            faults.append(HostError(f"{name}: a fault of the grader: {type(error).__name__}: {error}"))
    write_files(files, folder)
    if faults:
        for name in FORMATS.keys() - files.keys():
            (folder / name).unlink(missing_ok=True)
        raise faults[0]
    return folder
