"""The formats of a report: one row each, of what renders a report, or its document, to bytes."""

from collections.abc import Callable
from pathlib import Path

from grader.core.errors import HostError
from grader.core.model.report import Report
from grader.core.report.document import Rendering, to_markdown
from grader.core.report.html import to_html
from grader.core.report.json import safe_name, to_json, write_files
from grader.core.report.junit import to_junit

FORMATS: dict[str, Callable[[Rendering], bytes]] = {
    "report.json": lambda rendering: to_json(rendering.report),
    "feedback.md": lambda rendering: to_markdown(rendering.document),
    "feedback.html": lambda rendering: to_html(rendering.document),
    "junit.xml": lambda rendering: to_junit(rendering.report, after_due=rendering.after_due),
}


def render(report: Report, *, course: str = "", after_due: bool = False) -> dict[str, bytes]:
    """Render every format; `after_due` shows also the tests that are hidden until then."""
    rendering = Rendering(report, course, after_due)
    return {name: write(rendering) for name, write in FORMATS.items()}


def write_report(report: Report, student: str, out: Path, *, course: str = "", after_due: bool = False) -> Path:
    """Write every format into the folder of a student, by the id as it was handed in, below `out`, and return it.

    A format that cannot be rendered loses no other: its file of an earlier report goes, and the rest is written.
    Raises `HostError` when a file cannot be rendered or written; what cannot be written is there as it was before.
    """
    folder, rendering = out / safe_name(student), Rendering(report, course, after_due)
    fault: HostError | None = None
    files: dict[str, bytes] = {}
    for name, write in FORMATS.items():
        try:
            files[name] = write(rendering)
        except Exception as error:  # noqa: BLE001 - a fault of ours in one, too
            fault = HostError(f"{name}: a fault of the grader: {error!r}")
    write_files(files, folder)
    for name in FORMATS.keys() - files.keys():
        (folder / name).unlink(missing_ok=True)
    if fault:
        raise fault
    return folder
