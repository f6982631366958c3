"""The judgement of the facts: verdicts, deviations, credits. Points and credits are exact fractions."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.core.model.execution import Execution, Measurement, RoleEnd, RunFacts
from grader.core.model.spec import Spec, Test
from grader.core.model.submission import BuildResult, Finding, Submission

CauseKind = Literal["unreadable", "not-built", "cannot-start", "crashed"]  # why a program did not do its work
COMPILER_WARNING = "compiler-warning"  # names the remark that quotes a compiler, the same for a whole submission
CaseRemark = tuple[str, str]  # the name by which code knows a sentence beside that of a case, and its text


class Verdict(StrEnum):
    """The judgement of a case, a test or a submission."""

    PASSED = "passed"
    PARTIAL = "partial"
    FAILED = "failed"
    CRASHED = "crashed"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    BUILD_FAILED = "build-failed"
    SKIPPED = "skipped"
    NOT_READABLE = "not readable"  # of all that was handed in: there is no grade, and no fault of ours
    UNGRADED = "ungraded"


class Spot(Struct, frozen=True, kw_only=True):
    """A place in a file of a submission, and what was found there."""

    file: str
    line: int
    what: str = ""
    source: str = ""
    rule: str = ""


class Examined(Struct, frozen=True, kw_only=True):
    """What looking at the source came to, for one rule."""

    spots: tuple[Spot, ...] = ()
    total: int = 0
    files: tuple[str, ...] = ()
    defines: bool = True
    refused: str = ""  # why the student's files cannot be looked at, in a sentence; empty when they were


class Deviation(Struct, frozen=True, kw_only=True):
    """A named way in which output differs from what was expected, and the share of the credit that it leaves."""

    kind: str
    stream: Literal["stdout", "stderr", "exit", "files", "call", "build", "source", "memory"]
    message: str
    keeps: Fraction = Fraction(0)
    drawing: str = ""  # lines that show what the message says, such as a board; never reflowed
    counted_in: str = ""  # the test in which it is charged, where it costs nothing here because of that


class Message(Struct, frozen=True):
    """What there is to say of a case. A report makes a text of it; nothing before or after that reads its words."""

    sentence: str = ""
    key: tuple[str, ...] = ()  # the same for cases with one cause: the sentence's name, and the facts that matter
    before: tuple[CaseRemark, ...] = ()
    after: tuple[CaseRemark, ...] = ()

    def with_remark(self, name: str, text: str, *, in_front: bool = False) -> "Message":
        """Return the message with a remark at its end, or in front; the same where the text is empty."""
        made = {"before": ((name, text), *self.before)} if in_front else {"after": (*self.after, (name, text))}
        return replace(self, **made) if text else self

    @property
    def text(self) -> str:
        """All of it, as people read it; empty when there is nothing to say."""
        every = (*(text for _, text in self.before), self.sentence, *(text for _, text in self.after))
        return " ".join(filter(None, every))


class Contrast(Struct, frozen=True, kw_only=True):
    """A value that is not what was expected, and the expected one, both in lines, as they may be shown."""

    name: str
    expected: str
    actual: str


class Judged(Struct, frozen=True, kw_only=True):
    """How a kind judges the facts of a run that ended by itself."""

    deviations: tuple[Deviation, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    share: Fraction = Fraction(1)  # of the credit that an interactor or another judge gives, apart from the deviations
    remark: str = ""  # the sentence for a case in which nothing deviates
    compares_outputs: bool = True  # streams, status and files too; False where the failure explains all differences


Settled = tuple[Verdict, Message]  # a verdict that decides a case by itself, and what there is to say of it


class ExecutionSummary(RunFacts, frozen=True, kw_only=True):
    """The part of an execution that stays in memory after judging: the facts of a report, and marks to group cases."""

    watched: Measurement | None
    stdout: str
    stderr: str
    roles: tuple[RoleEnd, ...]
    is_accepted: bool  # whether an interactor or validator accepted it, whatever share of the credit that gave
    lacking: str  # a missing thing that the case requires, such as a function; empty when nothing is
    is_mute: bool  # whether it printed nothing but blanks, and no call raised anything
    stdout_mark: bytes  # the same where all that was written to standard output is the same up to blanks
    stderr_mark: bytes
    facts_mark: bytes  # the same where calls of functions came to the same; empty where there are none


class CaseResult(Struct, frozen=True, kw_only=True):
    """The judgement of one case, with the facts behind it."""

    id: str
    verdict: Verdict
    credit: Fraction
    command: str  # the command to repeat it by hand, quoted for a shell
    message: Message = Message()  # what is wrong; without text when nothing is
    cause: CauseKind | None = None  # why the program did not do its work; None where it did, whatever it came to
    deviations: tuple[Deviation, ...] = ()
    run: ExecutionSummary | None = None
    whole: Execution | None = None  # the execution itself, for those who ask for it
    expected_stdout: str | None = None
    expected_stderr: str | None = None
    contrasts: tuple[Contrast, ...] = ()
    spots: tuple[Spot, ...] = ()
    terminal: bool = False
    forged: str = ""  # why it is ungraded although it passed, for the staff alone; empty for all other cases
    runs: tuple["CaseResult", ...] = ()  # all, in order, where several were asked for; the facts above are of one

    @property
    def is_right(self) -> bool:
        """Whether it passed, or would have but for what a repair costs: that is no reason to skip what needs it."""
        repairs = prod(one.keeps for one in self.deviations if one.stream == "build")
        own = (one for one in self.deviations if one.stream != "build")
        # What an interactor gives as a share is no deviation, so the credit is looked at as well.
        return self.credit == repairs and all(one.keeps == 1 for one in own)


class TestResult(Struct, frozen=True, kw_only=True):
    """One test of a report. `score` is exact; None when a case of it is ungraded."""

    test: Test
    score: Fraction | None
    verdict: Verdict
    cases: tuple[CaseResult, ...]


class OnTop(Finding, frozen=True, kw_only=True):
    """Points of the whole, of the kind `missing-file`, `test` (takes some off), `adjustment` or a repair's name."""

    points: Fraction


class SandboxInfo(Struct, frozen=True, kw_only=True):
    """The level at which students' programs were confined, and what to know about it."""

    level: str
    warnings: tuple[str, ...] = ()
    memory: str = ""  # who bounds that of all that a command starts: `cgroup v1`, `cgroup v2`, or `watchdog`


class Job(Struct, frozen=True, kw_only=True):
    """One submission to grade: its place and its spec. Any of our threads may grade it."""

    spec: Path
    submission: Submission
    sandbox: str = "auto"
    only: tuple[str, ...] = ()

    def tests_of(self, spec: Spec) -> tuple[Test, ...]:
        """Return the tests that are to be run, in the spec's order."""
        return tuple(test for test in spec.tests if not self.only or test.name in self.only)


class Judgement(Struct, frozen=True, kw_only=True):
    """Everything known about one graded submission."""

    spec: Spec
    submission: Submission
    submission_digest: str
    verdict: Verdict
    score: Fraction | None
    max_score: Fraction
    sandbox: SandboxInfo
    toolchain: Mapping[str, str]
    findings: tuple[Finding, ...]
    build: BuildResult
    tests: tuple[TestResult, ...]
    on_top: tuple[OnTop, ...] = ()
