import os
import subprocess
import sys

import pytest

from grader.run.meter import proportional_memory, usage


@pytest.fixture
def proc() -> int:
    return os.open("/proc", os.O_RDONLY)


def test_it_measures_a_process(proc: int) -> None:
    seen = usage(proc, [os.getpid()])
    assert seen.processes >= 1
    assert seen.memory > 2**20
    assert seen.cpu > 0
    once, shared = proportional_memory(proc, [os.getpid()])
    assert 0 < once <= seen.memory * 1.5
    assert 0 <= shared < seen.memory


def test_a_name_with_blanks_and_parentheses_shifts_nothing(proc: int) -> None:
    script = "import ctypes; ctypes.CDLL(None).prctl(15, b') R 1 2 (', 0, 0, 0); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        seen = usage(proc, [child.pid])
        assert seen.processes == 1
        assert 2**20 < seen.memory < 2**30
        child.communicate(b"\n", timeout=10)


def test_a_process_that_is_gone_counts_nothing(proc: int) -> None:
    child = subprocess.Popen(["/bin/true"])
    child.wait()
    assert usage(proc, [child.pid]).processes == 0
