"""`grader run` prints each submission as soon as it is graded."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import GraderError, HostError, UsageError
from grader.core.text import count, one_line, posix_word

if TYPE_CHECKING:
    from grader.core.model.layout import Submission
    from grader.core.model.report import Job, Report
    from grader.core.model.spec import Case, Spec

    _Graded = tuple[Report, bool, Path | HostError | None]
    """a report, whether the work is due, and where it was written or why it was not"""

_MAX_PARALLEL_CASES = 2  # cases of a single submission
_DOWNLOADED = "submission_metadata.yml"  # the file of a download from Gradescope
_NO_PARTS = (".csv", ".json", _DOWNLOADED)  # how names end of what may lie beside the submissions of a class


def _complete_tests(context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of tests that begin with the typed text; none when the spec is not known yet."""
    try:
        # While an option waits for its value, click has not yet told which words are arguments.
        handed_in = [Path(word) for word in context.params["submissions"] or context.args]
        tests = lazy.spec.load(shared.find_spec(context.params["spec"], *handed_in)).tests
    except (GraderError, OSError):
        return []
    return [test.name for test in tests if test.name.startswith(incomplete)]


class RunCommand(NamedTuple):
    """Grade submissions: folders, zip or tar.gz archives.

    Without --spec, the assignment is the one that grader.yaml names, or the folder above the submission is named after,
    or whose required files are all there. With --format json, each line is one report.
    """

    submissions: tuple[str, ...] = shared.argument("SUBMISSION...", type=click.Path())
    spec: str | None = shared.spec_option
    out: Path | None = shared.out_option
    jobs: int = shared.jobs("Submissions at a time, or two cases of a single one. [the cores]")
    only: tuple[str, ...] = option(
        "TEST", "Run this test alone (may be repeated); writes no report.", shell_complete=_complete_tests
    )
    smallest: bool = flag("For what fails, look for the smallest input that shows it.")
    smallest_time: float = option(
        "SECONDS", "How long to look, for each submission.", type=click.FloatRange(min=0), default=20, show_default=True
    )
    budget: float | None = shared.budget_option
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option
    form: str = shared.format_option

    def _run(self) -> int:
        with shared.stopping() as cancelled:
            if all(map(os.path.lexists, self.submissions)):
                _start_sandbox_ahead(self.sandbox)
            handed_in = _with_distinct_names([submission_at(word) for word in self.submissions])
            paths = [submission.path for submission in handed_in]
            try:
                spec = shared.find_spec(self.spec, *paths)
            except UsageError as error:
                raise UsageError(f"{error}{_hint_at_class(paths[0])}") from None
            begun = Event()
            course = lazy.pipeline.prepare(
                spec,
                sandbox=self.sandbox,
                workers=min(self.jobs, len(handed_in)),
                abreast=min(self.jobs, _MAX_PARALLEL_CASES),
                cancelled=cancelled,
                on_load=lambda spec: Thread(target=self._import_for_report, args=(begun, spec), daemon=True).start(),
            ).with_work_seconds(self.budget)
            refuse_class(paths, course.spec)
            rules = _find_rules(course.spec, spec, paths)
            shared.check_tests(course.spec, self.only)
            if self.form == "text":
                shared.describe_spec(spec, self.spec)
            # A part of the tests makes no report.
            out = None if self.only else lazy.screen.report_folder(self.out, course.spec.id, paths)
            graded = [lazy.report.Job(spec=spec, submission=submission, only=self.only) for submission in handed_in]
            return self._grade_each(graded, course, partial(self._grade_and_write, out, rules), begun)

    def _import_for_report(self, begun: Event, spec: "Spec") -> None:
        """Import what is needed at the end while this process only waits: for the sandbox, for the first programs."""
        import_module("grader.core.judge.totals")  # it imports all judges of a case
        begun.wait()  # or the first case, which is made ready now, would have to wait for this thread at each step
        if not self.only:
            import_module("grader.core.report.formats")
        if self.form == "text":
            import_module("grader.core.report.plain")
        if any(test.hint for test in spec.tests):
            from grader.core.report.view import read_hint

            read_hint("")

    def _grade_each(
        self, graded: "Sequence[Job]", course: "lazy.pipeline.Course", work: "Callable[..., _Graded]", begun: Event
    ) -> int:
        """Grade the submissions and show each; `begun` is set with the first case."""
        cases = [case.id for test in graded[0].tests_of(course.spec) for case in test.cases]
        places = {name: f"{place} of {count(len(cases), 'case')}" for place, name in enumerate(cases, start=1)}
        with lazy.screen.TerminalLine() as line:

            def begin(job: "Job", case: "Case") -> None:
                begun.set()
                if case.id in places:
                    line.show(f"{job.submission.id}: {case.id}" if len(graded) > 1 else case.id, places[case.id])

            workers = min(self.jobs, len(graded))
            return self._show(lazy.pipeline.work_on(graded, course, partial(work, begin), workers), line)

    def _grade_and_write(
        self,
        out: Path | None,
        rules: "lazy.post_grading.Rules | None",
        on_start: "Callable[[Job, Case], None]",
        job: "Job",
        course: "lazy.pipeline.Course",
    ) -> "_Graded":
        """Grade a submission and write its report.

        Once the work is due, tests that are hidden until then are shown. The `rules` apply to a complete report only.
        """
        from msgspec.structs import replace

        course, after_due = replace(course, on_case_start=partial(on_start, job)), self.after_due
        if self.smallest or course.spec.has_generated_inputs:
            from grader.smallest import grade_and_search

            report = grade_and_search(job, course, self.smallest_time if self.smallest else None)
        else:
            report = lazy.pipeline.grade(job, course)
        if len(self.submissions) == 1:  # they end while the report is written
            import_module("grader.core.sandbox.outer").end_idle(waits=False)
        if out is None:
            return report, after_due, None
        if rules is not None:
            after = lazy.post_grading.afterwards_of(report.submission.id, "", rules)
            report = lazy.post_grading.apply_post_grading(report, after)
            after_due = after_due or lazy.post_grading.is_open(after)
        from grader.core.report.formats import write_report  # not before: it takes as long as a few cases

        try:
            name, title = job.submission.id, course.spec.course
            return report, after_due, write_report(report, name, out, course=title, after_due=after_due)
        except HostError as error:
            return report, after_due, error

    def _show(self, kept: "Iterator[_Graded]", line: "lazy.screen.TerminalLine") -> int:
        """Print each report as it arrives, before a failure to write it is raised; return the exit code of all."""
        code = shared.PASSED
        for place, (report, after_due, written) in enumerate(kept):
            with line.hidden():
                if self.form == "json":
                    click.echo(lazy.json.on_one_line(lazy.json.to_json(report)))
                else:
                    click.echo("\n" * (place > 0), nl=False)  # between submissions
                    lazy.screen.print_lines(lazy.plain.to_renderable(report, after_due=after_due))
                if isinstance(written, HostError):
                    raise written
                if self.form == "text" and written is not None:
                    click.echo(f"Reports: {written}", sys.stdout)
            is_decided = report.is_excused or (report.counted or 0) >= report.max_score  # by hand
            is_full = is_decided if report.verdict == "ungraded" else report.verdict == "passed"
            code = max(code, shared.UNGRADED if report.lacks_score else shared.PASSED if is_full else shared.LOST)
        return code


