"""The report of one graded submission: this tree is `report.json`, format 1, key by key and in this order.

All texts can be shown as they are. `docs/reference/report.md` says what each key means, and when it is omitted.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, cast

import msgspec
from msgspec.structs import replace

from grader.core.model.execution import Measurement, RoleEnd
from grader.core.model.judgement import CauseKind, Contrast, SandboxInfo, Spot, Verdict
from grader.core.model.limits import Limits
from grader.core.model.submission import FailedRepair, Finding


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
    exit: Mapping[str, int | None] | None = None  # `status` or `signal`; both when nobody can tell: 139 and 11
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
        return any(one.excused for one in self.by_hand)


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

    def lean(record: Any, *shared: str, **left: Any) -> Any:
        once = {name: known.setdefault(msgspec.json.encode(one := getattr(record, name)), one) for name in shared}
        return replace(record, **once, **left)

    texts = ("limits", "stdout", "stderr", "transcript", "expected_stdout", "expected_stderr")
    left: dict[str, Any] = {"input": msgspec.UNSET, "values": (), **dict.fromkeys(texts)}
    own = ("id", "command", "message", "deviations", "exit", "likeness")
    tests = (
        lean(test, "name", "about", "hint", cases=tuple(lean(case, *own, **left) for case in test.cases))
        for test in report.tests
    )
    return cast("Report", lean(report, "spec", "sandbox", "toolchain", "findings", tests=tuple(tests)))
