"""The files of a report, each written beside its place and then moved there: an older report is never half of one.

A format is one function from a report to bytes and one entry in `FORMATS`.
"""

import errno
import os
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from grader.errors import HostError
from grader.model import Judgement
from grader.report.json import to_json
from grader.report.junit import to_junit
from grader.report.markdown import to_feedback
from grader.report.names import safe_name
from grader.report.page import to_page
from grader.text import one_line

FORMATS: dict[str, Callable[[Judgement, bool], bytes]] = {
    "report.json": lambda report, after_due: to_json(report),  # noqa: ARG005 - nothing is hidden in it
    "junit.xml": lambda report, after_due: to_junit(report, after_due=after_due),
    "feedback.md": lambda report, after_due: to_feedback(report, after_due=after_due).encode(),
    "feedback.html": lambda report, after_due: to_page(report, after_due=after_due),
}
"""the file's name -> what renders it, of a report, before or after the due date"""

_ADVICE = {
    errno.ENOSPC: "make room on that disk, and grade again",
    errno.EDQUOT: "make room within your quota, and grade again",
    errno.EFBIG: "raise the limit on the size of files, and grade again",
}


def render(report: Judgement, *, after_due: bool = False) -> dict[str, bytes]:
    """Render every format; `after_due` shows also the tests that are hidden until then."""
    return {name: write(report, after_due) for name, write in FORMATS.items()}


def write_report(report: Judgement, out: Path, *, after_due: bool = False) -> Path:
    """Write every format into the student's folder below `out` and return that folder.

    Raises `HostError` when a file cannot be written; what was there before is then still there, whole.
    """
    folder = out / safe_name(report.submission.id)
    write_files(render(report, after_due=after_due), folder)
    return folder


def write_files(files: Mapping[str, bytes], folder: Path, what: str = "the report") -> None:
    """Write files into a folder, made if it is not there; all of them are safe on the disk before one is moved.

    `what` they are is for messages.

    Raises `HostError` when that fails; what was there before is then still there, whole.
    """
    try:
        if folder.is_symlink():
            raise HostError(f"{one_line(str(folder))} is a link: remove it, reports are not written through links")
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder, files)
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "choose a folder that you may write to with --out")
        message = f"{what} cannot be written to {one_line(str(folder))}: {error.strerror}; {advice}"
        raise HostError(message) from error


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
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


def tidy(folder: Path, names: Iterable[str]) -> None:
    """Remove what a grader that was killed has left beside the files of these names."""
    patterns = [re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{16}}") for name in names]
    try:
        left = [path for path in folder.iterdir() if any(pattern.fullmatch(path.name) for pattern in patterns)]
    except FileNotFoundError:
        return
    for path in left:
        path.unlink(missing_ok=True)
