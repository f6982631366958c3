"""A submission that is graded again whenever it is saved, what failed before first.

Files are looked at ten times a second, by their names, sizes and times: that costs next to nothing for a submission of
the usual size, and sees every way to save. The state before a grading is compared with the state
while it runs, so no save is missed. A save during a grading aborts it.

`watchfiles` would replace none of this. It watches inodes, so it loses a spec replaced by an editor,
and a folder that was moved away and back. The previous state would still have to be stored.
"""

import os
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from threading import Event
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from grader.core.build.tree import IGNORED
from grader.core.errors import GraderError, GradingStoppedError
from grader.core.model.report import Job, Report, ReportedTest, TestResult, Verdict
from grader.core.model.spec import Spec, Test
from grader.core.pipeline import Bench, Course, bench, prepare
from grader.core.report.json import to_report, to_reported_test
from grader.core.threads import ThreadTask, in_order

INTERVAL = 0.1  # seconds between two looks
SETTLED = 0.05  # seconds in which nothing may change before a save counts as done
MAX_SETTLING_SECONDS = 2.0  # after which a save counts as done, even if files still change
MAX_FILES = 4_000  # twice as many as a submission may have; what is beyond is not looked at
PASSING = (*IGNORED, ".*.sw?", ".*.sw?x", "4913", "*~", "#*#")
"""files that are no part of the work: what is never staged, and what editors leave while they are open"""

Footprint = Mapping[str, tuple[int, ...]]
"""name -> what changes with a file or folder; there is nothing of what does not exist"""
HearOfTest = Callable[[ReportedTest], None]
_Outcome = TypeVar("_Outcome")


class Round(NamedTuple):
    """One grading, or why there is none."""

    report: Report | None = None
    problem: str = ""  # what is wrong with the spec, the submission or this machine
    seconds: float = 0.0  # from the first look that saw the change to the report


def footprint(paths: Iterable[Path]) -> Footprint:
    """Look at files, and at all that is in folders; links in them are not followed."""
    statuses: dict[str, tuple[int, ...]] = {}
    waiting = [(os.fspath(path), True) for path in paths]
    while waiting and len(statuses) < MAX_FILES:
        name, is_named = waiting.pop()
        with suppress(OSError):  # it vanished just now
            status = os.stat(name, follow_symlinks=is_named)  # noqa: PTH116 - ten times a second
            is_folder = stat.S_ISDIR(status.st_mode)
            content = () if is_folder else (status.st_size, status.st_mtime_ns)
            statuses[name] = (status.st_mode, status.st_ino, *content)
            entries = os.scandir(name) if is_folder else ()
            shown = (entry for entry in entries if not any(fnmatchcase(entry.name, pattern) for pattern in PASSING))
            waiting += [(entry.path, False) for entry in shown]
    return statuses


def failed_first(spec: Spec, failed: Collection[str]) -> tuple[Test, ...]:
    """Return the tests, those that failed before first, each behind those that it needs; else in the spec's order."""
    first = set(failed)
    for test in reversed(spec.tests):  # a test needs only such as come before it
        if test.name in first:
            first.update(test.follows)
    return tuple(sorted(spec.tests, key=lambda test: test.name not in first))


def failed_tests(report: Report | None) -> tuple[str, ...]:
    """Return the names of the tests that did not pass."""
    return tuple(test.name for test in report.tests if test.verdict != Verdict.PASSED) if report else ()


def grade_failed_first(
    job: Job, course: Course, before: Report | None, on_test: HearOfTest, workers: int = 1
) -> Report:
    """Grade a submission, what failed in the report `before` first, `workers` tests at a time.

    `on_test` hears of each test when it and those before it are done. The report is in the spec's order. Raises as
    `pipeline.grade` does.
    """
    results: dict[str, TestResult] = {}

    def run(ready: Bench, test: Test) -> TestResult:
        for name in test.follows:  # they began before
            done[name].wait()
        try:
            results[test.name] = ready.grade_test(test, [results[name] for name in test.follows])
        finally:
            done[test.name].set()
        return results[test.name]

    with bench(job, course) as limited:
        ready = replace(limited, course=limited.course.without_budget())
        tests = failed_first(ready.course.spec, failed_tests(before))
        done = {test.name: Event() for test in tests}
        for result in in_order((partial(run, ready, test) for test in tests), workers, course.cancelled.set):
            on_test(to_reported_test(result))
        return to_report(ready.judgement([results[test.name] for test in ready.course.spec.tests]))


