"""Remarks for programs: JSON, and SARIF 2.1.0 for code scanning."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from grader.check.runner import ABOUT, RULES, Examination, Remark
from grader.core.model import VERSION

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def remarks_to_json(examinations: Iterable[Examination]) -> str:
    """Return a list of all remarks."""
    remarks = [remark for examination in examinations for remark in examination.remarks]
    keys = ("file", "line", "column", "path", "level", "rule", "message")
    return json.dumps([{key: getattr(remark, key) for key in keys} for remark in remarks], indent=2, ensure_ascii=False)


def remarks_to_sarif(examinations: Sequence[Examination], root: Path) -> str:
    """Return a log of one run; files are named relative to `root`, where they lie below it."""
    levels = {name: (about, "error") for name, about in ABOUT.items()}
    levels |= {name: (rule.about, rule.level) for name, rule in RULES.items()}
    names = list(levels)
    rules = [
        {
            "id": name,
            "shortDescription": {"text": about},
            "fullDescription": {"text": about},
            "help": {"text": about, "markdown": about},
            "defaultConfiguration": {"level": level},
            "properties": {"tags": ["grader"], "problem.severity": level},
        }
        for name, (about, level) in levels.items()
    ]
    unchecked = [
        {
            "level": "note",
            "message": {"text": f"{examination.file}: {name} was not checked: {why}"},
            "associatedRule": {"id": name, "index": names.index(name)},
        }
        for examination in examinations
        for name, why in examination.unchecked.items()
    ]
    run = {
        "tool": {"driver": {"name": "grader", "semanticVersion": VERSION, "version": VERSION, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": unchecked}],
        "results": [_result(remark, names, root) for examination in examinations for remark in examination.remarks],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _result(remark: Remark, names: list[str], root: Path) -> Mapping[str, Any]:
    text = f"{remark.path}: {remark.message}" if remark.path else remark.message
    path, top = Path(remark.file).resolve(), root.resolve()
    artifact = {"uri": path.as_uri()}
    if path.is_relative_to(top):
        artifact = {"uri": quote(str(path.relative_to(top)), errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}
    location = {
        "artifactLocation": artifact,
        "region": {"startLine": remark.line, "startColumn": remark.column},
    }
    return {
        "ruleId": remark.rule,
        "ruleIndex": names.index(remark.rule),
        "level": remark.level,
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
    }
