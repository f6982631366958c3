"""`grader class`: grade the submissions of a class, resumable, with a gradebook.

Progress is a line on a terminal, a line for each submission in a CI log, or nothing.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from math import ceil
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import GradingStoppedError, HostError, SpecError, UsageError
from grader.core.text import count, inert, listed, one_line, points, sentence


class ClassCommand(NamedTuple):
    """Grade a class: every folder and archive in FOLDER.

    A student with several submissions that could count is not graded, but listed with what to do. The exit code is 3
    then, and while anything is ungraded that `grader adjust` has not decided.

    All names are read in the format of one platform. Students choose the end of a name, so nothing is taken from it.

    Each report is stored in grades.db as soon as it is finished. After an interruption, the same command resumes; later
    it grades again only after a change of a submission, the spec, the reference or a tool.

    If FOLDER is sample_submissions, the samples of every assignment are graded, and a table at the end says which of
    them agree with expected.yaml.
    """

    folder: Path = shared.argument("FOLDER")
    spec: str | None = shared.spec_option
    out: Path | None = shared.out_option
    jobs: int = shared.jobs_option
    roster: Path | None = option("CSV", "Who is in the class: ids, names, teams.")
    platform: str | None = option(
        "NAME",
        "Where FOLDER is from: canvas, moodle, ..., plain. [by most names]",
        type=shared.LazyChoice("platform", lambda: lazy.names.PLATFORMS),
    )
    times: Path | None = option(
        "FILE", "When it was handed in: Moodle's grading worksheet, or Canvas's submissions.json."
    )
    latest: bool = flag("Of several submissions of a student take the latest, by their names.")
    fresh: bool = flag("Ignore earlier results, and grade everything again.")
    shard: tuple[int, int] | None = option(
        "K/N",
        "Grade the K-th of N parts; `grader merge` puts them together.",
        callback=lambda _context, _param, text: text and lazy.merging.to_shard(text),
    )
    dask: str | None = option("ADDRESS", "Grade on a Dask cluster, such as tcp://10.0.0.5:8786.")
    budget: float | None = shared.budget_option
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option
    quiet: bool = flag("Print only what is ungraded.")
    form: str = shared.format_option

    def _run(self) -> int:
        is_sample = self.folder.resolve().name == "sample_submissions" and any(self.folder.glob("*/expected.yaml"))
        if is_sample and self.spec is None and self.roster is None and self.times is None:
            return self._grade_samples()
        code, spec, out = self.grade()
        if self.form == "text" and (labels := _read_labels(spec, self.folder, out)):
            click.echo("\n".join(_lines_of_labels([labels])))
        return code

    def _grade_samples(self) -> int:
        """Grade the samples of all assignments; an assignment that cannot be graded does not stop the others."""
        assignments: list[_Labels] = []
        codes = [shared.PASSED]
        for path in sorted(path for path in self.folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
            try:
                code, spec, out = self._replace(folder=path, out=self.out and self.out / path.name).grade()
                codes.append(code)
                labels = _read_labels(spec, path, out)
            except (UsageError, SpecError, HostError) as error:
                codes.append(error.exit_code)
                labels = _Labels(path.name, problem=str(error))
            assignments.append(labels or _Labels(path.name, problem="nothing is stated of its samples"))
        lines = [*_lines_of_labels(assignments, is_table=True)]
        specs = self.folder.resolve().parent / "specs"
        if unlabelled := sorted({path.stem for path in specs.glob("*.yaml")} - {known.name for known in assignments}):
            lines.append(f"Without samples: {listed([one_line(name) for name in unlabelled], most=20)}")
        click.echo("\n".join(lines), err=self.form != "text")
        return max(codes)

    def grade(self) -> "tuple[int, lazy.Spec, Path]":
        """Grade the one class in the folder; return the exit code, its spec and where its results are."""
        from dataclasses import replace

        late_days, post_grading, folder, platform = lazy.late_days, lazy.post_grading, self.folder, self.platform or ""
        stated = lazy.entries.read_platform_times(self.times) if self.times else None
        work = lazy.entries.find_entries(folder, self.roster, latest=self.latest, platform=platform, times=stated)
        first = next((entry.path for entry in work.entries if entry.path is not None), folder / "anybody")
        path = shared.find_spec(self.spec, first, among=folder)
        _refuse_several_assignments(folder, path.parent)
        with shared.stopping() as cancelled:
            prepared = lazy.pipeline.prepare(path, sandbox=self.sandbox, workers=self.jobs, cancelled=cancelled)
            course = prepared.with_work_seconds(self.budget)
            _refuse_folder_above(work, course.spec)
            if self.form == "text" and not self.quiet:
                shared.describe_spec(path, self.spec)
            out, id_ = lazy.screen.report_folder(self.out, course.spec.id, [folder]), course.spec.id
            with lazy.store.locked(out), self._workers(course) as workers:
                rules = post_grading.find_rules(course.spec, path, [first], Path.cwd(), among=folder)
                unknown = "\n".join(post_grading.unknown_students(work.entries, rules))
                used = late_days.days_used_before(rules, id_)
                work = replace(work, entries=post_grading.resolve_post_grading(work.entries, rules, used))
                changed = late_days.record_times(rules, id_, work.entries)
                facts = {"unknown": unknown, **late_days.bank_fact(rules)}
                code = self._grade_all(course, work, facts, out, workers)
                unrecorded = late_days.unknown_before(rules, id_, work.entries)
                shared.echo(*unrecorded, *lazy.adjusting.settle_late_days(out, rules, changed), err=self.form != "text")
        return code, course.spec, out

    def _grade_all(
        self,
        course: "lazy.pipeline.Course",
        handed_in: "lazy.entries.ClassEntries",
        facts: dict[str, str],
        out: Path,
        workers: "lazy.grading.Workers",
    ) -> int:
        spec, after_due = course.spec, self.after_due
        facts |= {
            "spec": spec.id,
            "title": spec.title,
            "course": spec.course,
            "digest": spec.digest,
            "max_score": str(float(spec.max_score)),
            "spec_text": spec.source_text.decode(errors="backslashreplace"),
            "shard": "/".join(map(str, self.shard or ())),
            "unused": "\n".join(sentence.replace("\n", " ") for sentence in handed_in.unused),
            "after_due": "yes" if after_due else "",
        }
        names = (*spec.files.required_names, *spec.files.optional)
        entries = lazy.entries.gather(handed_in, out / ".handed-in", names).entries
        entries = entries[self.shard[0] - 1 :: self.shard[1]] if self.shard else entries
        shown = _ProgressOutput(sum(entry.path is not None for entry in entries), self, out)
        with lazy.store.open_store(out) as store, shown.line:
            if self.fresh:
                store.forget()
            store.enrol(entries, facts)
            try:
                for entry, report in lazy.grading.grade_class(entries, course, store, out, workers):
                    shown.show(entry.id, report)
            except (KeyboardInterrupt, GradingStoppedError, BrokenPipeError):
                shown.stop()
                lazy.class_files.update_class_files(store, out)
                raise
            return shown.end(lazy.class_files.update_class_files(store, out, is_brief=True).book)

    def _workers(self, course: "lazy.pipeline.Course") -> "AbstractContextManager[lazy.grading.Workers]":
        if self.dask is None:
            return lazy.grading.local_workers(course, self.jobs)
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
        problem = f"{whole} has folders of {len(names)} assignments ({listed(names, most=5)}), which are not one class"
        raise UsageError(f"{problem}; grade one of them: grader class {whole}/{names[0]}")


def _refuse_folder_above(handed_in: "lazy.entries.ClassEntries", spec: "lazy.Spec") -> None:
    """Raise UsageError for the folder above a class, where the class would be one submission."""
    from grader.cli.submissions import refuse_class

    paths = [(entry, entry.path) for entry in handed_in.entries if entry.path is not None]
    if len(paths) == 1 and (paths[0][0].is_unknown or len(handed_in.entries) == 1):
        refuse_class([paths[0][1]], spec)


# ---------------------------------------------------------------- what is to be seen of it


def time_left(seconds: float, done: int, remaining: int) -> str:
    """Estimate how long the `remaining` submissions take, by the `seconds` that `done` have taken; "" without any."""
    minutes = ceil(seconds / done * remaining / 60) if done else 0
    minutes = 5 * ceil(minutes / 5) if minutes > 10 else minutes  # noqa: PLR2004 - above ten in fives
    return "" if not done else ", under a minute left" if minutes <= 1 else f", about {minutes} min left"


class _ProgressOutput:
    """Prints each step, and a summary at the end."""

    def __init__(self, total: int, options: ClassCommand, out: Path) -> None:
        """Show `total` steps, as the options say, whose reports are below `out`."""
        self._total, self._is_text, self._quiet, self._to = total, options.form == "text", options.quiet, out
        self._done = self._reused = 0
        self.line = lazy.screen.TerminalLine(is_wanted=self._is_text and not self._quiet)
        self.line.show("grading", f"0 of {count(total, 'submission')}")
        self._start = monotonic()

    def show(self, name: str, report: "lazy.report.Report | None") -> None:
        """Show a finished submission; the report is None if it was finished before."""
        from grader.core.report.view import headline

        self._done += 1
        if report is None:  # these come first, and take no time
            self._reused, self._start = self._reused + 1, monotonic()
        if not self._is_text:
            path = self._to / lazy.json.safe_name(name) / "report.json"
            click.echo(lazy.json.on_one_line(path.read_bytes()))
        elif self.line.is_shown:
            estimate = time_left(monotonic() - self._start, self._done - self._reused, self._total - self._done)
            self.line.show(one_line(name, 40), f"{self._done} of {count(self._total, 'submission')}{estimate}")
        elif not self._quiet and report:
            click.echo(f"[{self._done:{len(str(self._total))}}/{self._total}] {inert(headline(report))}")

    def stop(self) -> None:
        """Print, after an interruption, what is done and how to resume."""
        with self.line.hidden():
            done = f"graded {self._done} of {count(self._total, 'submission')}, in {one_line(str(self._to))}"
            click.echo(f"{done}; the same command continues with the others", err=True)

    def end(self, book: "lazy.Gradebook") -> int:
        """Print the summary, the ungraded submissions last; return the exit code."""
        lacking = [lazy.view.with_outcome(book, word) for word in (lazy.report.Verdict.UNGRADED, lazy.view.DOUBTFUL)]
        with self.line.hidden():
            shared.echo(*(self._outcome(book, *lacking) if self._is_text else ()))
        return shared.UNGRADED if any(lacking) else shared.PASSED

    def _outcome(
        self, book: "lazy.Gradebook", ungraded: "Sequence[lazy.Grade]", doubtful: "Sequence[lazy.Grade]"
    ) -> Iterator[str]:
        if not self._quiet:
            yield from self._summary(book)
        if doubtful:
            yield f"{len(doubtful)} in doubt, so not graded; say what counts, and the same command grades it:"
        yield from (f"  {one_line(grade.entry.id)}: {sentence(grade.entry.notes[0])}" for grade in doubtful)
        if ungraded:
            yield f"{len(ungraded)} ungraded, so without a grade; the same command retries them:"
        yield from map(_name_and_reason, ungraded)
        if not self._quiet:
            yield from lazy.unmatched.unmatched_lines(lazy.unmatched.unmatched_of(book))

    def _summary(self, book: "lazy.Gradebook") -> Iterator[str]:
        view = lazy.view
        yield from (f"left out: {sentence(text)}" for text in book.unused)
        counts = view.count_outcomes(grade for grade in book.grades if grade.report)
        reused = f"; {self._reused} of them {'is' if self._reused == 1 else 'are'} unchanged since they were graded"
        yield f"{count(self._total, 'submission')}{counts and f': {counts}'}{reused if self._reused else ''}."
        if unreadable := view.with_outcome(book, lazy.report.Verdict.NOT_READABLE):
            yield f"{len(unreadable)} not readable, so without a grade; to be handed in again:"
            yield from map(_name_and_reason, unreadable)
        if decided := view.with_outcome(book, view.DECIDED):
            yield f"Decided by hand, where the grading gave no score: {len(decided)}."
        if changes := view.describe_changes(book):
            yield f"After the grading: {changes}."
        by_hand = ((grade.entry.id, line) for grade in book.grades if grade.final for line in grade.final.by_hand)
        yield from (f"look again at {one_line(name)}: {sentence(one.changed)}" for name, one in by_hand if one.changed)
        yield from book.unknown
        yield f"Reports: {self._to} ({', '.join(lazy.class_files.CLASS_FORMATS)})"


def _name_and_reason(grade: "lazy.Grade") -> str:
    return f"  {one_line(grade.entry.id)}: {lazy.view.why_not_graded(grade.report) if grade.report else ''}"


# ---------------------------------------------------------------- samples: what they got, and what is stated of them


_ONLY_TOLD = "The exit code does not count what disagrees: 0 says that all were graded; `grader verify` exits with 1."


class _Labels(NamedTuple):
    """What `expected.yaml` says of the samples of an assignment beside what they got, or why they were not graded."""

    name: str
    labels: Sequence[tuple[str, str, str]] = ()  # a sample, its score out of what, and in what it differs
    problem: str = ""


def _read_labels(spec: "lazy.Spec", folder: Path, results: Path) -> _Labels | None:
    """Compare the spec's own samples with their reports; None for another folder. Raises as `read_samples` does."""
    is_there = folder.resolve() == (spec.root / "sample_submissions" / spec.id).resolve()
    if not is_there or not (folder / "expected.yaml").is_file():
        return None
    labels: list[tuple[str, str, str]] = []
    with lazy.store.open_store(results) as store:
        for sample in lazy.samples.read_samples(spec):
            content = store.get(sample.submission.id)
            report = lazy.json.from_json(content) if content else None
            got = "none" if report is None or report.score is None else points(report.score)
            why = lazy.samples.sample_differences(report, sample) if report else ["it was not graded"]
            score = f"{got} of {points(spec.max_score)}"
            labels.append((one_line(sample.submission.id), score, "; ".join(map(str.strip, why))))
    return _Labels(spec.id, labels)


