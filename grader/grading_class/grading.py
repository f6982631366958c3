"""Grade a class: finished reports are reused, the rest is run; all that end while others are stored are stored at once.

If the grader fails on one submission, that one is ungraded and the others continue. Only when no report can be stored,
because the disk is full, the run aborts. Only a few jobs are queued at a time, so that the memory used does not grow
with the class.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from grader.core import build, pipeline
from grader.core.cache import file_digests, key_digest
from grader.core.errors import GraderError
from grader.core.model import VERSION
from grader.core.model.gradebook import Entry
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.model.spec import Spec
from grader.core.pipeline import Course
from grader.core.report.json import to_json
from grader.decisions.post_grading import apply_post_grading
from grader.results.store import GradeStore, ReportKey, files_of, update_files
from grader.smallest import grade_and_search

MAX_BATCH = 16  # reports that are stored at once: their files are in memory until they are written
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class Workers(Struct, frozen=True, kw_only=True):
    """What grades: threads of this process, or a cluster."""

    submit: "Callable[[Entry], Future[Report]]"
    places: int  # submissions at a time


def report_key(course: Course) -> ReportKey:
    """Return the key of a course's reports, without the submission's digest."""
    reference, drawn_from = course.reference, course.spec.drawn_from
    parts = sorted(file_digests(reference).items()) if isinstance(reference, Mapping) else str(reference)
    # A verdict depends on what a package says a tool is, and its version need not change with that.
    tools = [dict(course.versions), course.toolchain, course.sandbox.info, *course.spec.packaged]
    return ReportKey(
        submission="",
        spec=course.spec.digest,
        reference=key_digest([parts, drawn_from] if drawn_from else parts),
        toolchain=key_digest(tools),
        grader=f"{VERSION} {digest_of_sources()}",
    )


def digest_of_sources(package: Path = Path(__file__).parents[1]) -> str:
    """Return the digest of our own code: a verdict may change with it while the version stays the same."""
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")  # where Python renames while we read
        # Without what is made of the others, and an editor's.
        for path in sorted(f"{folder}/{name}" for name in names if not name.startswith(("starter-", "."))):
            content = Path(path).read_bytes()
            digest.update(f"{path.removeprefix(f'{package}/')}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def grade_class(
    entries: Sequence[Entry], course: Course, store: GradeStore, out: Path, workers: Workers
) -> Iterator[tuple[Entry, Report | None]]:
    """Grade what is not graded yet, and keep every report in `store`, which has the facts of the class, and in `out`.

    Yields each with its report as it is done; those first that were finished before, so nothing is run: they have None.
    Raises HostError when reports cannot be kept.
    """
    key, known, about = replace(report_key(course), spec=course.spec.shared_digest), store.finished(), store.about()
    waiting = []

    def keep(entry: Entry, result: Report | Exception) -> tuple[Entry, Report]:
        report = ungraded_entry(entry, course, result) if isinstance(result, Exception) else result
        try:
            files = files_of(entry, written := to_json(report), about)
        except Exception as error:  # noqa: BLE001 - what we cannot tell is as good as ungraded, and the others go on
            report = ungraded_entry(entry, course, error)
            files = files_of(entry, written := to_json(report), about)
        graded = _with_adjustments(report.submission.digest, entry, course.spec)
        store.put(entry.id, replace(key, submission=graded), written, report.verdict)
        update_files(entry, store, out, about, files)
        return entry, apply_post_grading(report, entry.after)

    for entry in (entry for entry in entries if entry.path is not None):
        if _is_up_to_date(entry, key, known.get(entry.id), course):
            update_files(entry, store, out, about)
            yield entry, None
        else:
            waiting.append(entry)
    for ended in as_completed(workers.submit, waiting, workers.places):
        with store.batch():
            steps = [keep(entry, result) for entry, result in ended]
        yield from steps


def as_completed(
    submit: "Callable[[_Task], Future[_Result]]", tasks: Iterable[_Task], places: int
) -> Iterator[list[tuple[_Task, _Result | Exception]]]:
    """Yield what ended meanwhile, a few in their order, each with its result or error; few are submitted at a time."""
    waiting, under_way = iter(tasks), dict["Future[_Result]", _Task]()
    while under_way := under_way | {submit(task): task for task in islice(waiting, 2 * places - len(under_way))}:
        ended = list[tuple[_Task, _Result | Exception]]()
        for future in sorted(wait(under_way, return_when=FIRST_COMPLETED).done, key=[*under_way].index)[:MAX_BATCH]:
            task, error = under_way.pop(future), future.exception()
            if error is not None and not isinstance(error, Exception):
                raise error
            ended.append((task, future.result() if error is None else error))
        yield ended


def _is_up_to_date(entry: Entry, key: ReportKey, stored: ReportKey | None, course: Course) -> bool:
    """Whether the stored report is of this very submission and was made with the current course and tools."""
    if stored and replace(stored, submission="") == key:
        with suppress(GraderError):
            handed_in = build.staging.submission_digest(_job_of(entry, course).submission.path, course.cache)
            return _with_adjustments(handed_in, entry, course.spec) == stored.submission
    return False


def _with_adjustments(digest: str, entry: Entry, spec: Spec) -> str:
    """Return the digest of a submission, combined with the adjustments that the spec has for it alone."""
    decided = spec.adjustments.get(entry.id)
    return key_digest([digest, repr(decided)]) if decided else digest


def grade_entry(entry: Entry, course: Course) -> Report:
    """Grade one entry on this machine; it is ungraded if the grader fails."""
    try:
        return grade_and_search(_job_of(entry, course), course)
    except Exception as error:  # noqa: BLE001 - a fault of ours concerns this one, and the others go on
        return ungraded_entry(entry, course, error)


@contextmanager
def local_workers(course: Course, places: int) -> Iterator[Workers]:
    """Use threads: a thread mostly waits for a program. An exception in the block kills the running programs."""
    with ThreadPoolExecutor(places) as pool:
        try:
            yield Workers(submit=lambda entry: pool.submit(grade_entry, entry, course), places=places)
        except BaseException:
            course.cancelled.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _job_of(entry: Entry, course: Course) -> Job:
    return Job(spec=course.spec.root, submission=Submission(id=entry.id, path=entry.path or Path()))


def ungraded_entry(entry: Entry, course: Course, error: Exception) -> Report:
    """Return the report of an entry that could not be graded: ungraded, with the reason."""
    why = str(error) if isinstance(error, GraderError) else f"a fault of the grader: {type(error).__name__}: {error}"
    return pipeline.ungraded(_job_of(entry, course), course, why)
