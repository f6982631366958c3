"""`grader run`: one submission or a few, each told as soon as it is graded."""

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.errors import HostError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.model import Judgement
    from grader.pipeline import Course


@click.command()
@click.argument("submissions", nargs=-1, required=True, metavar="SUBMISSION...")
@shared.spec_option
@shared.out_option
@shared.jobs_option
@click.option("--only", metavar="TEST", multiple=True, help="Run this test alone (may be repeated); writes no report.")
@shared.sandbox_option
@shared.after_due_option
@shared.format_option
def run(
    submissions: tuple[str, ...],
    spec_name: str | None,
    out: Path | None,
    jobs: int | None,
    only: tuple[str, ...],
    sandbox: str,
    after_due: bool,
    form: str,
) -> int:
    """Grade submissions: folders, zip or tar.gz archives.

    Without --spec, the assignment is the one that grader.yaml names, or the folder above the submission is named after,
    or whose required files are all there. With --format json, each line is one report.
    """
    from grader import pipeline
    from grader.load import find_spec
    from grader.model import Job, Submission

    paths = [shared.named(name) for name in submissions]
    for path in paths:
        shared.check_submission(path)
    spec = find_spec(spec_name, paths[0], Path.cwd())
    for path in paths[1:]:
        if find_spec(spec_name, path, Path.cwd()) != spec:
            raise UsageError(f"{path} belongs to another assignment than {paths[0]}; grade them apart, or name --spec")
    _get_ready_meanwhile("grader.report" if form == "json" else "grader.report.terminal")
    workers = min(jobs or shared.cores(), len(paths))
    with shared.stopping() as cancelled:
        course = pipeline.prepare(spec, sandbox=sandbox, workers=workers, cancelled=cancelled)
        _check_tests(course, only)
        graded = [
            Job(spec=spec, submission=Submission(id=shared.student(path), path=path), only=only) for path in paths
        ]
        folder = None if only else out or Path("reports") / course.spec.id
        keep = partial(_keep, folder, after_due)
        return _show(pipeline.grade_all(graded, course, keep, workers), form)


def _get_ready_meanwhile(module: str) -> None:
    """Import what is needed at the end while the first programs run; we do nothing but wait for them."""
    Thread(target=_get_ready, args=(module,), daemon=True).start()


def _get_ready(module: str) -> None:
    import_module(module)
    from grader.report.page import get_ready

    get_ready()


def _check_tests(course: "Course", only: Sequence[str]) -> None:
    names = [test.name for test in course.spec.tests]
    for name in only:
        if name not in names:
            raise UsageError(f"there is no test {name!r} in {course.spec.id}; its tests are: {', '.join(names)}")


def _keep(folder: Path | None, after_due: bool, report: "Judgement") -> "tuple[Judgement, Path | HostError | None]":
    """Write a report as soon as it is there; return it with where it is, or why it is nowhere."""
    from grader.report import write_report

    try:
        return report, write_report(report, folder, after_due=after_due) if folder else None
    except HostError as error:
        return report, error


def _show(kept: "Iterator[tuple[Judgement, Path | HostError | None]]", form: str) -> int:
    """Print each report as it comes, and return the exit code of all together. What cannot be kept is seen at least."""
    from grader.report import to_json_line

    code = shared.PASSED
    console = shared.console() if form == "text" else None
    for report, written in kept:
        if console is None:
            click.echo(to_json_line(report))
        else:
            _print(console, report)
        if isinstance(written, HostError):
            raise written
        if console is not None and written is not None:
            console.print(f"Reports: {written}", soft_wrap=True)
        code = max(code, {"passed": shared.PASSED, "ungraded": shared.UNGRADED}.get(report.verdict, shared.LOST))
    return code


def _print(console: "Console", report: "Judgement") -> None:
    from grader.report.terminal import to_renderable

    console.print(to_renderable(report))
