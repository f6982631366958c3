"""What grading holds in memory: a run at a time for each worker, however many cases and submissions there are."""

import subprocess
import sys
from pathlib import Path

from tests.support.courses import SPEC, course
from tests.support.rows import read_data

ROOT = Path(__file__).parent.parent
DATA = read_data(__file__)
MUCH = DATA["MUCH"]
"""4 MiB to each stream"""
TESTS = DATA["TESTS"]
PEAK = DATA["PEAK"]
"""starts grader from a small process: the kernel counts what its parent had before as its own"""


def test_a_class_takes_no_more_memory_for_having_many_cases(tmp_path: Path) -> None:
    course(tmp_path, SPEC[: SPEC.index("tests:")] + f"tests:\n{TESTS}", MUCH)
    for name in ("alice", "bob"):
        folder = tmp_path / "submissions" / name
        folder.mkdir(parents=True)
        (folder / "echo.py").write_text(MUCH)
    command = [sys.executable, "-c", PEAK, "class", "submissions", "--spec", "echo", "--jobs", "2"]
    found = subprocess.run(
        command,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    status, peak, *said = found.stdout.split(maxsplit=2)
    assert (status, said) == ("0", [])
    assert int(peak) < 170, "MiB"  # two runs with what is expected of them are 32, and all of them 192
