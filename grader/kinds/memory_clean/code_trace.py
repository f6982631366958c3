"""Where the code came from that a watched program ran, as valgrind says it of each block before its first run.

That is some hundred bytes for each of thousands of blocks, so only what is new is kept. A program may write lines of
its own; blocks are numbered and have a count of events beside, which a program does not know, so that is noticed.
"""

from msgspec import Struct, field

from grader.core.lazy import lazy_regex
from grader.core.model.execution import CodeStep
from grader.core.run.report_socket import ReportSocket

_BLOCK = lazy_regex(rb"==== SB (\d+) \(evchecks (\d+)\) \[tid \d+\] 0x([0-9a-f]+) (.*)\+0x([0-9a-f]+)")
_DISCARD = lazy_regex(rb"--\d+-- Discarding syms at 0x([0-9a-f]+)-0x[0-9a-f]+ in ")
_MAX_LINE_BYTES = 8192
MAX_CODE_STEPS = 200_000
"""of all processes of a program, some ten of each; then its account is no longer believed, and not stored"""
_PAGE_BYTES = 4096


class _Process(Struct):
    pending: bytes = b""
    last: int = -1
    events: int = 0
    """valgrind's count at the last block, which only grows"""
    seen: set[object] = field(default_factory=set)
    steps: list[CodeStep] = field(default_factory=list)


class CodeTrace(ReportSocket):
    """The socket through which valgrind tells of the code that it translates."""

    fact = "code"

    def __init__(self) -> None:
        """Begin with no process."""
        super().__init__()
        self._processes: dict[int, _Process] = {}
        self._steps = 0

    def take(self, process: int, data: bytes) -> None:
        """Keep what is new."""
        if self._steps >= MAX_CODE_STEPS:
            self._is_cut = True
            return
        self._steps += process not in self._processes
        of = self._processes.setdefault(process, _Process())
        known = len(of.steps)
        *lines, of.pending = (of.pending + data).split(b"\n")
        if len(of.pending) > _MAX_LINE_BYTES:
            lines, of.pending = [*lines, b"==== SB"], b""
        for line in lines:
            _take_line(of, line)
        self._steps += len(of.steps) - known

    def finished(self) -> dict[int, tuple[CodeStep, ...]]:
        """Return the steps of each process, once all have ended."""
        strange = [CodeStep("strange")] if self.read_rest() else []
        return {process: (*of.steps, *strange) for process, of in self._processes.items()}


def _take_line(of: _Process, line: bytes) -> None:
    if found := _DISCARD.match(line):
        of.steps.append(CodeStep("forgotten", int(found[1], 16)))
        of.seen.clear()
        return
    if not line.startswith(b"==== SB"):
        return
    found = _BLOCK.fullmatch(line)
    number, events = (int(found[1]), int(found[2])) if found else (-1, 0)
    # What stands for a function that valgrind replaces is not counted. A process that became another begins anew.
    follows = of.last < 0 or (number - of.last in (0, 1) and events >= of.events)
    if found is None or not (follows or number == 0):
        of.steps.append(CodeStep("strange"))
        return
    of.last, of.events = number, events
    address, offset = int(found[3], 16), int(found[5], 16)
    is_unknown = found[4].endswith(b" UNKNOWN_OBJECT")
    name = found[4][found[4].rfind(b" /") + 1 :] if found[4].count(b" /") == 1 else found[4]
    step = CodeStep("unknown", address) if is_unknown else CodeStep("file", address - offset, name)
    key = address // _PAGE_BYTES if is_unknown else (step.address, name)
    if number == 0 or key not in of.seen:
        of.seen.add(key)
        of.steps.append(step)
