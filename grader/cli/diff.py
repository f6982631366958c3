"""`grader diff`: whose grade changes between two runs, and why."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.cli.explain import hidden_option

if TYPE_CHECKING:
    from grader.gradebook.comparison import Comparison


@click.command()
@click.argument("old", metavar="OLD", type=click.Path(path_type=Path))
@click.argument("new", metavar="NEW", type=click.Path(path_type=Path))
@click.option("--allow-lower", is_flag=True, help="Exit with 0 even if grades fall.")
@hidden_option
@shared.format_option
def diff(old: Path, new: Path, allow_lower: bool, hidden: bool, form: str) -> int:
    """Compare two runs: whose grade changes, by how much, and on account of what.

    OLD and NEW are folders that `grader class` or `grader run` wrote, or a grades.db.

    \b
    Exit codes:
      0    nobody's grade falls
      1    a grade falls, or is there no more (not with --allow-lower)
      2    there are no results
      3    somebody is ungraded in NEW, and nobody knows whether that grade falls
    """  # noqa: D301 - click takes the control character as "keep these lines"
    from grader.classroom.results import open_results
    from grader.classroom.store import read_keys
    from grader.gradebook.comparison import compare_gradebooks, comparison_to_json

    with open_results(old) as before:
        book, keys = before.book, read_keys(before.path)
    with open_results(new) as after:
        comparison = compare_gradebooks(book, after.book, keys=(keys, read_keys(after.path)), hidden=hidden)
    if form == "json":
        click.echo(comparison_to_json(comparison), nl=False)
    else:
        from grader.gradebook.terminal import lay_out_comparison

        shared.console().print(lay_out_comparison(comparison))
    return _exit_code(comparison, allow_lower=allow_lower)


def _exit_code(comparison: "Comparison", *, allow_lower: bool) -> int:
    open_now = comparison.still_open + sum(
        change.new is not None and change.new.is_open for change in comparison.changes
    )
    if open_now:
        return shared.UNGRADED
    falls = any(change.is_lower for change in comparison.changes)
    return shared.LOST if falls and not allow_lower else shared.PASSED
