"""Commands on results: `merge` joins shards, `diff` compares, `explain` explains a grade, `course` shows all.

On top of what was graded, people decide by hand: `adjust` in a shell, `review` in a browser.
"""

import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
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

_hidden = flag("Show also what students may not see of hidden tests.")
_spec = option("ID", "The assignment, where reports/ has several.", "--spec")


class MergeCommand(NamedTuple):
    """Put the shards of a class into one, as `grader class` would have written it.

    RESULTS are folders that `grader class --shard K/N` wrote, in any order. They must have been made with the same
    spec, reference, tools and version of grader. Exits with 3 when a shard is missing or something is ungraded; the
    rest is written all the same.
    """

    results: tuple[Path, ...] = shared.argument("RESULTS...")
    out: Path = option("DIR", "Where the whole class goes.", required=True)
    after_due: bool = shared.after_due_option

    def _run(self) -> int:
        stores = [path / lazy.store.STORE_NAME if path.is_dir() else path for path in self.results]
        stores = [path for path in stores if path.name == lazy.store.STORE_NAME and path.is_file()]
        handed_in: list[Path] = []
        for path in stores:
            with lazy.store.read_store(path) as store:
                handed_in += [entry.path for entry in store.entries() if entry.path]
        out = lazy.screen.report_folder(self.out, "", handed_in)
        has_bank = any(lazy.adjusting.find_banked(path.parent) for path in stores)
        with lazy.merging.merge_shards(self.results, out, after_due=self.after_due) as (results, missing):
            book = results.book
            if has_bank:
                book, unknown = lazy.adjusting.refresh_class(lazy.adjusting.open_adjustable(out), book)
                shared.echo(*unknown)
        click.echo(f"{count(len(book.grades), 'submission')}: {lazy.view.count_outcomes(book.grades)}.")
        click.echo(f"Reports: {one_line(str(out))}")
        still = [view for view in map(lazy.view.grade_view, book.grades) if view.awaits_grade]
        for view in still:
            click.echo(f"  {inert(view.name, anywhere=True)}: {view.outcome}; grade its part again")
        if missing:
            click.echo(f"Missing: the parts {', '.join(missing)}; nobody in them has a line")
        return shared.UNGRADED if still or missing else shared.PASSED


class DiffCommand(NamedTuple):
    """Compare two runs: whose grade changes, by how much, and why.

    OLD and NEW are folders that `grader class` or `grader run` wrote, or a grades.db.

    \b
    Exit codes:
      0    nobody's grade falls
      1    a grade falls or is gone (not with --allow-lower)
      2    there are no results
      3    somebody is ungraded in NEW, and nobody knows whether that grade falls
    """  # noqa: D301 - click takes the control character as "keep these lines"

    old: Path = shared.argument("OLD")
    new: Path = shared.argument("NEW")
    allow_lower: bool = flag("Exit with 0 even if grades fall.")
    hidden: bool = _hidden
    form: str = shared.format_option

    def _run(self) -> int:
        with lazy.store.open_results(self.old) as before, lazy.store.open_results(self.new) as after:
            keys = before.keys or {}, after.keys or {}
            comparison = lazy.diff.compare_gradebooks(before.book, after.book, keys=keys, hidden=self.hidden)
        if self.form == "json":
            click.echo(lazy.diff.comparison_to_json(comparison), nl=False)
        else:
            shared.console().print(*lazy.terminal.lay_out_comparison(comparison))
        if comparison.still_open or any(change.new and change.new.is_open for change in comparison.changes):
            return shared.UNGRADED
        is_lower = not self.allow_lower and any(change.is_lower for change in comparison.changes)
        return shared.LOST if is_lower else shared.PASSED


class ExplainCommand(NamedTuple):
    """Explain one grade: its points with their arithmetic, what it was made from, and the commands to repeat it.

    RESULTS is a folder that `grader class` or `grader run` wrote, or a grades.db. NAME is a student's id, name, login
    or e-mail address, a team, or the name of a submission.
    """

    results: Path = shared.argument("RESULTS")
    name: str = shared.argument("NAME")
    hidden: bool = _hidden
    form: str = shared.format_option

    def _run(self) -> None:
        with lazy.store.open_results(self.results) as opened:
            grade = lazy.people.find_grade(opened.book, self.name)
            explanation = lazy.explain.explain_grade(grade, opened, hidden=self.hidden)
        if self.form == "json":
            click.echo(lazy.explain.explanation_to_json(explanation), nl=False)
            return
        console = shared.console()
        console.print(*lazy.terminal.lay_out_explanation(explanation))
        for line in lazy.terminal.command_lines(explanation):
            console.print(line, soft_wrap=True)


class CourseCommand(NamedTuple):
    """Show all assignments of a course side by side: who handed in what, scores, late days, trends.

    RESULTS are folders that `grader class` wrote, or a folder of them. [reports]

    It writes course.html, course.csv and course.json. Nothing is run, and what is ungraded counts in no mean. Free late
    days are brought up to date in all these results.
    """

    results: tuple[Path, ...] = shared.argument("[RESULTS]...")
    roster: Path | None = option("CSV", "Who is in the course, named in one way for all.")
    out: Path | None = option("DIR", "Where the files go. [beside the results]")
    form: str = shared.format_option

    def _run(self) -> None:
        overviews = lazy.course_overview
        people = lazy.people.read_roster(self.roster) if self.roster else None
        folders = _result_folders(self.results or (Path("reports"),))
        target = lazy.screen.report_folder(self.out or folders[0].parent, "course", [])
        for assignment in overviews.read_assignments(folders):  # by due date, as free days are taken
            shared.echo(*lazy.adjusting.refresh_late_days(assignment.folder), err=True)
        overview = overviews.overview_of(overviews.read_assignments(folders), people)
        rendered = {name: render(overview, target) for name, render in overviews.COURSE_FORMATS.items()}
        lazy.json.write_files(rendered, target)
        if self.form == "json":
            click.echo(rendered["course.json"], nl=False)
            return
        shared.echo(*overviews.course_lines(overview))
        click.echo(f"Overview: {one_line(str(target))} ({', '.join(rendered)})")


