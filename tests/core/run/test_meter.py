import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.core.run.meter import RunDelay, proportional_memory, usage
from tests.support.rows import each_row, read_data

VFORKS = read_data(__file__)["VFORKS"]


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


@pytest.mark.parametrize("how", [(), ("fork",)], ids=["vfork", "fork"])
def test_a_process_before_its_own_program_has_no_memory_of_its_own(
    how: tuple[str, ...], proc: int, tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_text(VFORKS)
    subprocess.run(["/usr/bin/gcc", "-w", "-o", tmp_path / "a", tmp_path / "a.c"], check=True, timeout=60)
    command = (str(tmp_path / "a"), *how)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        parent.stdout.read(1)
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        pids = [parent.pid, *map(int, children)]
        summed, once = usage(proc, pids).memory, proportional_memory(proc, pids)[0]
        assert len(pids) == 2
        assert summed > 80 * 2**20
        assert 40 * 2**20 < once < 50 * 2**20
        parent.communicate(b"\n", timeout=10)


def test_a_process_that_is_gone_counts_nothing(proc: int) -> None:
    child = subprocess.Popen(["/bin/true"])
    child.wait()
    assert usage(proc, [child.pid]).processes == 0


@each_row
def test_who_waits_for_threads_of_his_own_does_not_wait_for_the_machine(
    looks: tuple[dict[int, tuple[float, float]], ...], cpu: float, waited: float, tmp_path: Path
) -> None:
    delay = RunDelay()
    proc = os.open(tmp_path, os.O_RDONLY)
    for number, look in enumerate(looks):
        for thread, seconds in look.items():
            folder = tmp_path / "7" / "task" / str(thread)
            folder.mkdir(parents=True, exist_ok=True)
            ran, held_up = (int(figure * 1e9) for figure in seconds)
            (folder / "schedstat").write_text(f"{ran} {held_up} 1\n")
        delay.look(proc, [7], cpu if number == len(looks) - 1 else 0.0)
    os.close(proc)
    assert delay.seconds == pytest.approx(waited, abs=0.02)


def test_who_was_not_looked_at_enough_is_not_known_to_have_slept() -> None:
    assert RunDelay().slept is None


@each_row
def test_only_who_has_no_thread_that_could_run_has_slept(proc: int, script: str, *, is_asleep: bool) -> None:
    delay = RunDelay()
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        for _ in range(160):
            delay.look(proc, [child.pid], 0.0)
            time.sleep(0.005)
        child.kill()
    # What has just printed a line may still be on its way to sleep.
    assert delay.slept is not None
    assert (delay.slept >= 0.5) is is_asleep
