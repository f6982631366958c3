"""What is judged, and the report of one submission: that tree is `report.json`, format 1, key by key and in this order.

All texts can be shown as they are. `docs/reference/report.md` says what each key means, and when it is omitted.
"""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.model.execution import INTERACTOR_ACCEPTS, CaseFacts, Execution, Measurement, RoleEnd, RunFacts
from grader.core.model.layout import BuildResult, FailedRepair, Finding, Submission
from grader.core.model.limits import Limits
from grader.core.model.spec import Spec, Test
from grader.core.text import show, to_bytes

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
    """What is said of a case. A report makes a text of it; nothing else reads its words."""

    sentence: str = ""
    key: tuple[str, ...] = ()  # the same for cases with one cause: the sentence's name, and the facts that matter
    before: tuple[CaseRemark, ...] = ()
    after: tuple[CaseRemark, ...] = ()

    def with_remark(self, name: str, text: str, *, in_front: bool = False) -> "Message":
        """Return the message with a remark at its end, or in front; the same where the text is empty."""
        remarks = {"before": ((name, text), *self.before)} if in_front else {"after": (*self.after, (name, text))}
        return replace(self, **remarks) if text else self

    @property
    def text(self) -> str:
        """All of it, as people read it; empty when there is nothing to say."""
        parts = (*(text for _, text in self.before), self.sentence, *(text for _, text in self.after))
        return " ".join(filter(None, parts))


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
    is_accepted: bool  # whether an interactor or validator accepted it, with any share of the credit
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
    cause: CauseKind | None = None  # why the program did not do its work; None where it did, right or wrong
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
        """Whether it passed, or only the cost of a repair kept it from passing: tests that need it are run then."""
        repairs = prod(one.keeps for one in self.deviations if one.stream == "build")
        # What an interactor gives as a share is no deviation, so the credit is looked at as well.
        return self.credit == repairs and all(one.keeps == 1 for one in self.deviations if one.stream != "build")


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


class ReportedSpec(msgspec.Struct, frozen=True, kw_only=True):
    """The spec by which a submission was graded."""

    id: str
    title: str
    digest: str
    seed: str | msgspec.UnsetType = msgspec.UNSET


class ReportedSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """The submission that was graded: its displayed name, and the digest of its content."""

    id: str
    digest: str


