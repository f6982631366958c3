"""Files that a submission must have, named one by one."""

from grader.core.model.layout import RequiredFile


def required(*names: str) -> tuple[RequiredFile, ...]:
    """Return the requirement of each name alone, without which nothing is built."""
    return tuple(RequiredFile(names=(name,)) for name in names)
