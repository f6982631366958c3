"""Keep free late days the same in all results of a course: classes whose numbers changed are written anew."""

import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from grader.classroom.late_days import banked_classes, resettled
from grader.classroom.store import GradeStore, files_of_entry, locked, open_store, update_entry_files
from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry
from grader.core.text import count, one_line
from grader.gradebook.class_files import update_class_files


def rewrite_class(store: GradeStore, folder: Path, entries: tuple[Entry, ...], facts: Mapping[str, str]) -> None:
    """Store the entries of a class with their post-grading, and write the files of all reports; nothing is run."""
    about = store.about()
    after_due, course = bool(about.get("after_due")), about.get("course", "")
    store.enrol(entries, facts)
    for entry in entries:
        if entry.path is not None and (written := store.get(entry.id)) is not None:
            make = partial(files_of_entry, entry, written, course=course, after_due=after_due)
            update_entry_files(entry, make, store, folder, after_due=after_due)


def settle_late_days(parent: Path, course: str, held: Path | None = None) -> Iterator[str]:
    """Bring all results below `parent` up to date that share a bank; yield a sentence for each that changed.

    `held` is a folder that this process has locked.
    """
    for one, changed in resettled(banked_classes(parent, course)):
        shown = one_line(os.path.relpath(one.folder))
        if held is not None and one.folder.resolve() == held.resolve():
            _rewrite(one.folder, changed)
            continue
        try:
            with locked(one.folder):
                _rewrite(one.folder, changed)
        except UsageError as error:
            yield f"free late days in {shown} are not up to date: {error}; `grader course` brings them up to date"
            continue
        yield f"free late days changed for {count(len(changed), 'submission')} in {shown}; its grades are up to date"


def _rewrite(folder: Path, changed: Mapping[str, Entry]) -> None:
    with open_store(folder) as store:
        about = store.about()
        rewrite_class(store, folder, tuple(changed.get(one.id, one) for one in store.entries()), {})
        update_class_files(store, folder, after_due=bool(about.get("after_due")))
