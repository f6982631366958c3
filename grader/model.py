"""Every type that crosses a boundary between the stages. Standard library only; nothing here does anything.

Fact, judgement and report are three things: an `Execution` says what happened and has no opinion, a `CaseResult`
judges it, a `Report` tells it. Program output stays `bytes` until a reporter shows it. Records are frozen: a change
makes a new one. Credits and points are exact fractions; they are rounded once, when shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

LANGUAGES = ("java", "python", "c", "cpp", "prolog", "shell")

DEVIATIONS = (
    "final-newline",
    "line-endings",
    "trailing-space",
    "leading-space",
    "inner-space",
    "blank-lines",
    "letter-case",
    "wrong-stream",
    "split-streams",
    "order",
    "duplicates",
    "extra-lines",
    "missing-lines",
    "prompt",
    "zero-based",
    "one-based",
    "reversed",
    "transposed",
    "wrong-count",
    "wording",
    "exit-status",
    "unflushed",
    "wrong",
)
"""The names of deviations, as the specification language fixes them."""

KEYS: Mapping[str, bytes] = {
    "enter": b"\n",
    "space": b" ",
    "tab": b"\t",
    "backspace": b"\x7f",
    "escape": b"\x1b",
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "right": b"\x1b[C",
    "left": b"\x1b[D",
    "ctrl-c": b"\x03",
    "ctrl-d": b"\x04",
    "ctrl-z": b"\x1a",
}
"""The keys of a terminal that have a name, and what they send (ECMA-48; the line discipline, termios(3))."""


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
    UNGRADED = "ungraded"


# ---------------------------------------------------------------- the contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one execution may use. A key that a spec leaves out has the toolchain's value."""

    time: float = 10.0
    """seconds on the wall"""
    cpu: float = 10.0
    """seconds of processor time, of all its processes together"""
    memory: int = 512 * 2**20
    """bytes resident, of all its processes together"""
    output: int = 8 * 2**20
    """bytes on standard output and standard error, each"""
    processes: int = 64
    """processes and threads at one time"""


LimitOverrides = Mapping[str, float]
"""Some of the keys of `Limits`, in seconds, bytes and counts, laid over the defaults."""

Tolerances = Mapping[str, Fraction]
"""Deviation name -> the share of the credit it leaves, 0 to 1; what is not named leaves nothing."""

