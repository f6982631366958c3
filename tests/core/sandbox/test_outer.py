"""Commands one after the other in one outer sandbox: none finds what another left, and none reaches the starter.

Neither do those that are forks of a process that has loaded what they begin with.
"""

import fcntl
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.run.runner import execute, read_to_end
from grader.core.run.start import begin, start_program
from grader.core.sandbox import choose, outer
from grader.core.sandbox.cgroup import adopt_orphans
from grader.core.sandbox.command import becomes_readable
from grader.core.sandbox.compile_starter import STARTER_SOURCE, compile_starter
from grader.core.sandbox.outer import end_idle
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
LEFT = DATA["LEFT"]
LEFT_IN_PYTHON = DATA["LEFT_IN_PYTHON"]
pytestmark = pytest.mark.timeout(120)

IMPORTS = "import ctypes, fcntl, glob, os, resource, signal, socket, subprocess, sys, time\nC = ctypes.CDLL(None)\n"
IMPORTS += "SETTINGS = '/proc/sys/kernel/shmmax', '/proc/sys/kernel/msgmax', '/proc/sys/net/ipv4/ip_default_ttl'\n"
LIMITS = Limits(time=20, cpu=10)


@pytest.fixture(autouse=True)
def _own_sandboxes() -> Iterator[None]:
    end_idle()
    yield
    end_idle()


def run(script: str, level: str = "full", *argv: str, preload: str = "") -> Execution:
    own = ("python3", "-c", (preload or IMPORTS) + "exec(sys.stdin.read())")
    launch = Launch(argv=argv or own, stdin=script.encode(), limits=LIMITS, preload=preload)
    return execute(choose(level), launch, Event())


def waiting() -> list[int]:
    return [each.process.pid for each in outer._OUTERS.idle]


FORKED = ["", IMPORTS]
"""what is loaded once for several commands"""


@pytest.mark.parametrize("preload", FORKED, ids=["started", "forked"])
@pytest.mark.parametrize("what", LEFT | LEFT_IN_PYTHON)
def test_nothing_is_left_for_the_next_command(what: str, preload: str) -> None:
    leave, look, clean = (LEFT | LEFT_IN_PYTHON)[what]
    run(leave, preload=preload)
    before = waiting()
    found = run(look, preload=preload)
    assert (found.stdout.decode().strip(), found.stderr, found.status) == (clean, b"", 0)
    assert waiting() == before, "both were in one outer sandbox"


@each_row
@pytest.mark.parametrize("preload", FORKED, ids=["started", "forked"])
def test_process_1_cannot_be_looked_into_or_ended(attempt: str, preload: str) -> None:
    script = f"try:\n    {attempt}\n    print('reached')\nexcept OSError as error:\n    print('refused')"
    found = run(script, preload=preload)
    assert (found.stdout, found.status) == (b"refused\n", 0)


@pytest.mark.slow
@each_row
def test_a_fork_finds_what_it_would_find_if_it_were_started(script: str) -> None:
    forked, started = run(script, preload=IMPORTS), run(script)
    assert (forked.stdout, forked.status, forked.signal) == (started.stdout, started.status, started.signal)
    assert forked.stderr.splitlines()[-1:] == started.stderr.splitlines()[-1:]


@pytest.mark.parametrize("preload", [*FORKED, f"import logging\n{IMPORTS}"], ids=["started", "forked", "remembers"])
def test_no_time_tells_a_later_command_from_the_first(preload: str) -> None:
    start = time.time()
    run("", preload=preload)
    before, end = waiting(), time.time()
    time.sleep(0.1)
    later = run(DATA["AGES"].replace("START", str(start)).replace("END", str(end)), preload=preload)
    assert waiting() == before, "both were in one outer sandbox"
    assert (later.stdout, later.stderr) == (b"[]\n", b"")


@each_row
def test_what_cannot_be_started_is_told_as_by_a_shell(argv: tuple[str, ...], status: int, message: bytes) -> None:
    found = run("", "full", *argv)
    assert (found.status, found.stderr) == (status, message)


def test_one_outer_sandbox_has_one_command_after_the_other() -> None:
    for _ in range(3):
        run("print(1)")
    assert len(waiting()) == 1


def test_two_at_once_are_in_two_and_do_not_see_each_other() -> None:
    launch = Launch(argv=("python3", "-c", IMPORTS + "socket.create_server(('127.0.0.1', 4711)); input()"))
    with begin(start_program(choose("full"), launch, Event())) as program:
        assert run("print(socket.socket().connect_ex(('127.0.0.1', 4711)) != 0)").stdout == b"True\n"
        assert program.command.user is None or program.command.user != outer._OUTERS.idle[0].user


