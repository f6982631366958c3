"""The formats of exports: one function and one entry in `EXPORTS` each.

A format is for a class, or for one student's report. No format contains details of hidden tests.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from grader.core.errors import UsageError
from grader.core.model.report import Report
from grader.core.plugins import EXPORTS_GROUP, REPORTS_GROUP, load_plugin, plugin_names
from grader.core.text import one_line
from grader.exports.annotations import to_github_annotations, to_gitlab_codequality
from grader.exports.canvas import to_canvas
from grader.exports.classroom50 import to_classroom50
from grader.exports.feedback_files import to_canvas_feedback, to_moodle_feedback, to_pages
from grader.exports.gradescope import to_gradescope
from grader.exports.moodle import to_moodle
from grader.exports.request import Exported, Request
from grader.exports.results_json import to_autolab, to_exercism, to_prairielearn
from grader.exports.sarif import to_sarif
from grader.exports.similarity import to_dolos, to_jplag
from grader.exports.times import to_times
from grader.results.class_files import to_grades_csv, to_summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A format."""

    about: str
    function: Callable[[Request], Exported]
    fills: bool = False
    """whether it fills a file that the platform exported"""


EXPORTS = {
    "autolab": Export(about="the line of scores that Autolab reads, of one student", function=to_autolab),
    "canvas-feedback": Export(about="feedback for students, a zip that Canvas takes", function=to_canvas_feedback),
    "canvas": Export(about="a gradebook of Canvas, with a column filled in", function=to_canvas, fills=True),
    "classroom50": Export(about="result.json of Classroom 50, of one student", function=to_classroom50),
    "csv": Export(
        about="the class as CSV, a line for each student",
        function=lambda request: Exported(content=to_grades_csv(request.book)),
    ),
    "dolos": Export(about="the submissions, a zip for Dolos, which looks for copies", function=to_dolos),
    "exercism": Export(about="results.json of an Exercism test runner, of one student", function=to_exercism),
    "github-annotations": Export(
        about="findings at lines of the source, as commands that a GitHub job prints", function=to_github_annotations
    ),
    "github-summary": Export(
        about="the class as Markdown, for the summary of a GitHub job",
        function=lambda request: Exported(content=to_summary(request.book).encode()),
    ),
    "gitlab-codequality": Export(
        about="findings at lines of the source, as GitLab's code quality report", function=to_gitlab_codequality
    ),
    "gradescope": Export(about="results.json of Gradescope, of one student", function=to_gradescope),
    "jplag": Export(about="the submissions, a zip of folders for JPlag, which looks for copies", function=to_jplag),
    "moodle-feedback": Export(
        about="feedback for students, a zip of Moodle's feedback files", function=to_moodle_feedback
    ),
    "moodle": Export(about="a worksheet or gradebook of Moodle, filled in", function=to_moodle, fills=True),
    "pages": Export(about="a page for each student, under an unguessable name, a zip", function=to_pages),
    "prairielearn": Export(about="results.json of PrairieLearn, of one student", function=to_prairielearn),
    "sarif": Export(about="mistakes in the source, with their lines, of one student", function=to_sarif),
    "times": Export(about="time, memory and limits of each case, as CSV", function=to_times),
}
"""name of a format -> the format"""


def find_export(name: str, others: Sequence[str] = ()) -> Export:
    """Return the format of this name: ours, or an exporter or a report format of an installed package.

    Raises UsageError, which lists all formats and the `others` that are made elsewhere, when there is none.
    """
    if name in EXPORTS:
        return EXPORTS[name]
    if found := load_plugin(EXPORTS_GROUP, name, Export):
        exporter: Export = found.value
        return exporter
    if found := load_plugin(REPORTS_GROUP, name, Callable):
        return Export(about=f"the report of one student, by {found.package}", function=partial(_to_report, found.value))
    formats = {name: export.about for name, export in EXPORTS.items()} | dict.fromkeys(others, "")
    installed = {name: f"of {package}" for name, package in plugin_names(EXPORTS_GROUP, REPORTS_GROUP).items()}
    names = "\n".join(f"  {name:14}  {about}".rstrip() for name, about in {**formats, **installed}.items())
    raise UsageError(f"there is no format '{one_line(name)}'; there are\n{names}")


def _to_report(render: Callable[[Report, str, bool], bytes], request: Request) -> Exported:
    view = request.single
    return Exported(content=render(view.report, "", view.after_due))


def make_export(name: str, request: Request) -> Exported:
    """Export grades in the format of this name; raises UsageError when an option is missing or wrong."""
    chosen = find_export(name)
    if chosen.fills and request.template is None:
        raise UsageError(f"{name} fills a file that the platform exported: name it with --template FILE")
    return chosen.function(request)
