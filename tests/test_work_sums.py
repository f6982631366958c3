"""What one submission takes of memory and of the disk over all of its commands, measured while it takes all it can."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.core.sandbox.cgroup import hierarchy
from grader.core.sandbox.command import FOLDER_BYTES
from tests.support.classes import command
from tests.support.rows import each_row, read_data

MIB = 2**20
BUILD_LIMIT, OUTPUT = 128 * MIB, 4 * MIB
SUBMISSION = 20 * MIB
"""bytes that may be handed in"""
PRODUCTS = 64 * MIB
"""bytes of products of a build that are kept for its cases"""
CASES = ("resident", "folders", "pipes", "streams", "folders", "streams", "resident", "folders")
DATA = read_data(__file__)
SPEC = DATA["SPEC"].format(points=len(CASES), cases=list(range(len(CASES))))
MAKEFILE = DATA["MAKEFILE"]
PROGRAM = DATA["PROGRAM"].replace("WAYS", ", ".join(f'"{way}"' for way in CASES))


class Peaks(NamedTuple):
    memory: int
    """bytes that the control groups of one grader held at one time"""
    disk: int
    """bytes on the disk at one time, in the folders for what is temporary"""
    kept: int
    """bytes that stay: results and cache"""


def sizes(folder: Path) -> Iterator[int]:
    for top, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                yield Path(top, name).lstat().st_blocks * 512


def held_by_groups(pid: int) -> int:
    found = hierarchy()
    assert found
    total = 0
    for group in Path(found.folders["memory"]).glob(f"*{pid}-*"):
        with suppress(OSError, ValueError):
            total += int((group / found.usage).read_text())
    return total


def measured(folder: Path, *arguments: str) -> Peaks:
    for name in ("specs", "temporary", "cache", *(f"work/{one}" for one in ("ada", "bo"))):
        (folder / name).mkdir(parents=True)
    (folder / "specs/fills.yaml").write_text(SPEC)
    for one in ("ada", "bo"):
        (folder / "work" / one / "fills.c").write_text(PROGRAM)
        (folder / "work" / one / "Makefile").write_text(MAKEFILE)
    environment = {**os.environ, "TMPDIR": str(folder / "temporary"), "XDG_CACHE_HOME": str(folder / "cache")}
    null = subprocess.DEVNULL
    process = subprocess.Popen(
        command(*arguments, "--out", "out"), cwd=folder, env=environment, stdout=null, stderr=null
    )
    memory = disk = 0
    while process.poll() is None:
        memory = max(memory, held_by_groups(process.pid))
        disk = max(disk, sum(sizes(folder / "temporary")))
        time.sleep(0.02)
    assert process.returncode in (0, 1)
    assert not list(sizes(folder / "temporary"))
    return Peaks(memory, disk, sum(sizes(folder / "out")) + sum(sizes(folder / "cache")))


@pytest.mark.slow
@pytest.mark.timeout(200)
@pytest.mark.skipif(hierarchy() is None, reason="this machine lets us make no control groups")
@each_row
def test_a_submission_that_fills_all_it_can_keeps_the_sums_that_the_page_states(
    tmp_path: Path, arguments: tuple[str, ...], submissions: int
) -> None:
    peaks = measured(tmp_path, *arguments)
    assert FOLDER_BYTES // 2 < peaks.memory <= 2 * (BUILD_LIMIT + FOLDER_BYTES)
    assert PRODUCTS // 2 < peaks.disk <= submissions * (SUBMISSION + PRODUCTS + 2 * OUTPUT)
    assert peaks.kept <= submissions * 4 * MIB  # texts of reports are cut
