"""The report of one graded submission: this tree is `report.json`, format 1, key by key and in this order.

A judgement is converted to it once. Everything that displays, exports, compares or explains a result reads this form
alone. All texts can be shown as they are: escaped, printable, and truncated with a remark where they were long. Points
are rounded to two places. Most of a report is output of programs. `without_outputs` removes it, so that the reports of
a whole class fit into memory.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from grader.core.model.execution import Measurement, RoleEnd, Speaker
from grader.core.model.judgement import CauseKind, Contrast, SandboxInfo, Verdict
from grader.core.model.limits import Limits
from grader.core.model.source_findings import Spot
from grader.core.model.submission import FailedRepair, Finding


class ReportedSpec(msgspec.Struct, frozen=True, kw_only=True):
    """The spec by which a submission was graded."""

    id: str
    title: str
    digest: str
    seed: str | msgspec.UnsetType = msgspec.UNSET
    """the digest of the seed of generated inputs; omitted when no secret is part of it"""


class ReportedSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """The submission that was graded: its displayed name, and the digest of its content."""

    id: str
    digest: str
    """empty when the submission could not be read"""


class ReportedBuild(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the build; without a command there was nothing to build."""

    ok: bool
    command: str = ""
    log: str = ""
    message: str = ""
    """one sentence with the first compiler error; empty when the build succeeded"""
    time: float = 0.0
    repair: "ReportedRepair | msgspec.UnsetType" = msgspec.UNSET
    """the repair of a submission that could not be built or started; the other fields then describe the repaired one"""
    tried: tuple[FailedRepair, ...] | msgspec.UnsetType = msgspec.UNSET
    """the repairs that were tried and did not help; not there when there is none"""


class ReportedRepair(msgspec.Struct, frozen=True, kw_only=True):
    """A repair that the spec allows and that was applied, or several that were combined."""

    name: str
    """of several repairs their names, with " + " between them"""
    message: str
    """one sentence: what was repaired, and what it costs"""
    keeps: float
    """the share of its credit, from 0 to 1, that each case keeps that needs the build"""
    costs: float
    """the points that are deducted from the total"""
    command: str
    log: str
    time: float
    names: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """the names of several repairs, in the order in which they were made; not there for one"""


class ReportedOnTop(msgspec.Struct, frozen=True, kw_only=True):
    """Points in the score that belong to no test."""

    kind: str
    """the repair's name, `missing-file` or `adjustment`"""
    message: str
    points: float
    """negative when they are deducted"""


class ReportedDeviation(msgspec.Struct, frozen=True, kw_only=True):
    """A deviation, and the share of the credit that remains."""

    kind: str
    stream: Literal["stdout", "stderr", "exit", "files", "call", "build", "source", "memory"]
    message: str
    """a sentence; further lines are a drawing, such as a board"""
    keeps: float
    counted_in: str | msgspec.UnsetType = msgspec.UNSET
    """the test that is charged for it, when it is charged only once and not here; omitted otherwise"""

    @property
    def sentence(self) -> str:
        """The message without the drawing."""
        return self.message.partition("\n")[0]

    @property
    def drawing(self) -> str:
        """The lines that illustrate the sentence; usually empty."""
        return self.message.partition("\n")[2]


class ReportedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of a dialogue."""

    time: float
    """seconds since the start"""
    who: Speaker
    role: str | msgspec.UnsetType = msgspec.UNSET
    """the name of the program whose stream it is, where several run at the same time; omitted for a single one"""
    stream: Literal["stdin", "stdout", "stderr"]
    text: str
    """a key by its name, `[ctrl-d]`"""


class ReportedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a case that is run several times."""

    on: Literal["pipe", "terminal"]
    verdict: Verdict
    credit: float
    message: str
    time: float | None = None
    """seconds on the wall"""