class ReportedBuild(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the build; without a command there was nothing to build."""

    ok: bool
    command: str = ""
    log: str = ""
    message: str = ""
    time: float = 0.0
    repair: "ReportedRepair | msgspec.UnsetType" = msgspec.UNSET
    tried: tuple[FailedRepair, ...] | msgspec.UnsetType = msgspec.UNSET


class ReportedRepair(msgspec.Struct, frozen=True, kw_only=True):
    """A repair that the spec allows and that was applied, or several that were combined."""

    name: str
    message: str
    keeps: float
    costs: float
    command: str
    log: str
    time: float
    names: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


class ReportedOnTop(Finding, frozen=True, kw_only=True):
    """Points in the score that belong to no test."""

    points: float


class ReportedDeviation(msgspec.Struct, frozen=True, kw_only=True):
    """A deviation, and the share of the credit that remains."""

    kind: str
    stream: Literal["stdout", "stderr", "exit", "files", "call", "build", "source", "memory"]
    message: str
    keeps: float
    counted_in: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def sentence(self) -> str:
        """The message without the lines that illustrate it."""
        return self.message.partition("\n")[0]


class ReportedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of a dialogue."""

    time: float
    who: Literal["grader", "program"]
    role: str | msgspec.UnsetType = msgspec.UNSET
    stream: Literal["stdin", "stdout", "stderr"]
    text: str


class ReportedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a case that is run several times."""

    on: Literal["pipe", "terminal"]
    verdict: Verdict
    credit: float
    message: str
    time: float | None = None


class ReportedSmallest(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest known input on which the program fails in the same way as in a case."""

    command: str
    stdin: str = ""
    message: str


class ReportedInput(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a program in a case; each text can be shown as it is."""

    args: tuple[str, ...] = ()
    stdin: str = ""
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}


class ReportedCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case: its judgement and the facts of its run; the facts are None when nothing ran."""

    id: str
    verdict: Verdict
    credit: float
    weight: float | msgspec.UnsetType = msgspec.UNSET
    command: str
    message: str
    cause: CauseKind | msgspec.UnsetType = msgspec.UNSET
    input: ReportedInput | msgspec.UnsetType = msgspec.UNSET
    deviations: tuple[ReportedDeviation, ...] = ()
    exit: Mapping[str, int | None] | None = None  # `status` or `signal`; both when either is possible: 139 and 11
    limit: str | None = None
    limits: Limits | None = None
    roles: tuple[RoleEnd, ...] | msgspec.UnsetType = msgspec.UNSET
    time: float | None = None
    cpu: float | None = None
    memory: int | None = None
    measured: tuple[Measurement, ...] | msgspec.UnsetType = msgspec.UNSET
    watched: Measurement | msgspec.UnsetType = msgspec.UNSET
    runs: tuple[ReportedRun, ...] | msgspec.UnsetType = msgspec.UNSET
    stdout: str | None = None
    stderr: str | None = None
    screen: bool | msgspec.UnsetType = msgspec.UNSET
    transcript: tuple[ReportedTurn, ...] | None = None
    likeness: str = ""
    expected_stdout: str | None = None
    expected_stderr: str | None = None
    values: tuple[Contrast, ...] = ()
    spots: tuple[Spot, ...] | msgspec.UnsetType = msgspec.UNSET
    smallest: ReportedSmallest | msgspec.UnsetType = msgspec.UNSET

    @property
    def counts(self) -> float:
        """How much it counts in its test, in proportion to the others."""
        return 1.0 if self.weight is msgspec.UNSET else self.weight


class ReportedTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test; `score` is None when one of its cases is ungraded."""

    name: str
    points: float
    score: float | None
    verdict: Verdict
    visibility: Literal["visible", "hidden", "after-due"] = "visible"
    bonus: bool = False
    about: str = ""
    hint: str = ""
    note: str | msgspec.UnsetType = msgspec.UNSET
    cases: tuple[ReportedCase, ...] = ()


class ReportedCause(msgspec.Struct, frozen=True, kw_only=True):
    """The one cause of a submission, which comes before all tests: of points lost, it explains the most."""

    kind: CauseKind
    message: str
    tests: tuple[str, ...]


class Lateness(msgspec.Struct, frozen=True, kw_only=True):
    """How late a submission was, and the penalty on its graded score."""

    due: str
    submitted: str
    days: int
    takes: float
    message: str
    points: float = 0.0
    free: int | msgspec.UnsetType = msgspec.UNSET  # how many free late days this takes


class ByHand(msgspec.Struct, frozen=True, kw_only=True):
    """A manual change of a grade. An `adjustment` of a spec is something else: it changes the submission."""

    why: str
    test: str = ""
    points: float | None = None
    graded: float | None = None  # points at the time of the change; None when there were none, or not recorded
    changed: str = ""
    score: float | msgspec.UnsetType = msgspec.UNSET
    excused: bool | msgspec.UnsetType = msgspec.UNSET
    file: str | msgspec.UnsetType = msgspec.UNSET
    line: int | msgspec.UnsetType = msgspec.UNSET
    code: str | msgspec.UnsetType = msgspec.UNSET
    item: str | msgspec.UnsetType = msgspec.UNSET


class ReportedFinal(msgspec.Struct, frozen=True, kw_only=True):
    """The score after lateness and then manual changes."""

    score: float | None
    late: Lateness | msgspec.UnsetType = msgspec.UNSET
    by_hand: tuple[ByHand, ...] = ()

    @property
    def is_excused(self) -> bool:
        """Whether the student is excused: there is no score, and none is missing."""
        return any(change.excused for change in self.by_hand)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is reported about one graded submission."""

    format: int
    grader: str
    spec: ReportedSpec
    submission: ReportedSubmission
    verdict: Verdict
    score: float | None
    max_score: float
    sandbox: SandboxInfo
    toolchain: Mapping[str, str]
    findings: tuple[Finding, ...] = ()
    build: ReportedBuild
    cause: ReportedCause | msgspec.UnsetType = msgspec.UNSET
    tests: tuple[ReportedTest, ...] = ()
    on_top: tuple[ReportedOnTop, ...] | msgspec.UnsetType = msgspec.UNSET
    final: ReportedFinal | msgspec.UnsetType = msgspec.UNSET

    @property
    def counted(self) -> float | None:
        """The score that counts: the final one, or else the graded one."""
        return self.final.score if self.final else self.score

    @property
    def is_excused(self) -> bool:
        """Whether the student is excused: there is no score, and none is missing."""
        return bool(self.final and self.final.is_excused)

    @property
    def lacks_score(self) -> bool:
        """Whether the grader failed, and nobody has decided by hand what it did not."""
        return self.verdict is Verdict.UNGRADED and self.counted is None and not self.is_excused


def fraction(number: float) -> Fraction:
    """Return the exact value of the shortest decimal form: 0.1 is a tenth."""
    return Fraction(repr(number))


def without_outputs(report: Report, known: dict[bytes, Any] | None = None) -> Report:
    """Return the report without what programs read and wrote, which is most of it: a class has to fit into memory.

    Values that many reports share, such as commands, are stored once, in `known`.
    """
    known = {} if known is None else known

    def lean(record: Any, *shared: str, **dropped: Any) -> Any:
        once = {name: known.setdefault(msgspec.json.encode(value := getattr(record, name)), value) for name in shared}
        return replace(record, **once, **dropped)

    texts = ("limits", "stdout", "stderr", "transcript", "expected_stdout", "expected_stderr")
    dropped: dict[str, Any] = {"input": msgspec.UNSET, "values": (), **dict.fromkeys(texts)}
    own = ("id", "command", "message", "deviations", "exit", "likeness")
    tests = (
        lean(test, "name", "about", "hint", cases=tuple(lean(case, *own, **dropped) for case in test.cases))
        for test in report.tests
    )
    return cast("Report", lean(report, "spec", "sandbox", "toolchain", "findings", tests=tuple(tests)))


# What remains of an execution after it is judged: its texts as a report shows them, and digests of the whole.


_MAX_MARKED = 2**23  # bytes of a text that are hashed: longer ones have one cause


def summarise(run: Execution) -> ExecutionSummary:
    """Return what is kept of an execution."""
    facts = run.facts or CaseFacts()
    also = next((record.further_run for record in run.also.values() if record.further_run), None)
    printed = any(text and not text.isspace() for text in (run.stdout, run.stderr))
    return ExecutionSummary(
        **{name: getattr(run, name) for name in RunFacts.__struct_fields__},
        watched=also and Measurement(time=also.time, cpu=also.cpu, waited=also.waited, limit=also.limit),
        stdout=show(run.stdout),
        stderr=show(run.stderr),
        roles=run.interaction.roles if run.interaction else (),
        is_accepted=run.interaction is not None and run.interaction.status == INTERACTOR_ACCEPTS,
        lacking=facts.lacking,
        is_mute=not printed and facts.is_mute,
        stdout_mark=_mark(run.stdout),
        stderr_mark=_mark(run.stderr),
        facts_mark=b"" if facts.outcome is None else hashlib.sha256(to_bytes(repr(facts.outcome))).digest(),
    )


def _mark(text: bytes) -> bytes:
    return hashlib.sha256(text[:_MAX_MARKED].translate(None, b" \t\r\n\v\f")).digest()
