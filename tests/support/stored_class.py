"""A class that is stored, killed and resumed: `python -m tests.support.stored_class FOLDER SIZE KILLS`, in one process.

Its reports are made up. `whole` gets an undisturbed run; `killed-N` is what SIGKILL left at a random one of the calls
that open, rename or commit something, and `resumed-N` what the same run made of that. `killed-N.told` has the names
that were told before.
"""

import os
import random
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from grader.core import pipeline
from grader.core.build.staging import submission_digest
from grader.core.model.gradebook import Entry, Student
from grader.core.model.report import Report
from grader.core.report.json import to_report
from grader.grading_class.grading import Workers, grade_class
from grader.results.class_files import update_class_files
from grader.results.store import locked, open_store
from tests.support.classes import small_class
from tests.support.report_samples import report_of

_EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "store"}


class _Calls:
    """Counts the calls, and kills this process at one of them."""

    def __init__(self) -> None:
        self.number, self.fatal = 0, -1
        sys.addaudithook(self.note)

    def note(self, event: str, _: object) -> None:
        if event in _EVENTS:
            self.number += 1
            if self.number == self.fatal:
                os.kill(os.getpid(), signal.SIGKILL)


def report_for(entry: Entry, course: pipeline.Course) -> Report:
    """Make up the report of an entry, with the right digest."""
    assert entry.path
    report = to_report(report_of(student=entry.id))
    digest = submission_digest(entry.path, course.cache)
    return replace(report, submission=replace(report.submission, digest=digest))


def store_class(entries: tuple[Entry, ...], course: pipeline.Course, out: Path) -> None:
    """Store the reports of a class below `out`, and tell the names in a file beside it."""
    with (
        ThreadPoolExecutor(2) as pool,
        locked(out),
        open_store(out) as store,
        out.with_name(f"{out.name}.told").open("ab", buffering=0) as told,
    ):
        store.connection.set_trace_callback(lambda statement: sys.audit("store", statement))
        store.enrol(entries, {"spec": "echo", "max_score": "0"})
        workers = Workers(submit=lambda entry: pool.submit(report_for, entry, course), places=2)
        for entry, _ in grade_class(entries, course, store, out, workers):
            told.write(f"{entry.id}\n".encode())
        update_class_files(store, out)


def main(folder: Path, size: int, kills: int) -> None:
    """Store the class once undisturbed, and then again and again."""
    handed_in = small_class(folder, size)
    entries = tuple(Entry(id=path.name, path=path, students=(Student(id=path.name),)) for path in handed_in.iterdir())
    course = pipeline.prepare(folder / "specs/echo.yaml", sandbox="none", workers=1)
    calls, dice = _Calls(), random.Random(1)  # noqa: S311 - the same moments each time
    store_class(entries, course, folder / "whole")
    calls.number = 0  # now that everything is imported
    store_class(entries, course, folder / "again")
    moments = dice.sample(range(1, calls.number), kills)
    for number, moment in enumerate(moments):
        killed, resumed = folder / f"killed-{number}", folder / f"resumed-{number}"
        if not (child := os.fork()):
            calls.number, calls.fatal = 0, moment
            store_class(entries, course, killed)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) in {0, -signal.SIGKILL}
        shutil.copytree(killed, resumed) if killed.exists() else None
        store_class(entries, course, resumed)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
