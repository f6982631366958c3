"""Forks where the Python of the sandbox is another one than Debian's: each version on this machine takes its place.

Only in mounts of the test's own, which takes root.
"""

import glob
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.core.sandbox.outer import end_idle
from tests.support.rows import read_data

DATA = read_data(__file__)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

PLACES = ("~/.pyenv/versions/3.*/bin/python3", "~/.local/share/uv/python/cpython-3.*/bin/python3")
PYTHONS = [path for place in PLACES for path in sorted(glob.glob(os.path.expanduser(place)))]  # noqa: PTH111, PTH207
MOUNTED = "/usr/games"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: Path(path).parents[1].name)
def test_another_python_forks_as_well(python: str, tmp_path: Path) -> None:
    if not _is_recent(python):
        pytest.skip("too old for what is run in the sandbox")
    end_idle()
    tmp_path.chmod(0o755)
    wrapper = tmp_path / "python3"
    wrapper.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH={MOUNTED}/lib exec {MOUNTED}/bin/python3 "$@"\n')
    wrapper.chmod(0o755)
    env = {**os.environ, "PREFIX": str(Path(python).resolve().parents[1]), "WRAPPER": str(wrapper)}
    command = ("unshare", "-m", "sh", "-c", DATA["IN_ITS_PLACE"], "sh", sys.executable, "-c", DATA["FORK_TWICE"])
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=100)
    first, second, failing = done.stdout.splitlines() or [done.stderr] * 3
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True, check=True
    )
    assert first.startswith(f"0 {version.stdout.strip()} ")
    assert first == second, "both are forks of one process"
    assert failing == "1  ['KeyError: 4711']"


def _is_recent(python: str) -> bool:
    asked = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 9))"]
    return subprocess.run(asked, check=False, capture_output=True).returncode == 0
