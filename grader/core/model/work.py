"""What is done with a submission: staging, building, running. Facts only, and no opinion."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.model.layout import Repair, RequiredFile
from grader.core.model.limits import LimitOverrides, Limits
from grader.core.model.spec import Step

if TYPE_CHECKING:
    from grader.kinds.functions.model import Calls
    from grader.kinds.memory_clean.model import Watched
    from grader.kinds.unit_tests.model import UnitRun


LARGE_OUTPUT_BYTES = 64 * 1024
"""bytes: when a pattern, a check or the judge fails on more than this, whoever printed so much is the cause"""

SIGNAL_STATUS: Final = 128
"""shells and bubblewrap tell of a signal by a status of this and its number"""
MAX_NAMES = 20_000
"""files of a working folder that are looked at after a run"""


class Hello(Struct, frozen=True, kw_only=True):
    """A small program that shows whether a toolchain works: built and run, it prints the word `hello`."""

    files: Mapping[str, str]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    """none when there is nothing to build"""


LANGUAGES = (
    "java",
    "python",
    "c",
    "cpp",
    "prolog",
    "shell",
    "javascript",
    "typescript",
    "go",
    "rust",
    "csharp",
    "kotlin",
    "ruby",
    "haskell",
    "ocaml",
    "lua",
    "perl",
    "pascal",
    "r",
    "fortran",
    "bash",
    "sql",
)
"""those of `build/toolchains.yaml`; a course can have others"""

Permission = Literal["shared-memory", "tracing"]
"""What a sandbox refuses, unless the language teaches it: System V shared memory; ptrace, also for what finds leaks"""


MemoryTool = Literal["valgrind"]


class Toolchain(Struct, frozen=True, kw_only=True):
    """A language as data: how its programs are started and recognised. Read from `build/toolchains.yaml`."""

    name: str
    title: str = ""
    """how people write it, where that is not the name with a capital letter: `C#`"""
    like: str = ""
    """another language, which it is like in all that is not said of it"""
    version: tuple[str, ...] = ()
    """the command that tells the version; its first line of output is shown"""
    package: str = ""
    """the Debian package to install when it is missing"""
    show: tuple[str, ...] = ()
    """what a sandbox has to show of the machine beside /usr: absolute paths, or globs"""
    permits: tuple[Permission, ...] = ()
    """what its programs may do beyond what a sandbox allows to all"""
    memory_tool: MemoryTool | None = None
    """what can watch how its programs handle memory"""
    hello: Hello | None = None
    interpreter: str = ""
    """the program to which `start` and `start_short` belong"""
    starters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """how a file that is no program by itself is started: its suffix -> what stands before its name"""
    env: Mapping[str, str] = field(default_factory=dict)
    """what its programs have in their environment, unless a case says otherwise"""
    limits: LimitOverrides = field(default_factory=dict)
    build_limits: LimitOverrides = field(default_factory=dict)
    reserves: int = 0
    """bytes that its runtime reserves and does not use; with less than that it may not come up"""
    build_env: Mapping[str, str] = field(default_factory=dict)
    start: tuple[str, ...] = ()
    """options put behind the interpreter's name; `{heap}` is the memory limit's share for the heap, in MiB"""
    start_short: tuple[str, ...] = ()
    """further options for a case with less than `short` seconds of CPU time; they make it faster, and never count"""
    short: float = 0.0
    crash: tuple[str, ...] = ()
    """regular expressions; one that matches standard error is an uncaught exception"""
    unreadable: tuple[str, ...] = ()
    """the same for a program that is not in the language; groups `error`, `file`, `line` and, where told, `source`"""
    cannot_start: tuple[str, ...] = ()
    """the same for a program that is not there as it has to be, so that nothing of it ever ran"""
    no_main: tuple[str, ...] = ()
    """the same for a program with nothing to start; group `name` is what lacks it"""
    no_class: tuple[str, ...] = ()
    """the same for a program that is not there under its name; group `name` is that"""
    end_of_input: tuple[str, ...] = ()
    """the same for an exception that comes of reading more input than there is"""
    frames: tuple[str, ...] = ()
    """the same for the lines of the program that an exception tells of; groups `file`, without folders, and `line`"""
    frames_inwards: bool = False
    """whether the innermost of these comes last"""
    out_of_memory: tuple[str, ...] = ()
    """the same for memory that ran out"""
    out_of_stack: tuple[str, ...] = ()
    """the same for a stack that did; how deep that is may depend on `start_short`"""
    errors: tuple[str, ...] = ()
    """the same, of a build's log, for an error that its compiler found; groups `error`, `file` and `line`"""
    noise: tuple[str, ...] = ()
    """regular expressions of lines that the toolchain itself adds to a build's log"""
    template: Mapping[str, Any] = field(default_factory=dict)
    """what `grader new` starts from, of a language of the course's own; the others have files in `author/templates/`"""

    @property
    def called(self) -> str:
        """How people call it."""
        return self.title or self.name[:1].upper() + self.name[1:]


