"""`grader run` prints each submission as soon as it is graded; `grader watch` grades one again on every save."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli import shared
from grader.cli.shared import flag, option
from grader.core.errors import GraderError, HostError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.author.watch import Round
    from grader.cli.progress import ProgressLine
    from grader.core.model.judgement import Job
    from grader.core.model.report import Report, ReportedTest
    from grader.core.model.spec import Case, Spec
    from grader.core.model.submission import Submission
    from grader.core.pipeline import Course
    from grader.decisions.post_grading import Rules

_MAX_PARALLEL_CASES = 2  # cases of a single submission


_DOWNLOADED = "submission_metadata.yml"  # the file of a download from Gradescope
_NO_PARTS = (".csv", ".json", _DOWNLOADED)  # how names end of what may lie beside the submissions of a class


def _complete_tests(context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of tests that begin with the typed text; none when the spec is not known yet."""
    from grader.core.reader.locate import find_spec
    from grader.core.reader.spec import load

    try:
        # While an option waits for its value, click has not yet told which words are arguments.
        handed_in = [Path(word) for word in context.params["submissions"] or context.args]
        tests = load(find_spec(context.params["spec"], handed_in, Path.cwd())).tests
    except (GraderError, OSError):
        return []
    return [test.name for test in tests if test.name.startswith(incomplete)]


class _RunOptions(NamedTuple):
    """What is graded, and how."""

    submissions: tuple[str, ...] = shared.argument("SUBMISSION...", nargs=-1, required=True, type=click.Path())
    spec: str | None = shared.spec_option
    out: Path | None = shared.out_option
    jobs: int | None = option(
        "N", "Submissions at a time, or two cases of a single one. [the cores]", type=click.IntRange(1)
    )
    only: tuple[str, ...] = option(
        "TEST",
        "Run this test alone (may be repeated); writes no report.",
        multiple=True,
        shell_complete=_complete_tests,
    )
    smallest: bool = flag("For what fails, look for the smallest input that shows it.")
    smallest_time: float = option(
        "SECONDS",
        "How long to look for it, for each submission.",
        type=click.FloatRange(min=0),
        default=20,
        show_default=True,
    )
    budget: float | None = shared.budget_option
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option
    form: str = shared.format_option


@shared.command(_RunOptions)
def run(options: _RunOptions) -> int:
    """Grade submissions: folders, zip or tar.gz archives.

    Without --spec, the assignment is the one that grader.yaml names, or the folder above the submission is named after,
    or whose required files are all there. With --format json, each line is one report.
    """
    with shared.stopping() as cancelled:
        if all(map(os.path.lexists, options.submissions)):
            _start_sandbox_ahead(options.sandbox)
        handed_in = _with_distinct_names([_submission_at(word) for word in options.submissions])
        from grader.core import pipeline
        from grader.core.model.judgement import Job

        paths = [each.path for each in handed_in]
        spec = _find_spec(options.spec, paths)
        jobs = options.jobs or shared.cores()
        workers, abreast = min(jobs, len(handed_in)), min(jobs, _MAX_PARALLEL_CASES)
        start_imports = partial(_start_imports, options, begun := Event())
        course = pipeline.prepare(
            spec, sandbox=options.sandbox, workers=workers, abreast=abreast, cancelled=cancelled, on_load=start_imports
        ).with_work_seconds(options.budget)
        shared.check_tests(course.spec, options.only)
        refuse_class(paths, course.spec)
        if options.form == "text":
            shared.describe_spec(spec, options.spec)
        work = partial(
            _grade_and_write,
            None if options.only else _report_folder(options.out, course.spec.id, paths),
            options,
            _find_rules(course.spec, spec, paths),
        )
        graded = [Job(spec=spec, submission=each, only=options.only) for each in handed_in]
        return _grade_each(graded, course, work, workers, options.form, begun)


