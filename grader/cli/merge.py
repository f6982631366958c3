"""`grader merge`: the shards of a class into one."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared

if TYPE_CHECKING:
    from grader.classroom.merging import Merged


@click.command()
@click.argument("results", nargs=-1, required=True, metavar="RESULTS...", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Where the whole class goes."
)
@shared.after_due_option
def merge(results: tuple[Path, ...], out: Path, after_due: bool) -> int:
    """Put the shards of a class into one, as `grader class` would have written it.

    RESULTS are folders that `grader class --shard K/N` wrote, in any order. They must have been made with the same
    spec, reference, tools and version of grader. Exits with 3 when a shard is missing or something is ungraded; the
    rest is written all the same.
    """
    from grader.classroom.merging import merge_shards
    from grader.gradebook.class_files import write_class

    with merge_shards(results, out, after_due=after_due) as merged:
        write_class(merged.results.book, merged.results.file, out)
    return _tell_merged(merged, out)


def _tell_merged(merged: "Merged", out: Path) -> int:
    """Tell what came out, what is missing last."""
    from grader.gradebook.statistics import outcome_of
    from grader.text import inert, one_line

    grades = merged.results.book.grades
    counts = Counter(outcome_of(grade) for grade in grades)
    click.echo(f"{len(grades)} submissions: {', '.join(f'{count} {word}' for word, count in sorted(counts.items()))}.")
    click.echo(f"Reports: {one_line(str(out))}")
    still = [grade for grade in grades if grade.entry.path and (grade.report is None or grade.report.score is None)]
    for grade in still:
        click.echo(f"  {inert(one_line(grade.entry.id), anywhere=True)}: {outcome_of(grade)}; grade its part again")
    if merged.missing:
        click.echo(f"Missing: the parts {', '.join(merged.missing)}; nobody in them has a line")
    return shared.UNGRADED if still or merged.missing else shared.PASSED
