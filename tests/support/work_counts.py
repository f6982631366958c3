"""How much some work takes, counted and not timed: the same on a busy machine and on a slow one.

Lines of Python are counted in this process, quickly. What happens inside a regex or a method of bytes shows only in
instructions of the processor: callgrind counts them, and writes its count whenever the program calls `getppid`. One
process does all the work then, since its start takes longer than most of it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType
from typing import Any

_TOTALS = re.compile(r"^totals: (\d+)$", re.MULTILINE)
_ROOT = Path(__file__).parents[2]


def count_lines(work: Callable[[], object]) -> int:
    """Return how many lines of Python the work runs."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def do_marked(works: Iterable[Callable[[], object]]) -> None:
    """Do each piece of work between two marks: for the program that `count_instructions` starts."""
    for work in works:
        os.getppid()
        work()
        os.getppid()


def count_instructions(program: str, folder: Path) -> list[int]:
    """Run a program that calls `do_marked`, and return how many instructions each piece of work took."""
    subprocess.run(
        (
            *("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'count'}", "--dump-before=getppid"),
            *(sys.executable, "-c", program),
        ),
        cwd=_ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
        timeout=500,
    )
    dumps = sorted(folder.glob("count.*"), key=lambda path: int(path.suffix[1:]))
    # The first ends where the work begins; then those of work and of what is between alternate.
    return [int(found[1]) for dump in dumps[1::2] if (found := _TOTALS.search(dump.read_text()))]
