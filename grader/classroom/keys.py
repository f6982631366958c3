"""What the reports of a class depend on, as their store has it."""

from collections.abc import Mapping
from pathlib import Path

from grader.classroom.store import NAME, Key, read_store


def read_keys(folder: Path) -> Mapping[str, Key]:
    """Return the keys of a class's reports by id; none for a folder of `grader run`, whose reports stand alone."""
    if not (folder / NAME).is_file():
        return {}
    with read_store(folder / NAME) as store:
        return store.finished()
