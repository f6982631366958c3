import errno
import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest

from grader.core.errors import GradingStoppedError, HostError
from grader.core.model.execution import MAX_NAMES, Execution, Launch
from grader.core.model.limits import Limits
from grader.core.run.measuring import WorkerSlots, measure_each
from grader.core.run.runner import execute, read_to_end
from grader.core.run.start import begin, start_program
from grader.core.sandbox import LEVELS, cgroup, choose, container, folder, outer, unsandboxed
from grader.core.sandbox.command import Ended
from grader.core.threads import FORK_LOCK
from tests.support.processes import alive
from tests.support.rows import each_row

BOTH = pytest.mark.parametrize("level", ["full", "none"])
SHORT = Limits(time=1, cpu=1, memory=64 * 2**20, output=2**20, processes=32)
WIDE = Limits(time=20, cpu=20)


def launch(level: str, script: str, *, limits: Limits = WIDE, stdin: bytes = b"", terminal: bool = False) -> Execution:
    request = Launch(argv=("sh", "-c", script), limits=limits, stdin=stdin, terminal=terminal)
    return execute(LEVELS[level], request, Event())


def python(level: str, script: str, limits: Limits = WIDE) -> Execution:
    return execute(LEVELS[level], Launch(argv=("python3", "-c", script), limits=limits), Event())


@BOTH
@each_row
def test_streams_and_status_are_what_the_command_makes_them(
    script: str, stdin: bytes, stdout: bytes, stderr: bytes, *, status: int, level: str
) -> None:
    execution = launch(level, script, stdin=stdin)
    assert (execution.stdout, execution.stderr, execution.status) == (stdout, stderr, status)
    assert (execution.signal, execution.limit) == (None, None)


