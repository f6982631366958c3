"""`grader class`: grade the submissions of a class, resumable, with a gradebook.

Progress is a bar on a terminal, a line for each submission in a CI log, or nothing.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import click

from grader.cli import shared
from grader.cli.shared import PATH, flag, option
from grader.core.errors import GradingStoppedError, HostError, SpecError, UsageError
from grader.core.text import count, inert, listed, one_line, sentence

if TYPE_CHECKING:
    from rich.progress import Progress

    from grader.core.model.gradebook import Entry, Grade, Gradebook
    from grader.core.model.spec import Spec
    from grader.core.pipeline import Course
    from grader.grading_class.grading import GradedEntry, Workers
    from grader.people.entries import ClassEntries


def _platforms() -> dict[str, str]:
    from grader.people.names import PLATFORMS

    return PLATFORMS


class _Options(NamedTuple):
    """What is graded, and how."""

    folder: Path = shared.argument("FOLDER", type=PATH)
    spec: str | None = shared.spec_option
    out: Path | None = shared.out_option
    jobs: int | None = shared.jobs_option
    roster: Path | None = option("CSV", "Who is in the class: ids, names, teams.", type=PATH)
    platform: str | None = option(
        "NAME",
        "Where FOLDER is from: canvas, moodle, ..., plain. [by most names]",
        type=shared.LazyChoice("platform", _platforms),
    )
    times: Path | None = option(
        "FILE", "When it was handed in: Moodle's grading worksheet, or Canvas's submissions.json.", type=PATH
    )
    latest: bool = flag("Of several submissions of a student take the latest, by their names.")
    fresh: bool = flag("Ignore earlier results, and grade everything again.")
    shard: str | None = option("K/N", "Grade the K-th of N parts; `grader merge` puts them together.")
    dask: str | None = option("ADDRESS", "Grade on a Dask cluster, such as tcp://10.0.0.5:8786.")
    budget: float | None = shared.budget_option
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option
    quiet: bool = flag("Say only what is ungraded.")
    form: str = shared.format_option


@shared.command(_Options)
def grade_folder(options: _Options) -> int:
    """Grade a class: every folder and archive in FOLDER.

    If several submissions of a student could count, that student is not graded but listed, with what to do; then the
    exit code is 3. So it is while something is ungraded; what was decided by hand with `grader adjust` is not.

    Names are read as one platform's. Students choose the end of a file's name, so nothing is taken from it.

    Each report is stored in grades.db as soon as it is finished. After an interruption, the same command resumes; later
    it grades again only after a change of a submission, the spec, the reference or a tool.

    Of FOLDER sample_submissions, the samples of every assignment in it are graded. A table at the end says which of
    them agree with expected.yaml.
    """
    if options.spec is None and options.roster is None and options.times is None and _are_samples(options.folder):
        return _grade_samples(options)
    graded = _grade_folder(options)
    if options.form == "text":
        from grader.cli.labels import label_lines, read_labels

        labels = read_labels(graded.spec, options.folder, graded.results)
        for line in label_lines(labels) if labels else ():
            click.echo(line)
    return graded.code


class _GradedFolder(NamedTuple):
    """What became of a class."""

    code: int
    spec: "Spec"
    results: Path


def _are_samples(folder: Path) -> bool:
    """Whether a folder has the samples of assignments in it, a folder for each."""
    return folder.resolve().name == "sample_submissions" and any(folder.glob("*/expected.yaml"))


def _grade_samples(options: _Options) -> int:
    """Grade the samples of all assignments; an assignment that cannot be graded does not stop the others."""
    from grader.cli.labels import AssignmentLabels, read_labels, table_lines

    found: list[AssignmentLabels] = []
    codes = [shared.PASSED]
    for path in sorted(path for path in options.folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        labels = None
        try:
            graded = _grade_folder(options._replace(folder=path, out=options.out and options.out / path.name))
            codes.append(graded.code)
            labels = read_labels(graded.spec, path, graded.results)
        except (UsageError, SpecError, HostError) as error:
            codes.append(error.exit_code)
            labels = AssignmentLabels(path.name, problem=str(error))
        found.append(labels or AssignmentLabels(path.name, problem="nothing is stated of its samples"))
    for line in table_lines(found):
        click.echo(line, err=options.form == "json")
    specs = options.folder.resolve().parent / "specs"
    if others := sorted({path.stem for path in specs.glob("*.yaml")} - {one.name for one in found}):
        names = listed([one_line(name) for name in others], most=20)
        click.echo(f"Without samples: {names}", err=options.form == "json")
    return max(codes)


def _grade_folder(options: _Options) -> _GradedFolder:
    from dataclasses import replace
    from itertools import chain

    from grader.cli.results_folder import report_folder
    from grader.core import pipeline
    from grader.core.reader.locate import find_spec
    from grader.decisions.late_days import bank_fact, days_used_before, record_times, unknown_before
    from grader.decisions.post_grading import find_rules, resolve_post_grading, unknown_students
    from grader.grading_class.merging import to_shard
    from grader.results.adjusting import settle_late_days
    from grader.results.course_overview import ROSTER_FACT
    from grader.results.store import locked

    folder = options.folder
    piece = to_shard(options.shard) if options.shard else None
    found = _find_entries(options)
    first = next((entry.path for entry in found.entries if entry.path is not None), folder / "anybody")
    path = find_spec(options.spec, [first], Path.cwd(), among=folder)
    _refuse_several_assignments(folder, path.parent)
    places = options.jobs or shared.cores()
    with shared.stopping() as cancelled:
        course = pipeline.prepare(path, sandbox=options.sandbox, workers=places, cancelled=cancelled)
        course = course.with_work_seconds(options.budget)
        _refuse_folder_above(found.entries, course.spec)
        if options.form == "text" and not options.quiet:
            shared.describe_spec(path, options.spec)
        out, id_ = report_folder(options.out, course.spec.id, [folder]), course.spec.id
        with locked(out), _workers(course, places, options.dask) as workers:
            rules = find_rules(course.spec, path, [first], Path.cwd(), among=folder)
            unknown = "\n".join(unknown_students(found.entries, rules))
            found = replace(found, entries=resolve_post_grading(found.entries, rules, days_used_before(rules, id_)))
            changed = record_times(rules, id_, found.entries)
            facts = {"unknown": unknown, **bank_fact(rules), ROSTER_FACT: "yes" if options.roster else ""}
            code = _grade_all(course, found, piece, facts | _facts(course, found, piece), out, workers, options)
            told = unknown_before(rules, id_, found.entries), settle_late_days(out, rules, changed)
            for line in chain(*told):
                click.echo(inert(line, anywhere=True), err=options.form == "json")
            return _GradedFolder(code, course.spec, out)


def _refuse_several_assignments(folder: Path, specs: Path) -> None:
    """Raise UsageError for a folder that holds those of several assignments, which are not one class."""
    names = sorted(path.stem for path in specs.glob("*.yaml") if (folder / path.stem).is_dir())
    if len(names) > 1:
        whole = one_line(str(folder))
        raise UsageError(
            f"{whole} has folders of {len(names)} assignments ({listed(names, most=5)}), which are not one class; "
            f"grade one of them: grader class {whole}/{names[0]}"
        )


def _refuse_folder_above(entries: "Sequence[Entry]", spec: "Spec") -> None:
    """Raise UsageError for the folder above a class, where the class would be one submission."""
    from grader.cli.submissions import refuse_class

    found = [(entry, entry.path) for entry in entries if entry.path is not None]
    if len(found) == 1 and (found[0][0].is_unknown or len(entries) == 1):
        refuse_class([found[0][1]], spec)


def _find_entries(options: _Options) -> "ClassEntries":
    from grader.people.entries import find_entries
    from grader.people.platform_times import read_platform_times

    stated = read_platform_times(options.times) if options.times else None
    platform = options.platform or ""
    return find_entries(options.folder, options.roster, latest=options.latest, platform=platform, times=stated)


def _grade_all(
    course: "Course",
    found: "ClassEntries",
    piece: tuple[int, int] | None,
    facts: dict[str, str],
    out: Path,
    workers: "Workers",
    options: _Options,
) -> int:
    from grader.grading_class.grading import grade_class
    from grader.grading_class.merging import shard_of
    from grader.people.entries import gather
    from grader.results.class_files import update_class_files
    from grader.results.store import open_store

    rules = course.spec.files
    found = gather(found, out / ".handed-in", (*rules.required_names, *rules.optional))
    entries = shard_of(found.entries, piece) if piece else found.entries
    total = sum(entry.path is not None for entry in entries)
    shown = _ProgressOutput(total, workers.places, options)
    after_due = options.after_due
    with open_store(out) as store, shown:
        if options.fresh:
            store.forget()
        store.enrol(entries, {**facts, "after_due": "yes" if after_due else ""})
        try:
            for step in grade_class(entries, course, store, out, workers, after_due=after_due):
                shown.show(step)
        except (KeyboardInterrupt, GradingStoppedError, BrokenPipeError):
            shown.stop(out)
            update_class_files(store, out, after_due=after_due)
            raise
        results = update_class_files(store, out, after_due=after_due)
        return shown.end(results.book, out)


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
        from grader.grading_class.grading import local_workers

        return local_workers(course, places)
    try:
        from grader.grading_class.cluster import cluster_workers
    except ModuleNotFoundError as error:
        raise UsageError(f"--dask needs {error.name}: pip install 'fairgrader[dask]'") from error

    return cluster_workers(course, address, lambda text: click.echo(f"grader: {text}", err=True))


# ---------------------------------------------------------------- what is to be seen of it

_MINUTE = 60
_COARSE = 10  # minutes above which the estimate is rounded up to multiples of five


def seconds_left(ends: Sequence[float], left: int, places: int) -> float | None:
    """Estimate the seconds for `left` more submissions, `places` at a time, from the times `ends`; None for too few.

    It uses the median time for as many submissions as there are places, so one with many time-outs changes nothing.
    """
    from statistics import median

    if len(ends) <= places:
        return None
    before = [*[0.0] * places, *ends]
    return median(end - start for start, end in zip(before, ends, strict=False)) * left / places


def format_time_left(seconds: float | None) -> str:
    """Format the estimated seconds left, no finer than they are known; empty for None."""
    if seconds is None:
        return ""
    minutes = ceil(seconds / _MINUTE)
    if minutes > _COARSE:
        minutes = 5 * ceil(minutes / 5)
    return "under a minute left" if minutes <= 1 else f"about {minutes} min left"


class _ProgressOutput:
    """Prints each step, and a summary at the end."""

    def __init__(self, total: int, places: int, options: _Options) -> None:
        """Show `total` steps, `places` at a time, as the options say."""
        self._total, self._places = total, places
        self._done = self._reused = 0
        self._is_text, self._quiet = options.form == "text", options.quiet
        self._bar: Progress | None = None
        self._start = time.monotonic()
        self._ends: list[float] = []  # seconds after the start at which submissions were graded

    def __enter__(self) -> Self:
        """Start the bar, if there is a terminal."""
        console = shared.console(err=True)
        if console.is_terminal and not self._quiet and self._is_text:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._bar = Progress(
                BarColumn(bar_width=None),
                MofNCompleteColumn(),
                TextColumn("{task.fields[left]}", markup=False),
                TextColumn("{task.description}", markup=False),
                console=console,
                transient=True,
            )
            self._bar.add_task("", total=self._total, left="")
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the terminal as it was."""
        if self._bar is not None:
            self._bar.stop()

    def show(self, step: "GradedEntry") -> None:
        """Show one step."""
        from grader.core.report.json import on_one_line
        from grader.core.report.view import headline

        self._done += 1
        self._reused += step.reused
        if step.reused:
            self._start = time.monotonic()  # reused reports come first, and take no time
        else:
            self._ends.append(time.monotonic() - self._start)
        if not self._is_text:
            click.echo(on_one_line(step.written))
        elif self._bar is not None:
            left = format_time_left(seconds_left(self._ends, self._total - self._done, self._places))
            name = one_line(step.entry.id, 40)  # the bar needs the rest of the line
            self._bar.update(self._bar.task_ids[0], advance=1, description=name, left=left)
        elif not self._quiet and not step.reused:
            click.echo(f"[{self._done:{len(str(self._total))}}/{self._total}] {inert(headline(step.report))}")

    def stop(self, out: Path) -> None:
        """Print, after an interruption, what is done and how to resume."""
        self.__exit__()
        click.echo(
            f"graded {self._done} of {count(self._total, 'submission')}, in {one_line(str(out))}; the same command "
            "continues with the others",
            err=True,
        )

    def end(self, book: "Gradebook", out: Path) -> int:
        """Print the summary, the ungraded submissions last; return the exit code."""
        from grader.core.model.judgement import Verdict
        from grader.results.view import DOUBTFUL, with_outcome

        self.__exit__()
        ungraded, doubtful = with_outcome(book, Verdict.UNGRADED), with_outcome(book, DOUBTFUL)
        for line in self._outcome(book, out, ungraded, doubtful) if self._is_text else ():
            click.echo(inert(line, anywhere=True))
        return shared.UNGRADED if ungraded or doubtful else shared.PASSED

    def _outcome(
        self, book: "Gradebook", out: Path, ungraded: "Sequence[Grade]", doubtful: "Sequence[Grade]"
    ) -> Iterator[str]:
        from grader.results.unmatched import unmatched_lines, unmatched_of

        if not self._quiet:
            yield from self._summary(book, out)
        if doubtful:
            yield f"{len(doubtful)} in doubt, so not graded; say what counts, and the same command grades it:"
        yield from (f"  {one_line(grade.entry.id)}: {sentence(grade.entry.notes[0])}" for grade in doubtful)
        if ungraded:
            yield f"{len(ungraded)} ungraded, so without a grade; the same command retries them:"
        yield from map(_name_and_reason, ungraded)
        if not self._quiet:
            yield from unmatched_lines(unmatched_of(book))

    def _summary(self, book: "Gradebook", out: Path) -> Iterator[str]:
        from grader.core.model.judgement import Verdict
        from grader.results.class_files import CLASS_FORMATS
        from grader.results.view import DECIDED, count_outcomes, describe_changes, with_outcome

        for text in book.unused:
            yield f"left out: {sentence(text)}"
        counts = count_outcomes(grade for grade in book.grades if grade.report)
        reused = f"; {self._reused} of them are unchanged since they were graded" if self._reused else ""
        yield f"{count(self._total, 'submission')}: {counts}{reused}."
        if unreadable := with_outcome(book, Verdict.NOT_READABLE):
            yield f"{len(unreadable)} not readable, so without a grade; to be handed in again:"
            yield from map(_name_and_reason, unreadable)
        if decided := with_outcome(book, DECIDED):
            yield f"Decided by hand, where the grading gave no score: {len(decided)}."
        if changes := describe_changes(book):
            yield f"After the grading: {changes}."
        for grade in book.grades:
            for one in grade.final.by_hand if grade.final else ():
                if one.changed:
                    yield f"look again at {one_line(grade.entry.id)}: {sentence(one.changed)}"
        yield from book.unknown
        yield f"Reports: {out} ({', '.join(CLASS_FORMATS)})"


def _name_and_reason(grade: "Grade") -> str:
    from grader.results.view import why_not_graded

    return f"  {one_line(grade.entry.id)}: {why_not_graded(grade.report) if grade.report else ''}"