def _start_sandbox_ahead(level: str) -> None:
    """Start the sandbox, which comes up while this process imports what it grades with."""
    from grader.core.cache import user_cache
    from grader.core.languages import TOOLCHAINS_FILE, shown_paths, toolchain
    from grader.core.reader.spec_cache import read_data_cached
    from grader.core.sandbox import start_ahead

    known = read_data_cached(TOOLCHAINS_FILE, user_cache())
    start_ahead(level, shown_paths(toolchain(name, known) for name in known))


def _find_spec(named: str | None, paths: Sequence[Path]) -> Path:
    from grader.core.reader.locate import find_spec

    try:
        return find_spec(named, paths, Path.cwd())
    except UsageError as error:
        raise UsageError(f"{error}{_hint_at_class(paths[0])}") from None


def _hint_at_class(path: Path) -> str:
    """Return what to do for a folder that seems to hold the submissions of a class, for the end of a message."""
    if len(_parts_of_class(path)) <= 1:
        return ""
    from grader.results.explain import shell_word

    shown = shell_word(os.path.relpath(_folder_of_class(path)))
    return f". {shown} seems to hold a whole class: grade it with grader class {shown}"


def _parts_of_class(path: Path) -> list[Path]:
    """Return the folders and archives in a folder that has nothing else, but for lists of students."""
    if not path.is_dir():
        return []
    around = _folder_of_class(path).iterdir()
    there = [one for one in around if not one.name.startswith(".") and not one.name.endswith(_NO_PARTS)]
    parts = [one for one in there if one.is_dir() or one.suffix in {".zip", ".gz", ".tgz"}]
    return parts if len(parts) == len(there) else []


def _folder_of_class(path: Path) -> Path:
    """Return the only folder in a folder where it is a download from Gradescope, by a file in it, else the folder."""
    from grader.core.reader.paths import is_file

    inside = list(path.iterdir())
    return inside[0] if len(inside) == 1 and is_file(inside[0] / _DOWNLOADED) else path


def refuse_class(handed_in: Iterable[Path], spec: "Spec") -> None:
    """Raise UsageError for a folder of several submissions: each part has a required file of its own."""
    names = spec.files.required_names
    for path in handed_in:
        having = [part for part in _parts_of_class(path) if any((part / name).is_file() for name in names)]
        if len(having) > 1:
            raise UsageError(f"that is no single submission{_hint_at_class(path)}")


def _report_folder(out: Path | None, spec_id: str, paths: Sequence[Path]) -> Path:
    from grader.cli.results_folder import report_folder

    return report_folder(out, spec_id, paths)


def _grade_each(
    graded: "Sequence[Job]",
    course: "Course",
    work: "Callable[[Callable[[Job, Case], None], Job, Course], tuple[Report, bool, Path | HostError | None]]",
    workers: int,
    form: str,
    begun: Event,
) -> int:
    """Grade the submissions and show each; `begun` is set with the first case."""
    from grader.cli.progress import ProgressLine
    from grader.core import pipeline

    cases = [case.id for test in graded[0].tests_of(course.spec) for case in test.cases]
    with ProgressLine(cases, many=len(graded) > 1) as progress:

        def begin(job: "Job", case: "Case") -> None:
            begun.set()
            progress.begin(job, case)

        return _show(pipeline.work_on(graded, course, partial(work, begin), workers), form, progress)


def _find_rules(spec: "Spec", file: Path, handed_in: Sequence[Path]) -> "Rules | None":
    """Return the course's rules outside the spec; None where there are none."""
    from grader.core.reader.locate import course_folders
    from grader.core.reader.paths import is_file

    # Reading the rules takes longer than finding that there are none, and a student waits for it.
    folders = [spec.root, *course_folders(spec.root, handed_in, Path.cwd())]
    dated = (folder / "grader.yaml" for folder in folders)
    if not is_file(spec.root / "adjustments.yaml") and not any(
        is_file(file) and re.search(b"due|late", file.read_bytes()) for file in dated
    ):
        return None
    from grader.decisions.post_grading import find_rules

    return find_rules(spec, file, handed_in, Path.cwd())