@pytest.mark.slow
def test_the_processor_time_of_all_commands_is_ours_when_an_idle_sandbox_has_ended() -> None:
    """One that is killed keeps it to itself, about one time in ten."""
    for _ in range(25):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = run("end = time.process_time() + 0.02\nwhile time.process_time() < end: pass", preload=IMPORTS).cpu
        end_idle()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime >= used >= 0.02


def test_a_starter_that_dies_is_the_sandbox_s_fault_and_is_replaced() -> None:
    """Else the student would be told that a signal ended the program."""
    run("print(1)")
    (waits,) = outer._OUTERS.idle
    program = begin(start_program(choose("full"), Launch(argv=("sleep", "60"), limits=LIMITS), Event()))
    waits.process.kill()
    with pytest.raises(HostError, match="the sandbox failed: its starter"):
        read_to_end(program)
    assert waiting() == []
    assert run("print(2)").stdout == b"2\n"


def test_the_number_of_its_process_1_may_be_another_child_s_by_now(monkeypatch: pytest.MonkeyPatch) -> None:
    run("print(1)")
    with subprocess.Popen(["/bin/sh", "-c", "exit 7"]) as other:
        monkeypatch.setattr(outer, "read_first", lambda _: other.pid)
        end_idle()
        assert other.wait(60) == 7


def test_one_that_begins_to_end_gets_no_command() -> None:
    run("print(1)")
    end_idle(waits=False)
    assert run("print(2)").stdout == b"2\n"


def test_all_that_wait_end_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [begin(start_program(choose("full"), Launch(argv=("true",), limits=LIMITS), Event())) for _ in range(2)]
    assert [read_to_end(program).status for program in both] == [0, 0]
    waits, closed, wait = [*outer._OUTERS.idle], list[set[int]](), becomes_readable

    def note(descriptor: int, seconds: float) -> bool:
        closed.append({each.requests.fileno() for each in waits})
        return wait(descriptor, seconds)

    monkeypatch.setattr(outer, "becomes_readable", note)
    end_idle()
    assert closed == [{-1}, {-1}]


def test_one_that_died_while_it_waited_is_replaced() -> None:
    run("print(1)")
    (waits,) = outer._OUTERS.idle
    waits.process.kill()
    waits.process.wait()
    assert run("print(2)").stdout == b"2\n"


