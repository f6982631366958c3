"""Commands on results: `merge` joins shards, `diff` compares, `explain` explains a grade, `course` shows all."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import shared
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
        from grader.cli.screen import report_folder
        from grader.grading_class.merging import merge_shards
        from grader.results.adjusting import find_banked, open_adjustable, refresh_class
        from grader.results.store import STORE_NAME
        from grader.results.view import count_outcomes, grade_view

        out = report_folder(self.out, "", _handed_in(self.results))
        folders = [path if path.is_dir() else path.parent for path in self.results]
        has_bank = any(find_banked(folder) for folder in folders if (folder / STORE_NAME).is_file())
        with merge_shards(self.results, out, after_due=self.after_due) as merged:
            book = merged.results.book
            if has_bank:
                book, told = refresh_class(open_adjustable(out), book)
                shared.echo(*told)
        grades = book.grades
        click.echo(f"{count(len(grades), 'submission')}: {count_outcomes(grades)}.")
        click.echo(f"Reports: {one_line(str(out))}")
        still = [view for view in map(grade_view, grades) if view.awaits_grade]
        for view in still:
            click.echo(f"  {inert(view.name, anywhere=True)}: {view.outcome}; grade its part again")
        if merged.missing:
            click.echo(f"Missing: the parts {', '.join(merged.missing)}; nobody in them has a line")
        return shared.UNGRADED if still or merged.missing else shared.PASSED


def _handed_in(results: tuple[Path, ...]) -> list[Path]:
    """Return the paths of the submissions in these results; what is no results, the merging reports."""
    from grader.results.store import STORE_NAME, read_store

    found: list[Path] = []
    for path in results:
        database = path / STORE_NAME if path.is_dir() else path
        if database.is_file() and database.name == STORE_NAME:
            with read_store(database) as store:
                found += [entry.path for entry in store.entries() if entry.path]
    return found


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
        from grader.results.diff import compare_gradebooks, comparison_to_json
        from grader.results.store import open_results, read_keys

        with open_results(self.old) as before:
            book, keys = before.book, read_keys(before.path)
        with open_results(self.new) as after:
            comparison = compare_gradebooks(book, after.book, keys=(keys, read_keys(after.path)), hidden=self.hidden)
        if self.form == "json":
            click.echo(comparison_to_json(comparison), nl=False)
        else:
            from grader.results.terminal import lay_out_comparison

            shared.console().print(lay_out_comparison(comparison))
        open_now = comparison.still_open + sum(
            change.new is not None and change.new.is_open for change in comparison.changes
        )
        if open_now:
            return shared.UNGRADED
        falls = any(change.is_lower for change in comparison.changes)
        return shared.LOST if falls and not self.allow_lower else shared.PASSED


class ExplainCommand(NamedTuple):
    """Explain one grade: its points with their arithmetic, what it was made from, and the commands to repeat it.

    RESULTS is a folder that `grader class` or `grader run` wrote, or a grades.db. NAME is a student's id, name, login
    or e-mail address, a team, or the name of a submission.
    """

    results: Path = shared.argument("RESULTS")
    name: str = shared.argument("NAME")
    hidden: bool = _hidden
    form: str = shared.format_option

    def _run(self) -> int:
        from grader.people.people import find_grade
        from grader.results.explain import explain_grade, explanation_to_json
        from grader.results.store import STORE_NAME, open_results, read_keys

        with open_results(self.results) as opened:
            book, folder = opened.book, opened.path
        grade = find_grade(book, self.name)
        key = read_keys(folder).get(grade.entry.id)
        explanation = explain_grade(
            grade,
            book,
            folder,
            reference=key.reference if key else "",
            handed_in=(folder / STORE_NAME).is_file(),
            hidden=self.hidden,
        )
        if self.form == "json":
            click.echo(explanation_to_json(explanation), nl=False)
            return shared.PASSED
        from grader.results.terminal import command_lines, lay_out_explanation

        console = shared.console()
        console.print(lay_out_explanation(explanation))
        for line in command_lines(explanation):
            console.print(line, soft_wrap=True)
        return shared.PASSED


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

    def _run(self) -> int:
        from grader.cli.screen import report_folder
        from grader.core.report.json import write_files
        from grader.people.people import read_roster
        from grader.results.adjusting import refresh_late_days
        from grader.results.course_overview import COURSE_FORMATS, course_lines, overview_of, read_assignments

        people = read_roster(self.roster) if self.roster else None
        folders = _result_folders(self.results or (Path("reports"),))
        target = report_folder(self.out or folders[0].parent, "course", [])
        for one in read_assignments(folders):  # in the order of the due dates, in which free days are taken
            shared.echo(*refresh_late_days(one.folder), err=True)
        overview = overview_of(read_assignments(folders), people)
        rendered = {name: render(overview, target) for name, render in COURSE_FORMATS.items()}
        write_files(rendered, target)
        if self.form == "json":
            click.echo(rendered["course.json"], nl=False)
            return shared.PASSED
        shared.echo(*course_lines(overview))
        graded = {one.book.spec.id for one in overview.assignments}
        if missing := sorted({path.stem for path in Path("specs").glob("*.yaml")} - graded):
            click.echo(f"No results here: {', '.join(map(one_line, missing))}")
        click.echo(f"Overview: {one_line(str(target))} ({', '.join(COURSE_FORMATS)})")
        return shared.PASSED


def _result_folders(named: Sequence[Path]) -> list[Path]:
    """Return the folders with results of a class that are named or lie in a named folder; raises UsageError."""
    from grader.results.store import STORE_NAME

    found: dict[Path, Path] = {}
    for path in named:
        inside = [path] if (path / STORE_NAME).is_file() else sorted(one.parent for one in path.glob(f"*/{STORE_NAME}"))
        if not inside:
            raise UsageError(
                f"there are no results of a class in {one_line(str(path))}: name folders that `grader class` wrote, "
                "or the folder that they are in"
            )
        found |= {one.resolve(): one for one in inside}
    return list(found.values())
