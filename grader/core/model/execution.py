"""A command to run, and what happened when it ran. Facts only."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.model.limits import Limits
from grader.core.model.spec import Role, Step
from grader.core.model.stored_file import read_when_used
from grader.core.model.toolchain import Permission

LARGE_OUTPUT_BYTES = 64 * 1024
"""bytes: when a pattern, a check or the judge fails on more than this, the size of the output is the cause"""
SIGNAL_STATUS: Final = 128
"""shells and bubblewrap report a signal as a status of this plus its number"""
MAX_COLLECTED_BYTES = 64 * 2**20
"""what is brought back of a run, if nothing else is asked for"""
MAX_COLLECTED_FILES = 5000
"""files: so many, and all else of a submission, have room in a working folder, however they fill their pages"""
MAX_NAMES = 20_000
"""files of a working folder that are looked at after a run"""


class SandboxPlace(Struct, frozen=True, kw_only=True):
    """Where a command finds itself at the level `full`, and as whom: no right answer depends on any of it."""

    work: str = "/box"
    home: str = "/home/student"
    user: int = 1000
    name: str = "student"
    host: str = "sandbox"


class Launch(Struct, frozen=True, kw_only=True):
    """A request to run one command in a sandbox: what to start, with what around it, within which limits."""

    argv: tuple[str, ...]
    argv_untuned: tuple[str, ...] = ()
    """the same without options of ours that only make it faster; empty when there are none"""
    preload: str = ""
    """how the Python in `argv` begins, without the submission: one process may run that and fork many commands"""
    oom_patterns: tuple[str, ...] = ()
    """regular expressions; what matches on standard error ended for want of room, which such options may change"""
    folder: Path | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    permits: tuple[Permission, ...] = ()
    terminal: bool = False
    dialogue: tuple[Step, ...] = ()
    interactor: "Launch | None" = None
    roles: tuple[Role, ...] = ()
    """the command is started once for each, and the interactor speaks with all of them; empty for a single start"""
    is_private: bool = False
    """whether no other command that runs meanwhile may see what it leaves in folders that programs share"""
    is_output_validator: bool = False
    """whether the interactor only reads the output of the command, after its end; the command is given `stdin`"""
    closes_at_once: bool = False
    """whether a stream that the command closes before it ends has to be seen as closed by the other side"""
    passes: int = 1
    screen: bool = False
    tool: tuple[str, ...] = ()
    """a tool put in front of `argv` that reports on the command; `{report}` is the descriptor for its report"""
    limits: Limits = field(default_factory=Limits)
    reserved: int = 0
    """bytes that it may reserve beyond what it uses: stacks of threads, say; `limits` bounds what is resident"""
    max_time_factor: float = 3.0
    """how many times its time it may take at most, if it waits for a processor all the rest"""
    list_files: bool = False
    place: SandboxPlace = SandboxPlace()
    collect: tuple[str, ...] = ()
    collect_limit: int = MAX_COLLECTED_BYTES


LimitName = Literal["time", "cpu", "memory", "output", "processes"]


class Measurement(Struct, frozen=True, kw_only=True):
    """What one run of a case took, in seconds."""

    time: float = 0.0
    """on the wall"""
    cpu: float = 0.0
    waited: float = 0.0
    """how much of `time` it could have run and had no processor, as far as one can tell"""
    limit: LimitName | None = None
    """the limit at which it was ended: of time, a first run with options of ours has half"""


class Turn(Struct, frozen=True, kw_only=True):
    """One turn of a dialogue: its text, its stream (`stdin` is the grader), and its time."""

    time: float
    stream: Literal["stdin", "stdout", "stderr"]
    role: str = ""
    text: bytes


class FailedStep(Struct, frozen=True, kw_only=True):
    """Where a dialogue stopped, and why."""

    step: Step
    number: int
    ended: bool
    """whether the command's output had ended of itself; else the time to wait was over"""
    waited: float
    before: bytes = b""
    late: bool = False
    """whether this and all that follows came after all the rest had been sent and the input closed"""
    cpu_starved: bool = False


INTERACTOR_ACCEPTS, INTERACTOR_REFUSES = 42, 43
"""the statuses with which an interactor ends when the program is right or wrong: those of Kattis' problem packages"""


class RoleEnd(Struct, frozen=True, kw_only=True):
    """How one of several starts of a program ended, and what it used. Facts only."""

    name: str
    status: int | None = None
    limit: LimitName | None = None
    time: float = 0.0
    """seconds on the wall in which it did not wait for the others"""
    cpu: float = 0.0
    memory: int = 0


class Interaction(Struct, frozen=True, kw_only=True):
    """The result of the program on the other side, and which of the two ended first. Facts only."""

    status: int | None = None
    limit: LimitName | None = None
    stderr: bytes = b""
    feedback: Mapping[str, bytes] = field(default_factory=dict)
    max_score: Fraction | None = None
    first: Literal["program", "interactor", ""] = ""
    waiting: bool = False
    """whether each waited for the other, until the program's input was ended"""
    late: bytes = b""
    passes: int = 1
    is_output_validator: bool = False
    roles: tuple[RoleEnd, ...] = ()
    culprit: str = ""
    """the name of the start that broke off first, of several: the facts of the execution are those of this one"""


