"""Processes beside the tested ones: who is alive, where tests end programs; and a processor that is taken."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

UNHEARD = ("chrt", "--idle", "0", "taskset", "--cpu-list", "0")
"""in front of a command: it runs on processor 0, when nobody else wants that"""


def alive(mark: str) -> list[str]:
    """The command lines of living processes, but for our own, that contain `mark`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in line and int(process.name) != os.getpid():
            found.append(line.decode(errors="replace"))
    return found


@contextmanager
def processor_taken() -> Iterator[None]:
    """Keep processor 0 busy meanwhile: five sessions, each of which the kernel gives a share."""
    words = ["/usr/bin/taskset", "--cpu-list", "0", "sh", "-c", "while :; do :; done"]
    with ExitStack() as stack:
        for _ in range(5):
            busy = stack.enter_context(subprocess.Popen(words, start_new_session=True))
            stack.callback(busy.kill)
        yield
