"""Python of ours in a process with limits on time and memory: it reads what a student decides, and can be ended."""

import io
import select
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from grader.core.errors import HostError
from grader.core.threads import FORK_LOCK

MAX_WAIT_SECONDS = 600  # for one answer, on a busy machine: it only ends a helper that does nothing at all
_MAX_LINE_BYTES = 2**26
# Packages without what their `__init__` imports, so that a helper is there at once.
_PRELUDE = """
import resource, sys, types
if libraries:
    sys.path[:] = libraries
for name in packages:
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder + name.removeprefix("grader").replace(".", "/")]
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
if seconds:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
"""


class Helper(Struct, frozen=True, kw_only=True):
    """What a helper process runs, and its limits."""

    task: str  # what it is for, as in "no process to ...": for messages
    code: str  # Python that reads standard input and writes standard output; it has the `arguments` of its start
    memory: int = 4 * 2**30  # bytes of address space
    seconds: int = 0  # of processor time; 0 when `code` sets a limit for each request
    packages: tuple[str, ...] = ()  # of ours, from which `code` imports
    with_libraries: bool = False  # whether it imports what we can import; else the standard library alone
    with_site: bool = False  # whether `site` runs in it, for code of the course, whose standard error is discarded


class Answer(Struct, frozen=True, kw_only=True):
    """What a helper wrote before it ended, and how it ended."""

    output: bytes
    errors: bytes
    status: int  # its exit code; negative for a signal
    is_out_of_time: bool  # whether it used up its processor time


class HelperProcess:
    """A helper that answers requests with a line each, until it is ended."""

    def __init__(self, helper: Helper, *arguments: object) -> None:
        """Start it; `arguments` are literals of Python. Raises HostError when it cannot be started."""
        libraries = sys.path if helper.with_libraries else []
        values = (arguments, str(Path(__file__).parents[1]), libraries, helper.packages, helper.memory, helper.seconds)
        code = f"arguments, folder, libraries, packages, memory, seconds = {values!a}\n{_PRELUDE}{helper.code}"
        options = ("-I",) if helper.with_site else ("-I", "-S")
        try:
            with FORK_LOCK:
                self._process = subprocess.Popen(
                    [sys.executable, *options, "-c", code],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL if helper.with_site else subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,  # Ctrl-C is for us, and we end it
                )
        except OSError as error:
            raise HostError(f"no process to {helper.task}: {error.strerror}") from error
        self._helper, self._answers = helper, io.BufferedReader(self._process.stdout)  # type: ignore[type-var]

    def send(self, request: bytes) -> None:
        """Write a request that gets no answer. Raises BrokenPipeError when the helper has ended."""
        rest = memoryview(request)
        while rest and self._process.stdin:  # a signal may come in between
            rest = rest[self._process.stdin.write(rest) :]

    def ask(self, request: bytes) -> bytes:
        """Return the line that answers a request, empty when the helper ended instead; HostError for neither."""
        try:
            self.send(request)
        except BrokenPipeError:
            return b""
        if not select.select([self._answers], [], [], MAX_WAIT_SECONDS)[0]:
            raise self._late()
        return self._answers.readline(_MAX_LINE_BYTES)

    def finish(self, request: bytes = b"") -> Answer:
        """Write the last request, and wait until the helper has ended by itself. Raises HostError when it does not."""
        try:
            output, errors = self._process.communicate(request, timeout=MAX_WAIT_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise self._late() from error
        # A timer of the helper's own sends SIGPROF. SIGXCPU may be ignored by inheritance, and SIGKILL comes then.
        signals = (-signal.SIGXCPU, -signal.SIGKILL) if self._helper.seconds else (-signal.SIGPROF,)
        status = self._process.returncode
        return Answer(output=output, errors=errors or b"", status=status, is_out_of_time=status in signals)

    def _late(self) -> HostError:
        late = f"the process to {self._helper.task} did not answer within {MAX_WAIT_SECONDS} s"
        return HostError(f"{late}; the machine is busy, or it waits for something: grade again")

    def close(self) -> None:
        """Kill it if it still runs, and close its pipes."""
        with self._process as process:
            process.kill()


def ask_once(helper: Helper, request: bytes, *arguments: object) -> Answer:
    """Start a helper with literals of Python and return its answer; HostError where it does not start or end."""
    with closing(HelperProcess(helper, *arguments)) as process:
        return process.finish(request)
