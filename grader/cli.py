"""The command line: the only file that prints, and the only one that decides an exit code.

0: every submission has full marks. 1: somebody lost points. 2: wrong usage or a spec with mistakes, nothing was run.
3: something is ungraded. 130: interrupted. Imports inside functions are for start-up alone: `--help` needs none.
"""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from threading import Event, Thread
from types import FrameType
from typing import TYPE_CHECKING

import click

from grader.errors import GraderError, GradingStoppedError, HostError, SpecError, UsageError
from grader.model import VERSION

if TYPE_CHECKING:
    from rich.console import Console

    from grader.model import Report
    from grader.pipeline import Course

_PASSED, _LOST, _UNGRADED, _INTERRUPTED = 0, 1, 3, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="grader")
def cli() -> None:
    """Grade programs against an assignment's contract, and say in one sentence what is wrong.

    \b
    Exit codes:
      0    every submission has full marks
      1    graded, and somebody lost points
      2    wrong usage, or a spec with mistakes: nothing was run
      3    something is ungraded: we failed, not the student
      130  interrupted; what was finished is kept
    """  # noqa: D301 - click takes the control character as "keep these lines"


@cli.command()
@click.argument("submissions", nargs=-1, required=True, metavar="SUBMISSION...")
@click.option("--spec", "spec_name", metavar="FILE", help="The assignment: a spec's path or its id.")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="Where reports go. [reports/<spec-id>]")
@click.option("--jobs", metavar="N", type=click.IntRange(1), help="Submissions at a time. [the cores]")
@click.option("--only", metavar="TEST", multiple=True, help="Run this test alone (may be repeated); writes no report.")
@click.option("--sandbox", metavar="LEVEL", default="auto", show_default=True, help="auto, full, or none.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
def run(
    submissions: tuple[str, ...],
    spec_name: str | None,
    out: Path | None,
    jobs: int | None,
    only: tuple[str, ...],
    sandbox: str,
    form: str,
) -> int:
    """Grade submissions: folders, zip or tar.gz archives.

    Without --spec, the assignment is the one that grader.yaml names, or the folder above the submission is named after,
    or whose required files are all there. With --format json, each line is one report.
    """
    from grader import pipeline
    from grader.build import check_path
    from grader.load import find_spec
    from grader.model import Job, Submission

    paths = [_named(name) for name in submissions]
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"there is no submission {path}; name a folder, or a zip or tar.gz archive")
        check_path(path)
    spec = find_spec(spec_name, paths[0], Path.cwd())
    for path in paths[1:]:
        if find_spec(spec_name, path, Path.cwd()) != spec:
            raise UsageError(f"{path} belongs to another assignment than {paths[0]}; grade them apart, or name --spec")
    _import_meanwhile("grader.report" if form == "json" else "grader.report.terminal")
    workers = min(jobs or os.cpu_count() or 1, len(paths))
    with _stopping() as cancelled:
        course = pipeline.prepare(spec, sandbox=sandbox, workers=workers, cancelled=cancelled)
        _check_tests(course, only)
        graded = [Job(spec=spec, submission=Submission(id=_student(path), path=path), only=only) for path in paths]
        folder = None if only else out or Path("reports") / course.spec.id
        return _show(pipeline.grade_all(graded, course, partial(_keep, folder), workers), form)


def _named(word: str) -> Path:
    """Return the path of a submission with its own name at the end, also for `.` and `..`."""
    path = Path.cwd() / word
    return path.resolve() if path.name == ".." else path


def _import_meanwhile(module: str) -> None:
    """Import what is needed at the end while the first programs run; we do nothing but wait for them."""
    Thread(target=import_module, args=(module,), daemon=True).start()


def _student(path: Path) -> str:
    """Return the name that a submission goes by: that of its folder, or of its archive without the ending."""
    name = path.name
    for ending in (".zip", ".tar.gz", ".tgz", ".tar"):
        if name.lower().endswith(ending) and len(name) > len(ending) and not path.is_dir():
            return name[: -len(ending)]
    return name


def _check_tests(course: "Course", only: Sequence[str]) -> None:
    names = [test.name for test in course.spec.tests]
    for name in only:
        if name not in names:
            raise UsageError(f"there is no test {name!r} in {course.spec.id}; its tests are: {', '.join(names)}")


def _keep(folder: Path | None, report: "Report") -> "tuple[Report, Path | HostError | None]":
    """Write a report as soon as it is there; return it with where it is, or why it is nowhere."""
    from grader.report import write_report

    try:
        return report, write_report(report, folder) if folder else None
    except HostError as error:
        return report, error


def _show(kept: "Iterator[tuple[Report, Path | HostError | None]]", form: str) -> int:
    """Print each report as it comes, and return the exit code of all together. What cannot be kept is seen at least."""
    from grader.report import to_json_line

    code = _PASSED
    console = _console() if form == "text" else None
    for report, written in kept:
        if console is None:
            click.echo(to_json_line(report))
        else:
            _print(console, report)
        if isinstance(written, HostError):
            raise written
        if console is not None and written is not None:
            console.print(f"Reports: {written}", markup=False, soft_wrap=True)
        code = max(code, {"passed": _PASSED, "ungraded": _UNGRADED}.get(report.verdict, _LOST))
    return code


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def _print(console: "Console", report: "Report") -> None:
    from grader.report.terminal import to_renderable

    console.print(to_renderable(report))


@cli.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path(path_type=Path))
def lint(specs: tuple[Path, ...]) -> int:
    """Check specs: every mistake at once, with its line and column."""
    from grader.load import find_named, load
    from grader.report.text import points

    wrong = False
    for name in specs:
        path = name if name.exists() else find_named(str(name), Path.cwd())
        try:
            spec = load(path)
        except SpecError as error:
            wrong = True
            click.echo(str(error), err=True)
        else:
            cases = sum(len(test.cases) for test in spec.tests)
            click.echo(f"{path}: {len(spec.tests)} tests, {cases} cases, {points(spec.max_score)} points: no mistakes")
    return SpecError.exit_code if wrong else 0


@cli.command()
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)
def doctor(form: str) -> int:
    """Tell what this machine has of all that grading needs, what is missing, and how to get it.

    Exit code 3 when nothing can be graded here, for instance without a sandbox. A language that is missing is told, and
    is no failure.
    """
    from grader.doctor import examine, is_fit, to_json, to_text

    findings = examine()
    click.echo(to_json(findings) if form == "json" else to_text(findings))
    return 0 if is_fit(findings) else _UNGRADED


@contextmanager
def _stopping() -> Iterator[Event]:
    """Let a request to terminate end the work as Ctrl-C does: the running programs with it."""
    cancelled = Event()

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what a handler is called with
        cancelled.set()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield cancelled
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def main() -> None:
    """Run the command line and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows no such character is no fault
    sys.exit(_main())


def _main() -> int:
    try:
        return int(cli.main(standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt, GradingStoppedError):
        click.echo("grader: interrupted; what was finished is kept", err=True)
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; without this Python would complain once more while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _LOST
    except (GraderError, OSError) as error:
        click.echo(str(error) if isinstance(error, SpecError) else f"grader: {error}", err=True)
        return getattr(error, "exit_code", HostError.exit_code)
