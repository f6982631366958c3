"""The report of one graded submission: this tree is `report.json`, format 1, key by key and in this order.

A judgement is converted to it once; every display, export, comparison or explanation reads nothing else. All texts are
as they may be shown: escaped, printable, and truncated where they were long, which they then say at their end. Points
are rounded to two places. Most of its size is output of programs: `without_outputs` removes that, so that the reports
of a whole class fit into memory.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from grader.core.model.execution import Measurement
from grader.core.model.judgement import SandboxInfo, Verdict
from grader.core.model.limits import Limits
from grader.core.model.submission import Finding

Speaker = Literal["grader", "program"]


class ReportedSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Which contract it was."""

    id: str
    title: str
    digest: str
    seed: str | msgspec.UnsetType = msgspec.UNSET
    """the digest of what was drawn from; not there where no secret is in it"""


class ReportedSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """Which submission it was: its name as it is shown, and its content."""

    id: str
    digest: str
    """empty when it could not be read"""


class ReportedBuild(msgspec.Struct, frozen=True, kw_only=True):
    """How the build went; with no command there was nothing to build."""

    ok: bool
    command: str = ""
    log: str = ""
    message: str = ""
    """for a failure: one sentence with the first compiler error"""
    time: float = 0.0
    repair: "ReportedRepair | msgspec.UnsetType" = msgspec.UNSET
    """what was done where the work could not be built or started as it was handed in; all else here is about that"""
    tried: "tuple[ReportedFailedRepair, ...] | msgspec.UnsetType" = msgspec.UNSET
    """the repairs that were tried and did not help; not there when there is none"""


class ReportedRepair(msgspec.Struct, frozen=True, kw_only=True):
    """What the spec allows to repair and what was repaired: by one repair, or by several together."""

    name: str
    """of several repairs their names, with " + " between them"""
    message: str
    """what was repaired and what that costs"""
    keeps: float
    """share of its credit that a case keeps which needs the build"""
    costs: float
    """points off the whole"""
    command: str
    log: str
    time: float
    names: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """the names of several repairs, in the order in which they were made; not there for one"""


class ReportedFailedRepair(msgspec.Struct, frozen=True, kw_only=True):
    """A repair, or several together, that did not help."""

    names: tuple[str, ...]
    message: str
    """why it did not, in one sentence"""


class ReportedOnTop(msgspec.Struct, frozen=True, kw_only=True):
    """Points that are in the score and in no test."""

    kind: str
    """the repair's name, `missing-file` or `adjustment`"""
    message: str
    points: float
    """less than 0 when they are taken off"""


class ReportedDeviation(msgspec.Struct, frozen=True, kw_only=True):
    """A deviation, and the share of the credit that it leaves."""

    kind: str
    stream: Literal["stdout", "stderr", "exit", "files", "call", "build", "source", "memory"]
    message: str
    """a sentence; on the lines after the first, what is drawn below it, such as a board"""
    keeps: float
    counted_in: str | msgspec.UnsetType = msgspec.UNSET
    """the test in which it is charged, where it is charged once and costs nothing here; else not there"""

    @property
    def sentence(self) -> str:
        """The message without the drawing."""
        return self.message.partition("\n")[0]

    @property
    def drawing(self) -> str:
        """The lines that show what the sentence says; most often empty."""
        return self.message.partition("\n")[2]


class ReportedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of a dialogue."""

    time: float
    """seconds since the start"""
    who: Speaker
    stream: Literal["stdin", "stdout", "stderr"]
    text: str
    """a key by its name, `[ctrl-d]`"""


class ReportedValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a function call that is not what was expected, both written out in lines."""

    name: str
    """what it is: "returned value", "argument `B`\" """
    expected: str
    actual: str


class ReportedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One of the runs of a case of which several were asked for."""

    on: Literal["pipe", "terminal"]
    verdict: Verdict
    credit: float
    message: str
    time: float | None = None
    """seconds on the wall"""


class ReportedSmallest(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest input that was found with which a program fails as it does in a case."""

    command: str
    stdin: str = ""
    message: str
    """what is wrong there, in one sentence"""


class ReportedInput(msgspec.Struct, frozen=True, kw_only=True):
    """What a program is given in a case, each text as it is shown."""

    args: tuple[str, ...] = ()
    stdin: str = ""
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    """name -> content, of what was put into the working folder"""


