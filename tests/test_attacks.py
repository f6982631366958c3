"""A class of attackers, graded as any class is, at both levels that hold: they get nothing, and nobody else is hurt.

`attacks/CLASS.yaml` is a spec, `attacks/CLASS/NAME/` is what is handed in, and `attacks/CLASS.course/`, if there is
one, lies beside the specs (hidden tests, references). The first line of one of the files handed in says what is tried
and what a safe grader shows for it: the points (or `ungraded`), and the verdict of its test. An attack that has what it
wanted says so by `harm:`; whatever lies in the room around it holds a secret that no report may tell, and must be as it
was. Each ends by itself after some seconds.
"""

import csv
import ctypes
import io
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from lxml import etree

from grader.core.text import show

ATTACKS = Path(__file__).parent / "attacks"
ROOT = Path(__file__).parents[1]
LANGUAGES = tuple(sorted((path.stem for path in ATTACKS.glob("*.yaml")), key=lambda name: (name != "shell", name)))
"""the classes: shell first, which takes longest"""
LEVELS = [
    "full",
    pytest.param("container", marks=pytest.mark.skipif(os.geteuid() != 0, reason="is for root")),
]
SECRET = "canary-5c1e9d74"  # noqa: S105 - it opens nothing
MINUTES = 500
"""seconds, for one class of them; it takes some 20 where nothing else runs"""
_PROMISE = re.compile(
    r"^(?:#|//|--|;|%|!|\(\*) Tries to (.+)\. Safe: (\d+|ungraded), ([a-z-]+(?: or [a-z-]+)*)\.(?: \*\))?$"
)
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
_HARM = re.compile(r"harm: \S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a safe grader shows for an attack."""

    tries: str
    points: int | None
    verdicts: tuple[str, ...]


def promise_of(folder: Path) -> Promise:
    if folder.name.startswith("honest"):
        return Promise(tries="do the work", points=10, verdicts=("passed",))
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        if found := _PROMISE.match(path.read_bytes().split(b"\n")[0].decode()):
            points = None if found[2] == "ungraded" else int(found[2])
            return Promise(tries=found[1], points=points, verdicts=tuple(found[3].split(" or ")))
    raise AssertionError(f"{folder} does not say what it tries")


# ---------------------------------------------------------------- what no repository can hold, made when it is needed

HONEST = b"echo $(($1 * ($1 + 1) / 2))\n"
NOTHING = Promise(tries="", points=0, verdicts=("build-failed",))
UNREADABLE = Promise(tries="", points=None, verdicts=("not readable",))
NO_SCRIPT = Promise(tries="", points=0, verdicts=("crashed",))
"""what no shell can read is a crash, whatever was asked for"""
DONE = Promise(tries="", points=10, verdicts=("passed",))


def zipped(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in entries:
            archive.writestr(info, content)


def zip_link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def tarred(path: Path, *entries: tuple[str, bytes, str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, kind, link, content in entries:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size = kind, link, len(content)
            archive.addfile(info, io.BytesIO(content))


def folder_with(path: Path, *names: str) -> Path:
    path.mkdir()
    for name in names:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(HONEST)
    return path


def settings_of_others(path: Path) -> None:
    folder_with(path, "attack.sh")
    (path / "conftest.py").write_text("raise SystemExit('mine')\n")
    (path / "pytest.ini").write_text("[pytest]\naddopts = -p nothing\n")
    for name in ("sitecustomize.py", "yaml.py", "click.py", "json.py"):
        (path / name).write_text("open('/tmp/left-behind-module', 'w')\n")


def deep(path: Path) -> None:
    path.mkdir()
    top = os.open(path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d", dir_fd=top)
        below = os.open("d", os.O_RDONLY, dir_fd=top)
        os.close(top)
        top = below
    os.close(top)


def many(path: Path) -> None:
    folder_with(path, "attack.sh")
    for number in range(2500):
        (path / str(number)).touch()


def sparse(path: Path) -> None:
    with (folder_with(path) / "attack.sh").open("wb") as file:
        file.truncate(2**40)


REG, SYM, LNK, CHR, FIFO = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE
MADE: dict[str, tuple[Callable[[Path, Path], object], Promise]] = {
    "own-settings": (lambda path, _: settings_of_others(path), DONE),
    "link-to-secret": (lambda path, room: (folder_with(path) / "attack.sh").symlink_to(room / "home/.netrc"), NOTHING),
    "link-to-folder": (lambda path, room: (folder_with(path, "attack.sh") / "all").symlink_to(room), DONE),
    "pipe": (lambda path, _: os.mkfifo(folder_with(path) / "attack.sh"), NOTHING),
    "folder-as-file": (lambda path, _: folder_with(path, "attack.sh/attack.sh"), DONE),
    "deep": (lambda path, _: deep(path), NOTHING),
    "many": (lambda path, _: many(path), NOTHING),
    "sparse": (lambda path, _: sparse(path), NOTHING),
    "zip-climbs.zip": (lambda path, _: zipped(path, ("../../left-behind", HONEST), ("attack.sh", HONEST)), NOTHING),
    "zip-climbs-back.zip": (
        lambda path, _: zipped(path, ("..\\..\\left-behind", HONEST), ("attack.sh", HONEST)),
        NOTHING,
    ),
    "zip-absolute.zip": (lambda path, _: zipped(path, ("/tmp/left-behind", HONEST), ("attack.sh", HONEST)), NOTHING),
    "zip-link.zip": (lambda path, room: zipped(path, (zip_link("attack.sh"), f"{room}/home/.netrc".encode())), NOTHING),
    "zip-bomb.zip": (lambda path, _: zipped(path, ("attack.sh", bytes(300_000_000))), NOTHING),
    "zip-many.zip": (lambda path, _: zipped(path, *((f"{n}/a", b"") for n in range(5000))), NOTHING),
    "zip-cut.zip": (lambda path, _: path.write_bytes(b"PK\x03\x04" + bytes(40)), UNREADABLE),
    "zip-text.zip": (lambda path, _: zipped(path, ("attack.sh", b"\x1b[2J\xff\0::error::x ]]> <script>")), NO_SCRIPT),
    "tar-climbs.tar.gz": (lambda path, _: tarred(path, ("../left-behind", REG, "", HONEST)), NOTHING),
    "tar-link.tar.gz": (lambda path, room: tarred(path, ("attack.sh", SYM, f"{room}/home/.netrc", b"")), NOTHING),
    "tar-through-link.tar.gz": (
        lambda path, room: tarred(path, ("d", SYM, f"{room}/world", b""), ("d/left-behind", REG, "", HONEST)),
        NOTHING,
    ),
    "tar-hard-link.tar.gz": (lambda path, _: tarred(path, ("attack.sh", LNK, "/etc/passwd", b"")), NOTHING),
    "tar-device.tar.gz": (lambda path, _: tarred(path, ("attack.sh", CHR, "", b"")), NOTHING),
    "tar-pipe.tar.gz": (lambda path, _: tarred(path, ("attack.sh", FIFO, "", b"")), NOTHING),
    # Names: of our files, of options, of formulas, of commands.
    **{
        name: (lambda path, _: folder_with(path, "attack.sh"), DONE)
        for name in (
            *("grades.db", "index.html", "report.json", "reports", "--help", "=cmd|calc", "::error::x", "<script>"),
            *("a\nb", "\x1b[2J", "dessap\u202e", "a b'\"$(id)", "\udcff", "{{ 7*7 }}"),
        )
    },
}
"""of the class in shell: a name -> what is handed in, and what a safe grader shows"""


# ---------------------------------------------------------------- what is there to be harmed


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSlots:
    """All around the attackers: a course, a home, a world that everybody may write, servers, and a victim."""

    folder: Path
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
        pid = self.victim.pid
        return {
            **kept,
            "victim": (self.victim.poll(), os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid)),
            "processors": os.sched_getaffinity(pid),
            "servers": [heard(server) for server in self.servers],
            "left behind": left_behind(),
            "machine": socket.gethostname(),
        }


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
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if b": left-behind" in command or b"attack.py" in command or b"attack.sh" in command or b"./attack" in command:
            found.add(f"{path}: {command!r}")
    for kind in ("shm", "msg", "sem"):
        rows = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
        found |= {f"{kind} {row}" for row in rows if int(row.split()[0]) in (0x60570001, 0x60570002)}
    return found


@contextmanager
def a_room() -> Iterator[WorkerSlots]:
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
        victim = stack.enter_context(subprocess.Popen(["/usr/bin/sleep", "1200"], env=environment, cwd=folder / "home"))
        stack.callback(victim.kill)
        make_course(folder, port, victim.pid)
        yield WorkerSlots(folder=folder, port=port, servers=(tcp, udp, named, hidden), victim=victim)


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


def make_course(room: Path, port: int, victim: int) -> None:
    """Lay out the course: a spec, a reference and a class for each language."""
    course = room / "course"
    (course / "specs").mkdir()
    (course / "reference").mkdir()
    program = f"import sys\n\nprint(sum(range(int(sys.argv[1]) + 1)))  # {SECRET}\n"
    (course / "reference" / "sum.py").write_text(program)
    for language in LANGUAGES:
        text = (ATTACKS / f"{language}.yaml").read_text()
        for name, value in (("ROOM", room), ("PORT", port), ("VICTIM", victim)):
            text = text.replace(f"@{name}@", str(value))
        (course / "specs" / f"{language}.yaml").write_text(f"{text}# {SECRET}\n")
        shutil.copytree(ATTACKS / language, course / language)
        if (ATTACKS / f"{language}.course").is_dir():
            shutil.copytree(ATTACKS / f"{language}.course", course, dirs_exist_ok=True)
        (course / language / "honest" / "notes").write_text(f"{SECRET}\n")
    for name, (make, _) in MADE.items():
        make(course / "shell" / name, room)


# ---------------------------------------------------------------- the class


def grade_class(room: WorkerSlots, language: str, level: str) -> tuple[str, Path]:
    """Grade a class as an instructor does; return what is printed, and where the results are."""
    out = room.folder / "out" / language
    command = [sys.executable, "-P", "-m", "grader", "class", language, "--spec", f"specs/{language}.yaml"]
    done = subprocess.run(
        [*command, "--sandbox", level, "--out", str(out)],
        cwd=room.folder / "course",
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(room.folder / "home"),
            "SECRET": SECRET,
        },
        capture_output=True,
        timeout=MINUTES,
        check=False,
    )
    is_open = any("ungraded" in promise.verdicts for promise in promises(language).values())
    assert done.returncode == (3 if is_open else 0), (done.stdout[-2000:], done.stderr[-4000:])
    said = done.stdout + done.stderr
    assert not _CONTROL.search(said), _CONTROL.findall(said)
    return said.decode(), out


def promises(language: str) -> dict[str, Promise]:
    made = {show(name).removesuffix(".zip").removesuffix(".tar.gz"): promise for name, (_, promise) in MADE.items()}
    stored = {folder.name: promise_of(folder) for folder in (ATTACKS / language).iterdir()}
    return {**stored, **(made if language == "shell" else {})}


def shown(out: Path) -> dict[str, tuple[float | None, tuple[str, ...], str]]:
    """Return what each report says: the score, the verdict of each test, and the whole of its text."""
    found = {}
    for path in out.glob("*/report.json"):
        text = path.read_text(encoding="utf-8")
        report = json.loads(text)
        found[report["submission"]["id"]] = (report["score"], tuple(t["verdict"] for t in report["tests"]), text)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """What came of the classes of one level."""

    changed: dict[str, object]
    """what of the room is not as it was: before, and now"""
    said: dict[str, str]
    outs: dict[str, Path]


def grade_all(room: WorkerSlots, level: str) -> Graded:
    before = room.state()
    with ThreadPoolExecutor(2) as pool:  # one class ends with few who wait for their limits: so another is begun
        done = dict(zip(LANGUAGES, pool.map(lambda name: grade_class(room, name, level), LANGUAGES), strict=True))
    after = room.state()
    names = (name for name in before | after if before.get(name) != after.get(name))
    return Graded(
        changed={name: (before.get(name), after.get(name)) for name in names},
        said={language: said for language, (said, _) in done.items()},
        outs={language: out for language, (_, out) in done.items()},
    )


def test_there_are_attacks_enough() -> None:
    known = [promise_of(folder) for language in LANGUAGES for folder in (ATTACKS / language).iterdir()]
    assert len(known) + len(MADE) >= 150
    assert len({promise.tries for promise in known}) >= 150


def hold_to_promises(graded: Graded, language: str) -> None:
    """Every attack gets what it deserves, and says of no harm."""
    wanted, got = promises(language), shown(graded.outs[language])
    assert set(got) == set(wanted)
    assert {
        name: (score, verdicts, wanted[name])
        for name, (score, verdicts, _) in got.items()
        if score != wanted[name].points or not set(verdicts) <= set(wanted[name].verdicts)
    } == {}
    assert {name: text for name, (_, _, text) in got.items() if _HARM.search(text)} == {}


def look_into_files(graded: Graded, language: str) -> None:
    """No secret is told, and every file is sound."""
    schema = etree.XMLSchema(etree.parse(ROOT / "tests" / "jenkins-junit.xsd"))
    assert SECRET not in graded.said[language]
    for path in graded.outs[language].rglob("*"):
        if not path.is_file() or path.name.startswith("grades.db"):
            continue
        data = path.read_bytes().replace(b"\r\n", b"\n")
        assert SECRET.encode() not in data, path
        assert not _CONTROL.search(data), (path, _CONTROL.findall(data))
        if path.suffix == ".xml":
            schema.assertValid(etree.fromstring(data))
        if path.suffix == ".json":
            json.loads(data)
        if path.suffix == ".csv":
            assert all(
                not cell.startswith(tuple("=+@")) for row in csv.reader(io.StringIO(data.decode())) for cell in row
            )


@pytest.mark.load
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("level", LEVELS)
def test_they_get_what_they_deserve_and_change_nothing(level: str) -> None:
    """One test for a level: the class is graded once, whichever worker of pytest has it."""
    with a_room() as room:
        graded = grade_all(room, level)
        assert graded.changed == {}
        for language in LANGUAGES:
            hold_to_promises(graded, language)
            look_into_files(graded, language)


BITE = {
    "shell": ("read-spec", "read-reference", "read-others", "read-home", "link-then-read", "proc-environ", "read-etc"),
    "python": ("tcp-loopback", "abstract-socket", "unix-socket", "inotify"),
}
"""those that can do no harm to the machine where nothing holds them"""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", BITE)
def test_they_bite_where_nothing_holds_them(language: str) -> None:
    with a_room() as room:
        for folder in list((room.folder / "course" / language).iterdir()):
            if folder.name not in (*BITE[language], "honest"):
                shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
        _, out = grade_class(room, language, "none")
        got = shown(out)
    assert {name for name in BITE[language] if not (_HARM.search(got[name][2]) or SECRET in got[name][2])} == set()
