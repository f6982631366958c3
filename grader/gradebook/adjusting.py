"""Adjustments by hand, from what somebody decides to the files of the class: for `grader adjust` and `grader review`.

`classroom.post_grading` reads and writes `adjustments.yaml`; here is what both commands do around it.
"""

from functools import partial
from pathlib import Path

from grader.classroom.post_grading import Rules, read_change, resolve_post_grading
from grader.classroom.store import files_of_entry, open_store, update_entry_files
from grader.core.errors import UsageError
from grader.core.model import Report
from grader.core.model.report import ByHand
from grader.core.text import sentence
from grader.core.yaml.value import suggestion
from grader.gradebook.class_files import update_class_files


def to_adjustment(report: Report, change: str | None, test: str, why: str) -> ByHand:
    """Return the adjustment, with the current score of the test or the whole; raises UsageError for an invalid one."""
    scores = {one.name: one.score for one in report.tests}
    if test and test not in scores:
        raise UsageError(f"there is no test {test!r}{suggestion(test, scores)}")
    number = None if change is None else read_change(change)
    graded = (scores[test] if test else report.score) if number is not None else None
    if number is not None and graded is None:
        raise UsageError(f"{report.submission.id} is ungraded: grade it first, so that there are points to change")
    if not sentence(why):
        raise UsageError("--why is empty: give the reason, which the student reads")
    return ByHand(why=" ".join(why.split()), test=test, points=number, graded=graded)


def update_adjusted_class(folder: Path, rules: Rules) -> dict[str, Report]:
    """Update the files of a class after an adjustment, without running anything; return the reports by id."""
    with open_store(folder) as store:
        about = store.about()
        after_due, course = bool(about.get("after_due")), about.get("course", "")
        entries = resolve_post_grading(store.entries(), rules, is_all=not about.get("shard"))
        store.enrol(entries, {})
        for entry in entries:
            if entry.path is not None and (written := store.get(entry.id)) is not None:
                make = partial(files_of_entry, entry, written, course=course, after_due=after_due)
                update_entry_files(entry, make, store, folder, after_due=after_due)
        results = update_class_files(store, folder, after_due=after_due)
        return {grade.entry.id: grade.report for grade in results.book.grades if grade.report}
