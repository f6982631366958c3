"""The table of `make bench` can be printed at all: its figures are looked at by people, on a quiet machine."""

import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).parent.parent / "bench" / "table.py"


def test_a_row_that_there_is_not_is_told_with_those_that_there_are() -> None:
    done = subprocess.run([sys.executable, TABLE, "pyhton"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "there is no row pyhton; there are: help, python, java, python-3, trivial, cpp, output"
    )


def test_a_row_has_its_figures_and_what_it_misses() -> None:
    done = subprocess.run([sys.executable, TABLE, "help"], capture_output=True, text=True, check=True, timeout=100)
    *_, row = done.stdout.splitlines()
    assert row.startswith("grader --help, seconds")
    assert row.split()[-1] in {"reached", "MISSED"}
    assert ("pip install" in done.stdout) == (not (TABLE.parents[1] / ".setup" / "peers").exists())


def test_a_process_is_waited_for_without_looking_again_and_again_and_ended_by_its_fuse() -> None:
    script = (
        "import processes, time\n"
        "load = processes.ForeignLoad()\n"
        "print([processes.run_to_end(['/bin/sh', '-c', 'read x; exit $x'], given=b'7', seconds=20)])\n"
        "begun = time.monotonic()\n"
        "print(processes.run_to_end(['/bin/sleep', '50'], seconds=0.2), time.monotonic() - begun < 20)\n"
        "print(load.processors() >= 0)\n"
    )
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, cwd=TABLE.parent, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["[7]", "-9 True", "True"]
