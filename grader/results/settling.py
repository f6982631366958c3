"""Keep free late days the same in all results of a course: classes whose numbers changed are written anew."""

import os
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec

from grader.core.errors import GraderError
from grader.core.model.gradebook import Entry
from grader.core.text import count, joined, one_line
from grader.decisions.late_days import bank_of, resettle, stored_bank
from grader.decisions.post_grading import Rules
from grader.results.class_files import update_class_files
from grader.results.store import (
    STORE_NAME,
    GradeStore,
    files_of,
    locked,
    open_store,
    read_store,
    update_files,
)


def rewrite_class(store: GradeStore, folder: Path, entries: tuple[Entry, ...], facts: Mapping[str, str]) -> None:
    """Store the entries of a class with their post-grading, and write the files of all reports; nothing is run."""
    about = store.about()
    after_due, course = bool(about.get("after_due")), about.get("course", "")
    store.enrol(entries, facts)
    for entry in entries:
        if entry.path is not None and (written := store.get(entry.id)) is not None:
            make = partial(files_of, entry, written, course=course, after_due=after_due)
            update_files(entry, make, store, folder, after_due=after_due)


def settle_late_days(folder: Path, rules: Rules, changed: Collection[str] = ()) -> Iterator[str]:
    """Bring the results beside `folder` up to date that share its bank; yield a sentence for each that changed.

    `changed` are the assignments whose free days changed: those without results there are told.
    """
    there: set[str] = set()
    for path in sorted(folder.absolute().parent.glob(f"*/{STORE_NAME}")) if bank_of(rules) else ():
        shown = one_line(os.path.relpath(path.parent))
        try:
            with read_store(path) as store:
                about, entries = store.about(), store.entries()
            spec = about.get("spec", "")
            if not stored_bank(about) or spec not in rules.dues:
                continue
            there.add(spec)
            settled = resettle(entries, spec, rules)
            if settled and path.parent.resolve() != folder.resolve():
                with locked(path.parent), open_store(path.parent) as store:
                    rewrite_class(store, path.parent, tuple(settled.get(one.id, one) for one in entries), {})
                    update_class_files(store, path.parent, after_due=bool(about.get("after_due")))
                yield describe_settled(len(settled), shown)
        except (GraderError, msgspec.MsgspecError) as error:
            yield f"free late days in {shown} may be out of date: {error}; grade that again, or use `grader course`"
    if others := [name for name in changed if name not in there]:
        yield f"free late days changed in {joined(others)} too: run `grader course` on its results"


def describe_settled(number: int, shown: str) -> str:
    """Say in how many submissions of a class free days changed."""
    return f"free late days changed for {count(number, 'submission')} in {shown}; its grades are up to date"
