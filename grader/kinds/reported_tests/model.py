"""Tests that a command of the course runs and reports: what an instructor asks for, and what a report says."""

import shlex
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from grader.core.model.execution import CaseFacts
from grader.core.model.spec import Payload
from grader.kinds.harness.host import Outcome

TestReportFormat = Literal["junit", "tap", "go", "cargo", "unity"]
REPORT_FORMATS: Mapping[TestReportFormat, str] = {
    "junit": "JUnit XML",
    "tap": "TAP, version 12 to 14",
    "go": "what `go test -json` writes",
    "cargo": "what `cargo test` writes",
    "unity": "what Unity for C writes",
}
REPORT_PLACE = "{report}"  # in a command or a variable, stands for a file whose name no submission can know
RUNNERS: Mapping[str, str] = {
    "node": "nodejs",
    "bats": "bats",
    "busted": "lua-busted",
    "rspec": "ruby-rspec ruby-rspec-junit-formatter",
    "go": "golang-go",
    "cargo": "cargo",
    "ctest": "cmake",
}
"""a program that runs tests -> its Debian packages"""
NAMELESS = "name them under tests, or give the spec a reference, whose report has them"
TestOutcome = Literal["passed", "failed", "error", "skipped", "todo"]
IDLE_OUTCOMES: tuple[TestOutcome, ...] = ("skipped", "todo")  # TAP 14 lets no harness treat these as failures


class ReportedOutcome(Outcome, kw_only=True, frozen=False):  # type: ignore[misc]  # filled while it is read
    """A test, or a group of tests while a report is read."""

    message: str = ""  # or why it was skipped
    place: str = ""
    name: str  # its name for people, with the groups that it is in
    full: str = ""  # the same with all that the report says of its place, which distinguishes tests of the same name
    outcome: TestOutcome = "passed"
    detail: str = ""  # all that the report says of it
    found: str | None = None
    wanted: str | None = None  # the two values that were compared, where the report has both
    prefix: str = ""  # what else distinguishes it from tests of the same name: the package, the class
    children: "list[ReportedOutcome]" = field(default_factory=list)


class TestReport(Struct, frozen=True, kw_only=True, dict=True):
    """A report that was read."""

    __test__ = False  # not a test of pytest's, whatever its name

    results: tuple[ReportedOutcome, ...] = ()  # in the order of the report
    problem: str = ""  # what is wrong with the report as a whole, as a sentence without its end
    is_void: bool = False  # whether nothing in it counts, since it is no report at all
    plans: tuple[int, ...] = ()  # how many tests and groups each of its documents announces, in a format that does
    listed: int = 0  # how many it has there, in all

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str], list[ReportedOutcome]]:
        by_name = defaultdict[tuple[str, str], list[ReportedOutcome]](list)
        for result in self.results:
            by_name["full", result.full].append(result)
            by_name["name", result.name].append(result)
        return by_name

    def find(self, name: str, full: str) -> tuple[ReportedOutcome, ...]:
        """Return the results of a test: by its full name, or else by the one that people use."""
        return tuple(self._by_name.get(("full", full or name)) or self._by_name.get(("name", name)) or ())

    live = cached_property(lambda self: [result for result in self.results if result.outcome not in IDLE_OUTCOMES])
    is_all_passed = cached_property(lambda self: all(result.outcome == "passed" for result in self.live))


class ReportedTestCase(Payload, frozen=True, kw_only=True):
    """A test of the course that a command runs and reports; without a name, all tests of that command."""

    commands: tuple[tuple[str, ...], ...]  # run one after the other, until one fails; the last one runs the tests
    format: TestReportFormat
    source: str = ""  # the files that are the report, as a glob; empty for `{report}` or else standard output
    files: Mapping[str, bytes] = {}  # the course's files that are put into the working folder: path -> content
    only: tuple[str, ...] = ()  # names and globs of those that are cases; empty for all
    weights: tuple[tuple[str, Fraction], ...] = ()  # names and globs, each with how much it counts
    name: str = ""  # its name among the cases; empty where the reference's report is yet to say which tests there are
    full: str = ""  # its full name in the reference's report; empty where the spec names it
    times: int = 1  # how many results the reference's report has of it, without those that are skipped there
    skips: int = 0  # how many of its results are skipped there: tests of one name, some of which run
    total: int = 0  # how many results of tests that were run that has in all; at least those that the spec names
    idle: tuple[tuple[str, TestOutcome], ...] = ()  # the tests that are skipped or marked as TODO there, no cases
    plans: tuple[int, ...] = ()  # how many tests and groups each document of the reference's report announces
    status: int = 0  # with which status the command ends when all tests pass
    unavailable: str = ""  # why nothing can be graded: the reference has no report, or fails
    broken: str = ""  # why no submission can fail it: the reference does not pass it

    given = property(lambda self: (self.commands, self.full or self.name))  # without the files
    shares_run = property(lambda _: True)
    packages = property(lambda self: tuple(" ".join(RUNNERS.get(words[0], "") for words in self.commands).split()))
    why_not_public = property(lambda _: "its tests are files of the course's own")

    def command_text(self, _spec: object = None) -> str:
        """Return the commands by which the tests are run by hand."""
        commands = (shlex.join(word.replace(REPORT_PLACE, "report.out") for word in words) for words in self.commands)
        return " && ".join(commands)


class TestsRun(CaseFacts, frozen=True, kw_only=True):
    """What the report says of the test of a case."""

    results: tuple[ReportedOutcome, ...] = ()  # of this test; none where it is missing
    report: TestReport = TestReport()
    is_written: bool = True  # False where there is no report at all

    outcome = property(lambda self: tuple((result.outcome, result.message) for result in self.results))
    size = property(lambda self: sum(len(result.detail) for result in self.results))
