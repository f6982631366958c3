"""Probable mistakes where memory is watched, and mutants that handle theirs wrongly."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.build.artifact import COMPILERS_WITH_LINES
from grader.core.model.execution import Execution
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.memory_clean.model import MEMORY_CLEAN_NAME, MemoryFault, MemoryRule, Sighting, Watched

if TYPE_CHECKING:
    from grader.check.expected_results import Scene
    from grader.check.mutants import Mutant, Scope
    from grader.check.subject import Subject

_WITHOUT_LINES = ("-g0", "-s")
"""options by which a compiler leaves out the lines of the source, which it is asked for in every build"""


@lint_rule("untold-line")
def _untold_lines(subject: "Subject") -> Iterator[Flaw]:
    build = subject.spec.build
    if build is None or not any(MemoryRule.of(case) for test in subject.spec.tests for case in test.cases):
        return
    compilers = [command for command in build.run if command[0] in COMPILERS_WITH_LINES]
    if option := next((word for command in compilers for word in command if word in _WITHOUT_LINES), None):
        yield flaw("build.run", option=option)


@lint_rule("idle-default")
def _watches_without_case(subject: "Subject") -> Iterator[Flaw]:
    """Find a spec that asks to watch the memory, and has no case in which that is done."""
    if MEMORY_CLEAN_NAME in subject.nodes and not any(MemoryRule.of(case) for case, _ in subject.holders()):
        yield flaw(MEMORY_CLEAN_NAME, "memory")


_FAULT = MemoryFault(kind="InvalidWrite", what=Sighting(text="Invalid write of size 4"))
_LEAK = MemoryFault(kind="Leak_DefinitelyLost", what=Sighting(text="definitely lost"), bytes=40, blocks=1)


def mutants(scope: "Scope") -> "Iterator[Mutant]":
    """Yield the mutants that handle their memory wrongly, where that is watched."""
    for about, fault in (("writes behind the end of a block", _FAULT), ("never frees a block", _LEAK)):
        name = fault.deviation.removeprefix("memory-")
        yield scope.mutant(f"memory/{name}", about, partial(_mishandle, fault), named=[fault.deviation])


def _mishandle(fault: MemoryFault, scene: "Scene") -> Execution | None:
    also = {MEMORY_CLEAN_NAME: Watched(faults=(fault,))}
    return replace(scene.right, also=also) if MemoryRule.of(scene.case) else None
