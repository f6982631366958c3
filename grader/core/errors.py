"""Errors of ours, each with its exit code.

A student's error is data (a verdict, a finding); only what *we* or an instructor did wrong is an exception. `cli` turns
each into one message and one exit code, and nothing else in the package exits. `Wrong` is no error at all: it is how a
check says what a student did.
"""

from typing import NamedTuple


class GraderError(Exception):
    """The base of every error that `grader` raises on purpose."""

    exit_code = 3


class Wrong(Exception):  # noqa: N818 - "raise Wrong" is what an instructor wants to say
    """What an instructor's check raises on an output that is not right: `raise Wrong("Row 3 has two queens.")`.

    The first line is the sentence for the student; further lines, such as a board, are shown as they are below it. Any
    other exception is a fault of the check, and what it was to judge is ungraded.
    """


class UsageError(GraderError):
    """The command was given something that it cannot work with: a wrong path, an unknown spec."""

    exit_code = 2


class HostError(GraderError):
    """This machine failed us: no sandbox, a full disk, a reference that crashes. What it touches is ungraded."""

    exit_code = 3


class CourseProgramError(HostError):
    """A program of the course's own failed; `said` is the end of what it wrote, for its author and no student."""

    def __init__(self, message: str, said: str = "") -> None:
        """Take the sentence, and what was written."""
        super().__init__(message)
        self.said = said


class GradingStoppedError(GraderError):
    """Somebody wants us to stop: Ctrl-C, or a signal. What was finished is kept."""

    exit_code = 130


class Problem(NamedTuple):
    """One mistake in a spec: where (`line` and `column` count from 1), the key's path, and what to do about it."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        """`specs/x.yaml:14:7: tests[2].args: ...`, as compilers write it, so that editors can jump there."""
        where = f"{self.file}:{self.line}:{self.column}: "
        return f"{where}{self.path}: {self.message}" if self.path else f"{where}{self.message}"


class SpecError(GraderError):
    """A spec with mistakes: all of them at once, in the order of the file."""

    exit_code = 2

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep the `problems`; the text of the error is one line for each."""
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))