class ReportedSmallest(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest known input on which the program fails in the same way as in a case."""

    command: str
    stdin: str = ""
    message: str
    """one sentence: what is wrong with that input"""


class ReportedInput(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a program in a case; each text can be shown as it is."""

    args: tuple[str, ...] = ()
    stdin: str = ""
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    """name -> content of each file that was put into the working folder"""


class ReportedCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case: its judgement and the facts of its run; the facts are None when nothing ran."""

    id: str
    verdict: Verdict
    credit: float
    weight: float | msgspec.UnsetType = msgspec.UNSET
    """how much it counts in its test, in proportion to the others; omitted where that is 1"""
    command: str
    """a POSIX shell command that repeats the case in a copy of the submission, with its files and input"""
    message: str
    """one sentence: what is wrong; empty when nothing is"""
    cause: CauseKind | msgspec.UnsetType = msgspec.UNSET
    """the kind of the submission's cause, where it decides this case; omitted in all other cases"""
    input: ReportedInput | msgspec.UnsetType = msgspec.UNSET
    """the input of the program; omitted when there is none, and for calls of functions"""
    deviations: tuple[ReportedDeviation, ...] = ()
    exit: Mapping[str, int | None] | None = None
    """`{"status": 1}` or `{"signal": 11}`; both when they cannot be told apart: `{"status": 139, "signal": 11}`"""
    limit: str | None = None
    """the name of the limit that the run exceeded"""
    limits: Limits | None = None
    """the limits of the run"""
    roles: tuple[RoleEnd, ...] | msgspec.UnsetType = msgspec.UNSET
    """where several programs ran at the same time, how each of them ended and what it used; time, cpu and memory of
    the case are then the most of any. Omitted for a single one."""
    time: float | None = None
    """seconds on the wall"""
    cpu: float | None = None
    memory: int | None = None
    """peak resident memory in bytes"""
    measured: tuple[Measurement, ...] | msgspec.UnsetType = msgspec.UNSET
    """all measurements of the case, in order; the last one counts. Omitted when there was only one."""
    watched: Measurement | msgspec.UnsetType = msgspec.UNSET
    """the measurement of the run under a memory checker; omitted when there was none"""
    runs: tuple[ReportedRun, ...] | msgspec.UnsetType = msgspec.UNSET
    """the results of a case that is run several times, in order; the other facts are those of the run that counts"""
    stdout: str | None = None
    stderr: str | None = None
    screen: bool | msgspec.UnsetType = msgspec.UNSET
    """true when `stdout` is the screen of a terminal, with both streams; omitted otherwise"""
    transcript: tuple[ReportedTurn, ...] | None = None
    likeness: str = ""
    """equal for outputs that differ only in blanks; empty for a case that passed or never ran"""
    expected_stdout: str | None = None
    """None when the stream is not compared with a text"""
    expected_stderr: str | None = None
    values: tuple[Contrast, ...] = ()
    spots: tuple[Spot, ...] | msgspec.UnsetType = msgspec.UNSET
    """the first faults in the source; omitted when there are none"""
    smallest: ReportedSmallest | msgspec.UnsetType = msgspec.UNSET
    """the smallest failing input, for the first case with each cause; omitted when none was found"""

    @property
    def counts(self) -> float:
        """How much it counts in its test, in proportion to the others."""
        return 1.0 if self.weight is msgspec.UNSET else self.weight


class ReportedTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test; `score` is None when one of its cases is ungraded."""

    __test__ = False

    name: str
    points: float
    score: float | None
    verdict: Verdict
    visibility: Literal["visible", "hidden", "after-due"] = "visible"
    bonus: bool = False
    about: str = ""
    hint: str = ""
    note: str | msgspec.UnsetType = msgspec.UNSET
    """how many cases are right and which share of the points that gives, where it goes by steps; omitted otherwise"""
    cases: tuple[ReportedCase, ...] = ()


class ReportedCause(msgspec.Struct, frozen=True, kw_only=True):
    """The one cause of a submission, which comes before all tests: of points lost, it explains the most."""

    kind: CauseKind
    message: str
    """one sentence, as in the first case that it decides"""
    tests: tuple[str, ...]
    """the names of the tests with a case that it decides, in their order, also of hidden ones"""


class Lateness(msgspec.Struct, frozen=True, kw_only=True):
    """How late a submission was, and the penalty on its graded score."""

    due: str
    """the deadline as the course wrote it, with its time zone"""
    submitted: str
    """in the same time zone; empty when unknown"""
    days: int
    """the days late that count; a started day is a whole one"""
    takes: float
    """the share of the graded score that is deducted, from 0 to 1"""
    message: str
    points: float = 0.0
    """the penalty in points: 0 or less"""
    free: int | msgspec.UnsetType = msgspec.UNSET
    """how many of the days cost nothing, where the course has free late days"""

    @property
    def free_days(self) -> int:
        """How many free late days this takes."""
        return self.free or 0


class ByHand(msgspec.Struct, frozen=True, kw_only=True):
    """A manual change of a grade. An `adjustment` of a spec is something else: it changes the submission."""

    why: str
    test: str = ""
    """the name of the test; empty for the whole submission"""
    points: float | None = None
    """the points that are added to the score; None when none are"""
    graded: float | None = None
    """the graded points at the time of the change; None when there were none, or they were not recorded"""
    changed: str = ""
    """a sentence, when the graded points have changed since then"""
    score: float | msgspec.UnsetType = msgspec.UNSET
    """the points of the test, or of the whole, in place of the graded ones; omitted when it gives none"""
    excused: bool | msgspec.UnsetType = msgspec.UNSET
    """true when the student is excused, and so has no score; omitted otherwise"""
    file: str | msgspec.UnsetType = msgspec.UNSET
    """the file of the submission that a comment is about; omitted when it is about none"""
    line: int | msgspec.UnsetType = msgspec.UNSET
    """the line of that file, from 1; omitted when it is about no line"""
    code: str | msgspec.UnsetType = msgspec.UNSET
    """the text of that line when the comment was written; omitted when it was not recorded"""
    item: str | msgspec.UnsetType = msgspec.UNSET
    """the id of the rubric item that this is; omitted when it is none"""


class ReportedFinal(msgspec.Struct, frozen=True, kw_only=True):
    """The score after lateness and then manual changes."""

    score: float | None
    """None when something is neither graded nor decided by hand, and for an excused student"""
    late: Lateness | msgspec.UnsetType = msgspec.UNSET
    by_hand: tuple[ByHand, ...] = ()

    @property
    def is_excused(self) -> bool:
        """Whether the student is excused: there is no score, and none is missing."""
        return any(one.excused for one in self.by_hand)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is reported about one graded submission."""

    format: int
    grader: str
    """the version that graded it"""
    spec: ReportedSpec
    submission: ReportedSubmission
    verdict: Verdict
    score: float | None
    """the graded score; None when something is ungraded"""
    max_score: float
    sandbox: SandboxInfo
    toolchain: Mapping[str, str]
    """the tools' names -> their versions, as they print them"""
    findings: tuple[Finding, ...] = ()
    build: ReportedBuild
    cause: ReportedCause | msgspec.UnsetType = msgspec.UNSET
    """why the program could not be read, built or started, or crashed; omitted when it did not"""
    tests: tuple[ReportedTest, ...] = ()
    on_top: tuple[ReportedOnTop, ...] | msgspec.UnsetType = msgspec.UNSET
    """the points that belong to no test; omitted when there are none"""
    final: ReportedFinal | msgspec.UnsetType = msgspec.UNSET
    """lateness and manual changes; omitted when there are none"""

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
    """Return the report without the inputs, outputs and expected outputs of programs.

    Values that many reports share, such as commands, are stored once, in `known`, so that a class needs less memory.
    """
    known = {} if known is None else known
    left: dict[str, Any] = dict.fromkeys(
        ("limits", "stdout", "stderr", "transcript", "expected_stdout", "expected_stderr")
    )

    def once(record: msgspec.Struct, *names: str) -> dict[str, Any]:
        values = {name: getattr(record, name) for name in names}
        return {name: known.setdefault(msgspec.json.encode(value), value) for name, value in values.items()}

    tests = [
        replace(
            test,
            **once(test, "name", "about", "hint"),
            cases=tuple(
                replace(
                    case,
                    **once(case, "id", "command", "message", "deviations", "exit", "likeness"),
                    input=msgspec.UNSET,
                    values=(),
                    **left,
                )
                for case in test.cases
            ),
        )
        for test in report.tests
    ]
    return replace(report, **once(report, "spec", "sandbox", "toolchain", "findings"), tests=tuple(tests))