def grade_on_save(
    job: Job, begin: Callable[[tuple[str, ...]], None], on_test: HearOfTest, *, workers: int = 1
) -> Iterator[Round]:
    """Grade a submission now, and again whenever it or a file behind the spec is saved; goes on until it is closed.

    It runs `workers` tests at a time. `begin` hears of the files that were saved, none at first, and `on_test` of each
    test, from another thread; both also of a grading that a save ends. The sandbox and the reference are prepared anew
    when the spec changes.
    """
    watched, saved = _Watched(job, on_test, workers), tuple[str, ...]()
    while True:
        begin(saved)
        try:
            watched.grade_again(saved)
            yield Round(report=watched.before, seconds=time.monotonic() - watched.started)
        except GradingStoppedError:
            pass
        except (GraderError, OSError) as error:
            yield Round(problem=str(error), seconds=time.monotonic() - watched.started)
        saved = watched.next_save()


class _Watched:
    """What is known between two rounds."""

    def __init__(self, job: Job, on_test: HearOfTest, workers: int) -> None:
        self.job, self.on_test, self.workers = job, on_test, workers
        self.contract: tuple[Path, ...] = (job.spec,)
        """the files behind the spec: itself, what it names, and those of the reference"""
        self.course: Course | None = None
        self.before: Report | None = None
        self.seen, self.started = self.look(), time.monotonic()

    def look(self) -> Footprint:
        """Look at all that is watched."""
        return footprint([*self.contract, self.job.submission.path])

    def grade_again(self, saved: Collection[str]) -> None:
        """Grade once more, with a new course after a save of the spec. Raises when something is saved now."""
        job, workers = self.job, self.workers
        if self.course is None or not {os.fspath(path) for path in self.contract}.isdisjoint(saved):
            self.course = None
            course = self.unless_saved(
                lambda cancelled: prepare(job.spec, sandbox=job.sandbox, workers=workers, cancelled=cancelled)
            )
            reference = course.reference if isinstance(course.reference, Mapping) else ()
            named = sorted({*course.spec.attached, *reference})
            self.course, self.contract = course, (job.spec, *(course.spec.root / name for name in named))
            self.seen = {**footprint(self.contract), **self.seen}
        ready, given = self.course, (self.before, self.on_test, workers)
        self.before = self.unless_saved(
            lambda cancelled: grade_failed_first(job, replace(ready, cancelled=cancelled), *given)
        )

    def unless_saved(self, work: Callable[[Event], _Outcome]) -> _Outcome:
        """Return what `work` does in another thread; end it and raise GradingStoppedError when something is saved."""
        cancelled = Event()
        task = ThreadTask(partial(work, cancelled))
        try:
            while not task.join(INTERVAL):
                if self.look() != self.seen:
                    raise GradingStoppedError("something was saved")
        finally:
            cancelled.set()
            task.join()
        return task.result()

    def next_save(self) -> tuple[str, ...]:
        """Wait for a save and for its end; return the names of what changed."""
        while True:
            while (now := self.look()) == self.seen:
                time.sleep(INTERVAL)
            self.started = time.monotonic()
            while time.monotonic() - self.started < MAX_SETTLING_SECONDS:
                time.sleep(SETTLED)
                before, now = now, self.look()
                # The submission itself has to be there: editors move it away while they save.
                if now == before and os.path.lexists(self.job.submission.path):
                    break
            changed = {name for name in {*self.seen, *now} if self.seen.get(name) != now.get(name)}
            if changed:  # else it was away for a moment, and is back as it was
                self.seen = now
                return tuple(sorted(changed))
