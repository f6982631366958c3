"""Decide by hand, on top of what was graded: `grader adjust` in a shell, `grader review` in a browser."""

import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from html import escape
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import NotConfirmedError, UsageError
from grader.core.text import count, count_points, inert, joined, one_line, sentence


class AdjustCommand(NamedTuple):
    """Change a grade by hand, or comment on it, on top of what was graded.

    NAME is a student's id, name, login or e-mail address, a team, or the name of a submission. It is written into
    adjustments.yaml at the course's root, where it survives when the class is graded again. Nothing is run. Without
    --points, --score, --excused and --due it is a comment.

    --score decides a test that is ungraded, or the whole: once all that is ungraded is decided, there is a final score.
    For somebody who handed in nothing it gives the points of an oral examination or of work on paper.
    """

    names: tuple[str, ...] = shared.argument("NAME", required=False)
    points: str | None = option("N", "What is added to the score, +2, or taken off it, -0.5.")
    score: str | None = option("N", "The points in all, in place of graded ones; also of what is ungraded.")
    excused: bool = flag("The student is excused: no score, which is no zero.")
    test: str = option("TEST", "The test that it is about. [the whole]", default="")
    due: str = option("TIME", "Another due date, such as '2026-11-25 23:59 Europe/Zurich'.", default="")
    why: str | None = option("TEXT", "The reason, which the student reads.")
    above_maximum: bool = flag("Confirm a score above the maximum, as for a bonus.")
    undo: bool = flag("Remove what was decided last about NAME, about TEST, or in line N.")
    line: int | None = option("N", "The line of adjustments.yaml to undo.", type=click.IntRange(1))
    spec: str | None = option("ID", "The assignment, where reports/ has several.")
    results: Path | None = option("DIR", "The results. [reports/<spec-id>]")

    def _run(self) -> None:
        effects = [f"--{name}" for name in ("points", "score", "excused", "due") if getattr(self, name)]
        folder = self.results or only_results(self.spec)
        name = self._only_name() if self.names or not self.undo else ""
        if self.undo and (given := [*effects, *(["--why"] if self.why is not None else [])]):
            raise UsageError(f"--undo removes a line, and {given[0]} writes one: use two commands")
        if self.line is not None and not self.undo:
            raise UsageError("--line names the line that --undo removes")
        if self.why is None and not self.undo:
            raise UsageError("--why is missing: give the reason, which the student reads")
        if len(effects) > 1:
            raise UsageError(f"{' and '.join(effects)} are two decisions: use two commands")
        target = lazy.adjusting.open_adjustable(folder, self.spec)
        if self.why is not None:
            self._decide(target, name, self.why)
            return
        done = lazy.adjusting.undo_adjustment(target, name, test=self.test, number=self.line)
        _describe(target, done)
        removed = lazy.adjustments.describe_adjustment(done.line)
        shared.echo(f"Removed from {one_line(str(done.file))}: {removed}")

    def _only_name(self) -> str:
        """Return the student's name; raises UsageError with the right command where results stand beside it."""
        if len(self.names) == 1:
            return self.names[0]
        if not self.names:
            raise UsageError("whose grade? Name the student: grader adjust NAME --why TEXT")
        if folder := next((name for name in self.names if self.results is None and Path(name).is_dir()), ""):
            words = map(
                lazy.explain.shell_word, [*(name for name in self.names if name != folder), "--results", folder]
            )
            raise UsageError(f"the results are named with --results: grader adjust {' '.join(words)} ...")
        raise UsageError(f"one student at a time, and not {', '.join(map(one_line, self.names))}; put a name in quotes")

    def _decide(self, target: "lazy.adjusting.Adjustable", name: str, why: str) -> None:
        from msgspec import UNSET

        if not sentence(why):
            raise UsageError("--why is empty: give the reason, which the student reads")
        by_hand = lazy.report.ByHand(
            why=why,
            test=self.test,
            points=None if self.points is None else lazy.adjustments.read_change(self.points),
            score=UNSET if self.score is None else lazy.adjustments.read_score(self.score),
            excused=self.excused or UNSET,
        )
        add = partial(lazy.adjusting.add_adjustment, target, name, by_hand, due=self.due)
        try:
            done = add(above_maximum=self.above_maximum)
        except NotConfirmedError as error:
            if not sys.stdin.isatty():
                raise UsageError(f"{error}; confirm that with --above-maximum") from None
            if not click.confirm(inert(f"{error}. Is that meant?", anywhere=True), err=True):
                raise UsageError("nothing is changed") from None
            done = add(above_maximum=True)
        _describe(target, done)
        click.echo(f"Written to {one_line(str(done.file))}, line {done.line.number}.")