class ReportedSpot(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the source that is not as it should be."""

    file: str
    line: int
    """from 1"""
    what: str = ""
    """what is there"""
    source: str = ""
    """the line itself"""
    rule: str = ""
    """the name that a tool has for it"""


class ReportedCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case: the judgement, then the facts behind it, which are None when nothing ran."""

    id: str
    verdict: Verdict
    credit: float
    command: str
    """the command to repeat it by hand in a copy of the work, for a POSIX shell: files, input and all"""
    message: str
    """what is wrong, in one sentence; empty when nothing is"""
    input: ReportedInput | msgspec.UnsetType = msgspec.UNSET
    """what it is given; not there when that is nothing, and for functions"""
    deviations: tuple[ReportedDeviation, ...] = ()
    exit: Mapping[str, int | None] | None = None
    """`{"status": 1}` or `{"signal": 11}`; both where it may have been either: `{"status": 139, "signal": 11}`"""
    limit: str | None = None
    """the limit at which it was ended"""
    limits: Limits | None = None
    """the limits it had"""
    time: float | None = None
    """seconds on the wall"""
    cpu: float | None = None
    memory: int | None = None
    """bytes, the most that was resident at a time"""
    measured: tuple[Measurement, ...] | msgspec.UnsetType = msgspec.UNSET
    """all its runs, in order, where there were several; the last one counts. Not there when there was one."""
    watched: Measurement | msgspec.UnsetType = msgspec.UNSET
    """what the run took in which its memory was watched; not there when there was none"""
    runs: tuple[ReportedRun, ...] | msgspec.UnsetType = msgspec.UNSET
    """what its runs came to, in order, where several were asked for; the facts here are those of the one that counts"""
    stdout: str | None = None
    stderr: str | None = None
    screen: bool | msgspec.UnsetType = msgspec.UNSET
    """true where `stdout` is all that it wrote, to either stream, as it stood on the screen; else not there"""
    transcript: tuple[ReportedTurn, ...] | None = None
    likeness: str = ""
    """the same for outputs that are the same up to blanks; empty for a case that passed or never ran"""
    expected_stdout: str | None = None
    """None when the stream is not checked, or not against a text"""
    expected_stderr: str | None = None
    values: tuple[ReportedValue, ...] = ()
    spots: tuple[ReportedSpot, ...] | msgspec.UnsetType = msgspec.UNSET
    """the first places in the source that are not as they should be; not there when there are none"""
    smallest: ReportedSmallest | msgspec.UnsetType = msgspec.UNSET
    """of the first case with one cause, where it was looked for and found"""


class ReportedTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test; `score` is None when a case of it is ungraded."""

    __test__ = False

    name: str
    points: float
    score: float | None
    verdict: Verdict
    visibility: Literal["visible", "hidden", "after-due"] = "visible"
    bonus: bool = False
    about: str = ""
    hint: str = ""
    cases: tuple[ReportedCase, ...] = ()


class Lateness(msgspec.Struct, frozen=True, kw_only=True):
    """How late a submission was, and what that takes from its graded score."""

    due: str
    """as the course wrote it, with its zone"""
    submitted: str
    """in the same zone; empty when unknown"""
    days: int
    """started days that count"""
    takes: float
    """the share of the graded score"""
    message: str
    points: float = 0.0
    """what that is: 0 or less"""


class ByHand(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was decided by hand about what was graded; no adjustment of a spec, which changes the work."""

    why: str
    test: str = ""
    """empty for the whole"""
    points: float | None = None
    """None for a comment"""
    graded: float | None = None
    """what the test, or the whole, had when this was decided; None when that was not written down"""
    changed: str = ""
    """a sentence, where it has something else now"""


class ReportedFinal(msgspec.Struct, frozen=True, kw_only=True):
    """What the graded score became, once lateness and then what was decided by hand were counted."""

    score: float | None
    """None while there is no graded score"""
    late: Lateness | msgspec.UnsetType = msgspec.UNSET
    by_hand: tuple[ByHand, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is reported about one graded submission."""

    format: int
    grader: str
    """the version that graded it"""
    spec: ReportedSpec
    submission: ReportedSubmission
    verdict: Verdict
    score: float | None
    """as it was graded; None when something is ungraded"""
    max_score: float
    sandbox: SandboxInfo
    toolchain: Mapping[str, str]
    """the tools' names -> their versions, as they print them"""
    findings: tuple[Finding, ...] = ()
    build: ReportedBuild
    tests: tuple[ReportedTest, ...] = ()
    on_top: tuple[ReportedOnTop, ...] | msgspec.UnsetType = msgspec.UNSET
    """the parts of the score that belong to no test; omitted when there are none"""
    final: ReportedFinal | msgspec.UnsetType = msgspec.UNSET
    """what came after the grading; not there when nothing did"""

    @property
    def counted(self) -> float | None:
        """The score that counts: the final one, which is the graded one where nothing came after it."""
        return self.final.score if self.final else self.score


def fraction(number: float) -> Fraction:
    """Return the decimal number that was written, exactly: 0.1 is a tenth."""
    return Fraction(repr(number))


def without_outputs(report: Report, known: dict[bytes, Any] | None = None) -> Report:
    """Return the report without what programs were given and wrote, and what they should have written.

    What is the same in many reports, as a command is, is taken from `known` where it is there, and else put into it: so
    a class has it in memory once.
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
