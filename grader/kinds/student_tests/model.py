"""The student's own tests: what an instructor asks of them, and what they say of a program."""

from collections.abc import Mapping

from msgspec import Struct

from grader.core.model.execution import CaseFacts
from grader.core.model.spec import Payload
from grader.kinds.reported_tests.model import TestReportFormat
from grader.kinds.student_tests.suites import SUITE_PACKAGES, TYPED_STARTS, script_of


class StudentSuite(Struct, frozen=True, kw_only=True):
    """How the tests are run, and with which right programs."""

    commands: tuple[tuple[str, ...], ...]
    """run one after the other, until one fails; the last one runs the tests, and its status says whether all passed"""
    format: TestReportFormat | None = None  # what the tests are reported in; None where only the status says anything
    source: str = ""  # the files that are the report, as a glob; empty for `{report}` or else standard output
    framework: str = ""  # `pytest`, `unittest` or `junit`, where the spec names no command
    right: tuple[Mapping[str, bytes], ...]  # the files of each right program: path in the working folder -> content
    has_files: tuple[str, ...] = ()  # the files of the submission that hold the tests, as far as the spec names them


class TestedProgram(Payload, frozen=True, kw_only=True):
    """A program with which the tests of a student are run: the right one, or a wrong one."""

    __test__ = False  # not a test of pytest's, whatever its name

    suite: StudentSuite
    name: str = ""  # what the course calls the wrong program, which students do not see; empty for the right ones
    files: Mapping[str, bytes] = {}  # its files, over those of the first right program
    about: str = ""  # its fault, as students read it; empty where they may not know

    packages = property(lambda self: tuple(filter(None, [SUITE_PACKAGES.get(self.suite.framework)])))
    why_not_public = property(lambda _: "its programs are files of the course's own")

    def command_text(self, _spec: object) -> str:
        """Return the command that runs the tests by hand, with one's own program."""
        if start := TYPED_STARTS.get(self.suite.framework):
            return f"{start} {self.suite.has_files[0].removesuffix('.java')}"
        return script_of(self.suite.commands).replace("exec ", "")


class SuiteFacts(CaseFacts, frozen=True, kw_only=True):
    """The result of a student's tests with one program, and with the right one."""

    problem: str = ""  # why none of the tests counts, as a sentence; empty where one does
    false_alarms: tuple[str, ...] = ()  # the tests that fail with a right program, as far as they can be named
    unnamed_alarms: int = 0  # how many more do
    is_noticed: bool = False  # whether a test that passes with the right programs fails with this one
    noticed: int = 0
    total: int = 0  # how many wrong programs are noticed, and how many there are

    outcome = property(lambda self: (self.problem, self.false_alarms, self.is_noticed))
