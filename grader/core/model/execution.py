"""A command to run, and what happened when it ran. Facts only."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.model.limits import Limits
from grader.core.model.spec import Step
from grader.core.model.toolchain import Permission

LARGE_OUTPUT_BYTES = 64 * 1024
"""bytes: when a pattern, a check or the judge fails on more than this, whoever printed so much is the cause"""


SIGNAL_STATUS: Final = 128
"""shells and bubblewrap tell of a signal by a status of this and its number"""


MAX_NAMES = 20_000
"""files of a working folder that are looked at after a run"""


class Launch(Struct, frozen=True, kw_only=True):
    """A request to run one command in a sandbox: what to start, with what around it, within which limits."""

    argv: tuple[str, ...]
    argv_untuned: tuple[str, ...] = ()
    """the same without options of ours that only make it faster; empty when there are none"""
    oom_patterns: tuple[str, ...] = ()
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
    is_output_validator: bool = False
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
    is_output_validator: bool = False
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
