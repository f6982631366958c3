"""The exceptions of grader, each with its exit code; a student's mistake is data (a verdict, a finding) instead."""

from typing import NamedTuple


class GraderError(Exception):
    """The base of every error that `grader` raises on purpose."""

    exit_code = 3


class Wrong(Exception):  # noqa: N818 - "raise Wrong" is what an instructor wants to say
    """Raised by an instructor's check: a sentence for the student; further lines, such as a board, stay as they are."""


class UsageError(GraderError):
    """The command was used wrongly: a wrong path, an unknown spec."""

    exit_code = 2


class NotConfirmedError(UsageError):
    """A change was asked for that has to be confirmed, such as a score above the maximum."""


class CannotBeWrittenError(ValueError):
    """Something has no form in a spec; the text says what."""


class HostError(GraderError):
    """This machine failed: no sandbox, a full disk, a reference that crashes. The affected cases are ungraded."""


class CourseProgramError(HostError):
    """A program of the course failed; `output` is the end of its output, for its author and not for students."""

    def __init__(self, message: str, output: str = "") -> None:
        """Take the message, and the end of the program's output."""
        super().__init__(message)
        self.output = output


class GradingStoppedError(BaseException):
    """The user interrupted the grading: no `Exception`, as `KeyboardInterrupt` is none, so that nobody reports it."""


class Problem(NamedTuple):
    """One mistake in a spec: where (`line` and `column` count from 1), the key's path, and what to do about it."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        """`specs/x.yaml:14:7: tests[2].args: ...`, as compilers write it, so that editors can jump there."""
        return ": ".join(filter(None, (f"{self.file}:{self.line}:{self.column}", self.path, self.message)))


class SpecError(GraderError):
    """A spec with mistakes: all of them at once, in the order of the file."""

    exit_code = 2

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep the `problems`; the text of the error is one line for each."""
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))
