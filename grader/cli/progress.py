"""What is to be seen of a class while it is graded: a bar on a terminal, a line each in a CI log, or nothing."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from grader.cli import shared
from grader.gradebook.class_files import CLASS_FORMATS
from grader.model import Verdict
from grader.model.gradebook import Grade, Gradebook
from grader.report.json import on_one_line
from grader.report.view import headline
from grader.text import inert, one_line, sentence

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from grader.classroom.grading import GradedEntry

NAME_WIDTH = 40
"""bytes of what was graded last, beside the bar"""


class Watch:
    """Shows each step, and at the end what came out."""

    def __init__(self, total: int, *, quiet: bool, form: str) -> None:
        """Show `total` steps; `quiet` shows only what is ungraded; `form` is `text` or `json`."""
        self._total = total
        self._done = 0
        self._reused = 0
        self._quiet = quiet
        self._form = form
        self._bar: Progress | None = None
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        """Start the bar, where there is a terminal to show it."""
        console = shared.console(err=True)
        if console.is_terminal and not self._quiet and self._form == "text":
            self._bar = _bar(console)
            self._bar.add_task("", total=self._total, rate="")
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        if self._bar is not None:
            self._bar.stop()

    def show(self, step: "GradedEntry") -> None:
        """Show one step."""
        self._done += 1
        self._reused += step.reused
        if self._form == "json":
            click.echo(on_one_line(step.written))
        elif self._bar is not None:
            rate = (self._done - self._reused) / (time.monotonic() - self._start) * 60
            name = one_line(step.entry.id, NAME_WIDTH)
            self._bar.update(self._bar.task_ids[0], advance=1, description=name, rate=f"{rate:.0f} a minute")
        elif not self._quiet and not step.reused:
            click.echo(f"[{self._done:{len(str(self._total))}}/{self._total}] {inert(headline(step.report))}")

    def end(self, book: Gradebook, out: Path) -> int:
        """Tell what came out, the ungraded last; return the exit code."""
        if self._bar is not None:
            self._bar.stop()
        ungraded = [grade for grade in book.grades if grade.report and grade.report.verdict is Verdict.UNGRADED]
        if self._form == "text":
            lines = () if self._quiet else self._outcome(book, out)
            for line in (*lines, *_reasons(ungraded)):
                click.echo(inert(line, anywhere=True))
        return shared.UNGRADED if ungraded else 0

    def _outcome(self, book: Gradebook, out: Path) -> Iterator[str]:
        for text in book.unused:
            yield f"left out: {sentence(text)}"
        verdicts = Counter(grade.report.verdict for grade in book.grades if grade.report)
        counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
        reused = f"; {self._reused} of them are unchanged since they were graded" if self._reused else ""
        yield f"{self._total} submission{'s' * (self._total != 1)}: {counts}{reused}."
        missing = sum(len(grade.entry.students) for grade in book.grades if grade.entry.path is None)
        if missing:
            yield f"{missing} on the roster {'have' if missing > 1 else 'has'} handed in nothing."
        yield f"Reports: {out} ({', '.join(CLASS_FORMATS)})"


def _bar(console: "Console") -> "Progress":
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
    )


def _reasons(ungraded: Sequence[Grade]) -> Iterator[str]:
    if ungraded:
        yield f"{len(ungraded)} ungraded, because something of ours went wrong; the same command tries them again:"
    for grade in ungraded:
        yield f"  {one_line(grade.entry.id)}: {_reason(grade)}"


def _reason(grade: Grade) -> str:
    cases = (case for test in grade.report.tests for case in test.cases) if grade.report else ()
    return next((sentence(case.message) for case in cases if case.verdict is Verdict.UNGRADED), "")
