"""A command to run, and what happened when it ran. Facts only."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.model.layout import read_when_used
from grader.core.model.limits import LimitName, Limits
from grader.core.model.spec import OfKind, Permission, Role, Spec, Step

LARGE_OUTPUT_BYTES = 64 * 1024  # bytes: what fails on more than this fails for the size of the output
SIGNAL_STATUS: Final = 128  # shells and bubblewrap report a signal as a status of this plus its number
MAX_COLLECTED_BYTES = 64 * 2**20  # what is brought back of a run, if nothing else is asked for
MAX_COLLECTED_FILES = 5000  # files that always have room in a working folder, beside all else of a submission
MAX_NAMES = 20_000  # files of a working folder that are looked at after a run
INTERACTOR_ACCEPTS, INTERACTOR_REFUSES = 42, 43  # its statuses when the program is right or wrong, as Kattis has them
Doubt = Literal["cpu_starved", "crowded", "killed_by_host", "memory_unconfirmed"]
INCONCLUSIVE: frozenset[Doubt] = frozenset({"cpu_starved", "killed_by_host"})  # nothing is known of what lacked this
Ending = LimitName | Literal["partner", "script"]  # why we ended a command: its limit, the other side, or its dialogue


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
    argv_untuned: tuple[str, ...] = ()  # the same without options that only make it faster; empty without any
    preload: str = ""  # how the Python in `argv` begins: one process may run that and fork many commands
    oom_patterns: tuple[str, ...] = ()  # of standard error: it ended for want of room, which such options may change
    folder: Path | None = None
    kept: Path | None = None  # where what it left is copied to, for one that goes on with it and starts after its end
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    permits: tuple[Permission, ...] = ()
    terminal: bool = False
    dialogue: tuple[Step, ...] = ()
    interactor: "Launch | None" = None
    roles: tuple[Role, ...] = ()  # it is started once for each, and the interactor speaks with all
    is_private: bool = False  # whether no other command may see what it leaves in shared folders
    is_output_validator: bool = False  # whether the interactor reads the output after the end
    closes_at_once: bool = False  # whether the other side has to see a stream closed before the end
    passes: int = 1
    screen: bool = False
    tool: tuple[str, ...] = ()  # put in front of `argv`
    wires: Mapping[str, Callable[[], Any]] = field(
        default_factory=dict
    )  # a descriptor's name in it -> its `ReportSocket`
    limits: Limits = field(default_factory=Limits)
    reserved: int = 0  # bytes that it may reserve beyond what it uses, as for stacks of threads
    max_time_factor: float = 3.0  # how many times its time it may take, if it waits for a processor all the rest
    list_files: bool = False
    place: SandboxPlace = SandboxPlace()
    collect: tuple[str, ...] = ()
    collect_limit: int = MAX_COLLECTED_BYTES


class LaunchContext(Struct, frozen=True, kw_only=True):
    """The data that a kind needs to start a case."""

    spec: Spec
    folder: Path | None = None  # the built submission; None for the reference
    prepared: Any = None  # the result of `prepare`, made once for all submissions
    charged: Collection[str] = ()  # `Artifact.charged`
    files: Mapping[str, bytes] = {}  # the result of `prepare_test`, for the cases of one test: name -> content
    token: str = ""  # an unguessable token for a probe; empty: the kind generates a new one for each launch


class Measurement(Struct, frozen=True, kw_only=True):
    """What one run of a case took, in seconds."""

    time: float = 0.0  # on the wall
    cpu: float = 0.0
    waited: float = 0.0  # how much of `time` it could have run and had no processor, as far as one can tell
    limit: LimitName | None = None  # at which it was ended; a first run with options of ours has half the time


class TranscriptEntry(Struct, frozen=True, kw_only=True):
    """One turn of a dialogue: its text, its stream (`stdin` is the grader), and its time."""

    time: float
    stream: Literal["stdin", "stdout", "stderr"]
    role: str = ""
    text: bytes


class FailedStep(Struct, frozen=True, kw_only=True):
    """Where a dialogue stopped, and why."""

    step: Step
    number: int
    ended: bool  # whether the command's output had ended of itself; else the time to wait was over
    waited: float
    before: bytes = b""
    late: bool = False  # whether this and all that follows came after all the rest had been sent and the input closed
    cpu_starved: bool = False


class RoleEnd(Struct, frozen=True, kw_only=True):
    """How one of several starts of a program ended, and what it used. Facts only."""

    name: str
    status: int | None = None
    limit: LimitName | None = None
    time: float = 0.0  # seconds on the wall in which it did not wait for the others
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
    waiting: bool = False  # whether each waited for the other, until the program's input was ended
    late: bytes = b""
    passes: int = 1
    is_output_validator: bool = False
    roles: tuple[RoleEnd, ...] = ()
    culprit: str = ""  # the start that broke off first, of several: the execution has its facts


class CaseFacts(OfKind, frozen=True, kw_only=True):
    """The facts of one kind of case about a run, besides those of every run; a kind replaces these properties."""

    lacking = property(lambda _: "")  # what the case asks for and is not there, such as a function; empty when all is
    is_mute = property(lambda _: True)  # whether the facts show no sign of the program, such as an exception
    further_run = property(lambda _: None)  # the further run of which they are; None where they are of the run itself
    outcome = property(lambda _: None)  # what distinguishes causes; None where the streams suffice for that
    problem = ""  # why they are not known; empty when they are
    size = property(lambda _: 0)  # bytes of it that count as written by the program
    silent = property(lambda self: self)  # those of a program that does none of its tasks


class RunFacts(Measurement, frozen=True, kw_only=True):
    """How a run ended and what it used: the facts that a report has, too."""

    status: int | None = None
    signal: int | None = None
    limits: Limits = field(default_factory=Limits)
    memory: int = 0
    measured: tuple[Measurement, ...] = ()  # all runs in order, when there were several; this is the last
    screen: bool = False  # whether standard output is all that it wrote, to either stream
    transcript: tuple[TranscriptEntry, ...] = ()


class Execution(RunFacts, frozen=True, kw_only=True):
    """What happened when a command ran. Facts only."""

    stdout: bytes = b""
    stderr: bytes = b""
    crash_cause: str = ""  # why a signal ended it, by a further run, as the end of a sentence; empty if unknown
    slept: float | None = None  # the share of looks at which no thread wanted a processor or disk
    doubts: frozenset[Doubt] = frozenset()  # what the machine lacked: how it ended may not be its own doing
    names: tuple[str, ...] = ()  # if asked for: sorted paths in the working folder, folders with `/`
    files: Mapping[str, bytes] = field(default_factory=dict)
    uncollected: Mapping[str, int] = field(default_factory=dict)
    stop: FailedStep | None = None
    asked: bool = False  # of a dialogue: whether it waited for more input than there was
    output_when_script_ended: tuple[int, int] | None = None  # bytes of both when it waited after the last step
    interaction: Interaction | None = None
    facts: CaseFacts | None = None  # what the kind of the case has found out of the run
    reported: Mapping[int, bytes] = field(default_factory=dict)  # process -> the tool's report, by start
    is_code_changed: bool = False
    also: Mapping[str, CaseFacts] = field(default_factory=dict)  # by kinds that ask more of the same run
    prompt: bytes = b""

    @property
    def is_inconclusive(self) -> bool:
        """Whether the machine lacked so much that the execution shows nothing about the command."""
        return bool(self.doubts & INCONCLUSIVE)

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
        return sum(map(len, (self.stdout, self.stderr, *self.files.values())), self.facts.size if self.facts else 0)

    @property
    def bare(self) -> "Execution":
        """How it ended and the resources it used, without its output and files."""
        interaction = replace(self.interaction, stderr=b"", feedback={}) if self.interaction else None
        nothing = replace(self, stdout=b"", stderr=b"", names=(), files={}, transcript=(), facts=None, reported={})
        return replace(nothing, interaction=interaction)

    @property
    def truncated_to_script_end(self) -> "Execution":
        """The execution up to the point where all steps of its dialogue were done and it waited for more input."""
        if self.output_when_script_ended is None:
            return self
        out, errors = self.output_when_script_ended
        ends = [place for place, turn in enumerate(self.transcript) if turn.stream == "stdin" and not turn.text]
        ended: dict[str, Any] = dict.fromkeys(("signal", "limit", "output_when_script_ended"))
        ended |= {"status": 0, "doubts": self.doubts - INCONCLUSIVE, "stdout": self.stdout[:out]}
        return replace(
            self, transcript=self.transcript[: max(ends, default=None)], stderr=self.stderr[:errors], **ended
        )


Runner = Callable[[Launch], Execution]  # runs one command; raises `HostError` when the sandbox, not the command, failed
read_when_used(Launch, "stdin")
