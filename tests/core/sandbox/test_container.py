"""Attacks on level `container`, by programs that run as root's neighbours on the same machine."""

import os
import pwd
import re
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from grader.core.errors import GradingStoppedError, HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import execute, read_to_end
from grader.core.run.start import begin, start_program
from grader.core.sandbox import cgroup, choose, container
from grader.core.threads import ThreadTask
from tests.support.all_attacks import readable_checkout, readable_python
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")

HERE = Path(__file__).parents[3]
LIMITS = Limits(time=30, cpu=20, memory=256 * 2**20)


def inside(script: str, *, python: bool = False, limits: Limits = LIMITS) -> Execution:
    argv = ("python3", "-c", script) if python else ("sh", "-c", script)
    return execute(choose("container"), Launch(argv=argv, limits=limits), Event())


@pytest.fixture
def neighbour() -> Iterator[SandboxedProcess]:
    """Another student's program, that runs at the same time."""
    launch = Launch(
        argv=("sh", "-c", "echo secret > answer; chmod 644 answer; sleep 20 & echo ready; wait"), limits=LIMITS
    )
    with begin(start_program(choose("container"), launch, Event())) as program:
        while not program.heard:
            program.step(4096, None)
        yield program


@each_row
def test_nothing_of_the_machine_is_readable(path: str) -> None:
    assert inside(f"cat {path}/* {path}; ls {path}").stdout == b""


def test_what_everybody_may_read_is_not_readable() -> None:
    canary = HERE / "pyproject.toml"
    assert canary.stat().st_mode & 0o004
    assert inside(f"cat {canary}").stdout == b""
    assert b"Permission denied" in inside(f"cat {canary}").stderr


@pytest.mark.parametrize("name", ["environ", "cmdline", "maps", "mem", "fd/0", "root/etc/passwd", "cwd/pyproject.toml"])
def test_the_grader_is_no_book(name: str) -> None:
    assert inside(f"cat /proc/{os.getpid()}/{name} /proc/$PPID/{name}").stdout == b""


def test_other_submissions_are_not_readable(neighbour: SandboxedProcess) -> None:
    folder = Path(f"/proc/self/fd/{neighbour.work}").readlink()
    assert (folder / "answer").read_text() == "secret\n"
    assert inside(f"cat {folder}/answer; ls {folder}; cat /proc/{neighbour.command.pid}/cwd/answer").stdout == b""


@each_row
def test_nothing_outside_is_writable(path: str) -> None:
    outside = HERE / path
    assert inside(f"true > {outside}").status != 0
    assert not outside.exists()


@each_row
def test_nobody_else_is_reached_by_a_signal(attack: str, neighbour: SandboxedProcess) -> None:
    before = (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(neighbour.command.pid))
    inside(attack.format(grader=os.getpid(), neighbour=neighbour.command.pid))
    assert not select.select([neighbour.command.end], [], [], 0)[0]
    assert len(neighbour.command.processes()[1]) == 2
    assert (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(neighbour.command.pid)) == before


BOMB = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"


def processes_of(user: int) -> list[int]:
    everybody = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return container._processes_of(user, everybody)