class CaseFacts(Struct, frozen=True, kw_only=True):
    """The facts of one kind of case about a run, besides those of every run; a kind replaces these properties."""

    lacking = property(lambda _: "")
    """what the case asks for and is not there at all, such as a function; empty when all is"""
    is_mute = property(lambda _: True)
    """whether the facts show no sign of the program, such as an exception"""
    further_run = property(lambda _: None)
    """the further run of which the facts are; None where they are of the run itself"""
    outcome = property(lambda _: None)
    """the result of the run, which distinguishes causes; None where the streams suffice for that"""
    size = property(lambda _: 0)
    """bytes of it that count as written by the program"""


class CodeStep(Struct, frozen=True):
    """Code of a file that was run from `base` on, code of no known file at an address, or a file that was forgotten."""

    what: str
    """`file`, `unknown`, `forgotten`, or `strange` for a line that valgrind did not write"""
    address: int = 0
    name: bytes = b""


class RunFacts(Measurement, frozen=True, kw_only=True):
    """How a run ended and what it used: the facts that a report has, too."""

    status: int | None = None
    signal: int | None = None
    by_status: bool = False
    """whether only a status of 128 plus its number shows the signal; a command can also exit with that status"""
    limits: Limits = field(default_factory=Limits)
    memory: int = 0
    measured: tuple[Measurement, ...] = ()
    """all runs in order, when there were several; this is the last"""
    screen: bool = False
    """whether standard output is all that it wrote, to either stream, and standard error is empty for that"""
    transcript: tuple[Turn, ...] = ()


class Execution(RunFacts, frozen=True, kw_only=True):
    """What happened when a command ran. Facts only."""

    stdout: bytes = b""
    stderr: bytes = b""
    crash_cause: str = ""
    """what a further run showed of why a signal ended it, as the end of a sentence; empty where nothing is known"""
    slept: float | None = None
    """the share of looks at which each thread waited for no processor and no disk; None where nobody looked"""
    cpu_starved: bool = False
    """whether it was stopped, in a step of its dialogue perhaps, for want of processors: that says nothing about it"""
    crowded: bool = False
    """whether others used up what the kernel gives to its user, such as room in pipes: then it is run again alone"""
    is_disturbed: bool = False
    """whether another case ran beside it while something changed in what both share: then it is run again alone"""
    killed_by_host: bool = False
    memory_unconfirmed: bool = False
    """whether a single source says that it passed its limit of memory"""
    names: tuple[str, ...] = ()
    """if asked for: sorted paths in the working folder, folders with `/`; over `MAX_NAMES` if there are more"""
    files: Mapping[str, bytes] = field(default_factory=dict)
    uncollected: Mapping[str, int] = field(default_factory=dict)
    stop: FailedStep | None = None
    asked: bool = False
    """of a dialogue: whether the command waited for more input than there was, and ended or went on without"""
    output_when_script_ended: tuple[int, int] | None = None
    """bytes of `stdout` and `stderr` when it waited for more after the last step, and its input was ended; or None"""
    interaction: Interaction | None = None
    facts: CaseFacts | None = None
    """what the kind of the case has found out of the run: what calls of functions came to, or a unit test"""
    reported: Mapping[int, bytes] = field(default_factory=dict)
    """process -> the report about it of the tool in front of the command, in the order of their starts"""
    code: Mapping[int, tuple[CodeStep, ...]] = field(default_factory=dict)
    is_code_changed: bool = False
    also: Mapping[str, CaseFacts] = field(default_factory=dict)
    """the name of a kind that asks something more of the same run -> what it found out"""
    prompt: bytes = b""

    @property
    def is_inconclusive(self) -> bool:
        """Whether the machine lacked so much that the execution shows nothing about the command."""
        return self.cpu_starved or self.killed_by_host

    @property
    def complaints(self) -> bytes:
        """Where a program says what went wrong: standard error, or what has that in it too."""
        return self.stdout if self.screen else self.stderr

    @property
    def shell_exit_status(self) -> int | None:
        """The status as a shell reports it, which is one for a signal too."""
        return self.status if self.signal is None else SIGNAL_STATUS + self.signal

    @property
    def size(self) -> int:
        """Bytes of its output and files, with the results of its calls written out."""
        facts = self.facts.size if self.facts else 0
        return len(self.stdout) + len(self.stderr) + sum(map(len, self.files.values())) + facts

    @property
    def bare(self) -> "Execution":
        """How it ended and the resources it used, without its output and files."""
        other = replace(self.interaction, stderr=b"", feedback={}) if self.interaction else None
        nothing = replace(self, stdout=b"", stderr=b"", names=(), files={}, transcript=(), facts=None, reported={})
        return replace(nothing, interaction=other)

    @property
    def truncated_to_script_end(self) -> "Execution":
        """The execution up to the point where all steps of its dialogue were done and it waited for more input."""
        if self.output_when_script_ended is None:
            return self
        out, errors = self.output_when_script_ended
        ends = [place for place, turn in enumerate(self.transcript) if turn.stream == "stdin" and not turn.text]
        ended: dict[str, Any] = dict.fromkeys(("signal", "limit", "output_when_script_ended"))
        ended |= {"status": 0, "cpu_starved": False, "killed_by_host": False}
        ended |= {"stdout": self.stdout[:out], "stderr": self.stderr[:errors]}
        return replace(self, transcript=self.transcript[: max(ends, default=None)], **ended)


Runner = Callable[[Launch], Execution]
"""Runs one command; raises `HostError` when the sandbox, not the command, failed."""


read_when_used(Launch, "stdin")
