"""Findings at lines of the source: SARIF 2.1.0, GitHub's workflow commands and GitLab's code quality report.

SARIF, which GitHub and editors show, is of one student, with files relative to the submission, or of specs, for
`grader lint`. A finding without a place is a notification of the tool.

A job that prints `::error file=…,line=…::…` has that shown at the line of a pull request; a colon, a comma, a percent
sign and the ends of lines are escaped as the runner reads them. GitLab takes a list as the artifact `codequality`. Both
name files from the top of the repository, in which the job runs, and not from the top of a submission.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from grader.core.model import VERSION
from grader.core.report.json import to_json
from grader.core.text import count, show
from grader.exports.request import Exported, Request, tell_left_out
from grader.results.view import PlacedFinding, finding_rules

_SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_IN_TEXT = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_TEXT | str.maketrans({":": "%3A", ",": "%2C"})


def write_sarif(rules: Mapping[str, tuple[str, str]], findings: Iterable[PlacedFinding], *, ok: bool = True) -> bytes:
    """Write the log of one run; `rules` are what each is about, and its level. It is `ok` unless grading failed."""
    described, results, notifications = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for name, (about, level) in rules.items():
        texts = {key: {"text": about, "markdown": about} for key in ("shortDescription", "fullDescription", "help")}
        properties = {"tags": ["grader"], "problem.severity": level}
        described.append({"id": name, **texts, "defaultConfiguration": {"level": level}, "properties": properties})
    for finding in findings:
        rule, index = finding.rule, list(rules).index(finding.rule)
        told = {"level": finding.level, "message": {"text": show(finding.message)}}
        if finding.file:
            uri = quote(finding.file, errors="surrogateescape")
            artifact = {"uri": f"file://{uri}"} if uri.startswith("/") else {"uri": uri, "uriBaseId": "%SRCROOT%"}
            place = {"artifactLocation": artifact, "region": {"startLine": finding.line, "startColumn": finding.column}}
            results.append({"ruleId": rule, "ruleIndex": index, **told, "locations": [{"physicalLocation": place}]})
        else:
            notifications.append({**told, "associatedRule": {"id": rule, "index": index}})
    run = {
        "tool": {"driver": {"name": "grader", "semanticVersion": VERSION, "version": VERSION, "rules": described}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": ok, "toolExecutionNotifications": notifications}],
        "results": results,
    }
    return to_json({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def to_sarif(request: Request) -> Exported:
    """Write the findings in one student's work; an ungraded submission is left out."""
    view = request.single
    is_out = view.state == "ungraded"
    rules = {name: (about, "error") for name, about in finding_rules().items()}
    content = write_sarif(rules, () if is_out else view.findings, ok=not is_out)
    return Exported(content=content, left_out=tell_left_out([(view.name, view.reason)] if is_out else []))


def to_github_annotations(request: Request) -> Exported:
    """Write a workflow command for each finding; one without a line is about the job."""
    findings, left_out, notes = _all_findings(request)
    lines = []
    for student, finding in findings:
        place = f" file={finding.file.translate(_IN_PROPERTY)},line={finding.line}," if finding.file else " "
        title = f"{student}: {finding.rule}".translate(_IN_PROPERTY)
        lines.append(f"::error{place}title={title}::{finding.message.translate(_IN_TEXT)}\n")
    return Exported(content="".join(lines).encode(errors="replace"), left_out=left_out, notes=tuple(notes))


def to_gitlab_codequality(request: Request) -> Exported:
    """Write the list of findings; GitLab has no place for one without a line, so that is a note."""
    findings, left_out, notes = _all_findings(request)
    notes += [f"{student}: {finding.message}" for student, finding in findings if not finding.file]
    times: Counter[tuple[str, ...]] = Counter()
    written = []
    for student, finding in findings:
        content = (student, finding.rule, finding.file, finding.message)
        times[content] += 1  # GitLab compares by fingerprint, which has no line: an edit above moves that
        fingerprint = hashlib.sha256("\0".join((*content, str(times[content]))).encode(errors="replace")).hexdigest()
        entry = {"description": finding.message, "check_name": f"grader-{finding.rule}", "fingerprint": fingerprint}
        place = {"path": finding.file, "lines": {"begin": finding.line}}
        written += [{**entry, "severity": "major", "location": place}] if finding.file else []
    return Exported(content=to_json(written), left_out=left_out, notes=tuple(notes))


def _all_findings(request: Request) -> tuple[list[tuple[str, PlacedFinding]], tuple[str, ...], list[str]]:
    """Return each finding with its student, and a sentence for who is left out or has no files in this folder."""
    findings: list[tuple[str, PlacedFinding]] = []
    left_out, absent, notes = list[tuple[str, str]](), list[tuple[str, str]](), list[str]()
    for view in request.views:
        if view.awaits_grade:
            left_out.append((view.name, view.reason))
        elif view.grade.report is None:
            absent.append((view.name, view.reason or view.reason_without_report))
        else:
            path = view.grade.entry.path
            is_archive = path is not None and path.is_file()
            top = os.path.relpath(path) if path and not is_archive else ".."  # from the working folder
            for finding in view.findings:
                file = os.path.normpath(f"{top}/{finding.file}") if finding.file and not top.startswith("..") else ""
                findings.append((view.name, finding._replace(file=file, line=finding.line if file else 0)))
            if is_archive and (lost := len(view.findings)):
                notes.append(f"{view.name} handed in an archive: {count(lost, 'finding')} cannot be shown at a line")
    return findings, tell_left_out(left_out), [*tell_left_out(absent, most=5), *notes]
