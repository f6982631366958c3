"""The files behind a spec: its own bytes, and what it names as `{file: …}`, which must lie below the course root."""

from pathlib import Path

from grader.errors import UsageError
from grader.load.language import FILE_CONTENT
from grader.yaml.attached import attach, inner_name
from grader.yaml.nodes import MAX_BYTES, Table
from grader.yaml.value import Value, fields, text


def read_bytes(path: Path) -> bytes:
    """Read a spec or a data file; UsageError when there is none. One byte more than allowed is enough to refuse it."""
    try:
        if not path.is_file():
            raise UsageError(f"no such spec: {path}" + (" (it is no file)" if path.exists() else ""))
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read the spec {path}: {error.strerror}") from error


def content(value: Value) -> bytes:
    """Read what goes to a program: a text, as UTF-8, or `{file: NAME}`, as the file's bytes."""
    if not isinstance(value.node, Table):
        return text(value).encode()
    found = fields(value, FILE_CONTENT)
    return attach(found["file"], inner_name(found["file"])) if "file" in found else b""
