"""The line ends of the course's own scripts, and of the inputs that it gives to programs.

An editor or git on Windows writes CR LF. make, Python, Java, awk and most interpreters read that; the kernel takes the
CR for a part of the interpreter's name in a `#!` line, and a shell for a part of each command.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from grader.check.subject import Flaw, Subject, lint_rule
from grader.core import oracle
from grader.core.errors import HostError
from grader.core.text import one_line

_INTERPRETER_LINE = re.compile(rb"#! ?/[^\n]*\r\n")
_SHELL_LINE = re.compile(rb"#![^\n]*\b(?:sh|bash|dash|ksh|zsh)\b")
_SHELL_ENDINGS = (".sh", ".bash")
_MAX_SEARCHED = 2**16  # bytes of an input that are looked at


@lint_rule("warning", "crlf-script")
def scripts_with_cr(subject: Subject) -> Iterator[Flaw]:
    """A script that an editor saved as on Windows cannot be run: what it checks or makes is ungraded for everybody."""
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


@lint_rule("warning", "windows-input")
def inputs_of_windows(subject: Subject) -> Iterator[Flaw]:
    """An input that an editor saved as on Windows has characters that nobody sees, and programs trip over them."""
    reported: set[str] = set()
    for case in (case for _, test in subject.tests() for case in test.cases if case.stdin):
        path = subject.path(case, "stdin", "cases.from")
        head = case.stdin[:_MAX_SEARCHED]
        has_mark = head.startswith(BOM_UTF8)
        is_written_out = path.endswith("stdin") and path in subject.texts
        if path in reported or is_written_out or not (has_mark or b"\r\n" in head):
            continue
        reported.add(path)
        found = "begins with a byte order mark" if has_mark else "ends its lines in CR LF"
        yield path, f"the input of `{case.id}` {found}, as on Windows, and programs read that: save it without"


def _course_files(subject: Subject) -> Mapping[str, bytes]:
    try:
        return {**oracle.reference.reference_files(subject.spec), **subject.spec.attached}
    except HostError:  # another rule tells of a missing reference
        return subject.spec.attached


def _place_of(subject: Subject, name: str) -> str:
    """Return the path at which a file is named, or the reference, in whose folder it lies."""
    named = (path for path, text in subject.texts.items() if name in text)
    return next(named, "" if name in subject.spec.attached else "reference")