class Submission(Struct, frozen=True, kw_only=True):
    """What a student handed in: a folder or an archive. `id` is its name, which may hold anything a file name may."""

    id: str
    path: Path


class Finding(Struct, frozen=True, kw_only=True):
    """Something about a submission that costs nothing by itself but that the student should know."""

    kind: str
    message: str


class Staged(Struct, frozen=True, kw_only=True):
    """A private copy of a submission, after the layout was put right."""

    folder: Path
    digest: str
    """SHA-256 over names and contents as they were handed in, hexadecimal"""
    findings: tuple[Finding, ...] = ()
    problem: str | None = None
    """why it cannot be built or run, in one sentence; None when it can"""
    is_readable: bool = True
    """False where nobody can read what was handed in: that is the problem then, and there is nothing to grade"""
    missing: tuple[RequiredFile, ...] = ()
    """what is required and not there; where that is not all that is wrong, nothing"""


class BuildResult(Struct, frozen=True, kw_only=True):
    """How the build went. A submission with nothing to build is `ok` with no command."""

    ok: bool
    command: str = ""
    log: bytes = b""
    """standard output and standard error of the build, cut to a stated length"""
    message: str = ""
    """for a failure: one sentence with the first compiler error"""
    is_readable: bool = True
    """False where it failed because nobody can read what was handed in"""
    time: float = 0.0
    limit: "LimitName | None" = None
    """the limit at which it was ended"""
    repaired: "Repaired | None" = None
    """what was done for work that could not be built or started; all else is about the work as it was handed in"""


class Repaired(Struct, frozen=True, kw_only=True):
    """A repair that was made, and how the build went with it."""

    repair: Repair
    message: str
    """what was repaired and what that costs, in one sentence"""
    command: str
    log: bytes
    time: float


class Artifact(Struct, frozen=True, kw_only=True):
    """What can be run: a folder of files, each case gets a fresh copy. Exists also when the build failed."""

    folder: Path
    build: BuildResult
    handed_in: Path | None = None
    """where the work was repaired: the same without the repair"""


class Launch(Struct, frozen=True, kw_only=True):
    """A request to run one command in a sandbox: what to start, with what around it, within which limits."""

    argv: tuple[str, ...]
    plain: tuple[str, ...] = ()
    """the same without options of ours that only make it faster; empty when there are none"""
    exhausted: tuple[str, ...] = ()
    """regular expressions; what matches on standard error ended for want of room, which such options may change"""
    folder: Path | None = None
    """its files are copied into the working folder"""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """further files for the working folder, over those of `folder`"""
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    permits: tuple[Permission, ...] = ()
    """what the sandbox is not to refuse"""
    terminal: bool = False
    dialogue: tuple[Step, ...] = ()
    """held with the command instead of giving it `stdin`"""
    interactor: "Launch | None" = None
    """what speaks with the command, in a sandbox of its own, instead of giving it `stdin`"""
    afterwards: bool = False
    """whether what is the interactor only reads what the command wrote, when that has ended; it is given `stdin`"""
    passes: int = 1
    """how often the command may be started, each time with what the interactor left for the next"""
    screen: bool = False
    """whether standard error goes where standard output does, in the order in which it is written"""
    tool: tuple[str, ...] = ()
    """what is put in front of `argv` and tells us of the command; `{report}` is the descriptor through which it does"""
    limits: Limits = field(default_factory=Limits)
    reserved: int = 0
    """bytes that it may reserve beyond what it uses: stacks of threads, say; `limits` bounds what is resident"""
    max_time_factor: float = 3.0
    """how many times its time it may take at most, if it waits for a processor all the rest"""
    list_files: bool = False
    """whether the names of the files in the working folder afterwards are wanted"""
    collect: tuple[str, ...] = ()
    """globs: files whose content is brought back after the run, regular files only"""
    collect_limit: int = 64 * 2**20
    """bytes brought back, all files together"""


