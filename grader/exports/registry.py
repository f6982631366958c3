"""The formats of exports: one function and one entry in `EXPORTS` each, and those of a spec in `SPEC_FORMATS`.

A format is for a class, or for one student's report. No format contains details of hidden tests.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from grader.core.lazy import lazy_call
from grader.core.plugins import EXPORTS_GROUP, REPORTS_GROUP, format_rows, load_plugin, unknown_format

if TYPE_CHECKING:
    from grader.exports.request import Exported, Request


class Export(NamedTuple):
    """A format."""

    about: str
    function: "Callable[[Request], Exported]"
    is_single: bool = False  # whether it is of one student


def _ours(module: str, function: str, about: str, *, is_single: bool = False) -> Export:
    """Return a format whose module is imported when it is used: the help lists all of them."""
    return Export(about, lazy_call(f"grader.exports.{module}", function), is_single)


_class_file = lazy_call("grader.exports.request", "to_class_file")
EXPORTS = {
    "csv": Export("a line for each student", partial(_class_file, "grades.csv")),
    "canvas": _ours("platforms", "to_canvas", "a gradebook that Canvas exported, filled in"),
    "moodle": _ours("platforms", "to_moodle", "a grading worksheet or gradebook of Moodle, filled in"),
    "moodle-feedback": _ours("bundles", "to_moodle_feedback", "feedback for students, a zip for Moodle"),
    "canvas-feedback": _ours("bundles", "to_canvas_feedback", "feedback for students, a zip for Canvas"),
    "pages": _ours("bundles", "to_pages", "a page for each student, under an unguessable name, a zip"),
    "github-summary": Export("Markdown, for the summary of a GitHub job", partial(_class_file, "summary.md")),
    "github-annotations": _ours("findings", "to_github_annotations", "findings at lines, which a GitHub job prints"),
    "gitlab-codequality": _ours("findings", "to_gitlab_codequality", "findings at lines, GitLab's code quality report"),
    "times": _ours("bundles", "to_times", "time, memory and limits of each case, as CSV"),
    "jplag": _ours("bundles", "to_jplag", "the submissions, a zip of folders for JPlag, which looks for copies"),
    "dolos": _ours("bundles", "to_dolos", "the submissions, a zip for Dolos, which looks for copies"),
    "gradescope": _ours("single", "to_gradescope", "results.json", is_single=True),
    "prairielearn": _ours("single", "to_prairielearn", "results.json", is_single=True),
    "classroom50": _ours("single", "to_classroom50", "result.json", is_single=True),
    "autolab": _ours("single", "to_autolab", "the line of scores", is_single=True),
    "exercism": _ours("single", "to_exercism", "results.json", is_single=True),
    "sarif": _ours("findings", "to_sarif", "mistakes in the source, with their lines", is_single=True),
}  # name of a format -> the format, in the order of the help
SPEC_FORMATS = {
    "gradescope-zip": "an autograder to upload to Gradescope",
    "kattis": "a problem package for Kattis, DOMjudge and others, a folder or a .zip",
}  # name of a format that is made of a spec and not of results -> what it is


def find_export(name: str) -> Export:
    """Return the format of this name, ours or an installed package's; UsageError with a list of all when unknown."""
    if name in EXPORTS:
        return EXPORTS[name]
    if found := load_plugin(EXPORTS_GROUP, name, Export):
        exporter: Export = found.value
        return exporter
    if found := load_plugin(REPORTS_GROUP, name, Callable):
        render = partial(lazy_call("grader.exports.single", "to_report_format"), found.value)
        return Export(f"the report of one student, by {found.package}", render)
    formats = {name: one.about for name, one in EXPORTS.items()} | SPEC_FORMATS
    raise unknown_format(name, formats, EXPORTS_GROUP, REPORTS_GROUP)


def make_export(name: str, request: "Request") -> "Exported":
    """Export grades in the format of this name; raises UsageError when an option is missing or wrong."""
    return find_export(name).function(request)


def formats_in_words() -> str:
    """Return the lists of the formats, for the help."""
    parts = {
        "Formats of a class": {name: one.about for name, one in EXPORTS.items() if not one.is_single},
        "Formats of one student": {name: one.about for name, one in EXPORTS.items() if one.is_single},
        "Of a spec, in place of RESULTS": SPEC_FORMATS,
    }
    return "\n".join(f"{title}:\n{format_rows(formats)}" for title, formats in parts.items())