def _submission_at(word: str) -> "Submission":
    """Return the submission at a path; raises UsageError when there is none.

    Its id is the name of its folder, or of its archive without the ending.
    """
    from grader.core.build.staging import check_path
    from grader.core.model.submission import Submission

    path = Path.cwd() / word
    if path.name == "..":  # it has no name of its own, nor has `.`, which Path drops
        path = path.resolve()
    if not os.path.lexists(path):
        raise UsageError(f"there is no submission {path}; name a folder, or a zip or tar.gz archive")
    check_path(path)
    if path.is_dir():
        return Submission(id=path.name, path=path)
    from grader.people.names import bare_name

    return Submission(id=bare_name(path.name), path=path)


def _with_distinct_names(handed_in: "list[Submission]") -> "list[Submission]":
    """Give submissions distinct ids, for their folders of reports: `ann/pa`, `bo/pa` become `ann_pa`, `bo_pa`."""
    from msgspec.structs import replace

    paths = {
        each.id: {os.path.realpath(other.path) for other in handed_in if other.id == each.id} for each in handed_in
    }
    named = [
        replace(each, id=f"{each.path.absolute().parent.name}_{each.id}") if len(paths[each.id]) > 1 else each
        for each in handed_in
    ]
    for each in named:
        if len({os.path.realpath(other.path) for other in named if other.id == each.id}) > 1:
            raise UsageError(f"several of these are called {each.id!r}: grade them apart, each with another --out")
    return named


def _start_imports(options: _RunOptions, begun: Event, spec: "Spec") -> None:
    """Import what is needed at the end while this process only waits: for the sandbox, and for the first programs."""
    has_hints = any(test.hint for test in spec.tests)
    Thread(target=_import_for_report, args=(options, begun, has_hints), daemon=True).start()


def _import_for_report(options: _RunOptions, begun: Event, has_hints: bool) -> None:
    import_module("grader.core.judge.runs")
    import_module("grader.core.judge.totals")  # it imports all judges of a case
    begun.wait()  # or the first case, which is made ready now, would have to wait for this thread at each step
    if not options.only:
        import_module("grader.core.report.formats")
    if options.form == "text":
        import_module("grader.core.report.plain")
    if has_hints:
        from grader.core.report.prose import read_hint

        read_hint("")


def _grade_and_write(
    out: Path | None,
    options: _RunOptions,
    rules: "Rules | None",
    on_start: "Callable[[Job, Case], None]",
    job: "Job",
    course: "Course",
) -> "tuple[Report, bool, Path | HostError | None]":
    """Grade a submission and write its report; return the report, whether the work is due, and the path or error.

    Once the work is due, tests that are hidden until then are shown. The `rules` apply to a complete report only.
    """
    from msgspec.structs import replace

    from grader.core.pipeline import grade

    after_due = options.after_due
    course = replace(course, on_case_start=partial(on_start, job))
    if options.smallest or course.spec.has_generated_inputs:
        from grader.smallest import grade_and_search

        report = grade_and_search(job, course, options.smallest_time if options.smallest else None)
    else:
        report = grade(job, course)
    if out is None:
        return report, after_due, None
    if rules is not None:
        from grader.decisions.post_grading import afterwards_of, apply_post_grading, is_open

        after = afterwards_of(report.submission.id, "", rules)
        report, after_due = apply_post_grading(report, after), after_due or is_open(after)
    from grader.core.report.formats import write_report  # not before: it takes as long as a few cases

    try:
        name, title = job.submission.id, course.spec.course
        return report, after_due, write_report(report, name, out, course=title, after_due=after_due)
    except HostError as error:
        return report, after_due, error


def _show(kept: "Iterator[tuple[Report, bool, Path | HostError | None]]", form: str, progress: "ProgressLine") -> int:
    """Print each report as it arrives, before a failure to write it is raised; return the exit code of all."""
    from grader.cli.screen import print_lines, print_unwrapped
    from grader.core.report.json import on_one_line, to_json

    code = shared.PASSED
    for report, after_due, written in kept:
        with progress.hidden():
            if form == "json":
                click.echo(on_one_line(to_json(report)))
            else:
                from grader.core.report.plain import to_renderable

                print_lines(to_renderable(report, after_due=after_due))
            if isinstance(written, HostError):
                raise written
            if form == "text" and written is not None:
                print_unwrapped(f"Reports: {written}")
        code = max(code, _exit_code(report))
    return code


