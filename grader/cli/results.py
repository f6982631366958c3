"""Commands on results: `merge` joins shards, `diff` compares, `explain` explains a grade, `course` shows all."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import UsageError
from grader.core.text import count, inert, one_line

_hidden = flag("Show also what students may not see of hidden tests.")


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
    """Compare two runs: whose grade changes, by how much, and on account of what.

    OLD and NEW are folders that `grader class` or `grader run` wrote, or a grades.db.

    \b
    Exit codes:
      0    nobody's grade falls
      1    a grade falls, or is there no more (not with --allow-lower)
      2    there are no results
      3    somebody is ungraded in NEW, and nobody knows whether that grade falls
    """  # noqa: D301 - click takes the control character as "keep these lines"

    old: Path = shared.argument("OLD")
    new: Path = shared.argument("NEW")
    allow_lower: bool = flag("Exit with 0 even if grades fall.")
    hidden: bool = _hidden
    form: str = shared.format_option

    def _run(self) -> int:
        store = lazy.store
        with store.open_results(self.old) as before:
            book, keys = before.book, store.read_keys(before.path)
        with store.open_results(self.new) as after:
            both = (keys, store.read_keys(after.path))
            comparison = lazy.diff.compare_gradebooks(book, after.book, keys=both, hidden=self.hidden)
        if self.form == "json":
            click.echo(lazy.diff.comparison_to_json(comparison), nl=False)
        else:
            shared.console().print(lazy.terminal.lay_out_comparison(comparison))
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
            book, folder = opened.book, opened.path
        grade = lazy.people.find_grade(book, self.name)
        key, is_class = lazy.store.read_keys(folder).get(grade.entry.id), (folder / lazy.store.STORE_NAME).is_file()
        explanation = lazy.explain.explain_grade(
            grade, book, folder, reference=key.reference if key else "", handed_in=is_class, hidden=self.hidden
        )
        if self.form == "json":
            click.echo(lazy.explain.explanation_to_json(explanation), nl=False)
            return
        console = shared.console()
        console.print(lazy.terminal.lay_out_explanation(explanation))
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
        graded = {assignment.book.spec.id for assignment in overview.assignments}
        if missing := sorted({path.stem for path in Path("specs").glob("*.yaml")} - graded):
            click.echo(f"No results here: {', '.join(map(one_line, missing))}")
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
