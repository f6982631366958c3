"""The source of one submission, in lines that can be shown, with what was found on each line.

It is read as it is built: archives unpacked, files in their places, links left out, all within the limits of staging.
A student's text is escaped here, once; a binary file is only named.
"""

import codecs
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from itertools import groupby, takewhile
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import msgspec
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, String
from pygments.util import ClassNotFound

from grader.core import build
from grader.core.errors import GraderError
from grader.core.lazy import lazy_regex
from grader.core.model.report import Report
from grader.core.model.spec import Spec
from grader.core.notebook import Cell, NotebookError, cell_file, file_of, is_notebook, read_cells
from grader.core.report.view import NAME_LIMIT
from grader.core.text import capital, count, one_line, sentence, show, size
from grader.results.view import placed_findings

MAX_LINES = 3_000  # lines of a file that are shown
MAX_PAGE_LINES = 12_000  # lines of all files that are shown on a page
MAX_LINE_BYTES = 2_000
MAX_COLOURED = 60_000  # characters of a file that is coloured
_COLOUR_SECONDS = 1.0  # for all files of a page: a text may be made so that a lexer takes minutes
_SNIFFED = 8_192  # bytes in which a NUL makes a file binary
_MAX_FINDINGS = 500
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_COLOURS = {Comment: "comment", String: "string", Keyword: "keyword"}
Parts = list[tuple[str, str]]  # of a line, each with the class of its colour; empty for plain text
_LINE_END = lazy_regex(r"\r\n|\r|\n")


class SourceFile(NamedTuple):
    """A file of a submission; all of its texts can be shown as they are."""

    name: str
    lines: tuple[str, ...] = ()
    note: str = ""  # what is special about it, in a sentence: not shown, cut, an unusual encoding


class SubmissionSource(NamedTuple):
    """The files of a submission."""

    files: tuple[SourceFile, ...] = ()
    problem: str = ""  # why there is none, or why what is shown is not what was graded; empty when it is
    is_as_graded: bool = False

    def line(self, file: str, number: int) -> str | None:
        """Return the text of a line; None when there is no such line."""
        lines = next((source.lines for source in self.files if source.name == file), ())
        return lines[number - 1] if 1 <= number <= len(lines) else None


def read_source(path: Path | None, spec: Spec, graded_digest: str) -> SubmissionSource:
    """Read a submission, whose report has `graded_digest`; `problem` says what cannot be read, or has changed."""
    if path is None:
        return SubmissionSource(problem="Nothing was handed in.")
    try:
        tree, work = build.staging.read_work(path, build.layout.staging_rules(spec))
    except GraderError as error:
        return SubmissionSource(problem=f"The submission cannot be read any more: {sentence(str(error))}")
    files: list[SourceFile] = []
    budget = MAX_PAGE_LINES
    for written in sorted(tree.files):
        for name, content in _as_shown(written, tree.files[written].content):
            files.append(_read_file(one_line(name, NAME_LIMIT * 2), content, min(MAX_LINES, budget)))
            budget -= len(files[-1].lines)
    is_as_graded = work.digest == graded_digest
    changed = "The submission has changed since it was graded: what is shown is what is there now. Grade it again."
    problem = "" if is_as_graded else changed
    if work.problem and not tree.files:
        problem = f"{capital(sentence(work.problem))}."
    return SubmissionSource(files=tuple(files), problem=problem, is_as_graded=is_as_graded)


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


def _read_file(name: str, content: bytes, most: int) -> SourceFile:
    """Decode a file; byte order marks decide, and without one a NUL says that it is no text."""
    encoding = next((name for mark, name in _BOMS.items() if content.startswith(mark)), "")
    if not encoding and b"\0" in content[:_SNIFFED]:
        return SourceFile(name=name, note=f"Not shown: {size(len(content))} that are no text.")
    # The end is left away before it is decoded: a file of 20 MiB is one too.
    body = content[: most * MAX_LINE_BYTES]
    lines = _LINE_END.split(body.decode(encoding or "utf-8", "backslashreplace"))
    if lines[-1] == "" and len(body) == len(content):
        lines.pop()
    is_cut = len(lines) > most or len(body) < len(content)
    lines = lines[:most] if is_cut else lines
    notes = {
        "Saved as UTF-16.": encoding == "utf-16",
        f"Only the first {count(len(lines), 'line')} of {size(len(content))} are shown.": is_cut,
        "The file is empty.": not content,
    }
    note = " ".join(note for note, holds in notes.items() if holds)
    return SourceFile(name=name, lines=tuple(show(line, MAX_LINE_BYTES) for line in lines), note=note)


def coloured(files: Sequence[SourceFile], language: str) -> Iterator[tuple[SourceFile, list[Parts]]]:
    """Yield each file with its lines; files of the assignment's language are coloured, if that is quick."""
    until = monotonic() + _COLOUR_SECONDS
    for file in files:
        text = "\n".join(file.lines)
        tokens = _colour(text, file.name, language, until) if len(text) <= MAX_COLOURED else [("", text)]
        rows: list[Parts] = [[]]
        for colour, part in tokens:
            first, *others = part.split("\n")
            rows[-1].append((colour, first))
            rows += ([(colour, piece)] for piece in others)
        yield file, rows[: len(file.lines)]


def _colour(text: str, name: str, language: str, until: float) -> Parts:
    """Return a text in coloured parts; as one part where it is of another language, or takes too long."""
    with suppress(ClassNotFound):
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
        if is_notebook(file_of(name)) or any(fnmatch(name.rpartition("/")[2], pattern) for pattern in lexer.filenames):
            timely = takewhile(lambda _: monotonic() < until, lexer.get_tokens(text))
            tokens = [
                (next((_COLOURS[kind] for kind in _COLOURS if token in kind), ""), part) for token, part in timely
            ]
            if "".join(part for _, part in tokens) == text:
                grouped = groupby(tokens, key=lambda token: token[0])
                return [(colour, "".join(part for _, part in group)) for colour, group in grouped]
    return [("", text)]


def findings_by_line(report: Report) -> dict[tuple[str, int], list[str]]:
    """Return file and line -> what was found there, for the staff: hidden tests are among it."""
    tests = tuple(msgspec.structs.replace(test, visibility="visible") for test in report.tests)
    findings: dict[tuple[str, int], list[str]] = defaultdict(list)
    for finding in placed_findings(msgspec.structs.replace(report, tests=tests), after_due=True)[:_MAX_FINDINGS]:
        if finding.file:
            findings[one_line(finding.file, NAME_LIMIT * 2), finding.line].append(sentence(finding.message))
    return findings
