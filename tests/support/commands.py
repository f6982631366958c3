"""`grader` in a process of its own that is forked from one which has imported all of it: a start takes no time.

    done = run_grader("run", "echo/alice", cwd=folder)

Each command has its own environment, folder and streams, and ends as it would at a prompt. What a start itself does is
tested by starts: `test_start_up.py`. A shell whose `PATH` begins with `bin_folder()` starts `grader` so as well; a
signal would end only what waits for it there.
"""

import atexit
import gc
import json
import os
import pkgutil
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
_NEVER_LOADED = ("probes", "_stand_in", "gradescope_inside", "kattis_programs", "cluster", "pytest_plugin", "__main__")
_MAX_REQUEST = 2**20
_CLIENT = """\
#!/usr/bin/python3 -ISB
import json, os, socket, sys
if "_GRADER_COMPLETE" in os.environ:  # which goes by the name of what was started
    os.execv({1!r}, [{1!r}, *sys.argv[1:]])
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.connect({0!r})
os.umask(mask := os.umask(0))
request = [sys.argv[1:], os.getcwd(), dict(os.environ), mask]
socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2])
code = int(server.recv(64))
sys.exit(code if code >= 0 else 128 - code)
"""


def run_grader(
    *words: str | Path,
    cwd: Path | None = None,
    stdin: str = "",
    environment: Mapping[str, str] = {},
    timeout: float = 100,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command and return its exit code and its bytes."""
    server = _server()
    given, out, err = (os.memfd_create(name) for name in ("stdin", "stdout", "stderr"))
    os.pwrite(given, stdin.encode(), 0)
    os.umask(mask := os.umask(0))
    request = [[*map(str, words)], str((cwd or Path()).absolute()), {**os.environ, **environment}, mask]
    socket.send_fds(server, [json.dumps(request).encode()], [given, out, err])
    pid = int(server.recv(_MAX_REQUEST))
    server.settimeout(timeout)
    try:
        code = int(server.recv(_MAX_REQUEST))
    except TimeoutError:
        os.kill(pid, 9)
        server.settimeout(None)
        server.recv(_MAX_REQUEST)
        raise
    finally:
        server.settimeout(None)
    written = [os.pread(stream, os.fstat(stream).st_size, 0) for stream in (out, err)]
    for stream in (given, out, err):
        os.close(stream)
    return subprocess.CompletedProcess(words, code, *written)


def run_grader_text(
    *words: str | Path, cwd: Path | None = None, stdin: str = "", environment: Mapping[str, str] = {}
) -> subprocess.CompletedProcess[str]:
    """Run a command and return its exit code and its text."""
    done = run_grader(*words, cwd=cwd, stdin=stdin, environment=environment)
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


def bin_folder() -> Path:
    """Return a folder with a `grader` for the `PATH` of a shell."""
    _server()
    return _folder()


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="commands-"))
    (folder / "grader").write_text(
        _CLIENT.format(str(folder / "socket"), str(Path(sys.executable).with_name("grader")))
    )
    (folder / "grader").chmod(0o700)
    return folder


@cache
def _server() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    shells = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    shells.bind(str(_folder() / "socket"))
    shells.listen()
    given = [theirs.fileno(), shells.fileno()]
    command = [sys.executable, "-P", "-m", "tests.support.commands", *map(str, given)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))}
    process = subprocess.Popen(command, pass_fds=given, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
    theirs.close()
    shells.close()

    def end() -> None:
        ours.close()
        process.wait(timeout=60)
        shutil.rmtree(_folder())

    atexit.register(end)
    return ours


def _serve(requests: socket.socket, shells: socket.socket) -> None:
    package = import_module("grader")
    for module in pkgutil.walk_packages(package.__path__, "grader."):
        if not any(part in module.name for part in _NEVER_LOADED):
            import_module(module.name)
    for name in ("rich.console", "rich.table", "jinja2", "pexpect", "tree_sitter"):
        import_module(name)
    gc.collect()
    gc.freeze()
    while True:
        while requests not in select.select([requests, shells], [], [])[0]:
            _answer_shell(shells)
        request, streams, _, _ = socket.recv_fds(requests, _MAX_REQUEST, 3)
        if not request:
            return
        pid = os.fork()
        if pid == 0:
            requests.close()
            _become(streams, *json.loads(request))
        for stream in streams:
            os.close(stream)
        requests.send(b"%d" % pid)
        requests.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _answer_shell(shells: socket.socket) -> None:
    """Let a process of its own run the command of a shell, beside which others may come."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    connection, _ = shells.accept()
    with connection:
        if os.fork():
            return
        request, streams, _, _ = socket.recv_fds(connection, _MAX_REQUEST, 3)
        pid = os.fork()
        if pid == 0:
            connection.close()
            _become(streams, *json.loads(request))
        connection.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        os._exit(0)


def _become(streams: list[int], words: list[str], folder: str, environment: dict[str, str], mask: int) -> None:
    """Be what `grader` with these words is, and end as it does."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = (open(number, mode, closefd=False) for number, mode in ((0, "r"), (1, "w")))  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.umask(mask)
    sys.argv = ["grader", *words]
    code: object = 0
    try:
        import_module("grader.cli").run_as_program()
    except SystemExit as error:
        code = error.code or 0
    except BaseException:  # noqa: BLE001 - as Python ends; what serves would take an error of a connection for its own
        code = 1
        traceback.print_exc()
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    atexit._run_exitfuncs()
    for written in (sys.stdout, sys.stderr):
        with suppress(OSError):
            written.flush()
    os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    with suppress(ConnectionError):
        _serve(*(socket.socket(fileno=int(number)) for number in sys.argv[1:]))
