import os
import socket
import tempfile
from pathlib import Path
from threading import Event

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, SandboxPlace
from grader.core.run.runner import execute
from grader.core.run.start import fill_folder, start_program
from grader.core.sandbox import LEVELS, choose, outer
from grader.core.sandbox.cgroup import _FREE_IDS
from tests.support.rows import each_row


def inside(script: str, *, python: bool = False) -> Execution:
    argv = ("python3", "-c", script) if python else ("sh", "-c", script)
    return execute(LEVELS["full"], Launch(argv=argv), Event())


def test_the_identity_is_nobodys() -> None:
    assert inside("id -u; grep CapEff /proc/self/status").stdout == b"1000\nCapEff:\t0000000000000000\n"


def test_root_is_given_up_before_the_sandbox_starts() -> None:
    """Otherwise the files of /proc/sys are writable inside."""
    assert inside("echo x > /proc/sys/kernel/core_pattern").status != 0
    with start_program(LEVELS["full"], Launch(argv=("sleep", "9")), Event()) as program:
        fill_folder(program)
        owner = Path(f"/proc/{program.command.pid}").stat().st_uid
        assert owner in _FREE_IDS if os.geteuid() == 0 else owner == os.geteuid()


def test_behind_a_gate_that_nobody_opens_nothing_runs() -> None:
    """As when the grader was killed: the kernel closes the gate then."""
    with start_program(choose("full"), Launch(argv=("echo", "ran")), Event()) as program:
        fill_folder(program)
        assert program.command.gate is not None
        with socket.socket(fileno=os.dup(program.command.gate)) as gate:
            gate.shutdown(socket.SHUT_RDWR)
        assert program.command.wait().status == 1
        assert os.read(program.channels.stdout, 9) == b""


@each_row
def test_nothing_of_the_host_is_readable(path: str) -> None:
    assert inside(f"ls -d {path}").status != 0


def test_the_course_is_not_readable(tmp_path: Path) -> None:
    secret = tmp_path / "spec.yaml"
    secret.write_text("answer")
    tmp_path.chmod(0o755)
    assert inside(f"cat {secret}").status != 0
    assert inside(f"cat {Path(__file__).parents[3]}/pyproject.toml").status != 0


@pytest.mark.parametrize("path", ["/x", "/usr/x", "/usr/bin/x", "/etc/x", "/dev/x", "/usr/local/x"])
def test_only_the_work_folder_tmp_home_and_shared_memory_are_writable(path: str) -> None:
    assert inside(f"touch {path}").status != 0


def test_what_should_be_writable_is() -> None:
    assert inside("touch x /tmp/x ~/x /dev/shm/x && echo hello > /dev/null").status == 0


@pytest.mark.parametrize("folder", [".", "/tmp", "~", "/dev/shm"])
def test_every_folder_is_bounded(folder: str) -> None:
    assert inside(f"for i in 1 2 3 4; do head -c 60000000 /dev/zero > {folder}/$i || exit 1; done").status != 0


def test_there_is_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        server.listen()
        execution = inside(f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)", python=True)
        assert execution.status == 1
        assert b"Error" in execution.stderr
        socket.create_connection(("127.0.0.1", port), 2).close()  # from outside there is somebody


def test_only_its_own_processes_are_visible() -> None:
    listed = inside("cat /proc/[0-9]*/comm").stdout.split()
    assert sorted(listed) in ([b"sh", b"starter"], [b"cat", b"starter"])


def test_no_new_user_namespace() -> None:
    assert inside("unshare -U true").status != 0


def test_ipc_is_its_own() -> None:
    assert inside("ipcs -m | grep -c 0x").stdout.strip() == b"0"


def test_no_path_of_ours_is_shown(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    request = Launch(argv=("sh", "-c", "cat /proc/1/cmdline /proc/self/mountinfo /proc/1/environ"), folder=tmp_path)
    execution = execute(LEVELS["full"], request, Event())
    assert os.fsencode(tmp_path) not in execution.stdout
    assert b"/work/" not in execution.stdout.replace(b"/workdir", b"")


def test_resource_limits_are_set_inside() -> None:
    limits = inside("ulimit -c; ulimit -n; grep 'Max processes' /proc/self/limits").stdout.split()
    assert limits[:2] == [b"0", b"256"]
    assert int(limits[4]) == 72


def test_a_missing_bubblewrap_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outer, "PATH", str(tmp_path))
    with pytest.raises(HostError, match="apt-get install bubblewrap"):
        inside("true")


def test_a_sandbox_that_does_not_come_up_says_why() -> None:
    launch = Launch(argv=("true",), place=SandboxPlace(work="/usr/no-such-folder"))
    with pytest.raises(HostError, match="the sandbox could not be set up: bwrap: "):
        execute(LEVELS["full"], launch, Event())


@pytest.mark.skipif(not Path("/etc/os-release").is_symlink(), reason="it is a file here, and mounted")
def test_what_is_a_link_into_what_is_shown_is_one_inside() -> None:
    launch = Launch(argv=("sh", "-c", "cat /etc/os-release; test -L /etc/os-release && rm /etc/os-release"))
    execution = execute(choose("full", ("/etc/*-release",)), launch, Event())
    assert execution.stdout == Path("/etc/os-release").read_bytes()
    assert b"Read-only" in execution.stderr


@pytest.mark.parametrize("tool", ["/usr/bin/sh", "/usr/bin/env"])
def test_what_is_shown_anyway_may_be_asked_for(tool: str) -> None:
    assert execute(choose("full", (tool,)), Launch(argv=("sh", "-c", f"test -x {tool}")), Event()).status == 0


@pytest.mark.skipif(not os.access("/usr/local/bin", os.W_OK), reason="who is not root has nothing there")
def test_a_tool_below_usr_local_can_be_shown_and_nothing_written_beside_it() -> None:
    with tempfile.NamedTemporaryFile(prefix="grader-", dir="/usr/local/bin") as tool:
        os.fchmod(tool.fileno(), 0o644)
        tool.write(b"seen")
        tool.flush()
        script = f"cat {tool.name}; ls /usr/local/bin | wc -l; touch /usr/local/bin/x"
        execution = execute(choose("full", (tool.name,)), Launch(argv=("sh", "-c", script)), Event())
    assert execution.stdout == b"seen1\n"
    assert b"Read-only" in execution.stderr


def test_a_tool_below_tmp_can_be_shown_in_a_tmp_that_is_empty_besides() -> None:
    with tempfile.TemporaryDirectory(prefix="grader-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        for name in ("tool", "beside"):
            Path(folder, name).write_text("seen")
            Path(folder, name).chmod(0o666)
        tool = f"{folder}/tool"
        script = f"cat {tool}; ls /tmp {folder} | grep -c beside; touch /tmp/x && echo written; echo no >> {tool}"
        execution = execute(choose("full", (tool,)), Launch(argv=("sh", "-c", script)), Event())
        assert Path(tool).read_text() == "seen"
    assert execution.stdout == b"seen0\nwritten\n"
    assert b"Read-only" in execution.stderr