@pytest.fixture(scope="module")
def ending(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ending")
    source = folder / "end.c"
    source.write_text(
        "#include <signal.h>\n#include <stdlib.h>\n"
        "int main(int n, char **a) { int k = atoi(a[2]); if (*a[1] == 'r') raise(k); return 128 + k; }\n"
    )
    subprocess.run(["/usr/bin/gcc", "-o", folder / "end", source], check=True, timeout=60)
    return folder


PYTHON_ENDS = "import os, sys; w, k = sys.argv[1:]; w == 'r' and os.kill(os.getpid(), int(k)); os._exit(128 + int(k))"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("argv", [("./end",), ("python3", "-c", PYTHON_ENDS)], ids=["C", "Python"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_status_is_not_taken_for_a_signal(level: str, argv: tuple[str, ...], number: int, ending: Path) -> None:
    exited, raised = (
        execute(LEVELS[level], Launch(argv=(*argv, how, str(number)), folder=ending), Event()) for how in ("e", "r")
    )
    assert (exited.status, exited.signal) == (128 + number, None)
    assert (raised.status, raised.signal) == (None, number)


@BOTH
def test_no_descriptor_is_inherited(level: str) -> None:
    with Path("/dev/null").open("rb") as opened:
        os.set_inheritable(opened.fileno(), True)  # noqa: FBT003 - the function's only way
        assert launch(level, "ls /proc/self/fd | wc -l").stdout.strip() == b"4"  # the three, and that of ls


@BOTH
def test_the_environment_is_clean(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_SECRET", "42")
    assert b"COURSE_SECRET" not in launch(level, "env; tr '\\0' '\\n' < /proc/1/environ || true").stdout


@BOTH
@each_row
def test_a_hang_ends_within_the_limit(level: str, script: str) -> None:
    execution = launch(level, script, limits=SHORT)
    assert execution.limit == "time"
    assert execution.status is None


@BOTH
@each_row
def test_a_child_that_holds_the_pipe_is_not_waited_for_and_does_not_survive(level: str, script: str) -> None:
    mark = f"31.{time.monotonic_ns()}"
    execution = launch(level, script.format(mark), limits=SHORT)
    assert (execution.stdout, execution.limit, execution.status) == (b"out\n", None, 0)
    assert alive(mark) == []


@BOTH
def test_processor_time_has_a_limit_of_its_own(level: str) -> None:
    execution = launch(level, "while :; do :; done", limits=Limits(time=1000, cpu=0.5))
    assert execution.limit == "cpu"
    assert execution.cpu > 0.4


@BOTH
def test_processor_time_is_what_the_command_says_itself(level: str) -> None:
    execution = python(level, "import time; sum(range(10**6)); print(time.process_time())")
    itself = float(execution.stdout)
    assert itself <= execution.cpu <= 5 * itself  # with what it takes to start and to end


def test_the_processor_time_of_children_counts() -> None:
    script = "for i in 1 2 3; do (while :; do :; done) & done; wait"
    assert launch("full", script, limits=Limits(time=60, cpu=1)).limit == "cpu"


@BOTH
def test_memory_has_a_limit(level: str) -> None:
    script = "import time; kept = bytearray(80 << 20); time.sleep(30)"
    execution = python(level, script, limits=Limits(time=25, cpu=20, memory=64 * 2**20))
    assert execution.limit == "memory"
    assert execution.memory > 64 * 2**20


def test_memory_of_several_processes_is_added_up() -> None:
    script = "import os, time\nfor _ in range(2): os.fork()\nkept = bytearray(30 << 20)\ntime.sleep(30)"
    assert python("full", script, limits=Limits(time=25, cpu=20, memory=100 * 2**20)).limit == "memory"


def test_memory_shared_by_forks_counts_once() -> None:
    script = "import os, time\nkept = b'x' * (40 << 20)\nfor _ in range(2): os.fork()\ntime.sleep(0.3)"
    execution = python("full", script, limits=Limits(time=25, cpu=20, memory=100 * 2**20))
    assert (execution.limit, execution.status) == (None, 0)


@BOTH
@pytest.mark.parametrize("stream", ["1", "2"])
def test_output_has_a_limit_and_is_kept_up_to_it(level: str, stream: str) -> None:
    execution = launch(level, f"yes >&{stream}", limits=SHORT)
    assert execution.limit == "output"
    assert len(execution.stdout if stream == "1" else execution.stderr) == SHORT.output


def test_output_of_exactly_the_limit_is_within_it() -> None:
    execution = launch("full", "head -c 1048576 /dev/zero", limits=SHORT)
    assert (execution.limit, len(execution.stdout)) == (None, SHORT.output)


def test_a_fork_bomb_meets_the_limit_of_processes() -> None:
    mark = f"fuse{time.monotonic_ns()}"
    # Beside much else, the first of them gets so little of a processor that it takes its time to start 32.
    script = f"import os, time\nend = time.time() + 60  # {mark}\nwhile time.time() < end: os.fork()"
    execution = python("full", script, limits=Limits(time=60, cpu=60, processes=32))
    assert execution.limit == "processes"
    assert alive(mark) == []


@BOTH
def test_a_terminal_is_one_and_standard_error_is_none(level: str) -> None:
    script = "for i in 0 1 2; do test -t $i && echo $i; done; cat"
    execution = launch(level, script, stdin=b"a\nb", terminal=True)
    assert execution.stdout == b"0\n1\na\nb"
    assert execution.status == 0


@pytest.mark.parametrize("level", LEVELS)
@each_row
@pytest.mark.parametrize("terminal", [False, True])
def test_a_command_that_is_not_there_says_so(
    level: str, argv: tuple[str, ...], status: int, told: str, *, terminal: bool
) -> None:
    request = Launch(argv=argv, files={"text": b"just so"}, terminal=terminal, screen=terminal)
    execution = execute(LEVELS[level], request, Event())
    assert execution.status == status
    assert told in (execution.stderr + execution.stdout).decode()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("first", ["#!/bin/sh\n", ""])
def test_a_script_needs_no_first_line(level: str, first: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(f"{first}echo $0 $1")
    script.chmod(0o755)
    assert execute(LEVELS[level], Launch(argv=("./script", "a"), folder=tmp_path), Event()).stdout == b"./script a\n"


@BOTH
def test_files_go_in_and_come_out(level: str, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "tool").write_text("#!/bin/sh\necho made > made.txt; ln -s /etc/passwd link.txt; mkdir left\n")
    (tmp_path / "deep" / "tool").chmod(0o755)
    request = Launch(
        argv=("sh", "-c", "deep/tool && cat given/x"),
        folder=tmp_path,
        files={"given/x": b"\xff\n"},
        list_files=True,
        collect=("*.txt",),
    )
    execution = execute(LEVELS[level], request, Event())
    assert execution.stdout == b"\xff\n"
    assert execution.names == ("deep/", "deep/tool", "given/", "given/x", "left/", "link.txt", "made.txt")
    assert execution.files == {"made.txt": b"made\n"}  # a link is not followed


@BOTH
@pytest.mark.parametrize("mode", ["000", "444"])
def test_no_file_hides_in_a_folder_that_nobody_may_read(level: str, mode: str) -> None:
    script = f"mkdir -p a/b; touch a/b/secret.class; chmod {mode} a/b; chmod {mode} a"
    execution = execute(LEVELS[level], Launch(argv=("sh", "-c", script), list_files=True, collect=("a/b/*",)), Event())
    assert execution.names == ("a/", "a/b/", "a/b/secret.class")


@BOTH
def test_files_of_ours_win_over_what_is_in_their_way(level: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file")
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "d").write_text("a folder")
    request = Launch(argv=("sh", "-c", "cat a/x b"), folder=tmp_path, files={"a/x": b"1", "b": b"2"}, list_files=True)
    execution = execute(LEVELS[level], request, Event())
    assert (execution.stdout, execution.names) == (b"12", ("a/", "a/x", "b"))


def test_more_files_than_are_looked_at_show_as_that() -> None:
    script = f"seq {MAX_NAMES + 500} | xargs touch"
    request = Launch(argv=("sh", "-c", script), list_files=True, limits=Limits(time=60, cpu=60))
    assert len(execute(LEVELS["full"], request, Event()).names) == MAX_NAMES + 1


@BOTH
def test_nothing_is_left_for_the_next(level: str) -> None:
    request = Launch(argv=("sh", "-c", "ls -A . /tmp/left ~ 2>/dev/null | grep -v :; touch x ~/y; touch /tmp/left"))
    try:
        first, second = measure_each(LEVELS[level], [request, request], Event(), WorkerSlots(1))
        assert isinstance(first, Execution)
        assert isinstance(second, Execution)
        assert first.stdout.strip() == b""
        assert second.stdout.strip() == (b"" if level == "full" else b"/tmp/left")
    finally:
        Path("/tmp/left").unlink(missing_ok=True)


def test_cancelling_ends_what_runs() -> None:
    mark = f"32.{time.monotonic_ns()}"
    cancelled = Event()
    Timer(0.3, cancelled.set).start()
    with pytest.raises(GradingStoppedError):
        execute(LEVELS["full"], Launch(argv=("sleep", mark)), cancelled)
    assert alive(mark) == []


def test_stopping_early_ends_the_one_prepared_ahead() -> None:
    mark = f"33.{time.monotonic_ns()}"
    executions = measure_each(
        LEVELS["full"], [Launch(argv=("true",)), Launch(argv=("sleep", mark))], Event(), WorkerSlots(1)
    )
    next(executions)
    executions.close()
    assert alive(mark) == []


def test_a_value_that_a_shell_would_read_stays_text() -> None:
    words = ("$(id)", "`id`", "; id", "a b", "", "-n", "*")
    request = Launch(argv=("printf", "%s|", *words), env={"X": "$(id)"})
    assert execute(LEVELS["full"], request, Event()).stdout == "".join(word + "|" for word in words).encode()


@pytest.mark.parametrize("name", ["../x", "/tmp/x", "a/../../x", ""])
def test_a_file_name_that_leads_outside_is_refused(name: str) -> None:
    with pytest.raises(HostError, match="relative"):
        execute(LEVELS["full"], Launch(argv=("true",), files={name: b""}), Event())


def test_environment_of_the_spec_is_passed_on() -> None:
    given: Mapping[str, str] = {"QUEENS": "8 = x", "PATH": "/usr/bin:/bin"}
    assert execute(LEVELS["full"], Launch(argv=("sh", "-c", 'echo "$QUEENS"'), env=given), Event()).stdout == b"8 = x\n"


@BOTH
def test_what_cannot_be_made_ready_meanwhile_fails_in_its_own_place(level: str) -> None:
    good = Launch(argv=("sh", "-c", "sleep 0.3; cat a"), files={"a": b"1"}, limits=WIDE)
    bad = Launch(argv=("true",), files={"../a": b"1"}, limits=WIDE)
    first, failure, last = measure_each(LEVELS[level], [good, bad, good], Event(), WorkerSlots(1))
    assert isinstance(failure, HostError)
    assert "'../a' is no name for a file" in str(failure)
    assert [one.stdout for one in (first, last) if isinstance(one, Execution)] == [b"1", b"1"]


def test_a_command_has_ended_when_it_ended_however_busy_we_were() -> None:
    with begin(start_program(LEVELS["full"], Launch(argv=("sleep", "0.3"), limits=WIDE), Event())) as present:
        time.sleep(3)
        assert 0.3 <= read_to_end(present).time < 3


# ---------------------------------------------------------------- when the machine fails us


def own_descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def fail(*_: object, **_named: object) -> None:
    raise OSError(errno.EMFILE, "Too many open files")


ALL = pytest.mark.parametrize(
    "level", ["full", "none", pytest.param("container", marks=pytest.mark.skipif(os.geteuid() != 0, reason="root"))]
)


@ALL
def test_a_start_that_fails_half_way_frees_all_and_is_our_failure(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = f"34.{time.monotonic_ns()}"
    left = []
    for _ in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(select, "epoll", fail)
            with pytest.raises(HostError, match="Too many open files"):
                start_program(choose(level), Launch(argv=("sleep", mark)), Event())
        outer.end_idle()
        left.append(own_descriptors())
    assert alive(mark) == []
    assert left == left[:1] * 3  # a user and a group wait for the next


def descriptors_in_use() -> int:
    """Count what is open when nothing waits for its next use."""
    outer.end_idle()
    cgroup._USERS.clear()
    return own_descriptors()


@pytest.mark.slow
@ALL
def test_however_few_descriptors_are_left_a_start_that_fails_frees_all(level: str) -> None:
    sandbox, launch = choose(level), Launch(argv=("true",), limits=WIDE)
    execute(sandbox, launch, Event())
    before, limits = descriptors_in_use(), resource.getrlimit(resource.RLIMIT_NOFILE)
    used = {int(path.name) for path in Path("/proc/self/fd").iterdir()}
    free = [number for number in range(max(used) + 300) if number not in used]  # the limit is one of their numbers
    failures = []
    for spare in range(300):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (free[spare], limits[1]))
            assert execute(sandbox, launch, Event()).status == 0
            break
        except HostError as error:
            failures.append(str(error))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        assert descriptors_in_use() == before, (spare, failures)
    assert 10 < len(failures) < 200


@ALL
@pytest.mark.parametrize("at", range(1, 5))
def test_a_full_disk_frees_all_and_is_our_failure(level: str, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox, launch = choose(level), Launch(argv=("true",), limits=WIDE)
    execute(sandbox, launch, Event())
    before, calls = descriptors_in_use(), 0

    def fails_once(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at:
                raise OSError(errno.ENOSPC, "No space left on device")
            return call(*given, **named)

        return counted

    with tempfile.TemporaryDirectory(dir="/tmp") as folder, monkeypatch.context() as patch:
        Path(folder).chmod(0o711)
        patch.setattr(tempfile, "tempdir", folder)
        for name in ("mkdir", "pwrite"):
            patch.setattr(os, name, fails_once(getattr(os, name)))
        with suppress(HostError):
            execute(sandbox, launch, Event())
        assert not [*Path(folder).iterdir()]
    assert descriptors_in_use() == before
    assert execute(sandbox, launch, Event()).status == 0


@pytest.mark.parametrize("when", ["before it is asked", "before the gate", "behind the gate"])
def test_a_starter_that_is_killed_frees_all_and_is_our_failure(when: str) -> None:
    full, launch = LEVELS["full"], Launch(argv=("sleep", "60"), limits=WIDE)
    execute(full, Launch(argv=("true",), limits=WIDE), Event())
    (waits,) = outer._OUTERS.idle
    before = own_descriptors()
    if when == "before it is asked":
        waits.process.kill()
        waits.process.wait()
        assert execute(full, Launch(argv=("true",), limits=WIDE), Event()).status == 0
    else:
        program = start_program(full, launch, Event())
        if when == "behind the gate":
            begin(program)
        waits.process.kill()
        with pytest.raises(HostError, match="the sandbox"):
            read_to_end(program if when == "behind the gate" else begin(program))
        assert not outer._OUTERS.idle
        execute(full, Launch(argv=("true",), limits=WIDE), Event())
    assert own_descriptors() == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
def test_a_folder_that_cannot_be_made_is_our_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "_new_folder", fail)
    with pytest.raises(HostError, match="level container cannot be set up"):
        start_program(choose("container"), Launch(argv=("true",)), Event())


@ALL
def test_one_that_does_not_end_in_time_is_our_failure_and_freed(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = begin(start_program(choose(level), Launch(argv=("sleep", "60")), Event()))
    wait, started = program.command.wait, own_descriptors()

    def wait_in_vain() -> Ended:
        wait()
        raise HostError("still alive")

    monkeypatch.setattr(program.command, "wait", wait_in_vain)
    with pytest.raises(HostError, match="still alive"):
        program.close()
    assert own_descriptors() < started - 3


def test_without_a_sandbox_what_cannot_be_ended_is_our_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    mark = f"35.{time.monotonic_ns()}"
    program = begin(start_program(choose("none"), Launch(argv=("sleep", mark)), Event()))
    with monkeypatch.context() as patch:
        patch.setattr(unsandboxed, "_signal", lambda *_: None)
        patch.setattr(unsandboxed, "_GONE", 0.1)
        patch.setattr(os, "killpg", lambda *_: None)
        with pytest.raises(HostError, match="still alive"):
            program.command.kill()
    program.close()
    assert alive(mark) == []


def test_who_takes_long_to_end_is_not_looked_at_without_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    program = begin(start_program(choose("full"), Launch(argv=("sleep", "60"), limits=Limits(time=0.2)), Event()))
    kill = program.command.kill
    monkeypatch.setattr(program.command, "kill", lambda: Timer(0.6, kill).start())
    assert read_to_end(program).limit == "time"
    assert 8 < program.account().looks < 60


def test_others_start_programs_while_a_folder_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    seen: list[bool] = []
    make = folder._make_folder

    def make_folder(name: str, work: int) -> None:
        seen.append(FORK_LOCK.locked())
        make(name, work)

    monkeypatch.setattr(folder, "_make_folder", make_folder)
    assert execute(choose("none"), Launch(argv=("ls", "a"), folder=tmp_path), Event()).stdout == b"b\n"
    assert seen == [False, False]