def _lines_of_labels(assignments: Sequence[_Labels], *, is_table: bool = False) -> Iterator[str]:
    """Yield a line for each sample, in a table for each assignment with the samples that disagree, and their number."""
    width = max((len(assignment.name) for assignment in assignments), default=0)
    yield from ("", f"What expected.yaml says of the samples{' of each assignment' * is_table}:")
    wrongs = [sum(bool(why) for *_, why in assignment.labels) for assignment in assignments]
    for assignment, wrong in zip(assignments, wrongs, strict=True):
        summary = f"{len(assignment.labels) - wrong} agreed" + f", {wrong} disagreed" * bool(wrong)
        outcome = f"not graded: {one_line(assignment.problem, 1000)}" if assignment.problem else summary
        yield from [f"  {assignment.name.ljust(width)}  {outcome}"] * is_table
        shown = [label for label in assignment.labels if label[2] or not is_table]
        longest = max((len(name) for name, _, _ in shown), default=0)
        for name, score, why in shown:
            outcome = f"disagreed: {why}" if why else "agreed"
            yield "  " * is_table + one_line(f"  {name.ljust(longest)}  {score}  {outcome}", 400)
    disagreed, unknown = sum(wrongs), sum(bool(assignment.problem) for assignment in assignments)
    agreed = count(sum(len(assignment.labels) for assignment in assignments) - disagreed, "sample")
    not_graded = f"; {count(unknown, 'assignment')} not graded" if unknown else ""
    whole = f"{count(len(assignments), 'assignment')}: " * is_table
    yield f"{whole}{agreed} agreed, {disagreed} disagreed{not_graded}"
    yield from [_ONLY_TOLD] if disagreed else []
