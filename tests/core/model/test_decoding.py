"""Several threads may be the first to read into a type of record; without care that ends the process (SIGSEGV)."""

import re
import subprocess
import sys
from pathlib import Path

from tests.support.rows import read_data

FIRST_AT_ONCE = read_data(__file__)["FIRST_AT_ONCE"]
ROOT = Path(__file__).parents[3]


def test_six_threads_are_the_first_at_once() -> None:
    # Without it, a third of such processes ended; of so many at once it is nearly every time one.
    started = [
        subprocess.Popen([sys.executable, "-c", FIRST_AT_ONCE], stdout=subprocess.PIPE, text=True) for _ in range(12)
    ]
    assert [(process.communicate(timeout=60)[0], process.returncode) for process in started] == [("6 {b'x'}\n", 0)] * 12


def test_records_are_read_only_by_one_thread_at_a_time_first() -> None:
    # A class whose style tool had findings ended so: two threads were the first to read them.
    unsafe = re.compile(
        r"\b(?:decode|convert)\(.*\btype=(?!decodable\(|dict\[str, Any\]|str \|)|\bconvert\((?!.*decodable)"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "grader").rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if "msgspec" in line and unsafe.search(line)
    ]
    assert not found