LimitName = Literal["time", "cpu", "memory", "output", "processes"]


class Measurement(msgspec.Struct, frozen=True, kw_only=True):
    """What one run of a case took, where it was run more than once."""

    time: float
    """seconds on the wall"""
    cpu: float
    waited: float
    """seconds of `time` in which it could have run and had no processor"""
    limit: LimitName | None = None
    """the limit at which it was ended: of time, a first run with options of ours has half"""


class Turn(Struct, frozen=True, kw_only=True):
    """One turn of a dialogue: what was said, by whom (`stdin` is the grader), and when."""

    time: float
    """seconds since the start, of its first byte"""
    stream: Literal["stdin", "stdout", "stderr"]
    text: bytes
    """as it was sent or written, long ones cut in the middle; empty for the end of the input"""


class FailedStep(Struct, frozen=True, kw_only=True):
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
    cpu_starved: bool = False
    """whether it had too little of the processors meanwhile to tell anything"""


INTERACTOR_ACCEPTS, INTERACTOR_REFUSES = 42, 43
"""the statuses with which an interactor ends when the program is right or wrong: those of Kattis' problem packages"""


class Interaction(Struct, frozen=True, kw_only=True):
    """What the program on the other side came to, and how the two parted. Facts only."""

    status: int | None = None
    """its exit status; None when it was ended"""
    limit: LimitName | None = None
    """the limit at which it was ended"""
    said: bytes = b""
    """its standard error"""
    feedback: Mapping[str, bytes] = field(default_factory=dict)
    """the files that it left in its folder `feedback`, by their names in there"""
    first: Literal["program", "interactor", ""] = ""
    """who ended first; empty when neither did, so that both were ended"""
    waiting: bool = False
    """whether each waited for the other, until the program's input was ended"""
    late: bytes = b""
    """the first of what the program passed on only then"""
    passes: int = 1
    """how often the program was started"""
    afterwards: bool = False
    """whether it had only read what the program wrote, which had ended"""


class CaseFacts(Struct, frozen=True, kw_only=True):
    """What a kind of case has found out of a run, beside what is known of every run."""

    @property
    def lacking(self) -> str:
        """What the case asks for and is not there at all, such as a function; empty when all is."""
        return ""

    @property
    def is_mute(self) -> bool:
        """Whether the facts show no sign of the program, such as an exception."""
        return True

    @property
    def further_run(self) -> "Execution | None":
        """The further run of which the facts are; None where they are of the run itself."""
        return None

    @property
    def outcome(self) -> object:
        """What the run came to, by which one cause is told from another; None where the streams say all."""
        return None

    @property
    def size(self) -> int:
        """Bytes of it that count as written by the program."""
        return 0


