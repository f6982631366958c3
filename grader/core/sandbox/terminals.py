"""How many pseudo-terminals a command may make: the machine has some 4,000 for all (`kernel.pty.max`), whoever asks.

Each sandbox has an instance of devpts of its own, whose option `max` bounds it. Bubblewrap sets none, so we set it from
outside, by the system calls that mount(8) remounts with (fsopen(2)). That takes the right to mount, so a plain user
cannot.
"""

import os
from contextlib import suppress

from grader.core.sandbox.identity import system_call

_OPTIONS = {b"max": b"64", b"mode": b"620", b"ptmxmode": b"0666"}
"""all that bubblewrap gives, too: what is not given is as the kernel has it"""
_AT_FDCWD = -100
_CLOEXEC = 1
"""FSPICK_CLOEXEC"""
_SET_STRING, _RECONFIGURE = 1, 7
"""FSCONFIG_SET_STRING and FSCONFIG_CMD_RECONFIGURE"""


def limit_terminals(root: str) -> None:
    """Let few terminals be made in the sandbox with this `root`; where we may not bound them, nothing happens."""
    with suppress(OSError):
        picked = system_call("fspick", _AT_FDCWD, f"{root}/dev/pts".encode(), _CLOEXEC)
        try:
            for name, value in _OPTIONS.items():
                system_call("fsconfig", picked, _SET_STRING, name, value, 0)
            system_call("fsconfig", picked, _RECONFIGURE, None, None, 0)
        finally:
            os.close(picked)