def _start_sandbox_ahead(level: str) -> None:
    """Start the sandbox, which comes up while this process imports what it grades with."""
    from grader.core.cache import user_cache
    from grader.core.languages import TOOLCHAINS_FILE, shown_paths, toolchain
    from grader.core.reader.spec_cache import read_data_cached
    from grader.core.sandbox import start_ahead

    known = read_data_cached(TOOLCHAINS_FILE, user_cache())
    start_ahead(level, shown_paths(toolchain(name, known) for name in known))


def _hint_at_class(path: Path) -> str:
    """Return what to do for a folder that seems to hold the submissions of a class, for the end of a message."""
    folder, parts = _parts_of_class(path)
    shown = posix_word(os.path.relpath(folder))
    return f". {shown} seems to hold a whole class: grade it with grader class {shown}" if len(parts) > 1 else ""


def _parts_of_class(path: Path) -> tuple[Path, list[Path]]:
    """Return the folders and archives in a folder that has nothing else, but for lists of students.

    Of a download from Gradescope, it is the only folder in it.
    """
    if not path.is_dir():
        return path, []
    inside = list(path.iterdir())
    if len(inside) == 1 and lazy.value.is_file(inside[0] / _DOWNLOADED):
        return _parts_of_class(inside[0])
    parts = [part for part in inside if not part.name.startswith(".") and not part.name.endswith(_NO_PARTS)]
    return path, parts if all(part.is_dir() or part.suffix in {".zip", ".gz", ".tgz"} for part in parts) else []


def refuse_class(paths: Sequence[Path], spec: "Spec") -> None:
    """Raise UsageError for a folder of several submissions: each part has a required file of its own."""
    names = spec.files.required_names
    for path in paths:
        if sum(any((part / name).is_file() for name in names) for part in _parts_of_class(path)[1]) > 1:
            raise UsageError(f"that is no single submission{_hint_at_class(path)}")


def _find_rules(spec: "Spec", file: Path, handed_in: Sequence[Path]) -> "lazy.post_grading.Rules | None":
    """Return the course's rules outside the spec; None where there are none."""
    # Reading the rules takes longer than finding that there are none, and a student waits for it.
    folders = {spec.root, *lazy.locate.course_folders(spec.root, handed_in, Path.cwd())}
    if not lazy.value.is_file(spec.root / "adjustments.yaml") and not any(
        lazy.value.is_file(own := folder / "grader.yaml") and re.search(b"due|late", own.read_bytes())
        for folder in folders
    ):
        return None
    return lazy.post_grading.find_rules(spec, file, handed_in, Path.cwd())


def submission_at(word: str) -> "Submission":
    """Return the submission at a path; raises UsageError when there is none.

    Its id is the name of its folder, or of its archive without the ending.
    """
    from grader.core.model.layout import Submission

    path = Path.cwd() / word
    if path.name == "..":  # it has no name of its own, nor has `.`, which Path drops
        path = path.resolve()
    if not os.path.lexists(path):
        raise UsageError(f"there is no submission {one_line(word)}; name a folder, or a zip or tar.gz archive")
    lazy.staging.check_path(path)
    return Submission(id=path.name if path.is_dir() else lazy.names.bare_name(path.name), path=path)


def _with_distinct_names(handed_in: "list[Submission]") -> "list[Submission]":
    """Give submissions distinct ids, for their folders of reports: `ann/pa`, `bo/pa` become `ann_pa`, `bo_pa`."""
    from msgspec.structs import replace

    def are_several(work: "Submission", among: "list[Submission]") -> bool:
        return len({os.path.realpath(rival.path) for rival in among if rival.id == work.id}) > 1

    several = [f"{work.path.absolute().parent.name}_" * are_several(work, handed_in) for work in handed_in]
    named = [replace(work, id=f"{prefix}{work.id}") for prefix, work in zip(several, handed_in, strict=True)]
    if name := next((work.id for work in named if are_several(work, named)), ""):
        raise UsageError(f"several of these are called {name!r}: grade them apart, each with another --out")
    return named