Comparator = Literal["text", "contains", "regex", "lines", "tokens", "numbers", "check", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What one stream (or file) is expected to hold: a comparator and what it compares with."""

    how: Comparator
    want: tuple[str, ...] | None = None
    """the literal values (`text` and `regex` have one); None stands for the reference's output"""
    ordered: bool = True
    """`lines` only: whether the order counts"""
    tolerance: float = 0.0
    """`numbers` only: the absolute difference allowed"""
    function: str = ""
    """`check` only: the instructor's function, `reference/checks.py:boards`; `want` is empty then"""
    options: Mapping[str, str] = field(default_factory=dict)
    """`check` only: what the function is called with beside the output"""


Check = Callable[[bytes], None]
"""An instructor's function with its options: returns when an output is right, raises `Wrong` when it is not.

Raises `HostError` when the function itself is at fault.
"""
Checks = Callable[[Expected], Check]
"""Makes the check of an expectation ready to be called; raises `HostError` when there is no such function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedFiles:
    """What the working folder is expected to hold after the run. Names may be globs in `present` and `absent`."""

    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    same: Mapping[str, str | None] = field(default_factory=dict)
    """name -> its text; None stands for the file of that name after the reference's run"""


ExpectedExit = Literal["any", "success", "failure", "reference"] | tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """All that a case is held against. A stream that is None is not checked."""

    stdout: Expected | None = None
    stderr: Expected | None = None
    exit: ExpectedExit = "any"
    files: ExpectedFiles | None = None

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        streams = [stream for stream in (self.stdout, self.stderr) if stream is not None and stream.how != "any"]
        same = self.files.same.values() if self.files else ()
        return self.exit == "reference" or any(s.want is None for s in streams) or any(v is None for v in same)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a dialogue: wait for a text, a pattern or the end of the output, or send a line or a key."""

    do: Literal["expect", "regex", "send", "key", "eof"]
    text: str = ""
    """what to wait for; the line, without its newline; the key, by its name or itself; empty for `eof`"""
    within: float | None = None
    """seconds to wait; None for what is left of the case's time"""


Value = Any
"""What a function is given or returns: None, bool, int, float, str, a tuple of such, or one of the two types below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """Stands among the arguments of a further call for the very object that the main call gets at a position."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque:
    """A value of which only the type is known: no plain data, or far too much of it."""

    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a function: its type, such as `int[][]` (empty in Python), and its name."""

    type: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The heading of a function that an assignment prescribes."""

    text: str
    """as it was written, on one line"""
    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    """the type, empty in Python"""
    static: bool = False
    """whether it has to be static; else it may be"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCall:
    """One call of a student's function, or the setting of a field: that is a function with one parameter."""

    signature: Signature
    args: tuple[Value, ...] = ()
    sets: bool = False
    """whether a field of that name is set, or in Python a variable of the module, and nothing is called"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedValue:
    """A value that is expected: `want`, the one that the reference comes to, or any text that a comparator takes."""

    want: Value = None
    reference: bool = False
    text: Expected | None = None
    """how a text is compared, where it need not be equal to one"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One list of arguments among those that a function of the instructor draws from a seeded generator."""

    function: str
    """`reference/generators.py:placements`"""
    seed: str
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCase:
    """Calls in a fresh process instead of a command. What `call` prints is held against the case's `stdout`."""

    within: str
    """the Java class or the Python module"""
    call: FunctionCall
    draw: Draw | None = None
    """where the arguments of `call` come from, until they are drawn"""
    before: tuple[FunctionCall, ...] = ()
    then: tuple[FunctionCall, ...] = ()
    any_case: bool = False
    """whether names match in any letter case"""
    returns: ExpectedValue | None = None
    """what `call` has to return; None when that is not checked"""
    args: Mapping[int, ExpectedValue] = field(default_factory=dict)
    """position -> what that argument of `call` has to be after the last of the calls"""
    raises: str = ""
    """the exception that `call` has to end with, by its name; `any`; `reference`: one exactly if the reference does"""

    @property
    def calls(self) -> tuple[FunctionCall, ...]:
        """All calls, in the order in which they are made."""
        return (*self.before, self.call, *self.then)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One execution with its expectations; everything the test and the spec say is already laid under it."""

    id: str
    """`usage[2]` (counted from 1), `count[n=8]`, or the test's name when it has one case"""
    args: tuple[str, ...] = ()
    command: tuple[str, ...] | None = None
    """another command instead of the program"""
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    """files put into the working folder"""
    terminal: bool = False
    dialogue: tuple[Step, ...] = ()
    limits: LimitOverrides = field(default_factory=dict)
    tolerate: Tolerances = field(default_factory=dict)
    expect: Expectation = Expectation()
    functions: FunctionCase | None = None
    """calls of functions instead of the program"""

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        values = (self.functions.returns, *self.functions.args.values()) if self.functions else ()
        raises = self.functions is not None and self.functions.raises == "reference"
        return raises or self.expect.asks_reference or any(value and value.reference for value in values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A named group of cases with points, which its cases share equally unless `all_or_nothing`."""

    __test__ = False  # not a test of pytest's, whatever its name

    name: str
    points: Fraction
    cases: tuple[Case, ...]
    about: str = ""
    bonus: bool = False
    needs: tuple[str, ...] = ()
    visibility: Literal["visible", "hidden", "after-due"] = "visible"
    hint: str = ""
    all_or_nothing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRules:
    """Names or globs of the files of a submission."""

    required: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    """removed before the build, and reported"""
    forbidden: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """How a program is made: commands, one after the other, and the files that they must leave behind."""

    run: tuple[tuple[str, ...], ...]
    produces: tuple[str, ...] = ()
    limits: LimitOverrides = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """The contract of one assignment."""

    id: str
    title: str
    root: Path
    """the course root; paths in the spec are relative to it"""
    digest: str
    """SHA-256 of the file's bytes and of every file that it names, hexadecimal"""
    tests: tuple[Test, ...]
    program: tuple[str, ...]
    reference: tuple[str, ...] | None = None
    language: str = "shell"
    course: str = ""
    source: str = ""
    about: str = ""
    files: FileRules = FileRules()
    build: Build | None = None

    @property
    def max_score(self) -> Fraction:
        """The points of all tests but the bonus ones; fixed before anything runs."""
        return sum((test.points for test in self.tests if not test.bonus), Fraction(0))


# ---------------------------------------------------------------- the work


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """A small program that shows whether a toolchain works: built and run, it prints the word `hello`."""

    files: Mapping[str, str]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    """none when there is nothing to build"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """A language as data: how its programs are started and recognised. Read from `build/toolchains.yaml`."""

    name: str
    version: tuple[str, ...] = ()
    """the command that tells the version; its first line of output is shown"""
    package: str = ""
    """the Debian package to install when it is missing"""
    show: tuple[str, ...] = ()
    """what a sandbox has to show of the machine beside /usr: absolute paths, or globs"""
    hello: Hello | None = None
    interpreter: str = ""
    """the program to which `start` and `start_short` belong"""
    limits: LimitOverrides = field(default_factory=dict)
    build_limits: LimitOverrides = field(default_factory=dict)
    build_env: Mapping[str, str] = field(default_factory=dict)
    start: tuple[str, ...] = ()
    """options put behind the interpreter's name; `{heap}` is the memory limit's share for the heap, in MiB"""
    start_short: tuple[str, ...] = ()
    """further options for a case with less than `short` seconds of CPU time"""
    short: float = 0.0
    crash: tuple[str, ...] = ()
    """regular expressions; one that matches standard error is an uncaught exception"""
    out_of_memory: tuple[str, ...] = ()
    """the same for memory that ran out"""
    noise: tuple[str, ...] = ()
    """regular expressions of lines that the toolchain itself adds to a build's log"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What a student handed in: a folder or an archive. `id` is its name, which may hold anything a file name may."""

    id: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something about a submission that costs nothing by itself but that the student should know."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A private copy of a submission, after the layout was put right."""

    folder: Path
    digest: str
    """SHA-256 over names and contents as they were handed in, hexadecimal"""
    findings: tuple[Finding, ...] = ()
    problem: str | None = None
    """why it cannot be built or run, in one sentence; None when it can"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """How the build went. A submission with nothing to build is `ok` with no command."""

    ok: bool
    command: str = ""
    log: bytes = b""
    """standard output and standard error of the build, cut to a stated length"""
    message: str = ""
    """for a failure: one sentence with the first compiler error"""
    time: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """What can be run: a folder of files, each case gets a fresh copy. Exists also when the build failed."""

    folder: Path
    build: BuildResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A request to run one command in a sandbox: what to start, with what around it, within which limits."""

    argv: tuple[str, ...]
    folder: Path | None = None
    """its files are copied into the working folder"""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """further files for the working folder, over those of `folder`"""
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    terminal: bool = False
    dialogue: tuple[Step, ...] = ()
    """held with the command instead of giving it `stdin`"""
    limits: Limits = Limits()
    survey: bool = False
    """whether the names of the files in the working folder afterwards are wanted"""
    collect: tuple[str, ...] = ()
    """globs: files whose content is brought back after the run, regular files only"""
    collect_limit: int = 64 * 2**20
    """bytes brought back, all files together"""


LimitName = Literal["time", "cpu", "memory", "output", "processes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """An exception that a function, or the loading of its module, ended with."""

    type: str
    """its full name"""
    kinds: tuple[str, ...] = ()
    """the full names of its type and of those that this derives from"""
    message: str = ""
    place: str = ""
    """the innermost line of the student's own, as `Queens.java:12`; empty when there is none"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A function that is asked for and not there; with `call` None, the class or module itself."""

    call: int | None = None
    """its place among the calls, from 0"""
    found: tuple[str, ...] = ()
    """the headings of those with its name; without such, of all others"""
    same_name: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What happened to the calls of a function case, as far as it went."""

    told: bool = True
    """False when the program removed the file in which this is told"""
    loaded: bool = False
    """whether class or module were loaded, of a Python module as much as an exception left"""
    load_error: Raised | None = None
    """what ended the loading"""
    missing: Missing | None = None
    returned: tuple[Value, ...] = ()
    """of each call that returned, in order, what it returned"""
    raised: Raised | None = None
    """what the call after those ended with"""
    args: tuple[Value, ...] | None = None
    """the main call's arguments after the last call that ended; None before it did"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a dialogue: what was said, by whom (`stdin` is the grader), and when."""

    time: float
    """seconds since the start, of its first byte"""
    stream: Literal["stdin", "stdout", "stderr"]
    text: bytes
    """as it was sent or written, long ones cut in the middle; empty for the end of the input"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Where a dialogue stopped, and why."""

    step: Step
    number: int
    """its place in the dialogue, from 1"""
    ended: bool
    """whether the command's output had ended; else the time to wait was over"""
    waited: float
    """seconds spent on this step"""
    before: bytes = b""
    """the last that was written since the step before, of a few hundred bytes"""
    late: bool = False
    """whether this and all that follows came after all the rest had been sent and the input closed"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """What happened when a command ran. Facts only."""

    stdout: bytes = b""
    stderr: bytes = b""
    status: int | None = None
    """exit status, or None when a signal ended it"""
    signal: int | None = None
    limit: LimitName | None = None
    """the limit at which it was ended"""
    limits: Limits = Limits()
    """the limits it had"""
    time: float = 0.0
    """seconds on the wall"""
    cpu: float = 0.0
    memory: int = 0
    """bytes, the most that was resident at a time"""
    names: tuple[str, ...] = ()
    """if asked for: paths of the files in the working folder afterwards, sorted; folders end with `/`"""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """contents of those that were to be collected"""
    transcript: tuple[Turn, ...] = ()
    """of a dialogue, for people: the streams have it all"""
    stop: Stop | None = None
    """where a dialogue stopped; None when it went to its end"""
    asked: bool = False
    """of a dialogue: whether the command waited for more input than there was, and ended or went on without"""
    calls: Calls | None = None
    """for calls of functions; `stdout` is then what the main call printed"""


Runner = Callable[[Launch], Execution]
"""Runs one command; raises `HostError` when the sandbox, not the command, failed."""


# ---------------------------------------------------------------- the judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """A named way in which output differs from what was expected, and the share of the credit that it leaves."""

    kind: str
    stream: Literal["stdout", "stderr", "exit", "files", "call"]
    message: str
    keeps: Fraction = Fraction(0)
    drawing: str = ""
    """lines that show what the message says, such as a board; kept as they are"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One expectation held against the facts: no deviations, and it holds."""

    deviations: tuple[Deviation, ...] = ()

    @property
    def credit(self) -> Fraction:
        """The product of what the deviations leave."""
        credit = Fraction(1)
        for deviation in self.deviations:
            credit *= deviation.keeps
        return credit


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A value that is not what was expected, and the expected one, both written out in lines."""

    name: str
    """what it is: "returned value", "argument `B`\" """
    expected: bytes
    actual: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The judgement of one case, with the facts behind it."""

    id: str
    verdict: Verdict
    credit: Fraction
    command: str
    """the command to repeat it by hand, quoted for a shell"""
    message: str = ""
    """what is wrong, in one sentence; empty when nothing is"""
    deviations: tuple[Deviation, ...] = ()
    execution: Execution | None = None
    """None when nothing ran"""
    expected_stdout: bytes | None = None
    """None when the stream is not checked, or not against a text"""
    expected_stderr: bytes | None = None
    contrasts: tuple[Contrast, ...] = ()
    """for calls of functions: the values that are wrong"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test of a report. `score` is exact; None when a case of it is ungraded."""

    __test__ = False

    test: Test
    score: Fraction | None
    verdict: Verdict
    cases: tuple[CaseResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxInfo:
    """The level at which students' programs were confined, and what to know about it."""

    level: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One submission to grade: plain values, so that a thread, a process and another machine are the same thing."""

    spec: Path
    submission: Submission
    sandbox: str = "auto"
    only: tuple[str, ...] = ()
    """names of the tests to run; none means all"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything known about one graded submission."""

    spec: Spec
    submission: Submission
    submission_digest: str
    verdict: Verdict
    score: Fraction | None
    """exact points; None when something is ungraded"""
    max_score: Fraction
    sandbox: SandboxInfo
    toolchain: Mapping[str, str]
    """the tools' names -> what they say of their version"""
    findings: tuple[Finding, ...]
    build: BuildResult
    tests: tuple[TestResult, ...]


VERSION = "0.1.0"
"""The version of the package, as reports name it."""
