"""How a program handles its memory: what is asked of it, and what a tool found that watched every access."""

from msgspec import Struct, field

from grader.core.model.execution import CaseFacts, Execution
from grader.core.model.limits import LimitOverrides
from grader.core.model.spec import Payload

MEMORY_LANGUAGES = ("c", "cpp", "fortran")
"""the languages of `build/toolchains.yaml` that have a tool for it; a course's own may have one too"""
_USUAL_START_SECONDS, _USUALLY_SLOWER = 20.0, 25.0  # of a run, in the budget of a submission


class MemoryRule(Payload, frozen=True, kw_only=True):
    """That a program must handle its memory rightly, and what the run may use that shows whether it does."""

    limits: LimitOverrides = field(default_factory=dict)
    """of that run alone; a limit that is not named is a multiple of the case's"""

    further_seconds = property(
        lambda self: lambda limits: self.limits.get("time", _USUAL_START_SECONDS + _USUALLY_SLOWER * limits.time)
    )
    packages = property(lambda _: ("valgrind",))
    reachable = property(lambda _: ("memory-fault", "memory-leak"))
    extra_run = property(
        lambda _: (
            "is repeated under valgrind: memory that is not the program's, values that were never set, and what is "
            "never freed are faults"
        )
    )


class CodePlace(Struct, frozen=True, kw_only=True):
    """A place in a program's own code."""

    function: str = ""  # empty where that is not known
    file: str = ""  # relative to the work where it is one of its files; empty where the build left that out
    line: int = 0  # from 1


class Sighting(Struct, frozen=True, kw_only=True):
    """A message of a tool, and its place in the program: the calls of the program's own code, innermost first."""

    text: str
    calls: tuple[CodePlace, ...] = ()


class MemoryFault(Struct, frozen=True, kw_only=True):
    """Something that a program did to its memory and must not do."""

    kind: str  # the tool's name for it
    what: Sighting
    about: tuple[Sighting, ...] = ()  # of the memory that it was done to: what it is, and where it came from
    bytes: int = 0  # of a leak: how much
    blocks: int = 0

    is_leak = property(lambda self: self.kind.startswith("Leak_"))  # whether it is memory that was never given back
    deviation = property(lambda self: "memory-leak" if self.is_leak else "memory-fault")  # its kind of deviation


class FatalSignal(Struct, frozen=True, kw_only=True):
    """The signal that ended a program, and the code that was running then."""

    number: int
    code: int  # how it came about (siginfo_t, si_code): 0 and less where a process sent it
    address: int  # to which the program had no access, where it is about that
    functions: tuple[str, ...]  # all that were active, the system's too, innermost first
    where: Sighting


class Watched(CaseFacts, frozen=True, kw_only=True):
    """The result of another run of a command, in which a tool watched its memory."""

    faults: tuple[MemoryFault, ...] = ()  # in the order in which they were found, leaks last; each place once
    fatal: FatalSignal | None = None  # what ended it there, if a signal did
    problem: str = ""
    """why it is unknown whether there are faults, in a sentence without its full stop; empty when it is known"""
    execution: Execution | None = None  # that run; None where there was none

    further_run = property(lambda self: self.execution)


MEMORY_CLEAN_NAME = "memory-clean"  # the key of a case's rule, and of an execution's result
