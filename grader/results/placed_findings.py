"""What is wrong at a line of the source: the same for SARIF, GitHub's annotations and GitLab's code quality.

There is one for each place that a visible test found, for the first error of a build or of an interpreter that cannot
read the program, and for each line in which the program crashed, however many cases did. The last two have their place
in the sentence alone.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.core.model.report import Report, ReportedCase, Spot, Verdict
from grader.core.notebook import file_of, place_text
from grader.core.report.document import build_problem, describe_cause
from grader.core.report.view import is_shown
from grader.core.text import one_line, sentence

FINDING_RULES: Mapping[str, str] = {
    "build": "The work cannot be built; this is the first error.",
    "start": "The program cannot be started, or crashed at a place that is not known.",
    "syntax": "The program is not in its language; this is the first error.",
    "crash": "The program ended here by an uncaught exception or a signal.",
    "source": "The source has what the assignment forbids, or too much of something.",
    "memory": "The program handles its memory wrongly.",
    "style": "A style tool finds something in the source; the message begins with its own name for the rule.",
}  # what a finding is -> what that means

_PLACE = re.compile(r"([\w./+-]+\.\w+):([0-9]{1,9})\b")
_WORDED_PLACE = re.compile(r"\bin line ([0-9]{1,9}) of `([^`]+)`")
_CANNOT_READ = " cannot read your program: "


class PlacedFinding(NamedTuple):
    """A sentence about a line; `file` is relative to the submission, and empty where no place is known."""

    rule: str
    message: str
    file: str = ""
    line: int = 0


def placed_findings(report: Report, *, after_due: bool) -> list[PlacedFinding]:
    """Return what a student may know of the findings in their work, each once."""
    return list(dict.fromkeys(_findings(report, after_due=after_due)))


def findings_in_files(report: Report, *, after_due: bool) -> list[PlacedFinding]:
    """Return the same for tools that know files alone: one in a cell is at the top of its notebook, and says where."""
    return list(dict.fromkeys(map(_at_file, placed_findings(report, after_due=after_due))))


def _at_file(found: PlacedFinding) -> PlacedFinding:
    """Return a finding at a file that is there: one in a cell is put at the top of its notebook."""
    file, place = file_of(found.file), place_text(found.file, found.line)
    message = found.message if place in found.message else f"{place}: {found.message}"
    return found if file == found.file else found._replace(message=message, file=file, line=1)


def _findings(report: Report, *, after_due: bool) -> Iterator[PlacedFinding]:
    if not report.build.ok or report.verdict is Verdict.NOT_READABLE:
        message = sentence(build_problem(report))
        yield PlacedFinding("build", message, *_place_in(message))
    elif (cause := describe_cause(report, after_due=after_due)) and not _place_in(cause.sentence)[0]:
        yield PlacedFinding("start", sentence(f"{cause.title}: {cause.sentence}"))
    crashed: set[tuple[str, int]] = set()
    for case in (case for test in report.tests if is_shown(test, after_due=after_due) for case in test.cases):
        if not case.spots and any(one.stream == "source" for one in case.deviations):
            yield PlacedFinding("source", sentence(case.message))  # a missing construct has no line
        yield from (_of_spot(case, number, spot) for number, spot in enumerate(case.spots or ()))
        ended = None if case.spots else _of_ending(case)
        if ended and (ended.file, ended.line) not in crashed:
            crashed.add((ended.file, ended.line))
            yield ended


def _of_spot(case: ReportedCase, number: int, spot: Spot) -> PlacedFinding:
    is_memory = spot.rule.startswith("memory-")
    if spot.rule and not is_memory:
        return PlacedFinding("style", one_line(f"{spot.rule}: {spot.what}"), spot.file, spot.line)
    # The case's message is about the first place; the others have their own text.
    message = f"{case.id}: {spot.what or spot.source}" if number else case.message
    return PlacedFinding("memory" if is_memory else "source", sentence(message), spot.file, spot.line)


def _of_ending(case: ReportedCase) -> PlacedFinding | None:
    """Return where a program could not be read, or crashed; None where neither is so, or the line is not known."""
    cannot_be_read = _CANNOT_READ in case.message
    if case.verdict is not Verdict.CRASHED and not cannot_be_read:
        return None
    file, line = _place_in(case.message)
    return PlacedFinding("syntax" if cannot_be_read else "crash", sentence(case.message), file, line) if file else None


def _place_in(message: str) -> tuple[str, int]:
    """Return the file and the line that a sentence names; an empty file when it names none in the submission."""
    worded, place = _WORDED_PLACE.findall(message), _PLACE.search(message)
    file, line = worded[-1][::-1] if worded else place.groups() if place else ("", "0")
    is_outside = PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts
    return ("", 0) if is_outside else (file, int(line))
