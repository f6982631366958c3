"""The paths of a course: the folder of a spec, the files next to it, and the bytes of its files."""

import os
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.yaml.nodes import MAX_BYTES

TOOLCHAINS_NAME = "toolchains.yaml"  # the file next to `specs/` with the course's own languages
is_file = os.path.isfile  # False for too long a name, or where it may not be looked, unlike `Path.is_file`


def root_of_spec(spec: Path) -> Path:
    """Return the folder that the paths in a spec are relative to: its own, or the one that has `specs/`."""
    folder = spec.parent.resolve()
    return folder.parent if folder.name == "specs" else folder


def read_bytes(path: Path) -> bytes:
    """Read a spec or a data file, up to one byte more than allowed; UsageError when there is none."""
    try:
        if not path.is_file():
            raise UsageError(f"no such spec: {path}" + (" (it is no file)" if path.exists() else ""))
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read the spec {path}: {error.strerror}") from error
