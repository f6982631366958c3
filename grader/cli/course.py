"""`grader course`: one overview over all assignments of a course, from their results."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import shared
from grader.cli.shared import PATH, option
from grader.core.errors import UsageError
from grader.core.text import inert, one_line


class CourseCommand(NamedTuple):
    """Show all assignments of a course side by side: who handed in what, scores, late days, trends.

    RESULTS are folders that `grader class` wrote, or a folder of them. [reports]

    It writes course.html, course.csv and course.json. Nothing is run, and what is ungraded counts in no mean. Free late
    days are brought up to date in all these results.
    """

    results: tuple[Path, ...] = shared.argument("[RESULTS]...", nargs=-1, type=PATH)
    roster: Path | None = option("CSV", "Who is in the course, named in one way for all.", type=PATH)
    out: Path | None = option("DIR", "Where the files go. [beside the results]", type=PATH)
    form: str = shared.format_option

    def _run(self) -> int:
        from grader.cli.results_folder import report_folder
        from grader.core.report.files import write_files
        from grader.people.people import read_roster
        from grader.results.adjusting import refresh_late_days
        from grader.results.course_files import COURSE_FORMATS, course_lines
        from grader.results.course_overview import overview_of, read_assignments

        people = read_roster(self.roster) if self.roster else None
        folders = _result_folders(self.results or (Path("reports"),))
        target = report_folder(self.out or folders[0].parent, "course", [])
        for one in read_assignments(folders):  # in the order of the due dates, in which free days are taken
            for line in refresh_late_days(one.folder):
                click.echo(inert(line, anywhere=True), err=True)
        overview = overview_of(read_assignments(folders), people)
        rendered = {name: render(overview, target) for name, render in COURSE_FORMATS.items()}
        write_files(rendered, target)
        if self.form == "json":
            click.echo(rendered["course.json"], nl=False)
            return shared.PASSED
        for line in course_lines(overview):
            click.echo(inert(line, anywhere=True))
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
