"""The mistakes in one student's source as SARIF 2.1.0, which GitHub and editors show at their lines.

There is a result for each finding with a place, and a notification of the tool for one without. Files are named
relative to the submission, `%SRCROOT%`.
"""

from typing import Any
from urllib.parse import quote

from grader.core.model import VERSION
from grader.core.report.json import to_json
from grader.exports.request import Exported, Request
from grader.results.placed_findings import FINDING_RULES, PlacedFinding

_SCHEMA_OF_SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def to_sarif(request: Request) -> Exported:
    """Write the findings in one student's work; an ungraded submission is left out."""
    view = request.single
    left_out = (f"{view.name} is left out: {view.reason}",) if view.state == "ungraded" else ()
    found = [] if left_out else view.findings
    about = ("shortDescription", "fullDescription", "help")
    rules = [
        {"id": name, **{key: {"text": text} for key in about}, "defaultConfiguration": {"level": "error"}}
        for name, text in FINDING_RULES.items()
    ]
    nowhere = [{"level": "error", "message": {"text": one.message}} for one in found if not one.file]
    run = {
        "tool": {"driver": {"name": "grader", "semanticVersion": VERSION, "version": VERSION, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not left_out, "toolExecutionNotifications": nowhere}],
        "results": [_result(one) for one in found if one.file],
    }
    log = {"$schema": _SCHEMA_OF_SARIF, "version": "2.1.0", "runs": [run]}
    return Exported(content=to_json(log), left_out=left_out)


def _result(found: PlacedFinding) -> dict[str, Any]:
    artifact = {"uri": quote(found.file, errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}
    region = {"startLine": found.line, "startColumn": 1}
    return {
        "ruleId": found.rule,
        "ruleIndex": list(FINDING_RULES).index(found.rule),
        "level": "error",
        "message": {"text": found.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
