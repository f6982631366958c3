"""Findings at lines of the source: SARIF 2.1.0, GitHub's workflow commands and GitLab's code quality report.

SARIF, which GitHub and editors show, is of one student: a result for each finding with a place, and a notification of
the tool for one without. Files are named relative to the submission, `%SRCROOT%`.

A job that prints `::error file=…,line=…::…` has that shown at the line of a pull request; a colon, a comma, a percent
sign and the ends of lines are escaped as the runner reads them. GitLab takes a list as the artifact `codequality`. Both
name files from the top of the repository, in which the job runs, and not from the top of a submission.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from grader.core.model import VERSION
from grader.core.report.json import to_json
from grader.core.text import count
from grader.exports.request import Exported, Request, tell_left_out
from grader.results.view import FINDING_RULES, GradeView, PlacedFinding

_SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_IN_TEXT = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_TEXT | str.maketrans({":": "%3A", ",": "%2C"})


def to_sarif(request: Request) -> Exported:
    """Write the findings in one student's work; an ungraded submission is left out."""
    view = request.single
    is_out = view.state == "ungraded"
    texts = ("shortDescription", "fullDescription", "help")
    rules = [
        {"id": name, **{key: {"text": about} for key in texts}, "defaultConfiguration": {"level": "error"}}
        for name, about in FINDING_RULES.items()
    ]
    places, nowhere = list[dict[str, Any]](), list[dict[str, Any]]()
    for one in () if is_out else view.findings:
        said = {"level": "error", "message": {"text": one.message}}
        artifact = {"uri": quote(one.file, errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}
        place = {"artifactLocation": artifact, "region": {"startLine": one.line, "startColumn": 1}}
        rule = {"ruleId": one.rule, "ruleIndex": list(FINDING_RULES).index(one.rule)}
        if one.file:
            places.append({**rule, **said, "locations": [{"physicalLocation": place}]})
        else:
            nowhere.append(said)
    run = {
        "tool": {"driver": {"name": "grader", "semanticVersion": VERSION, "version": VERSION, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not is_out, "toolExecutionNotifications": nowhere}],
        "results": places,
    }
    log = {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return Exported(content=to_json(log), left_out=tell_left_out([(view.name, view.reason)] if is_out else []))


def to_github_annotations(request: Request) -> Exported:
    """Write a workflow command for each finding; one without a line is about the job."""
    found, left_out, notes = _all_findings(request)
    lines = []
    for student, one in found:
        place = f" file={one.file.translate(_IN_PROPERTY)},line={one.line}," if one.file else " "
        title = f"{student}: {one.rule}".translate(_IN_PROPERTY)
        lines.append(f"::error{place}title={title}::{one.message.translate(_IN_TEXT)}\n")
    return Exported(content="".join(lines).encode(errors="replace"), left_out=left_out, notes=tuple(notes))


def to_gitlab_codequality(request: Request) -> Exported:
    """Write the list of findings; GitLab has no place for one without a line, so that is a note."""
    found, left_out, notes = _all_findings(request)
    notes += [f"{student}: {one.message}" for student, one in found if not one.file]
    times: Counter[tuple[str, ...]] = Counter()
    written = []
    for student, one in found:
        content = (student, one.rule, one.file, one.message)
        times[content] += 1  # GitLab compares by fingerprint, which has no line: an edit above moves that
        fingerprint = hashlib.sha256("\0".join((*content, str(times[content]))).encode(errors="replace")).hexdigest()
        entry = {"description": one.message, "check_name": f"grader-{one.rule}", "fingerprint": fingerprint}
        place = {"path": one.file, "lines": {"begin": one.line}}
        written += [{**entry, "severity": "major", "location": place}] if one.file else []
    return Exported(content=to_json(written), left_out=left_out, notes=tuple(notes))


def _all_findings(request: Request) -> tuple[list[tuple[str, PlacedFinding]], tuple[str, ...], list[str]]:
    """Return the findings with whose they are, and a sentence for each who is left out or has no files here."""
    found: list[tuple[str, PlacedFinding]] = []
    left_out, absent, notes = list[tuple[str, str]](), list[tuple[str, str]](), list[str]()
    for view in request.views:
        if view.awaits_grade:
            left_out.append((view.name, view.reason))
        elif view.grade.report is None:
            absent.append((view.name, view.reason or view.reason_without_report))
        else:
            path = view.grade.entry.path
            own = list(_in_repository(view))
            found += [(view.name, one) for one in own]
            if lost := sum(not one.file for one in own) if path and path.is_file() else 0:
                notes.append(f"{view.name} handed in an archive: {count(lost, 'finding')} cannot be shown at a line")
    return found, tell_left_out(left_out), [*tell_left_out(absent, most=5), *notes]


def _in_repository(view: GradeView) -> Iterator[PlacedFinding]:
    """Iterate over findings with their files below the working folder; without a file where it is not there."""
    path = view.grade.entry.path
    top = "" if path is None or path.is_file() else os.path.relpath(path, Path.cwd())
    for one in view.findings:
        is_there = one.file and top and not top.startswith("..")
        file = os.path.normpath(f"{top}/{one.file}") if is_there else ""
        yield one._replace(file=file, line=one.line if file else 0)
