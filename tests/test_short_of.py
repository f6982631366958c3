"""What a machine may be short of, really taken away: each time one line says what, where and what to do.

Root takes it from a mount namespace of its own, or by a filter of system calls; nothing of it outlives the command.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.courses import ECHO, SPEC, course
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can take things away")

DISK = "mkdir -p full && mount -t tmpfs -o size={}k full full"
RUN = "{python} -m grader run submissions/alice --spec specs/echo.yaml"
PYTHON = {"PYTHONPATH": str(Path(__file__).parent.parent)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    course(tmp_path, SPEC, ECHO)
    return lay(tmp_path, {"submissions/alice/echo.py": ECHO})


def ran(command: str, folder: Path, *unshare: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a shell in namespaces of its own."""
    return subprocess.run(
        ["/usr/bin/unshare", "--mount", *unshare, "sh", "-ec", command.format(python=sys.executable)],
        cwd=folder,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "XDG_CACHE_HOME": str(folder / "cache"), **PYTHON},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def told(command: str, folder: Path, *unshare: str) -> str:
    """Return what a shell says at last, which is all that it says on standard error."""
    done = ran(command, folder, *unshare)
    assert done.returncode in (2, 3), done.stdout
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


@each_row
def test_what_is_missing_is_told_with_what_to_do(command: str, line: str, folder: Path) -> None:
    assert told(command, folder).startswith(f"grader: {line.format(folder=folder)}")


def test_a_long_output_needs_no_room_on_a_disk(folder: Path) -> None:
    (folder / "submissions" / "alice" / "echo.py").write_text("print('many words ' * 99999)")
    done = ran(f"{DISK.format(32)}; TMPDIR=$PWD/full {RUN}", folder)
    assert (done.returncode, done.stderr) == (1, "")
    assert "ungraded" not in done.stdout


def test_a_root_that_is_none_is_told(folder: Path) -> None:
    line = told(RUN, folder, "--user", "--map-root-user")
    assert line.startswith(
        "grader: bubblewrap cannot be started: setgroups: Operation not permitted; root is not root "
    )


DATA = read_data(__file__)
WITHOUT_PIDFD = DATA["WITHOUT_PIDFD"]
"""refuses pidfd_open as a kernel that has no such call does, and starts grader"""


def test_a_kernel_without_descriptors_of_processes_is_told(folder: Path) -> None:
    (folder / "without.py").write_text(WITHOUT_PIDFD)
    line = told("{python} without.py run submissions/alice --spec specs/echo.yaml", folder)
    assert line.startswith("grader: no pipes or processes for a program: Function not implemented")
