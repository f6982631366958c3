"""Mutants that handle their memory wrongly."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from grader.core.model.execution import Execution
from grader.kinds.memory_clean.model import MEMORY_CLEAN_NAME, MemoryFault, Sighting, Watched, memory_rule_of
from grader.verify.expected_results import Scene
from grader.verify.mutants import Mutant, Scope

_WRONG_WITH_MEMORY = {
    "fault": (
        "writes behind the end of a block",
        MemoryFault(kind="InvalidWrite", what=Sighting(text="Invalid write of size 4")),
    ),
    "leak": (
        "never frees a block",
        MemoryFault(kind="Leak_DefinitelyLost", what=Sighting(text="definitely lost"), bytes=40, blocks=1),
    ),
}


def mutate_memory(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that handle their memory wrongly, where that is watched."""

    def mishandle(scene: Scene, fault: MemoryFault) -> Execution | None:
        if memory_rule_of(scene.case) is None:
            return None
        return replace(scene.right, also={MEMORY_CLEAN_NAME: Watched(faults=(fault,))})

    for name, (about, fault) in _WRONG_WITH_MEMORY.items():
        yield scope.mutant(f"memory/{name}", about, partial(mishandle, fault=fault), named=[f"memory-{name}"])
