"""A small class of the echo course, and its files without what differs from run to run."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.commands import run_grader_text
from tests.support.courses import ECHO, course, submission

PROGRAMS = (
    ECHO,
    "import sys\nsys.stderr.write(' '.join(sys.argv[1:]) + '\\n')\n",
    "import sys\nprint(*sys.argv[1:], end='')\n",
    "import sys\nprint(*reversed(sys.argv[1:]))\n",
    "raise SystemExit(3)\n",
    "import nothing_like_that\n",
)
"""right; on the other stream; without a newline; backwards; nothing at all; an exception"""

_LINE = re.compile(r"^\[ *\d+/\d+\] (\S+)", re.MULTILINE)
_TIMES = re.compile(
    rb'("(?:time|cpu|memory)": |\btime=")[0-9.e-]+|(class="took">|<td class="theirs">(?=[0-9.]+ (?:s|[KMG]iB)\b))[^<]*'
    rb'|<meter [^>]*>(?=</meter>\s<span class="took">)'
)


def small_class(folder: Path, size: int, spec: str | None = None) -> Path:
    """Lay out a course with `size` submissions, and return the folder of the submissions."""
    course(folder) if spec is None else course(folder, spec)
    for number in range(size):
        submission(folder, f"s{number:03}", PROGRAMS[number % len(PROGRAMS)])
    return folder / "echo"


def command(*arguments: str | Path) -> list[str]:
    """Return the command line of `grader`."""
    return [sys.executable, "-m", "grader", *map(str, arguments)]


def grader(folder: Path, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `grader` in a folder."""
    return run_grader_text(*arguments, cwd=folder, environment=environment)


def finals(out: Path) -> Mapping[str, bytes]:
    """Return the files that a class leaves, times aside."""
    return {
        str(path.relative_to(out)): _TIMES.sub(rb"\1", path.read_bytes())
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.startswith("grades.db") and path.name != "grades.lock"
    }


def graded_names(text: str) -> list[str]:
    """Return who was graded, and not only looked up, by the lines of a log."""
    return _LINE.findall(text)