def only_results(spec_id: str | None, named: str = "--results DIR") -> Path:
    """Return the folder with the results of an assignment; without an id, the only one in reports/.

    A command says in `named` how another one is chosen.
    """
    folders = [Path("reports") / Path(spec_id or "").stem]
    if spec_id is None:
        name = lazy.store.STORE_NAME
        folders = sorted(
            path for path in Path("reports").glob("*") if (path / name).is_file() or any(path.glob("*/report.json"))
        )
    elif not folders[0].is_dir():
        raise UsageError(f"there are no results at {one_line(str(folders[0]))}: name their folder with {named}")
    if len(folders) > 1:
        raise UsageError(f"which results? Choose with {named}: {', '.join(one_line(str(path)) for path in folders)}")
    if not folders:
        raise UsageError(f"there are no results in reports/: name them with {named}")
    return folders[0]


def _describe(target: "lazy.adjusting.Adjustable", done: "lazy.adjusting.Adjusted") -> None:
    """Print the grade with the change in it."""
    from grader.core.report.view import describe_final

    grade, most = done.grade, float(target.spec.max_score)
    if grade and not target.is_class:
        shared.echo(f"The next `grader run` of {one_line(grade.entry.id)} shows it.")
    elif grade:
        shared.echo(lazy.view.grade_view(grade).headline(most))
        if len(students := grade.entry.students) > 1:
            names = joined([one_line(student.name or student.id) for student in students])
            shared.echo(f"  This is the grade of {names}, who handed in together.")
        shared.echo(*(f"  {line}" for line in describe_final(grade.final, most, grade.report)))
        if (grade.counted or 0) > most:
            shared.echo(f"This is more than the {count_points(most)} that there are; it counts all the same.")
        if grade.counted == 0 and grade.final and sum(line.points or 0 for line in grade.final.by_hand) < 0:
            shared.echo("A final score is never below 0.")
    shared.echo(*done.unknown, err=True)


_LAST_CHANGE_SECONDS = 30


class ReviewCommand(NamedTuple):
    """Look through a class in a browser, and decide by hand.

    RESULTS is a folder that `grader class` wrote; without it, the only one in reports/. Each student's source is shown
    with what was found on its lines. Points, comments on lines and rubric items go into adjustments.yaml at once, as
    `grader adjust` writes them, and onto the students' pages. Nothing is run.

    The pages are for you alone, on this machine: at 127.0.0.1, with a secret in the address. Ctrl-C ends it.
    """

    results: Path | None = shared.argument("[RESULTS]")
    spec_name: str | None = option("ID", "The assignment, where reports/ has several.", "--spec")
    port: int = option("N", "The port. [any free one]", type=click.IntRange(0, 65535), default=0)
    no_browser: bool = flag("Open no browser: only print the address.")

    def _run(self) -> None:
        results = self.results or only_results(self.spec_name, "grader review RESULTS")
        opened = lazy.reviewed.open_reviewed(results, self.spec_name, Path.cwd())
        number = len(lazy.reviewed.read_class(opened).book.grades)
        started = lazy.server.start_server(self.port, lazy.pages.application_of(opened))
        with shared.stopping(), suppress(KeyboardInterrupt), started as running:
            address, here, over = running.guard.address, running.server_port, os.environ.get("SSH_CONNECTION")
            click.echo(f"Review of {one_line(opened.spec.id)}, {count(number, 'submission')}, for you alone:")
            click.echo(f"  {address}")
            if over:
                remote = f"ssh -L {here}:127.0.0.1:{here} THIS-MACHINE"
                click.echo(f"On your own machine: {remote}, and open the address there.")
            click.echo("What you decide is written at once. Ctrl-C ends it.")
            has_screen = not over and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
            with _open_page(address) if has_screen and not self.no_browser else nullcontext():
                try:
                    running.serve_forever()
                finally:
                    running.changing.acquire(timeout=_LAST_CHANGE_SECONDS)  # what is being written is written whole


@contextmanager
def _open_page(address: str) -> Iterator[None]:
    """Open the address in a browser.

    Other users see the arguments of a browser, so it gets the name of a file that they cannot read.
    """
    with tempfile.TemporaryDirectory(prefix="grader-review-") as folder:
        page = Path(folder) / "review.html"
        page.touch(mode=0o600)
        page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">\n')
        with suppress(webbrowser.Error, OSError):
            webbrowser.open(page.as_uri())
        yield
