"""Staged -> Artifact: run the build in a sandbox of its own, and keep the sources and what it was to produce.

The commands run one after the other in one working folder, as in a shell script with `&&`: what the first made is there
for the second, with its times and modes. Both streams go into one log, in the order in which they were written. Of
what the build leaves behind only the named files come out, so nothing else of it can be met by a case.
"""

import re
import shlex
import shutil
import signal
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from grader.build.diagnosis import first_error
from grader.build.tree import MIB, File, write_file
from grader.errors import HostError
from grader.model import Artifact, BuildResult, Execution, Launch, Limits, Runner, Spec, Staged, Toolchain

LOG_HEAD, LOG_TAIL = 48 * 2**10, 16 * 2**10
"""bytes of a log that are kept: compilers begin with what matters, make ends with it"""


def build(  # noqa: PLR0917 - six, but no two of a type
    spec: Spec, staged: Staged, toolchain: Toolchain, limits: Limits, target: Path, run: Runner
) -> Artifact:
    """Build a staged submission into the empty folder `target`; a failure is the artifact's `build`.

    Raises HostError when the sandbox fails or the disk does.
    """
    if staged.problem:
        return Artifact(folder=target, build=BuildResult(ok=False, message=staged.problem))
    if spec.build is None:
        return Artifact(folder=staged.folder, build=BuildResult(ok=True))
    script = " && ".join(shlex.join(command) for command in spec.build.run)
    execution = run(
        Launch(
            argv=("/bin/sh", "-c", f"exec 2>&1; {script}"),
            folder=staged.folder,
            env=toolchain.build_env,
            limits=limits,
            collect=spec.build.produces,
        )
    )
    log = clean_log(execution.stdout + execution.stderr, toolchain.noise)
    message = _failure(script, execution, spec.build.produces, log)
    if not message:
        _keep(staged.folder, execution, target)
    result = BuildResult(ok=not message, command=script, log=cut_log(log), message=message, time=execution.time)
    return Artifact(folder=target, build=result)


def clean_log(log: bytes, noise: tuple[str, ...]) -> bytes:
    """Remove the lines that a toolchain's own settings cause."""
    patterns = [re.compile(pattern.encode()) for pattern in noise]
    return b"".join(line for line in log.splitlines(keepends=True) if not any(p.search(line) for p in patterns))


def cut_log(log: bytes) -> bytes:
    """Cut a log to its beginning and its end, and say so in between."""
    left_out = len(log) - LOG_HEAD - LOG_TAIL
    if left_out <= 0:
        return log
    return log[:LOG_HEAD] + f"\n[... {left_out:,} bytes left out ...]\n".encode() + log[-LOG_TAIL:]


def _failure(script: str, execution: Execution, produces: tuple[str, ...], log: bytes) -> str:
    """Tell why the build failed, in a sentence; "" when it did not."""
    if execution.limit:
        return _over(execution)
    error = first_error(cut_log(log))
    if execution.signal is not None:
        return _joined(f"`{script}` was ended by {_signal_name(execution.signal)}", error)
    if execution.status != 0:
        said = error or "it said nothing"
        return _joined(f"`{script}` failed with status {execution.status}", said)
    lacking = [p for p in produces if not any(fnmatchcase(name, p) for name in execution.files)]
    return f"`{script}` succeeded but left no {' and no '.join(lacking)}" if lacking else ""


def _joined(sentence: str, error: str) -> str:
    return f"{sentence}: {error}" if error else sentence


def _over(execution: Execution) -> str:
    limits = execution.limits
    return {
        "time": f"the build took longer than {limits.time:g} s",
        "cpu": f"the build took more than {limits.cpu:g} s of processor time",
        "memory": f"the build took more than {limits.memory // MIB} MiB of memory",
        "output": f"the build wrote more than {limits.output // MIB} MiB of messages",
        "processes": f"the build started more than {limits.processes} processes at a time",
    }[execution.limit or "time"]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _keep(sources: Path, execution: Execution, target: Path) -> None:
    try:
        shutil.copytree(sources, target, dirs_exist_ok=True)
        for name, content in execution.files.items():
            _put(target, name, File(content=content, executable=True))
    except OSError as error:
        raise HostError(f"cannot keep what was built in {target}: {error}; is the disk full?") from error


def _put(target: Path, name: str, file: File) -> None:
    """Write a produced file; it wins over a source of that name, and over one where it needs a folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise HostError(f"the sandbox brought back a file with the name {name!r}, which leads out of its folder")
    for parent in (target / part for part in reversed(path.parents)):
        if parent.is_file():
            parent.unlink()
        if not parent.exists():
            parent.mkdir()
            parent.chmod(0o755)
    if (target / path).is_dir():
        shutil.rmtree(target / path)
    (target / path).unlink(missing_ok=True)
    write_file(target / path, file)
