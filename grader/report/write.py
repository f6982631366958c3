"""The files of a report, each written beside its place and then moved there: an older report is never half of one.

A format is one function from a report to bytes and one entry in `FORMATS`.
"""

import errno
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from grader.errors import HostError
from grader.model import Report
from grader.report.json import to_json
from grader.report.junit import to_junit
from grader.report.markdown import to_feedback
from grader.report.names import safe_name
from grader.report.text import one_line

FORMATS: dict[str, Callable[[Report], bytes]] = {
    "report.json": to_json,
    "junit.xml": to_junit,
    "feedback.md": lambda report: to_feedback(report).encode(),
}
"""the file's name -> what renders it"""

_ADVICE = {
    errno.ENOSPC: "make room on that disk, and grade again",
    errno.EDQUOT: "make room within your quota, and grade again",
    errno.EFBIG: "raise the limit on the size of files, and grade again",
}


def write_report(report: Report, out: Path) -> Path:
    """Write every format into the student's folder below `out` and return that folder.

    Raises `HostError` when a file cannot be written; what was there before is then still there, whole.
    """
    files = {name: render(report) for name, render in FORMATS.items()}
    folder = out / safe_name(report.submission.id)
    try:
        if folder.is_symlink():
            raise HostError(f"{one_line(str(folder))} is a link: remove it, reports are not written through links")
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder, files)
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "choose a folder that you may write to with --out")
        message = f"the report cannot be written to {one_line(str(folder))}: {error.strerror}; {advice}"
        raise HostError(message) from error
    return folder


def _replace(folder: Path, files: dict[str, bytes]) -> None:
    """Move the files into place only after all of them are safe on the disk."""
    beside = {name: folder / f".{name}.{secrets.token_hex(8)}" for name in files}
    try:
        for name, data in files.items():
            _write(beside[name], data)
        for name, path in beside.items():
            path.replace(folder / name)
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