@pytest.mark.parametrize("grouped", [True, False])
@pytest.mark.parametrize(("attack", "limit"), [(DATA["DAEMON"], None), (BOMB, "processes")])
def test_nothing_stays_alive(attack: str, limit: str | None, *, grouped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not grouped:
        monkeypatch.setattr(container, "new_group", lambda **_: None)
    program = begin(start_program(choose("container"), Launch(argv=("python3", "-c", attack), limits=LIMITS), Event()))
    user = program.command.user
    assert user
    assert processes_of(user)
    assert read_to_end(program).limit == limit
    assert processes_of(user) == []


def test_nothing_is_handed_on_to_the_next() -> None:
    script = (
        "echo state > /tmp/grader-canary; mkfifo /tmp/grader-canary-pipe /dev/shm/grader-canary-pipe; "
        "mkdir -p /dev/shm/grader-canary/a; ipcmk -M 4096; ipcmk -Q; ipcmk -S 1; "
        "mkdir /tmp/grader-deep; cd /tmp/grader-deep; for i in $(seq 1200); do mkdir d; cd d; done; chmod 0 ../../d"
    )
    execution = execute(
        choose("container"), Launch(argv=("sh", "-c", script), limits=LIMITS, permits=("shared-memory",)), Event()
    )
    assert execution.stdout.count(b"id:") == 3, execution
    assert not list(Path("/tmp").glob("grader-canary*")) + list(Path("/tmp").glob("grader-deep"))
    assert not list(Path("/dev/shm").glob("grader-canary*"))
    listed = subprocess.run(["/usr/bin/ipcs"], capture_output=True, check=True, timeout=20).stdout
    assert not re.search(rb"\s605[78][0-9]\s", listed)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder below /tmp in which everybody can write, as that of the X server is."""
    with tempfile.TemporaryDirectory(prefix="grader-open-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        folder = Path(name, "socket")
        folder.mkdir()
        folder.chmod(0o1777)
        yield folder


def test_what_lies_in_an_open_folder_is_removed(open_folder: Path) -> None:
    (open_folder / "X0").touch()
    script = (
        f"cd {open_folder}; echo state > file; mkfifo pipe; mkdir -m 700 own; touch own/a; ln -s /etc link; echo *; "
        "for i in $(seq 300); do mkdir -m 777 d; cd d; done; touch end"
    )
    assert inside(script).stdout == b"X0 file link own pipe\n"
    assert [path.name for path in open_folder.iterdir()] == ["X0"]


def test_the_next_program_finds_nothing_in_an_open_folder(open_folder: Path) -> None:
    launch = Launch(argv=("sh", "-c", f"cat {open_folder}/state; echo x > {open_folder}/state"), limits=LIMITS)
    assert [execute(choose("container"), launch, Event()).stdout for _ in range(2)] == [b"", b""]


def test_a_shared_folder_is_read_again_only_where_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    folders = [tmp_path / str(number) / "deep" for number in range(20)]
    for folder in folders:
        folder.mkdir(parents=True)
    folders[7].chmod(0o777)
    read: list[str] = []
    scan, now = os.scandir, time.time_ns

    def scan_noted(path: str) -> Any:
        read.append(path)
        return scan(path)

    monkeypatch.setattr(container, "_SHARED", (str(tmp_path),))
    monkeypatch.setattr(os, "scandir", scan_noted)
    monkeypatch.setattr(time, "time_ns", lambda: now() + 10**10)

    def read_again(*left: Path) -> list[str]:
        for path in left:
            path.touch()
            os.chown(path, 54321, 54321)
        read.clear()
        container._remove_shared(54321)
        return sorted(read)

    assert len(read_again()) == 41
    assert read_again() == []
    assert read_again(folders[7] / "left") == [str(folders[7])]
    assert not [*folders[7].iterdir()]
    folders[3].chmod(0o777)  # open only now, by somebody else
    assert str(folders[3]) in read_again(folders[3] / "left", folders[4] / "not-open")
    assert [*folders[3].iterdir(), *folders[4].iterdir()] == [folders[4] / "not-open"]
    monkeypatch.setattr(time, "time_ns", now)
    folders[5].chmod(0o711)
    assert [str(folders[5]) in read_again() for _ in range(2)] == [True, True]  # it may change within the same tick


def test_no_two_submissions_run_at_once() -> None:
    """Otherwise one reads, or lies in the way of, what another writes to a fixed name in /tmp."""
    script = "test -e /tmp/grader-mine && echo found; echo x > /tmp/grader-mine; sleep 0.3; cat /tmp/grader-mine"
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: inside(script), range(4)))
    assert [one.stdout for one in found] == [b"x\n"] * 4
    assert max(one.time for one in found) < sum(one.time for one in found) / 2, "the wait counts for nobody"


def test_another_grader_waits_for_its_turn(neighbour: SandboxedProcess) -> None:
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    with subprocess.Popen([sys.executable, "-c", DATA["WAITS"]], env=environment, stdout=subprocess.PIPE) as other:
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(timeout=2)
        neighbour.close()
        assert other.communicate(timeout=60)[0] == b"b'ran\\n'\n"


def test_who_waits_for_its_turn_can_be_stopped(neighbour: SandboxedProcess) -> None:
    cancelled = Event()
    task = ThreadTask(lambda: execute(choose("container"), Launch(argv=("true",), limits=LIMITS), cancelled))
    cancelled.set()
    with pytest.raises(GradingStoppedError):
        task.result()
    assert not select.select([neighbour.command.end], [], [], 0)[0]


def test_there_is_no_network_and_no_socket_of_others() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as hidden:
        hidden.bind("\0grader-canary")
        hidden.listen()
        port = server.getsockname()[1]
        for family, address in (("INET", ("127.0.0.1", port)), ("UNIX", "\\0grader-canary")):
            script = f"import socket; socket.socket(socket.AF_{family}).connect({address!r})".replace("\\\\0", "\\0")
            execution = inside(script, python=True)
            assert execution.status == 1
            assert b"Error" in execution.stderr
        socket.create_connection(("127.0.0.1", port), 2).close()  # from outside there is somebody
    assert inside("import socket; a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))", python=True).status == 0


def test_no_program_gives_more_rights() -> None:
    script = "find -L /usr/bin /bin -perm -4000 2> /dev/null | head -1; su root -c id; mount; grep -c . /etc/shadow"
    said = inside(script).stdout
    assert b"uid=0" not in said
    identity = inside("id -u; id -G").stdout.split()
    assert len(set(identity)) == 1
    assert int(identity[0]) > 60000


def test_two_at_a_time_are_two_users(neighbour: SandboxedProcess) -> None:
    assert int(inside("id -u").stdout) != neighbour.command.user


def test_what_is_made_inside_comes_back() -> None:
    script = "mkdir -p a/b; echo made > a/b/c; ln -s /etc/passwd link; chmod 0 a/b/c; tty; cat given"
    launch = Launch(
        argv=("sh", "-c", script),
        files={"given": b"given\n"},
        list_files=True,
        collect=("*",),
        terminal=True,
        limits=LIMITS,
    )
    execution = execute(choose("container"), launch, Event())
    assert execution.stdout.endswith(b"given\n")
    assert execution.names == ("a/", "a/b/", "a/b/c", "given", "link")
    assert execution.files == {"a/b/c": b"made\n", "given": b"given\n"}


def test_no_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o001)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    inside("for i in $(seq 1200); do mkdir d; cd d; done; chmod 0 .")
    assert list(tmp_path.iterdir()) == []


def test_without_landlock_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "call_number", lambda _: 9999)
    with pytest.raises(HostError, match="no Landlock"):
        inside("true")


def test_it_works_where_namespaces_are_refused() -> None:
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    done = subprocess.run(
        [sys.executable, "-c", DATA["IN_DOCKER"]],
        env=environment,
        capture_output=True,
        check=True,
        timeout=100,
        text=True,
    )
    promises, refusal, advice = done.stdout.splitlines()
    assert promises == "()"
    assert refusal.startswith("bubblewrap cannot be started: Function not implemented; ")
    assert "--sandbox container" in refusal
    assert "--sandbox container" in advice


def in_a_container_with_one_id(command: Sequence[str], **how: Any) -> list[str]:
    """Return what `ONE_ID` says as root of a user namespace that has no other user."""
    done = subprocess.run(
        ["/usr/bin/unshare", "--user", "--map-root-user", *command, "-c", DATA["ONE_ID"]],
        capture_output=True,
        check=True,
        timeout=100,
        text=True,
        **how,
    )
    said: str = done.stdout
    return said.splitlines()


def test_a_rootless_container_with_one_id_is_as_a_plain_user() -> None:
    python = readable_python()
    if python is None:
        pytest.skip("there is no Python that another user can start")
    user = pwd.getpwnam("nobody")
    with readable_checkout() as (checkout, packages):
        environment = {"PYTHONPATH": os.pathsep.join([str(checkout), str(packages)]), "PATH": "/usr/bin:/bin"}
        how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "env": environment, "cwd": "/"}
        contained, full = in_a_container_with_one_id([python, "-P"], **how)
    assert "this container has none to give" in contained
    assert "add-subuids" in contained
    assert full == "()"


def test_the_machines_root_is_never_taken_for_a_plain_user() -> None:
    """Bubblewrap would then run as the owner of the kernel's settings, and what it starts could change them."""
    contained, full = in_a_container_with_one_id([sys.executable], env={**os.environ, "PYTHONPATH": str(HERE)})
    assert "this container has none to give" in contained
    assert "root is not root here, as in a container with one user id: give it a range of ids" in full


TGKILL = {"x86_64": 234, "aarch64": 131}[os.uname().machine]


@pytest.mark.parametrize(("has_own", "reached"), [(True, b"0\n"), (False, b"1\n")])
def test_who_is_ended_cannot_signal_who_ends_it(reached: bytes, *, has_own: bool) -> None:
    """As long as a thread of ours may signal a user's processes, and where the kernel has no scopes for signals."""
    users = [cgroup._claim_user() for _ in range(2)]
    is_there, is_done = Event(), Event()

    def act() -> None:
        cgroup.become(users[0].id, users[1].id if has_own else None)
        is_there.set()
        is_done.wait(60)

    task = ThreadTask(act)
    assert is_there.wait(60)
    probe = ["/usr/bin/python3", "-I", "-c", DATA["PROBES"].format(tgkill=TGKILL), str(os.getpid())]
    try:
        found = subprocess.run(
            probe, user=users[0].id, group=users[0].id, extra_groups=[], capture_output=True, check=True
        )
    finally:
        is_done.set()
        task.result()
        for user in users:
            cgroup.give_back_user(user)
    assert found.stdout == reached
