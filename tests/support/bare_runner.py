"""A runner without a sandbox, for tests of what is around it: real processes in a temporary folder."""

import shutil
import subprocess
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

from grader.core.model.execution import Execution, Launch


def bare_run(launch: Launch) -> Execution:
    """Run a launch; of its limits only the time is kept."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if launch.folder:
            shutil.copytree(launch.folder, work, dirs_exist_ok=True)
        try:
            done = subprocess.run(
                launch.argv,
                cwd=work,
                env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **launch.env},
                input=launch.stdin,
                capture_output=True,
                timeout=launch.limits.time,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return Execution(stdout=error.stdout or b"", signal=9, limit="time", limits=launch.limits)
        found = {str(path.relative_to(work)): path for path in work.rglob("*") if path.is_file()}
        return Execution(
            stdout=done.stdout,
            stderr=done.stderr,
            status=done.returncode if done.returncode >= 0 else None,
            signal=-done.returncode if done.returncode < 0 else None,
            limits=launch.limits,
            files={
                name: path.read_bytes()
                for name, path in found.items()
                if any(fnmatchcase(name, pattern) for pattern in launch.collect)
            },
        )