def _exit_code(report: "Report") -> int:
    """Return the exit code for a submission; what was decided by hand is not ungraded."""
    if report.lacks_score:
        return shared.UNGRADED
    is_full = report.verdict == "passed"
    if report.verdict == "ungraded":
        is_full = report.is_excused or (report.counted or 0) >= report.max_score
    return shared.PASSED if is_full else shared.LOST


# ---------------------------------------------------------------- again on every save


class _WatchOptions(NamedTuple):
    """What is watched."""

    submission: str = shared.argument("SUBMISSION", type=click.Path())
    spec: str | None = shared.spec_option
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option


@shared.command(_WatchOptions)
def watch(options: _WatchOptions) -> int:
    """Grade a submission again whenever it is saved, the tests that failed first.

    SUBMISSION is a folder, or a zip or tar.gz archive. It shows which tests pass and fail since the last time, then
    what is wrong. The spec, and the files that it names, are watched as well. Writes no report; Ctrl-C ends it, with
    exit code 0.
    """
    from grader.author.watch import grade_on_save
    from grader.core.model.judgement import Job
    from grader.core.reader.locate import find_spec

    handed_in = _submission_at(options.submission)
    spec = find_spec(options.spec, [handed_in.path], Path.cwd())
    job = Job(spec=spec, submission=handed_in, sandbox=options.sandbox)
    screen = _Screen(shared.console(), partial(shared.describe_spec, spec, options.spec), after_due=options.after_due)
    with shared.stopping(), suppress(KeyboardInterrupt):  # the normal way to end it
        for found in grade_on_save(job, begin=screen.begin, tell=screen.report, workers=shared.cores()):
            screen.show(found)
    return shared.PASSED


class _Screen:
    """Shows each grading: on a cleared screen if it is a terminal, else one after the other."""

    def __init__(self, console: "Console", describe_spec: Callable[[], None], *, after_due: bool) -> None:
        self.console = console
        self.describe_spec = describe_spec
        self.after_due = after_due
        self.before: Report | None = None
        self.saved: Sequence[str] = ()

    def begin(self, saved: Sequence[str]) -> None:
        """Print the names of the saved files."""
        self.saved = saved
        self._print_heading()

    def _print_heading(self) -> None:
        from grader.core.text import listed

        saved = self.saved
        if self.console.is_terminal:
            self.console.clear()
        if self.console.is_terminal or not saved:
            self.describe_spec()
        if saved:
            names = list(dict.fromkeys(Path(name).name for name in saved))
            self._print(f"Saved: {listed(names, most=6)}", "dim")

    def report(self, result: "ReportedTest") -> None:
        """Show a test that failed the last time, or fails now, as soon as it ends; the former run first.

        Where nothing is cleared, `show` prints those that fail: they are left to it.
        """
        from grader.author.watch import failed_tests
        from grader.core.model.judgement import Verdict
        from grader.core.report.plain import line_of_test

        fails_now = self.before is not None and result.verdict != Verdict.PASSED
        if fails_now and not self.console.is_terminal:
            return
        if fails_now or result.name in failed_tests(self.before):
            self.console.print(line_of_test(result, after_due=self.after_due))

    def show(self, found: "Round") -> None:
        """Show what changed and what is wrong, or why the grading failed."""
        from grader.core.report.plain import to_renderable_changes

        if self.console.is_terminal:  # what was shown while it ran is in what follows
            self._print_heading()
        if found.report is None:
            self._print(found.problem, "red")
        else:
            self.console.print(*to_renderable_changes(found.report, self.before, after_due=self.after_due))
            self.before = found.report
        self._print(f"{found.seconds:.1f} s. Watching; Ctrl-C ends it.", "dim")

    def _print(self, text: str, style: str) -> None:
        from grader.core.text import inert, show

        for line in show(text).splitlines():
            self.console.print(inert(line, anywhere=True), style=style, soft_wrap=True)
