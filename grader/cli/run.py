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

    from grader.model import Job, Report
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
    _get_ready_meanwhile("grader.report.formats", *(["grader.report.terminal"] if form == "text" else []))
    workers = min(jobs or shared.cores(), len(paths))
    with shared.stopping() as cancelled:
        course = pipeline.prepare(spec, sandbox=sandbox, workers=workers, cancelled=cancelled)
        _check_tests(course, only)
        graded = [
            Job(spec=spec, submission=Submission(id=shared.student(path), path=path), only=only) for path in paths
        ]
        folder = None if only else out or Path("reports") / course.spec.id
        work = partial(_grade_and_keep, folder, after_due)
        return _show(pipeline.work_on(graded, course, work, workers), form)


def _get_ready_meanwhile(*modules: str) -> None:
    """Import what is needed at the end while the first programs run; we do nothing but wait for them."""

    def get_all_ready() -> None:
        for module in modules:
            import_module(module)
        from grader.report.html import get_ready

        get_ready()

    Thread(target=get_all_ready, daemon=True).start()


def _check_tests(course: "Course", only: Sequence[str]) -> None:
    names = [test.name for test in course.spec.tests]
    for name in only:
        if name not in names:
            raise UsageError(f"there is no test {name!r} in {course.spec.id}; its tests are: {', '.join(names)}")


def _grade_and_keep(
    out: Path | None, after_due: bool, job: "Job", course: "Course"
) -> "tuple[Report, Path | HostError | None]":
    """Write a report as soon as it is there; return it with where it is, or why it is nowhere."""
    from grader.pipeline import grade
    from grader.report.formats import write_report

    report = grade(job, course)
    if out is None:
        return report, None
    try:
        name, title = job.submission.id, course.spec.course
        return report, write_report(report, name, out, course=title, after_due=after_due)
    except HostError as error:
        return report, error


def _show(kept: "Iterator[tuple[Report, Path | HostError | None]]", form: str) -> int:
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


def _print(console: "Console", report: "Report") -> None:
    from grader.report.terminal import to_renderable

    console.print(to_renderable(report))
