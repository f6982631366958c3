"""What is handed in against the class in shell and no repository can hold: links, pipes, archives, odd names.

Each is made when it is needed.
"""

import gzip
import os
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.archives import make_tar, make_zip, member, special


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a safe grader shows for an attack."""

    tries: str
    points: tuple[int | None, ...]
    """one of these; None where there is no score"""
    verdicts: tuple[str, ...]


HONEST = b"echo $(($1 * ($1 + 1) / 2))\n"
NOTHING = Promise(tries="", points=(0,), verdicts=("build-failed",))
UNREADABLE = Promise(tries="", points=(None,), verdicts=("not readable",))
NO_SCRIPT = Promise(tries="", points=(0,), verdicts=("crashed",))
"""what no shell can read is a crash, whatever was asked for"""
DONE = Promise(tries="", points=(10,), verdicts=("passed",))


def zip_at(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> None:
    path.write_bytes(make_zip(*entries))


def tar_at(path: Path, *entries: tuple[str, bytes, str, bytes]) -> None:
    """Write a tar of entries, each with its name, its kind, where it leads, and a content."""
    members = ((member(name, content, kind, link), content) for name, kind, link, content in entries)
    path.write_bytes(gzip.compress(make_tar(*members)))


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
    "deep": (lambda path, _: deep(path), UNREADABLE),
    "many": (lambda path, _: many(path), UNREADABLE),
    "sparse": (lambda path, _: sparse(path), UNREADABLE),
    "zip-climbs.zip": (lambda path, _: zip_at(path, ("../../left-behind", HONEST), ("attack.sh", HONEST)), UNREADABLE),
    "zip-climbs-back.zip": (
        lambda path, _: zip_at(path, ("..\\..\\left-behind", HONEST), ("attack.sh", HONEST)),
        UNREADABLE,
    ),
    "zip-absolute.zip": (lambda path, _: zip_at(path, ("/tmp/left-behind", HONEST), ("attack.sh", HONEST)), UNREADABLE),
    "zip-link.zip": (lambda path, room: zip_at(path, (special("attack.sh"), f"{room}/home/.netrc".encode())), NOTHING),
    "zip-bomb.zip": (lambda path, _: zip_at(path, ("attack.sh", bytes(300_000_000))), UNREADABLE),
    "zip-many.zip": (lambda path, _: zip_at(path, *((f"{n}/a", b"") for n in range(5000))), UNREADABLE),
    "zip-cut.zip": (lambda path, _: path.write_bytes(b"PK\x03\x04" + bytes(40)), UNREADABLE),
    "zip-text.zip": (lambda path, _: zip_at(path, ("attack.sh", b"\x1b[2J\xff\0::error::x ]]> <script>")), NO_SCRIPT),
    "tar-climbs.tar.gz": (lambda path, _: tar_at(path, ("../left-behind", REG, "", HONEST)), UNREADABLE),
    "tar-link.tar.gz": (lambda path, room: tar_at(path, ("attack.sh", SYM, f"{room}/home/.netrc", b"")), NOTHING),
    "tar-through-link.tar.gz": (
        lambda path, room: tar_at(path, ("d", SYM, f"{room}/world", b""), ("d/left-behind", REG, "", HONEST)),
        NOTHING,
    ),
    "tar-hard-link.tar.gz": (lambda path, _: tar_at(path, ("attack.sh", LNK, "/etc/passwd", b"")), NOTHING),
    "tar-device.tar.gz": (lambda path, _: tar_at(path, ("attack.sh", CHR, "", b"")), NOTHING),
    "tar-pipe.tar.gz": (lambda path, _: tar_at(path, ("attack.sh", FIFO, "", b"")), NOTHING),
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
