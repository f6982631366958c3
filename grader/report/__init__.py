from grader.report.json import to_json, to_json_line
from grader.report.junit import to_junit
from grader.report.markdown import to_feedback
from grader.report.names import safe_name
from grader.report.view import headline
from grader.report.write import FORMATS, write_report

__all__ = ["FORMATS", "headline", "safe_name", "to_feedback", "to_json", "to_json_line", "to_junit", "write_report"]
