from grader.report.json import from_json, to_json, to_json_line
from grader.report.junit import to_junit
from grader.report.markdown import to_feedback
from grader.report.names import safe_name
from grader.report.page import to_page
from grader.report.view import headline
from grader.report.write import FORMATS, render, write_files, write_report

__all__ = [
    "FORMATS",
    "from_json",
    "headline",
    "render",
    "safe_name",
    "to_feedback",
    "to_json",
    "to_json_line",
    "to_junit",
    "to_page",
    "write_files",
    "write_report",
]
