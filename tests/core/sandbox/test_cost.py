"""What a case costs beside its program, in programs started and system calls made, so that it does not grow again."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.rows import read_data

CASES = read_data(__file__)["CASES"]
WAITS = r"(?:p?poll|ppoll|p?select6?|epoll_p?wait2?|futex|restart_syscall)\("
"""are not counted: a busy machine wakes the grader more often"""
MOST = {"full": (410, 126, 8), "container": (750, 530, 80), "none": (520, 320, 34)}
"""system calls of the grader and of all that it starts, those of the grader alone, and files that the grader opens

Each is a seventh above what was counted on one machine, for other kernels, and for a look at what runs.
"""
MOST_BETWEEN = 70
"""system calls of the grader, its two threads together, from the end of a command until the next one may run"""
MOST_FOR_A_FILE = 7
"""system calls of the grader for each further file of a case: clear its way, open, set its mode, write, close, list"""


pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


def watch(level: str, folder: Path, *, files: int) -> tuple[list[str], str]:
    """Return the system calls of the grader for a case with so many files, and all that strace tells."""
    log, shared = folder / "log", folder / "shared"
    shared.mkdir(exist_ok=True)
    shared.chmod(0o1777)
    command = [sys.executable, "-c", CASES, level, str(log), str(shared), str(files)]
    ours = subprocess.run(command, check=True, timeout=120, stdout=subprocess.PIPE, text=True).stdout.split()
    told = log.read_text()
    if level == "full, a few":  # in threads of their own
        ours += re.findall(r"clone3?(?:\(| resumed).*= (\d+)$", told, re.MULTILINE)
    return [line for line in calls_in(told) if line.split()[0] in ours], told


def calls_in(told: str) -> list[str]:
    """Return the lines in which a system call begins."""
    return [line for line in told.splitlines() if re.match(rf"\d+ +(?!{WAITS})\w+\(", line)]


@pytest.mark.parametrize(
    "level", ["full", "none", pytest.param("container", marks=pytest.mark.skipif(os.geteuid() != 0, reason="for root"))]
)
def test_a_case_costs_few_programs_and_few_system_calls(level: str, tmp_path: Path) -> None:
    own, told = watch(level, tmp_path, files=1)
    started = re.findall(r'execve\("([^"]*)"', told)
    assert started == [*([] if level == "full" else ["/bin/sh"]), "/usr/bin/true"]
    calls = calls_in(told)
    opened = [line for line in own if " openat(" in line]
    most_calls, most_own, most_opened = MOST[level]
    assert 100 < len(calls) < most_calls
    assert level != "full" or sum(" mount(" in line for line in calls) <= 32, "more mounts than a case needs"
    assert 50 < len(own) < most_own
    assert 5 < len(opened) < most_opened
    assert not any("/sys/fs/cgroup" in line for line in own if " mkdir(" in line or " rmdir(" in line)
    assert level != "full" or not re.search(r" clone3?\(.*CLONE_THREAD", "\n".join(own)), "a thread for a case"
    assert not any('"/etc"' in line for line in opened), "what it shows of the machine was looked for before"


def test_a_further_file_of_a_case_costs_few_system_calls(tmp_path: Path) -> None:
    few, many = (len(watch("full", tmp_path, files=files)[0]) for files in (1, 21))
    assert 20 < many - few <= 20 * MOST_FOR_A_FILE


def test_little_is_done_between_the_end_of_a_case_and_the_next_one(tmp_path: Path) -> None:
    """The sandbox of the next one comes up, and gets its files, while the present one runs."""
    own, _ = watch("full, a few", tmp_path, files=1)
    gates = [place for place, line in enumerate(own) if re.search(r'sendto\(\d+, "1", 1', line)]
    ends = [place for place, line in enumerate(own) if " recvfrom(" in line]  # the starter's answers
    between = sorted((own[end:gate] for end, gate in zip(ends, gates[1:], strict=False)), key=len)
    assert len(between) == 3
    # No file of the next one: it has them. Once the processes of the present one may be listed. On a busy machine one
    # of the three is not ready after the second that the present one takes.
    assert all(sum(" openat(" in line for line in lines) <= 1 for lines in between[:2])
    assert all(5 < len(lines) < MOST_BETWEEN for lines in between[:2])
