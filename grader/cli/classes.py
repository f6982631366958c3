"""`grader class`: grade the submissions of a class, resumable, with a gradebook.

Progress is a line on a terminal, a line for each submission in a CI log, or nothing.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from math import ceil
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli import shared
from grader.cli.shared import flag, option
from grader.core.errors import GradingStoppedError, HostError, SpecError, UsageError
from grader.core.lazy import lazy_call
from grader.core.text import count, inert, listed, one_line, sentence

if TYPE_CHECKING:
    from grader.core.model.gradebook import Grade, Gradebook
    from grader.core.model.spec import Spec
    from grader.core.pipeline import Course
    from grader.grading_class.grading import GradedEntry, Workers
    from grader.people.entries import ClassEntries


class _GradedFolder(NamedTuple):
    """What became of a class."""

    code: int
    spec: "Spec"
    results: Path


class ClassCommand(NamedTuple):
    """Grade a class: every folder and archive in FOLDER.

    If several submissions of a student could count, that student is not graded but listed, with what to do; then the
    exit code is 3. So it is while something is ungraded; what was decided by hand with `grader adjust` is not.

    Names are read as one platform's. Students choose the end of a file's name, so nothing is taken from it.

    Each report is stored in grades.db as soon as it is finished. After an interruption, the same command resumes; later
    it grades again only after a change of a submission, the spec, the reference or a tool.

    Of FOLDER sample_submissions, the samples of every assignment in it are graded. A table at the end says which of
    them agree with expected.yaml.
    """

    folder: Path = shared.argument("FOLDER")
    spec: str | None = shared.spec_option
    out: Path | None = shared.out_option
    jobs: int | None = shared.jobs_option
    roster: Path | None = option("CSV", "Who is in the class: ids, names, teams.")
    platform: str | None = option(
        "NAME",
        "Where FOLDER is from: canvas, moodle, ..., plain. [by most names]",
        type=shared.LazyChoice("platform", lambda: import_module("grader.people.names").PLATFORMS),
    )
    times: Path | None = option(
        "FILE", "When it was handed in: Moodle's grading worksheet, or Canvas's submissions.json."
    )
    latest: bool = flag("Of several submissions of a student take the latest, by their names.")
    fresh: bool = flag("Ignore earlier results, and grade everything again.")
    shard: tuple[int, int] | None = option(
        "K/N",
        "Grade the K-th of N parts; `grader merge` puts them together.",
        callback=lambda _context, _param, text: text and lazy_call("grader.grading_class.merging", "to_shard")(text),
    )
    dask: str | None = option("ADDRESS", "Grade on a Dask cluster, such as tcp://10.0.0.5:8786.")
    budget: float | None = shared.budget_option
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option
    quiet: bool = flag("Say only what is ungraded.")
    form: str = shared.format_option

    @property
    def is_text(self) -> bool:
        """Whether the output is for people."""
        return self.form == "text"

    def _run(self) -> int:
        is_sample = self.folder.resolve().name == "sample_submissions" and any(self.folder.glob("*/expected.yaml"))
        if is_sample and self.spec is None and self.roster is None and self.times is None:
            return self._grade_samples()
        graded = self.grade()
        if self.is_text:
            from grader.cli.labels import label_lines, read_labels

            if labels := read_labels(graded.spec, self.folder, graded.results):
                click.echo("\n".join(label_lines(labels)))
        return graded.code

    def _grade_samples(self) -> int:
        """Grade the samples of all assignments; an assignment that cannot be graded does not stop the others."""
        from grader.cli.labels import AssignmentLabels, read_labels, table_lines

        found: list[AssignmentLabels] = []
        codes = [shared.PASSED]
        for path in sorted(path for path in self.folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
            try:
                graded = self._replace(folder=path, out=self.out and self.out / path.name).grade()
                codes.append(graded.code)
                labels = read_labels(graded.spec, path, graded.results)
            except (UsageError, SpecError, HostError) as error:
                codes.append(error.exit_code)
                labels = AssignmentLabels(path.name, problem=str(error))
            found.append(labels or AssignmentLabels(path.name, problem="nothing is stated of its samples"))
        lines = [*table_lines(found)]
        specs = self.folder.resolve().parent / "specs"
        if others := sorted({path.stem for path in specs.glob("*.yaml")} - {one.name for one in found}):
            lines.append(f"Without samples: {listed([one_line(name) for name in others], most=20)}")
        click.echo("\n".join(lines), err=not self.is_text)
        return max(codes)

    def grade(self) -> _GradedFolder:
        """Grade the one class in the folder."""
        from dataclasses import replace

        from grader.cli.screen import report_folder
        from grader.core import pipeline
        from grader.core.reader.locate import find_spec
        from grader.decisions import late_days, post_grading
        from grader.people import entries
        from grader.results.adjusting import settle_late_days
        from grader.results.course_overview import ROSTER_FACT
        from grader.results.store import locked

        folder, platform = self.folder, self.platform or ""
        stated = entries.read_platform_times(self.times) if self.times else None
        found = entries.find_entries(folder, self.roster, latest=self.latest, platform=platform, times=stated)
        first = next((entry.path for entry in found.entries if entry.path is not None), folder / "anybody")
        path = find_spec(self.spec, [first], Path.cwd(), among=folder)
        _refuse_several_assignments(folder, path.parent)
        places = self.jobs or shared.cores()
        with shared.stopping() as cancelled:
            course = pipeline.prepare(path, sandbox=self.sandbox, workers=places, cancelled=cancelled)
            course = course.with_work_seconds(self.budget)
            _refuse_folder_above(found, course.spec)
            if self.is_text and not self.quiet:
                shared.describe_spec(path, self.spec)
            out, id_ = report_folder(self.out, course.spec.id, [folder]), course.spec.id
            with locked(out), self._workers(course, places) as workers:
                rules = post_grading.find_rules(course.spec, path, [first], Path.cwd(), among=folder)
                unknown = "\n".join(post_grading.unknown_students(found.entries, rules))
                used = late_days.days_used_before(rules, id_)
                found = replace(found, entries=post_grading.resolve_post_grading(found.entries, rules, used))
                changed = late_days.record_times(rules, id_, found.entries)
                facts = {"unknown": unknown, **late_days.bank_fact(rules), ROSTER_FACT: "yes" if self.roster else ""}
                code = self._grade_all(course, found, facts, out, workers)
                told = late_days.unknown_before(rules, id_, found.entries)
                shared.echo(*(*told, *settle_late_days(out, rules, changed)), err=not self.is_text)
                return _GradedFolder(code, course.spec, out)

    def _grade_all(
        self, course: "Course", found: "ClassEntries", facts: dict[str, str], out: Path, workers: "Workers"
    ) -> int:
        from grader.grading_class.grading import grade_class
        from grader.grading_class.merging import shard_of
        from grader.people.entries import gather
        from grader.results.class_files import update_class_files
        from grader.results.store import open_store

        spec, after_due = course.spec, self.after_due
        facts |= {
            "spec": spec.id,
            "title": spec.title,
            "course": spec.course,
            "digest": spec.digest,
            "max_score": str(float(spec.max_score)),
            "spec_text": spec.source_text.decode(errors="backslashreplace"),
            "shard": "/".join(map(str, self.shard or ())),
            "unused": "\n".join(sentence.replace("\n", " ") for sentence in found.unused),
            "after_due": "yes" if after_due else "",
        }
        found = gather(found, out / ".handed-in", (*spec.files.required_names, *spec.files.optional))
        entries = shard_of(found.entries, self.shard) if self.shard else found.entries
        shown = _ProgressOutput(sum(entry.path is not None for entry in entries), self)
        with open_store(out) as store, shown.line:
            if self.fresh:
                store.forget()
            store.enrol(entries, facts)
            try:
                for step in grade_class(entries, course, store, out, workers):
                    shown.show(step)
            except (KeyboardInterrupt, GradingStoppedError, BrokenPipeError):
                shown.stop(out)
                update_class_files(store, out)
                raise
            results = update_class_files(store, out)
            return shown.end(results.book, out)

    def _workers(self, course: "Course", places: int) -> "AbstractContextManager[Workers]":
        if self.dask is None:
            from grader.grading_class.grading import local_workers

            return local_workers(course, places)
        try:
            from grader.grading_class.cluster import cluster_workers
        except ModuleNotFoundError as error:
            raise UsageError(f"--dask needs {error.name}: pip install 'fairgrader[dask]'") from error

        return cluster_workers(course, self.dask, lambda text: click.echo(f"grader: {text}", err=True))


def _refuse_several_assignments(folder: Path, specs: Path) -> None:
    """Raise UsageError for a folder that holds those of several assignments, which are not one class."""
    names = sorted(path.stem for path in specs.glob("*.yaml") if (folder / path.stem).is_dir())
    if len(names) > 1:
        whole = one_line(str(folder))
        raise UsageError(
            f"{whole} has folders of {len(names)} assignments ({listed(names, most=5)}), which are not one class; "
            f"grade one of them: grader class {whole}/{names[0]}"
        )


def _refuse_folder_above(found: "ClassEntries", spec: "Spec") -> None:
    """Raise UsageError for the folder above a class, where the class would be one submission."""
    from grader.cli.submissions import refuse_class

    paths = [(entry, entry.path) for entry in found.entries if entry.path is not None]
    if len(paths) == 1 and (paths[0][0].is_unknown or len(found.entries) == 1):
        refuse_class([paths[0][1]], spec)


# ---------------------------------------------------------------- what is to be seen of it


def time_left(seconds: float, done: int, left: int) -> str:
    """Estimate how long `left` more submissions take, from the `seconds` that `done` have taken, no finer than it is.

    Empty when nothing is done.
    """
    minutes = ceil(seconds / done * left / 60) if done else 0
    minutes = 5 * ceil(minutes / 5) if minutes > 10 else minutes  # noqa: PLR2004 - above ten in fives
    return "" if not done else ", under a minute left" if minutes <= 1 else f", about {minutes} min left"


class _ProgressOutput:
    """Prints each step, and a summary at the end."""

    def __init__(self, total: int, options: ClassCommand) -> None:
        """Show `total` steps, as the options say."""
        from grader.cli.screen import TerminalLine

        self._total, self._is_text, self._quiet = total, options.is_text, options.quiet
        self._done = self._reused = 0
        self.line = TerminalLine(is_wanted=options.is_text and not options.quiet)
        self.line.show("grading", f"0 of {count(total, 'submission')}")
        self._start = monotonic()

    def show(self, step: "GradedEntry") -> None:
        """Show one step."""
        from grader.core.report.json import on_one_line
        from grader.core.report.view import headline

        self._done += 1
        if step.reused:  # these come first, and take no time
            self._reused, self._start = self._reused + 1, monotonic()
        if not self._is_text:
            click.echo(on_one_line(step.written))
        elif self.line.is_shown:
            left = time_left(monotonic() - self._start, self._done - self._reused, self._total - self._done)
            self.line.show(one_line(step.entry.id, 40), f"{self._done} of {count(self._total, 'submission')}{left}")
        elif not self._quiet and not step.reused:
            click.echo(f"[{self._done:{len(str(self._total))}}/{self._total}] {inert(headline(step.report))}")

    def stop(self, out: Path) -> None:
        """Print, after an interruption, what is done and how to resume."""
        with self.line.hidden():
            click.echo(
                f"graded {self._done} of {count(self._total, 'submission')}, in {one_line(str(out))}; the same command "
                "continues with the others",
                err=True,
            )

    def end(self, book: "Gradebook", out: Path) -> int:
        """Print the summary, the ungraded submissions last; return the exit code."""
        from grader.core.model.report import Verdict
        from grader.results.view import DOUBTFUL, with_outcome

        ungraded, doubtful = with_outcome(book, Verdict.UNGRADED), with_outcome(book, DOUBTFUL)
        with self.line.hidden():
            shared.echo(*(self._outcome(book, out, ungraded, doubtful) if self._is_text else ()))
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
        from grader.core.model.report import Verdict
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