class Execution(Struct, frozen=True, kw_only=True):
    """What happened when a command ran. Facts only."""

    stdout: bytes = b""
    stderr: bytes = b""
    status: int | None = None
    """exit status, or None when a signal ended it"""
    signal: int | None = None
    by_status: bool = False
    """whether only a status of 128 and its number tells of the signal, with which a command can end by itself too"""
    limit: LimitName | None = None
    """the limit at which it was ended"""
    limits: Limits = field(default_factory=Limits)
    """the limits it had"""
    time: float = 0.0
    """seconds on the wall"""
    cpu: float = 0.0
    waited: float = 0.0
    """seconds of `time` in which it could have run and had no processor, as far as one can tell"""
    cpu_starved: bool = False
    """whether it was stopped at the limit of `time`, or a step of its dialogue, for want of processors

    That says nothing about it.
    """
    killed_by_host: bool = False
    """whether the kernel killed it for want of memory, while it had less than it may: that says nothing about it"""
    measured: tuple[Measurement, ...] = ()
    """all runs in order, when there were several; this is the last"""
    memory: int = 0
    """bytes, the most that was resident at a time"""
    names: tuple[str, ...] = ()
    """if asked for: paths of the files in the working folder afterwards, sorted; folders end with `/`

    More than `MAX_NAMES` when there are still others.
    """
    files: Mapping[str, bytes] = field(default_factory=dict)
    """contents of those that were to be collected"""
    transcript: tuple[Turn, ...] = ()
    """of a dialogue or an interaction, for people: the streams have it all"""
    stop: FailedStep | None = None
    """where a dialogue stopped; None when it went to its end"""
    asked: bool = False
    """of a dialogue: whether the command waited for more input than there was, and ended or went on without"""
    left: tuple[int, int] | None = None
    """bytes of `stdout` and `stderr` when it waited for more after the last step, and its input was ended; or None"""
    interaction: Interaction | None = None
    """where an interactor spoke with it: what that came to; the `transcript` is of both"""
    screen: bool = False
    """whether `stdout` is all that it wrote, to either stream, and `stderr` is empty for that"""
    facts: CaseFacts | None = None
    """what the kind of the case has found out of the run: what calls of functions came to, or a unit test"""
    reported: Mapping[int, bytes] = field(default_factory=dict)
    """process -> what a tool in front of the command told of it, in the order in which they began"""
    also: Mapping[str, CaseFacts] = field(default_factory=dict)
    """the name of a kind that asks something more of the same run -> what it found out"""

    @property
    def calls(self) -> "Calls | None":
        """Return what calls of functions came to; None where there were none."""
        return cast("Calls", self.facts) if type(self.facts).__name__ == "Calls" else None

    @property
    def unit(self) -> "UnitRun | None":
        """Return what came of a method of a unit test; None where there was none."""
        return cast("UnitRun", self.facts) if type(self.facts).__name__ == "UnitRun" else None

    @property
    def watched(self) -> "Watched | None":
        """Return what came of the run in which the memory was watched; None where there was none."""
        return cast("Watched | None", self.also.get("memory-clean"))

    @property
    def is_inconclusive(self) -> bool:
        """Whether the machine lacked so much that nothing is known of the command."""
        return self.cpu_starved or self.killed_by_host

    @property
    def complaints(self) -> bytes:
        """Where a program says what went wrong: standard error, or what has that in it too."""
        return self.stdout if self.screen else self.stderr

    @property
    def shell_exit_status(self) -> int | None:
        """The status as a shell tells it, which is one for a signal too."""
        return self.status if self.signal is None else SIGNAL_STATUS + self.signal

    @property
    def size(self) -> int:
        """Bytes that it wrote and left behind, with what its calls came to written out."""
        facts = self.facts.size if self.facts else 0
        return len(self.stdout) + len(self.stderr) + sum(map(len, self.files.values())) + facts

    @property
    def bare(self) -> "Execution":
        """How it ended and what it took, without anything that it wrote or left behind."""
        return replace(self, stdout=b"", stderr=b"", names=(), files={}, transcript=(), facts=None, reported={})

    @property
    def truncated_to_script_end(self) -> "Execution":
        """The same as if it had been let alone when all steps of its dialogue were done, and it waited for more."""
        if self.left is None:
            return self
        stdout, stderr = self.stdout[: self.left[0]], self.stderr[: self.left[1]]
        end = max(
            (place for place, turn in enumerate(self.transcript) if turn.stream == "stdin" and not turn.text),
            default=None,
        )
        told = replace(self, stdout=stdout, stderr=stderr, status=0, signal=None, limit=None, left=None)
        return replace(told, cpu_starved=False, killed_by_host=False, transcript=self.transcript[:end])


Runner = Callable[[Launch], Execution]
"""Runs one command; raises `HostError` when the sandbox, not the command, failed."""
