"""Remarks for programs: JSON, and SARIF 2.1.0 for code scanning."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

from grader.lint.examination import ABOUT, RULES, Examination, Remark
from grader.model import VERSION

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_KEYS = ("file", "line", "column", "path", "level", "rule", "message")


def to_json(examinations: Iterable[Examination]) -> str:
    """Return a list of all remarks."""
    remarks = [remark for examination in examinations for remark in examination.remarks]
    listed = [{key: value for key in _KEYS for value in [asdict(remark)[key]]} for remark in remarks]
    return json.dumps(listed, indent=2, ensure_ascii=False)


def to_sarif(examinations: Sequence[Examination], root: Path) -> str:
    """Return a log of one run; files are named relative to `root`, where they lie below it."""
    rules = [_rule(name, about, level) for name, (about, level) in _all_rules().items()]
    run = {
        "tool": {"driver": {"name": "grader", "semanticVersion": VERSION, "version": VERSION, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _unchecked(examinations)}],
        "results": [_result(remark, root) for examination in examinations for remark in examination.remarks],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _all_rules() -> Mapping[str, tuple[str, str]]:
    return {
        **{name: (about, "error") for name, about in ABOUT.items()},
        **{name: (rule.about, rule.level) for name, rule in RULES.items()},
    }


def _rule(name: str, about: str, level: str) -> Mapping[str, Any]:
    return {
        "id": name,
        "shortDescription": {"text": about},
        "fullDescription": {"text": about},
        "help": {"text": about, "markdown": about},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["grader"], "problem.severity": level},
    }


def _result(remark: Remark, root: Path) -> Mapping[str, Any]:
    told = f"{remark.path}: {remark.message}" if remark.path else remark.message
    location = {
        "artifactLocation": _artifact(Path(remark.file), root),
        "region": {"startLine": remark.line, "startColumn": remark.column},
    }
    return {
        "ruleId": remark.rule,
        "ruleIndex": list(_all_rules()).index(remark.rule),
        "level": remark.level,
        "message": {"text": told},
        "locations": [{"physicalLocation": location}],
    }


def _artifact(file: Path, root: Path) -> Mapping[str, str]:
    path, top = file.resolve(), root.resolve()
    if path.is_relative_to(top):
        return {"uri": quote(str(path.relative_to(top)), errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}
    return {"uri": path.as_uri()}


def _unchecked(examinations: Iterable[Examination]) -> list[Mapping[str, Any]]:
    return [
        {
            "level": "note",
            "message": {"text": f"{examination.file}: {name} was not checked: {why}"},
            "associatedRule": {"id": name, "index": list(_all_rules()).index(name)},
        }
        for examination in examinations
        for name, why in examination.unchecked.items()
    ]
