"""The conditions under which the reference is asked once more: a right answer depends on none of them.

The time of day, and the number of processors, are changed by a library that the dynamic linker loads first, made of
`other_clock.c` where this machine has a C compiler; Go and statically linked programs do not see it.
"""

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.course_programs import build_program
from grader.core.errors import HostError
from grader.core.languages import locate_tool
from grader.core.model.execution import Execution, Launch, Runner, SandboxPlace
from grader.core.model.limits import Limits

Clock = Literal["past", "future", "present"]  # 400 days off: each part of a date differs
_CLOCK_SOURCE = Path(__file__).with_name("other_clock.c")
_CLOCK_DEFINITIONS: Mapping[Clock, str] = {
    "past": "-DSHIFT=-34578431",
    "future": "-DSHIFT=34578431",
    "present": "-DSHIFT=0",
}
_CLOCK_FILE = ".grader-clock.so"
_ONE_PROCESSOR = "/usr/bin/taskset"  # starts a program that may use some of the processors alone (util-linux)
_AS_CHILD = ("/bin/sh", "-c", '"$@"; exit $?', "sh")
_COMPILER_LIMITS = Limits(time=60, cpu=60, memory=2**30, processes=64)
_CLOCK_SECONDS = 10.0  # in the future: who waits for a time may never end
_JAVA_HASH_CODES = ("0", "2", "3")  # modes of `-XX:hashCode`; the usual one gives the same codes in each run
_MARKS = (  # what a program writes that shows its environment or folder, or that cannot be started with what is added
    *(b"PYTHONHASHSEED", b"PERL_HASH_SEED", b"PERL_PERTURB", b"MALLOC_PERTURB_", b"LD_PRELOAD", b"VM option"),
    *(_CLOCK_FILE.encode(), b"Clock skew detected"),  # of make, for which every file is of the future
)


class AskingConditions(Struct, frozen=True, kw_only=True):
    """What is different when the reference is asked once more; without any of it, that is a plain further run."""

    turn: int = 1  # distinguishes runs under conditions that are otherwise the same
    place: SandboxPlace = SandboxPlace()  # only at the level `full`; elsewhere each run has another folder anyway
    hash_seed: int | None = None
    """decides the order of hash tables in Python and Perl, and the identity hash codes of Java; None leaves them"""
    fill: int | None = None  # the byte in memory that was never set, with the GNU C library; None leaves it
    reverses_files: bool = False  # whether its files are made, and so listed, in the other order
    processors: str = ""  # the numbers of those that it may use; empty for all
    is_child: bool = False  # whether a shell starts it and waits for it, so that its process has another number
    locale: str = ""  # the value of LANG; empty for the usual one
    clock: Clock | None = None
    clock_library: bytes = b""  # what shows that time to a program; see `clock_library_for`

    @property
    def key(self) -> object:
        """What distinguishes answers under these conditions from others, besides the launch itself."""
        return [self.turn, self.place, self.clock, self.reverses_files]

    @property
    def env(self) -> dict[str, str]:
        """The environment variables that bring the conditions about."""
        seed = "" if self.hash_seed is None else str(self.hash_seed)
        found = {
            **({"PYTHONHASHSEED": seed, "PERL_HASH_SEED": seed, "PERL_PERTURB_KEYS": "0"} if seed else {}),
            "MALLOC_PERTURB_": "" if self.fill is None else str(self.fill),
            "LANG": self.locale,
            "LD_PRELOAD": f"{self.place.work}/{_CLOCK_FILE}" if self.clock_library else "",
        }
        return {name: value for name, value in found.items() if value}

    def apply(self, launch: Launch) -> Launch:
        """Return what is started under these conditions; what a case itself sets in the environment stays."""
        argv, limits, files = launch.argv, launch.limits, dict(launch.files)
        if self.hash_seed is not None and PurePosixPath(argv[0]).name == "java":
            mode = _JAVA_HASH_CODES[self.hash_seed % len(_JAVA_HASH_CODES)]
            argv = (argv[0], "-XX:+UnlockExperimentalVMOptions", f"-XX:hashCode={mode}", *argv[1:])
        if self.reverses_files:
            files = dict(reversed(files.items()))
        if self.processors:
            argv = (_ONE_PROCESSOR, "--cpu-list", self.processors, *argv)
        # The shell would be ended by Ctrl-C too, and has the streams open that the program closes.
        if self.is_child and not (launch.terminal or launch.dialogue or launch.interactor):
            argv = (*_AS_CHILD, *argv)
        if self.clock_library:
            files[_CLOCK_FILE] = self.clock_library
        if self.clock == "future":
            limits = replace(limits, time=min(limits.time, _CLOCK_SECONDS), cpu=min(limits.cpu, _CLOCK_SECONDS))
        return replace(
            launch, argv=argv, preload="", limits=limits, files=files, env={**self.env, **launch.env}, place=self.place
        )

    def restore(self, execution: Execution) -> Execution:
        """Return what happened without the file that was added to the working folder."""
        if not self.clock_library:
            return execution
        files = {name: content for name, content in execution.files.items() if name != _CLOCK_FILE}
        return replace(execution, names=tuple(name for name in execution.names if name != _CLOCK_FILE), files=files)

    def is_shown_in(self, text: bytes) -> bool:
        """Whether a program has written something of what brings the conditions about, and not of its own."""
        return any(mark in text for mark in _MARKS)


def one_processor() -> str:
    """Return the number of one of the processors that we may use; empty where that would change nothing."""
    ours = os.sched_getaffinity(0)
    return str(max(ours)) if len(ours) > 1 and os.access(_ONE_PROCESSOR, os.X_OK) else ""


def clock_library_for(clock: Clock, *, level: str, cache: Cache, run: Runner) -> bytes:
    """Return the library that shows another time to a program; nothing where this machine cannot compile it."""
    compiler = next((name for name in ("gcc", "cc", "clang") if locate_tool(name)), "")
    if not compiler:
        return b""
    flags = ("-shared", "-fPIC", "-O1", _CLOCK_DEFINITIONS[clock])
    try:
        made = build_program(
            "the clock of the reference",
            [(compiler, *flags, "-o", _CLOCK_FILE, _CLOCK_SOURCE.name, "-ldl")],
            {_CLOCK_SOURCE.name: _CLOCK_SOURCE.read_bytes()},
            produces=(_CLOCK_FILE,),
            limits=_COMPILER_LIMITS,
            level=level,
            cache=cache,
            run=run,
        )
    except HostError:
        return b""
    return made[_CLOCK_FILE]
