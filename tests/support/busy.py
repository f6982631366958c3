"""A machine with much else to do, as far as it stays usable: busy processes, and one that takes memory and uses it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

BUSY_PROCESSES = 16
_MEMORY = 4 * 2**30
"""bytes that the hog takes; the kernel holds it to a little more"""
_HOG = f"""
import time
taken = bytearray({_MEMORY})
while True:
    taken[::4096] = bytes(len(taken) // 4096)  # every page is written again and again
    time.sleep(0.2)
"""


@contextmanager
def busy_machine() -> Iterator[None]:
    """Keep every processor wanted by many, and much of the memory used, meanwhile."""
    spinning = [["/bin/sh", "-c", "while :; do :; done"]] * BUSY_PROCESSES
    hog = ["/usr/bin/prlimit", f"--as={_MEMORY + 2**30}", sys.executable, "-c", _HOG]
    with ExitStack() as stack:
        for command in [*spinning, hog]:
            process = stack.enter_context(subprocess.Popen(command))
            stack.callback(process.kill)  # before it is waited for
        yield
