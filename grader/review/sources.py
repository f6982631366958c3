"""The source of one submission, in lines that can be shown, with what was found on each line.

It is read as it is built: archives unpacked, files in their places, links left out, all within the limits of staging.
Whatever a student wrote is escaped here, once; a file of no text is told, and is not shown.
"""

import codecs
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.core import build
from grader.core.errors import GraderError
from grader.core.lazy import lazy_regex
from grader.core.model.report import Report
from grader.core.model.spec import Spec
from grader.core.notebook.cells import Cell
from grader.core.notebook.linear import cell_file, is_notebook
from grader.core.notebook.reading import NotebookError, read_cells
from grader.core.report.view import NAME_LIMIT
from grader.core.text import capital, count, one_line, sentence, show, size
from grader.results.placed_findings import placed_findings

MAX_LINES = 3_000
"""lines of a file that are shown"""
MAX_PAGE_LINES = 12_000
"""lines of all files that are shown on a page"""
MAX_LINE_BYTES = 2_000
_SNIFFED = 8_192
"""bytes in which a NUL makes a file binary"""
_MAX_FINDINGS = 500
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_LINE_END = lazy_regex(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a submission; all of its texts can be shown as they are."""

    name: str
    lines: tuple[str, ...]
    note: str = ""
    """what is special about it, in a sentence: not shown, cut, an unusual encoding"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionSource:
    """The files of a submission."""

    files: tuple[SourceFile, ...] = ()
    problem: str = ""
    """why there is none, or why what is shown is not what was graded; empty when it is"""
    is_as_graded: bool = False

    def line(self, file: str, number: int) -> str | None:
        """Return the text of a line; None when there is no such line."""
        lines = next((one.lines for one in self.files if one.name == file), ())
        return lines[number - 1] if 1 <= number <= len(lines) else None


def read_source(path: Path | None, spec: Spec, graded_digest: str) -> SubmissionSource:
    """Read a submission; `graded_digest` is the one in its report. What cannot be read is told in `problem`."""
    if path is None:
        return SubmissionSource(problem="Nothing was handed in.")
    try:
        tree, work = build.staging.read_work(path, build.layout.staging_rules(spec))
    except GraderError as error:
        return SubmissionSource(problem=f"The submission cannot be read any more: {sentence(str(error))}")
    refused = f"{capital(sentence(work.problem))}." if work.problem and not tree.files else ""
    is_as_graded = work.digest == graded_digest
    contents = {
        shown: content for name in sorted(tree.files) for shown, content in _as_shown(name, tree.files[name].content)
    }
    files = tuple(_within_page([*contents], contents))
    changed = "The submission has changed since it was graded: what is shown is what is there now. Grade it again."
    return SubmissionSource(
        files=files, problem=refused or ("" if is_as_graded else changed), is_as_graded=is_as_graded
    )


def _as_shown(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file under its name; of a notebook each cell under the name by which findings know it."""
    cells: Sequence[Cell] = ()
    if is_notebook(name):
        with suppress(NotebookError):
            cells = read_cells(content)
    if not cells:
        yield name, content
    for cell in cells:
        yield cell_file(name, cell.number), cell.source.encode("utf-8", "replace")


def _within_page(names: Sequence[str], contents: Mapping[str, bytes]) -> Iterator[SourceFile]:
    left = MAX_PAGE_LINES
    for name in names:
        file = _read_file(one_line(name, NAME_LIMIT * 2), contents[name], min(MAX_LINES, left))
        left -= len(file.lines)
        yield file


def _read_file(name: str, content: bytes, most: int) -> SourceFile:
    """Decode a file; byte order marks decide, and without one a NUL says that it is no text."""
    encoding = next((name for mark, name in _BOMS.items() if content.startswith(mark)), "")
    if not encoding and b"\0" in content[:_SNIFFED]:
        return SourceFile(name=name, lines=(), note=f"Not shown: {size(len(content))} that are no text.")
    notes = []
    if encoding == "utf-16":
        notes.append("Saved as UTF-16.")
    # The end is left away before it is decoded: a file of 20 MiB is one too.
    body = content[: most * MAX_LINE_BYTES]
    text = body.decode(encoding or "utf-8", "backslashreplace")
    lines = _LINE_END.split(text)
    if lines[-1] == "" and len(body) == len(content):
        lines.pop()
    if len(lines) > most or len(body) < len(content):
        lines = lines[:most]
        notes.append(f"Only the first {count(len(lines), 'line')} of {size(len(content))} are shown.")
    if not content:
        notes.append("The file is empty.")
    return SourceFile(name=name, lines=tuple(show(line, MAX_LINE_BYTES) for line in lines), note=" ".join(notes))


def findings_by_line(report: Report) -> dict[tuple[str, int], list[str]]:
    """Return file and line -> what was found there, for the staff: hidden tests are among it."""
    every = msgspec.structs.replace(
        report, tests=tuple(msgspec.structs.replace(test, visibility="visible") for test in report.tests)
    )
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for one in placed_findings(every, after_due=True)[:_MAX_FINDINGS]:
        if one.file:
            found[one_line(one.file, NAME_LIMIT * 2), one.line].append(sentence(one.message))
    return found
