"""A judgement is written down here, once: `to_report`. Everything else in this room shows what is written.

What is imported below is light, for every start of a command needs it. The formats with their libraries (`terminal`,
`html`, `junit`, and `formats`, which has them all) are imported by name where they are wanted.
"""

from grader.core.report.files import safe_name, write_files
from grader.core.report.json import from_json, to_json, to_json_line, to_report

__all__ = ["from_json", "safe_name", "to_json", "to_json_line", "to_report", "write_files"]
