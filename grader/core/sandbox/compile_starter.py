"""Compile the starter: when a wheel is built, else once for a user.

`setup.py` runs this file by its path, before anything is installed, so it imports the standard library alone.
"""

import hashlib
import os
import subprocess
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

STARTER_SOURCE = Path(__file__).with_name("starter.c")
COMPILER_OPTIONS = ("-O2", "-std=gnu11", "-static", "-s", "-x", "c", "-")
"""static, so that a program that a wheel carries does not depend on the C library of where it was built"""
LIBRARY_OPTIONS = ("-O2", "-std=gnu11", "-shared", "-fPIC", "-nostdlib", "-s", "-x", "c", "-")
"""for the library of the same source that a process of Python loads; it takes the C library of that process"""


def place_in_package(source: bytes, options: Sequence[str]) -> Path:
    """Return where a wheel has what is made of `source` for this machine; each source and option has another name."""
    digest = hashlib.sha256(" ".join(options).encode() + source).hexdigest()
    return STARTER_SOURCE.with_name(f"starter-{os.uname().machine}-{digest[:16]}")


def compile_starter(source: bytes, options: Sequence[str] = COMPILER_OPTIONS) -> bytes:
    """Return the program, or the library; empty where no compiler makes it."""
    shutil, tempfile = map(import_module, ("shutil", "tempfile"))  # not for a run, as its starter is there
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return b""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        program = Path(folder, "starter")
        command = [compiler, *options, "-o", str(program)]
        done = subprocess.run(
            command, input=source, capture_output=True, check=False, env={**os.environ, "TMPDIR": folder}
        )
        return program.read_bytes() if done.returncode == 0 else b""
