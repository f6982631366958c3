import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.core.errors import HostError, UsageError
from grader.results.store import LOCK_NAME, locked


def test_a_second_grader_is_refused_and_told_who_the_first_is(tmp_path: Path) -> None:
    with (
        locked(tmp_path),
        pytest.raises(UsageError, match=rf"another grader \(process {os.getpid()}\) is at work in"),
        locked(tmp_path),
    ):
        pass
    with locked(tmp_path):
        pass


def test_the_lock_of_a_grader_that_was_killed_is_free(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from grader.results.store import locked\n"
        "with locked(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match=f"process {other.pid}"), locked(tmp_path):
            pass
        other.kill()
    with locked(tmp_path):
        assert (tmp_path / LOCK_NAME).read_text() == f"{os.getpid()}\n"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HostError, match="choose a folder that you may write to"), locked(tmp_path / "file"):
        pass