@each_row
def test_an_answer_that_is_none_is_the_sandbox_s_fault(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = STARTER_SOURCE.read_text()
    other = source.replace("write(requests, &told, sizeof told)", f"({answer}, 1)")
    assert other != source
    program = compile_starter(other.encode())
    assert program
    monkeypatch.setattr(outer, "starter_program", lambda: program)
    with pytest.raises(HostError, match="the sandbox failed: its starter"):
        run("print(1)")
    assert waiting() == []


@pytest.mark.parametrize("answer", ["is_done", "0"], ids=["process 1", "the grader"])
def test_limits_and_group_are_there_whoever_sets_them(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where process 1 may not, as with a hard limit below the one that is wanted, the grader does."""
    source = STARTER_SOURCE.read_text()
    inert = source.replace("int is_done = 1;", "int is_done = 0; return is_done;")
    assert inert != source
    program = compile_starter((source if answer == "is_done" else inert).encode())
    assert program
    monkeypatch.setattr(outer, "starter_program", lambda: program)
    launch = Launch(argv=("sh", "-c", "ulimit -n; ulimit -c; ls /proc/self/fd; cat"), limits=LIMITS)
    with begin(start_program(choose("full"), launch, Event())) as running:
        group = running.command.group
        assert group is None or len(group.processes()) >= 1
        assert read_to_end(running).stdout.split() == [b"256", b"0", *b"0 1 2 3".split()]


def test_all_of_it_ends_with_the_grader() -> None:
    with subprocess.Popen([sys.executable, "-c", DATA["SLEEPS"]], stdout=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        assert grader.stdout.readline()
        assert _comes_to_be(is_running=True)
        grader.send_signal(signal.SIGKILL)
    assert _comes_to_be(is_running=False)


def test_a_grader_that_ends_leaves_nobody_to_be_reaped() -> None:
    """Where nobody reaps orphans, as in many containers, each run would leave some."""
    adopt_orphans()
    done = subprocess.run(
        [sys.executable, "-c", DATA["NAMES_PROCESS_1"]], stdout=subprocess.PIPE, check=True, timeout=60
    )
    assert not Path(f"/proc/{int(done.stdout)}").exists()


def _comes_to_be(*, is_running: bool) -> bool:
    for _ in range(200):
        if _runs(b"sleep\x004711.5\x00") == is_running:
            return True
        time.sleep(0.05)
    return False


def _runs(command: bytes) -> bool:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (folder / "cmdline").read_bytes() == command:
                return True
    return False


def test_where_no_starter_can_be_made_the_level_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer, "starter_program", lambda: b"")
    with pytest.raises(HostError, match=r"install gcc and a static C library .* `--sandbox container`"):
        run("print(1)")
    assert waiting() == []


@pytest.mark.parametrize("number", [7, 130, 300])
def test_a_command_keeps_a_descriptor_under_its_number(number: int) -> None:
    """Also one above the limit of open files that the command has; a tool's report comes through it."""
    ours, theirs = socket.socketpair()
    with ours, theirs, ExitStack() as stack:
        kept = fcntl.fcntl(theirs, fcntl.F_DUPFD, number)
        stack.callback(os.close, kept)
        channels = [os.open("/dev/null", os.O_RDWR) for _ in range(3)]
        for channel in channels:
            stack.callback(os.close, channel)
        launch = Launch(argv=("python3", "-c", f"import os; os.write({kept}, b'said')"))
        command = choose("full").start_with(launch, *channels, kept, show=(), packages="")
        stack.callback(command.close)
        assert command.gate
        assert select.select([command.gate], [], [], 10)[0]
        command.enter()
        command.open_gate(-1)
        assert command.wait().status == 0
        assert ours.recv(9) == b"said"


def test_a_request_may_be_as_long_as_a_command_line() -> None:
    words = ["x" * 100_000] * 10
    assert run("", "full", "sh", "-c", 'echo ${#1} "$#"', "sh", *words).stdout == b"100000 10\n"


def test_forks_of_one_process_load_once_what_they_begin_with() -> None:
    """The rest of a command, here the time since it loaded, is its own."""
    begin = "import os, sys, time\nloaded = time.monotonic()\n"
    launch = Launch(
        argv=("python3", "-I", "-u", "-c", begin + "print(loaded, os.getppid())"), preload=begin, limits=LIMITS
    )
    found = [execute(choose(level), launch, Event()).stdout.split() for level in ("full", "full")]
    assert found[0] == found[1]
    assert len(waiting()) == 1


def test_a_process_that_forks_and_dies_is_the_sandbox_s_fault_and_is_replaced() -> None:
    run("print(1)", preload=IMPORTS)
    (waits,) = outer._OUTERS.idle
    own = ("python3", "-c", IMPORTS + "exec(sys.stdin.read())")
    launch = Launch(argv=own, stdin=b"time.sleep(60)", limits=LIMITS, preload=IMPORTS)
    program = begin(start_program(choose("full"), launch, Event()))
    waits.process.kill()
    with pytest.raises(HostError, match="the sandbox failed: its starter"):
        read_to_end(program)
    assert run("print(2)", preload=IMPORTS).stdout == b"2\n"


@pytest.mark.parametrize(
    "change", [{"env": {"LD_LIBRARY_PATH": "."}}, {"terminal": True}, {"screen": True}, {"argv": ()}]
)
def test_what_a_fork_could_not_be_the_same_for_is_started(change: dict[str, Any]) -> None:
    own = ("python3", "-c", IMPORTS + "print(open('/proc/1/comm').read())")
    launch = msgspec.structs.replace(Launch(argv=own, limits=LIMITS, preload=IMPORTS), **change)
    launch = msgspec.structs.replace(launch, argv=launch.argv or ("python3", "-c", f"#\n{own[2]}"))
    assert b"starter" in execute(choose("full"), launch, Event()).stdout


def test_where_the_library_cannot_be_loaded_each_command_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer, "starter_library", lambda: b"no library")
    assert run("print(open('/proc/1/comm').read())", preload=IMPORTS).stdout.strip() == b"starter"


@pytest.mark.slow
def test_memory_and_time_of_a_fork_are_its_own_and_limited() -> None:
    few = Limits(time=5, cpu=0.5, memory=64 * 2**20)
    begin = "import sys, time\nlist(range(3_000_000))\nwhile time.process_time() < 1: pass\n"
    for script, limit in (("while True: pass", "cpu"), ("x = bytearray(2**27); time.sleep(5)", "memory"), ("0", None)):
        argv = ("python3", "-c", begin + "exec(sys.stdin.read())")
        found = execute(choose("full"), Launch(argv=argv, stdin=script.encode(), limits=few, preload=begin), Event())
        assert found.limit == limit
        assert found.cpu < 1
