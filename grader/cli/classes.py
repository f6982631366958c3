"""`grader class`: everybody's submission, resumable, with a gradebook."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.classroom.entries import ClassEntries
    from grader.classroom.grading import Workers
    from grader.pipeline import Course


@click.command("class")
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@shared.spec_option
@shared.out_option
@shared.jobs_option
@click.option(
    "--roster", metavar="CSV", type=click.Path(path_type=Path), help="Who is in the class: ids, names, teams."
)
@click.option("--fresh", is_flag=True, help="Forget what was graded before.")
@click.option("--shard", metavar="K/N", help="Grade the K-th of N parts; `grader merge` puts them together.")
@click.option("--dask", metavar="ADDRESS", help="Grade on a Dask cluster, such as tcp://10.0.0.5:8786.")
@shared.sandbox_option
@shared.after_due_option
@click.option("--quiet", is_flag=True, help="Say only what is ungraded.")
@shared.format_option
def classes(
    folder: Path,
    spec_name: str | None,
    out: Path | None,
    jobs: int | None,
    roster: Path | None,
    fresh: bool,
    shard: str | None,
    dask: str | None,
    sandbox: str,
    after_due: bool,
    quiet: bool,
    form: str,
) -> int:
    """Grade a class: every folder and archive in FOLDER.

    Each report is kept in grades.db as soon as it is there. Interrupted, the same command goes on where it was; later
    it grades again only what has changed: a submission, the spec, the reference, a tool.
    """
    from grader import pipeline
    from grader.classroom.entries import find_entries
    from grader.classroom.merging import to_shard
    from grader.classroom.store import locked
    from grader.load import find_spec

    piece = to_shard(shard) if shard else None
    found = find_entries(folder, roster)
    first = next((entry.path for entry in found.entries if entry.path is not None), folder)
    spec = find_spec(spec_name, first, Path.cwd())
    places = jobs or shared.cores()
    with shared.stopping() as cancelled:
        course = pipeline.prepare(spec, sandbox=sandbox, workers=places, cancelled=cancelled)
        out = out or Path("reports") / course.spec.id
        with locked(out), _workers(course, places, dask) as workers:
            return _grade_all(
                course, found, piece, out, workers, fresh=fresh, after_due=after_due, quiet=quiet, form=form
            )


def _grade_all(
    course: "Course",
    found: "ClassEntries",
    piece: tuple[int, int] | None,
    out: Path,
    workers: "Workers",
    *,
    fresh: bool,
    after_due: bool,
    quiet: bool,
    form: str,
) -> int:
    from grader.classroom.entries import gather
    from grader.classroom.grading import grade_class
    from grader.classroom.merging import shard_of
    from grader.classroom.results import results_of
    from grader.classroom.store import open_store
    from grader.cli.progress import Watch
    from grader.gradebook.class_files import write_class

    rules = course.spec.files
    found = gather(found, out / ".handed-in", (*rules.required, *rules.optional))
    entries = shard_of(found.entries, piece) if piece else found.entries
    total = sum(entry.path is not None for entry in entries)
    with open_store(out) as store, Watch(total, quiet=quiet, form=form) as watch:
        if fresh:
            store.forget()
        store.enrol(entries, _facts(course, found, piece))
        for step in grade_class(entries, course, store, out, workers, after_due=after_due):
            watch.show(step)
        results = results_of(store, after_due=after_due)
        write_class(results.book, results.file, out)
        return watch.end(results.book, out)


def _facts(course: "Course", found: "ClassEntries", piece: tuple[int, int] | None) -> dict[str, str]:
    spec = course.spec
    return {
        "spec": spec.id,
        "title": spec.title,
        "course": spec.course,
        "digest": spec.digest,
        "max_score": str(float(spec.max_score)),
        "spec_text": spec.source_text.decode(errors="backslashreplace"),
        "shard": "/".join(map(str, piece or ())),
        "unused": "\n".join(sentence.replace("\n", " ") for sentence in found.unused),
    }


def _workers(course: "Course", places: int, address: str | None) -> "AbstractContextManager[Workers]":
    if address is None:
        from grader.classroom.grading import local_workers

        return local_workers(course, places)
    try:
        from grader.classroom.cluster import cluster_workers
    except ModuleNotFoundError as error:
        raise UsageError(f"--dask needs {error.name}: pip install 'grader[dask]'") from error

    return cluster_workers(course, address)
