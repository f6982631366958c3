"""All around a class of attackers: what is there to be read, changed, reached and killed."""

import ctypes
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.attack_table import MADE

ATTACKS = Path(__file__).parents[1] / "attacks"
SECRET = "canary-5c1e9d74"  # noqa: S105 - it opens nothing
_FUSE_SECONDS = 6 * 3600
"""after which the victim ends by itself, should nobody end it: longer than all classes take on a busy machine"""
_GRADER = re.compile(rb"\bgrader\0|\bpytest\b")
_ATTACKER = re.compile(rb": left-behind|(?<!\w)[Aa]ttack\.[a-z]|\./attack|\0Attack\0")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRoom:
    """All around the attackers: a course, a home, a world that everybody may write, servers, and a victim."""

    folder: Path
    shared: Path
    """below /tmp, and open to everybody"""
    port: int
    servers: tuple[socket.socket, ...]
    victim: subprocess.Popen[bytes]

    def state(self) -> dict[str, object]:
        """Return what no attack may change."""
        kept = {
            str(path): (found.st_mode, found.st_uid, found.st_size, path.read_bytes() if is_text(found) else b"")
            for name in ("course", "home", "world")
            for path in [self.folder / name, *(self.folder / name).rglob("*")]
            if ".cache" not in path.parts
            for found in [path.lstat()]
        }
        return {
            **kept,
            "victim": state_of(self.victim),
            "servers": [heard(server) for server in self.servers],
            "left behind": left_behind(),
            "shared": sorted(path.name for path in self.shared.iterdir()),
            "machine": socket.gethostname(),
        }


def state_of(victim: subprocess.Popen[bytes]) -> tuple[object, ...]:
    """Return how a process ended, or how the kernel schedules it."""
    if victim.poll() is not None:
        return ("ended", victim.returncode)
    pid = victim.pid
    return (os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid), os.sched_getaffinity(pid))


def is_text(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_size < 2**20


def heard(server: socket.socket) -> bool:
    try:
        server.recv(1) if server.type == socket.SOCK_DGRAM else server.accept()
    except BlockingIOError:
        return False
    return True


def left_behind() -> set[str]:
    """Return the files, processes and segments that attacks leave, which have a name by which they are known."""
    places = [
        Path("/"),
        *map(Path, ("/tmp", "/dev/shm", "/var/tmp", "/run", "/srv", "/mnt", "/opt", "/usr/bin", "/etc")),
    ]
    found = {str(path) for place in places for path in place.glob("*left-behind*")}
    if attackers := set(processes()):
        time.sleep(1)  # what is just ending, or belongs to somebody else's short test, is gone then
        found |= attackers & set(processes())
    for kind in ("shm", "msg", "sem"):
        rows = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
        found |= {f"{kind} {row}" for row in rows if int(row.split()[0]) in (0x60570001, 0x60570002)}
    return found


def processes() -> Iterator[str]:
    """Yield what runs and is known by its name for an attacker, or for what one leaves."""
    for path in Path("/proc").glob("[0-9]*"):
        command = command_of(path)
        if _ATTACKER.search(command) and not is_graded(path):
            yield f"{path}: {command!r}"


def command_of(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def is_graded(process: Path) -> bool:
    """Whether a process belongs to a grader that still runs: another one on this machine, since ours has ended."""
    try:
        while process.name not in ("0", str(os.getpid())):
            if _GRADER.search(command_of(process)):
                return True
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            process = process.parent / parent
    except OSError:
        pass
    return False


@contextmanager
def an_attack_room(names: Sequence[str]) -> Iterator[AttackRoom]:
    """Make the room of these classes, and remove it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-canary-", dir="/var/tmp")))
        for name, mode in (("course", 0o755), ("home", 0o755), ("home/.ssh", 0o755), ("world", 0o777)):
            (folder / name).mkdir()
            (folder / name).chmod(mode)
        folder.chmod(0o755)
        (folder / "home/.netrc").write_text(f"{SECRET}\n")
        (folder / "home/.ssh/id").write_text(f"{SECRET}\n")
        (folder / "world/precious").write_text("kept\n")
        (folder / "world/precious").chmod(0o666)
        shared = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-open-", dir="/tmp")), "open")
        shared.parent.chmod(0o755)
        shared.mkdir()
        shared.chmod(0o1777)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=50))
        port = tcp.getsockname()[1]
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", port))
        named = stack.enter_context(socket.socket(socket.AF_UNIX))
        named.bind(str(folder / "world/socket"))
        (folder / "world/socket").chmod(0o777)
        hidden = stack.enter_context(socket.socket(socket.AF_UNIX))
        hidden.bind(f"\0grader-canary-{port}")
        for server in (named, hidden):
            server.listen(50)
        for server in (tcp, udp, named, hidden):
            server.settimeout(0)
        stack.enter_context(a_segment())
        environment = {"SECRET": SECRET, "PATH": "/usr/bin:/bin"}
        victim = stack.enter_context(
            subprocess.Popen(["/usr/bin/sleep", str(_FUSE_SECONDS)], env=environment, cwd=folder / "home")
        )
        stack.callback(victim.kill)
        make_course(folder, names, port, victim.pid)
        yield AttackRoom(folder=folder, shared=shared, port=port, servers=(tcp, udp, named, hidden), victim=victim)


@contextmanager
def a_segment() -> Iterator[None]:
    """Hold a segment of System V that is ours alone, with the secret in it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    number = libc.shmget(0, 4096, 0o600)
    assert number >= 0
    try:
        ctypes.memmove(libc.shmat(number, None, 0), SECRET.encode(), len(SECRET))
        yield
    finally:
        libc.shmctl(number, 0, None)


def make_course(room: Path, names: Sequence[str], port: int, victim: int) -> None:
    """Lay out the course: a reference, and a spec and a folder for each class."""
    course = room / "course"
    (course / "specs").mkdir()
    (course / "reference").mkdir()
    program = f"import sys\n\nprint(sum(range(int(sys.argv[1]) + 1)))  # {SECRET}\n"
    (course / "reference" / "sum.py").write_text(program)
    for language in names:
        text = (ATTACKS / f"{language}.yaml").read_text()
        for name, value in (("ROOM", room), ("PORT", port), ("VICTIM", victim)):
            text = text.replace(f"@{name}@", str(value))
        (course / "specs" / f"{language}.yaml").write_text(f"{text}# {SECRET}\n")
        shutil.copytree(ATTACKS / language, course / language)
        if (ATTACKS / f"{language}.course").is_dir():
            shutil.copytree(ATTACKS / f"{language}.course", course, dirs_exist_ok=True)
        (course / language / "honest" / "notes").write_text(f"{SECRET}\n")
    if "shell" in names:
        for name, (make, _) in MADE.items():
            make(course / "shell" / name, room)