def _result_folders(named: Sequence[Path]) -> list[Path]:
    """Return the folders with results of a class that are named or lie in a named folder; raises UsageError."""
    folders: dict[Path, Path] = {}
    for path in named:
        name = lazy.store.STORE_NAME
        inside = [path] if (path / name).is_file() else sorted(file.parent for file in path.glob(f"*/{name}"))
        if not inside:
            remedy = "name folders that `grader class` wrote, or the folder that they are in"
            raise UsageError(f"there are no results of a class in {one_line(str(path))}: {remedy}")
        folders |= {folder.resolve(): folder for folder in inside}
    return list(folders.values())


# ---------------------------------------------------------------- by hand


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
    why: str = option("TEXT", "The reason, which the student reads.", default="")
    above_maximum: bool = flag("Confirm a score above the maximum, as for a bonus.")
    undo: bool = flag("Remove what was decided last about NAME, about TEST, or in line N.")
    line: int | None = option("N", "The line of adjustments.yaml to undo.", type=click.IntRange(1))
    spec: str | None = _spec
    results: Path | None = option("DIR", "The results. [reports/<spec-id>]")

    def _run(self) -> None:
        given = [f"--{name}" for name in ("points", "score", "excused", "due", "why") if getattr(self, name)]
        if len(self.names) > 1 or not (self.names or self.undo):
            hint = "".join(f"; results are named with --results {name}" for name in self.names if Path(name).is_dir())
            raise UsageError(f"whose grade? Name one student: grader adjust 'NAME' --why TEXT{hint}")
        folder, name = self.results or only_results(self.spec), "".join(self.names)
        if self.undo and given:
            raise UsageError(f"--undo removes a line, and {given[0]} writes one: use two commands")
        if self.line is not None and not self.undo:
            raise UsageError("--line names the line that --undo removes")
        if not self.undo and not sentence(self.why):
            raise UsageError("--why is missing: give the reason, which the student reads")
        if len(given) > 2:  # noqa: PLR2004 - a decision and its reason
            raise UsageError(f"{' and '.join(given[:-1])} are two decisions: use two commands")
        target = lazy.adjusting.open_adjustable(folder, self.spec)
        if self.undo:
            done = lazy.adjusting.undo_adjustment(target, name, test=self.test, number=self.line)
            _describe(target, done)
            shared.echo(f"Removed from {one_line(str(done.file))}: {lazy.adjustments.describe_adjustment(done.line)}")
        else:
            self._decide(target, name)

    def _decide(self, target: "lazy.adjusting.Adjustable", name: str) -> None:
        from msgspec import UNSET

        by_hand = lazy.report.ByHand(
            why=self.why,
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
    reports, db = Path("reports"), lazy.store.STORE_NAME
    if spec_id is not None:
        folders = [reports / Path(spec_id).stem]
        if not folders[0].is_dir():
            raise UsageError(f"there are no results at {one_line(str(folders[0]))}: name their folder with {named}")
    else:
        folders = sorted(path for path in reports.glob("*") if (path / db).is_file() or any(path.glob("*/report.json")))
    if len(folders) != 1:
        which = f"which results? Choose with {named}: {', '.join(one_line(str(path)) for path in folders)}"
        raise UsageError(which if folders else f"there are no results in reports/: name them with {named}")
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


class ReviewCommand(NamedTuple):
    """Look through a class in a browser, and decide by hand.

    RESULTS is a folder that `grader class` wrote; without it, the only one in reports/. Each student's source is shown
    with what was found on its lines. Points, comments on lines and rubric items go into adjustments.yaml at once, as
    `grader adjust` writes them, and onto the students' pages. Nothing is run.

    The pages are for you alone, on this machine: at 127.0.0.1, with a secret in the address. Ctrl-C ends it.
    """

    results: Path | None = shared.argument("[RESULTS]")
    spec: str | None = _spec
    port: int = option("N", "The port. [any free one]", type=click.IntRange(0, 65535), default=0)
    no_browser: bool = flag("Open no browser: only print the address.")

    def _run(self) -> None:
        results = self.results or only_results(self.spec, "grader review RESULTS")
        opened = lazy.reviewed.open_reviewed(results, self.spec, Path.cwd())
        number = len(lazy.reviewed.read_class(opened).book.grades)
        started = lazy.server.start_server(self.port, lazy.pages.application_of(opened))
        with shared.stopping(), suppress(KeyboardInterrupt), started as running:
            address, over = running.guard.address, os.environ.get("SSH_CONNECTION")
            click.echo(f"Review of {one_line(opened.spec.id)}, {count(number, 'submission')}, for you alone:")
            click.echo(f"  {address}\nWhat you decide is written at once. Ctrl-C ends it.")
            has_screen = not over and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
            with _open_page(address) if has_screen and not self.no_browser else nullcontext():
                try:
                    running.serve_forever()
                finally:
                    running.changing.acquire(timeout=30)  # seconds, in which what is being written is written whole


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
