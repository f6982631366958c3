"""The line ends of the course's own scripts.

An editor or git on Windows writes CR LF. make, Python, Java, awk and most interpreters read that; the kernel takes the
CR for a part of the interpreter's name in a `#!` line, and a shell for a part of each command.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from grader.core import oracle
from grader.core.errors import HostError
from grader.core.text import one_line
from grader.lint.subject import Flaw, Subject

_INTERPRETER_LINE = re.compile(rb"#! ?/[^\n]*\r\n")
_SHELL_LINE = re.compile(rb"#![^\n]*\b(?:sh|bash|dash|ksh|zsh)\b")
_SHELL_ENDINGS = (".sh", ".bash")


def scripts_with_cr(subject: Subject) -> Iterator[Flaw]:
    """Find scripts of the course whose lines end in CR LF, where that keeps them from running."""
    for name, content in sorted(_course_files(subject).items()):
        is_shell = PurePosixPath(name).suffix in _SHELL_ENDINGS or _SHELL_LINE.match(content)
        if _INTERPRETER_LINE.match(content):
            broken = "its #! line then names an interpreter that does not exist"
        elif is_shell and b"\r\n" in content:
            broken = "a shell takes the CR for a part of each command"
        else:
            continue
        shown = one_line(name)
        cure = (
            f"save it with LF (`sed -i 's/\\r$//' {shown}`), and in git write `* text=auto eol=lf` into .gitattributes"
        )
        yield _place_of(subject, name), f"the lines of {shown} end in CR LF, as on Windows: {broken}; {cure}"


def _course_files(subject: Subject) -> Mapping[str, bytes]:
    try:
        return {**oracle.reference_files(subject.spec), **subject.spec.attached}
    except HostError:  # another rule tells of a missing reference
        return subject.spec.attached


def _place_of(subject: Subject, name: str) -> str:
    """Return the path at which a file is named, or the reference, in whose folder it lies."""
    named = (path for path, text in subject.source.texts.items() if name in text)
    return next(named, "" if name in subject.spec.attached else "reference")
