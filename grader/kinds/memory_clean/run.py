"""What watching the memory needs of a machine."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from grader.core.errors import HostError
from grader.core.kind import RunnerShowing
from grader.core.languages import find_tool
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Requirement
from grader.kinds.memory_clean.model import MemoryRule
from grader.kinds.memory_clean.report import read_reports
from grader.kinds.memory_clean.watch import VALGRIND, describe_problem, watch_memory

if TYPE_CHECKING:
    from grader.core.course import Course


def prepare(course: "Course") -> "Course":
    """Return the course; raises HostError where no program's memory can be watched at the level of the sandbox."""
    if not course.sandbox.allows_tracing:
        raise HostError(
            "memory-clean needs valgrind, and that needs /proc, of which level container shows programs nothing: grade "
            "at level full, or take memory-clean out"
        )
    return course


def requirements(runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield whether this machine has valgrind, and whether it works in the sandbox."""
    path = fault = ""
    try:
        path = str(find_tool(VALGRIND, VALGRIND))
        if runner_showing:
            tried = runner_showing(())(watch_memory(Launch(argv=("/usr/bin/true",)), MemoryRule(), Execution()))
            fault = describe_problem(tried, read_reports(tried))
    except HostError as error:
        fault = str(error)
    missing = f"{path} does not work: {fault}" if path else f"there is no {VALGRIND}, for memory-clean"
    works = f"{path} works, for memory-clean" if runner_showing else f"{path}, not tried"
    remedy = f"apt-get install {VALGRIND}{' libc6-dbg' * bool(path)}" if fault else ""
    state: Literal["missing", "ok"] = "missing" if fault else "ok"
    yield Requirement(name=VALGRIND, state=state, found=missing if fault else works, remedy=remedy)
