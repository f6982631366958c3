"""A program that was just written can be started, whatever other threads start at the same time."""

import errno
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from grader.core.model.execution import Launch
from grader.core.run.runner import execute
from grader.core.sandbox import choose
from grader.core.sandbox.folder import copy_in

ROUNDS = 600


def test_a_program_is_never_busy_with_being_written(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    shutil.copy("/usr/bin/true", source / "program")
    done = Event()

    def start_others() -> None:
        while not done.is_set():
            assert execute(choose("none"), Launch(argv=("true",)), Event()).status == 0

    busy = 0
    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(start_others) for _ in range(2)]
        try:
            for number in range(ROUNDS):
                folder = tmp_path / str(number)
                folder.mkdir()
                work = os.open(folder, os.O_RDONLY)
                copy_in(source, work, None)
                os.close(work)
                busy += is_busy(folder / "program")
        finally:
            done.set()
        for other in others:
            other.result()
    assert busy == 0


def is_busy(program: Path) -> bool:
    try:
        subprocess.run([program], check=True)
    except OSError as error:
        return error.errno == errno.ETXTBSY
    return False
