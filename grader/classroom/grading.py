"""Grading a class: what is finished already is kept, the rest is run, and each report is safe before the next.

A failure of ours with one submission makes that one ungraded, and the others go on; only when nothing can be kept any
more, because the disk is full, everything stops.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from grader import build, pipeline
from grader.classroom.schedule import each
from grader.classroom.store import GradeStore, Key
from grader.errors import GraderError, GradingStoppedError, HostError
from grader.model import VERSION, Job, Judgement, Submission, Verdict
from grader.model.gradebook import Entry, Graded
from grader.pipeline import Course
from grader.report import headline, render, safe_name, write_files
from grader.report.write import tidy

Work = Callable[[Entry], Graded]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Who does the work: threads of this process, or a cluster."""

    executor: Executor
    work: Work
    places: int
    """submissions at a time"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One submission done with."""

    entry: Entry
    graded: Graded
    reused: bool
    """whether it was finished before, and nothing was run"""


def key_of(course: Course) -> Key:
    """Return the key of a report, but for the submission."""
    reference = course.reference
    parts = (
        sorted((name, hashlib.sha256(content).hexdigest()) for name, content in reference.items())
        if isinstance(reference, Mapping)
        else str(reference)
    )
    tools = [dict(course.versions), course.toolchain, course.sandbox.info]
    return Key(
        submission="", spec=course.spec.digest, reference=_digest(parts), toolchain=_digest(tools), grader=VERSION
    )


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def grade_class(
    entries: Sequence[Entry],
    course: Course,
    store: GradeStore,
    out: Path,
    workers: Workers,
    *,
    after_due: bool = False,
) -> Iterator[Step]:
    """Grade what is not graded yet, and keep every report in `store` and below `out`.

    Yields the steps as they are done, those that need nothing first. Raises HostError when reports cannot be kept.
    """
    key, finished = key_of(course), store.finished()
    handed_in = [entry for entry in entries if entry.path is not None]
    waiting = [entry for entry in handed_in if not _is_finished(entry, key, finished)]
    waiting_ids = {entry.id for entry in waiting}
    for entry in handed_in:
        graded = None if entry.id in waiting_ids else store.get(entry.id)
        if graded is not None:
            put_right(graded, out / safe_name(entry.id), after_due=after_due)
            yield Step(entry=entry, graded=graded, reused=True)
        elif entry.id not in waiting_ids:
            waiting.append(entry)
    for entry, result in each(workers.executor, workers.work, waiting, workers.places):
        if isinstance(result, GradingStoppedError):
            raise result
        graded = failed(entry, course, result) if isinstance(result, Exception) else result
        store.put(entry.id, replace(key, submission=graded.digest), graded)
        put_right(graded, out / safe_name(entry.id), after_due=after_due)
        yield Step(entry=entry, graded=graded, reused=False)


def _is_finished(entry: Entry, key: Key, finished: Mapping[str, Key]) -> bool:
    """Whether there is a report of this very submission, made with all that is used now."""
    found = finished.get(entry.id)
    if found is None or entry.path is None or replace(found, submission="") != key:
        return False
    try:
        return build.submission_digest(entry.path) == found.submission
    except GraderError:
        return False


def put_right(graded: Graded, folder: Path, *, after_due: bool) -> None:
    """Write the files that are not there as they should be, and nothing else."""
    wanted = {**graded.files, **graded.later} if after_due else graded.files
    tidy(folder, wanted)
    wrong = {name: content for name, content in wanted.items() if _content(folder / name) != content}
    if wrong:
        write_files(wrong, folder)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def grade_entry(entry: Entry, course: Course) -> Graded:
    """Grade one entry on this machine; a failure of ours makes it ungraded."""
    job = job_of(entry, course)
    try:
        return _packed(pipeline.grade(job, course))
    except GradingStoppedError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours concerns this one, and the others go on
        return failed(entry, course, error)


@contextmanager
def local_workers(course: Course, places: int) -> Iterator[Workers]:
    """Work in threads: a thread mostly waits for a program. Whatever ends the block ends the running programs."""
    with ThreadPoolExecutor(places) as pool:
        try:
            yield Workers(executor=pool, work=partial(grade_entry, course=course), places=places)
        except BaseException:
            course.cancelled.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def job_of(entry: Entry, course: Course) -> Job:
    """Return the job that an entry is."""
    if entry.path is None:
        raise HostError(f"{entry.id} has handed in nothing, so there is nothing to grade")
    return Job(spec=course.spec.root, submission=Submission(id=entry.id, path=entry.path))


def failed(entry: Entry, course: Course, error: Exception) -> Graded:
    """Return what is kept of an entry that we failed to grade: ungraded, with the reason."""
    why = str(error) if isinstance(error, GraderError) else f"a fault of the grader: {type(error).__name__}: {error}"
    return _packed(pipeline.ungraded(job_of(entry, course), course, why))


def _packed(report: Judgement) -> Graded:
    files = render(report)
    later = render(report, after_due=True) if any(t.visibility == "after-due" for t in report.spec.tests) else {}
    return Graded(
        digest=report.submission_digest,
        verdict=Verdict(report.verdict),
        headline=headline(report),
        files=files,
        later={name: content for name, content in later.items() if files[name] != content},
    )
