"""A Java machine for unit tests that starts in half the time, made once for the JDK of this machine.

Most of the time of a method is the start of the machine and of JUnit. The classes of both can be had from an archive
that the machine maps into its memory (class data sharing). It maps none where `--limit-modules` keeps out modules that
look into the machine. So `jlink` makes an image of the JDK without them, and in that image a run of the probe with
tests of ours writes the archive. No class of a student's or of a course's is in it.

The sandbox shows the image, which nobody can write there. Its folder is named for all that it is made of: another JDK,
JUnit or probe asks for another one. A damaged archive may end the machine with a signal, so before each grading its
digest is compared. Where no image can be made or reached, methods are run by the JDK itself, with the same results.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from grader.core.cache import Cache, grader_cache_folder, key_digest, why_untrusted
from grader.core.find_tool import locate_tool
from grader.core.python_packages import is_open_to_all
from grader.core.threads import FORK_LOCK

_SYSTEM_FOLDER = Path("/var/cache/grader/java")
"""where root keeps images, whose home no other user can enter"""
_DESCRIPTION = "grader-image.json"
_UNIT, _COMPILER_ARCHIVE = "unit.jsa", "compiler.jsa"
_ARCHIVES = (_UNIT, _COMPILER_ARCHIVE, "lib/server/classes.jsa")
"""of the classes of the probe and JUnit, of the compiler of the JDK itself, and of those that every start needs"""
_QUIET = ("-Xlog:cds*=off", "-Xlog:class+path*=off")
"""what the machine says of an archive goes to the program's output otherwise"""
COMPILER = "grader.Copies"
"""the class of the probe that calls the compiler, once for each copy of a test"""
QUICK_COMPILER = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_METHODS = ("passes", "fails", "crashes", "varies", "reads")
_MIN_FREE_BYTES = 2**30
_MAX_UNUSED = 30 * 24 * 3600.0
"""seconds after which an image that nobody used is removed"""
_SECONDS = 120
"""for each of the commands that make an image"""


class _Description(Struct, frozen=True, kw_only=True):
    """What is written into the folder of an image when all of it is there."""

    digests: Mapping[str, str]
    """archive -> the digest of its content"""


def image_options(folder: str) -> tuple[str, ...]:
    """Return the options of the machine in an image."""
    archive = f"-XX:SharedArchiveFile={folder}/{_UNIT}"
    return ("-Xshare:auto", archive, *_QUIET, "-XX:+DisableAttachMechanism")


def compiler_in_image(folder: str) -> tuple[str, ...]:
    """Return the command of the compiler of the JDK itself with the archive of an image; empty without a `folder`."""
    if not folder:
        return ()
    archive = f"-XX:SharedArchiveFile={folder}/{_COMPILER_ARCHIVE}"
    return ("java", *QUICK_COMPILER, "-Xshare:auto", archive, *_QUIET, "-cp", image_probe(folder), COMPILER)


def image_probe(folder: str) -> str:
    """Return where an image has the archive of the probe's classes, by which its machine knows them."""
    return f"{folder}/probe.jar"


def image_machine(folder: str) -> str:
    """Return the command of the machine in an image."""
    return f"{folder}/bin/java"


def find_or_make_image(modules: Sequence[str], probe: bytes, jars: Sequence[str], cache: Cache) -> str:
    """Return the folder of the image with these modules; empty where there is none, or no sandbox can reach it.

    `probe` is the archive of the probe's classes, `jars` are those of JUnit, which come behind it. It is made where the
    `cache` knows that it was asked for before: a container that grades one submission would lose more than it gains.
    """
    java = locate_tool("java")
    home = java.resolve().parents[1] if java else Path("/")
    jlink = home / "bin/jlink"
    folder = _folder_of_images()
    if folder is None or not jlink.is_file() or not (home / "jmods/java.base.jmod").is_file():
        return ""
    at = folder / _name_of(home, modules, probe, jars, folder)
    try:
        if not _is_whole(at):
            if cache.look_up(_asked_before(at), bool) is None:
                cache.store(_asked_before(at), value=True)
                return ""
            _make_alone(at, jlink, modules, probe, jars)
        os.utime(at)
    except (OSError, subprocess.SubprocessError, msgspec.MsgspecError):
        return ""
    return str(at) if _is_whole(at) else ""


def _asked_before(at: Path) -> object:
    return ["an image of java was asked for", str(at)]


def _folder_of_images() -> Path | None:
    """Return where this user has images: what the sandbox can show, and nobody else can change; None if nowhere is."""
    own = grader_cache_folder() / "java"
    folder = own if os.geteuid() != 0 or is_open_to_all(own) else _SYSTEM_FOLDER
    # An empty folder of each command's own is where other paths of `/tmp` would be.
    return None if folder.is_relative_to("/tmp") or why_untrusted(folder) else folder  # noqa: S108


def _name_of(home: Path, modules: Sequence[str], probe: bytes, jars: Sequence[str], folder: Path) -> str:
    """Return the name of the folder for an image: archives know files by their places, sizes and times."""
    known = [home / "release", home / "lib/modules", home / "lib/server/libjvm.so", *map(Path, jars)]
    facts = [(str(path), str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in known]
    source = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    key = [source, facts, list(modules), hashlib.sha256(probe).hexdigest(), str(folder)]
    return f"image-{key_digest(key)[:16]}"


def _is_whole(at: Path) -> bool:
    """Whether an image is there, and its archives are as they were written."""
    try:
        described = msgspec.json.decode((at / _DESCRIPTION).read_bytes(), type=_Description)
        return not why_untrusted(at) and described.digests == _digests(at)
    except (OSError, msgspec.MsgspecError):
        return False


def _digests(at: Path) -> Mapping[str, str]:
    found = {}
    for name in _ARCHIVES:
        with (at / name).open("rb") as file:
            found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def _make_alone(at: Path, jlink: Path, modules: Sequence[str], probe: bytes, jars: Sequence[str]) -> None:
    """Make an image where it is to be, since its archive knows its path, while nobody else makes one."""
    at.parent.mkdir(parents=True, exist_ok=True)
    with (at.parent / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_whole(at) or shutil.disk_usage(at.parent).free < _MIN_FREE_BYTES:
            return
        _remove_unused(at.parent)
        shutil.rmtree(at, ignore_errors=True)
        try:
            _make(at, jlink, modules, probe, jars)
        except BaseException:
            shutil.rmtree(at, ignore_errors=True)
            raise


def _remove_unused(folder: Path) -> None:
    for old in folder.glob("image-*"):
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > _MAX_UNUSED:
                shutil.rmtree(old, ignore_errors=True)


def _make(at: Path, jlink: Path, modules: Sequence[str], probe: bytes, jars: Sequence[str]) -> None:
    _run(str(jlink), "--add-modules", ",".join(modules), "--no-header-files", "--no-man-pages", "--output", str(at))
    at.chmod(0o755)
    machine, jar = image_machine(str(at)), Path(image_probe(str(at)))
    jar.write_bytes(probe)
    jar.chmod(0o644)
    _run(machine, "-Xshare:dump")
    archive, path = f"-XX:ArchiveClassesAtExit={at / _UNIT}", ":".join((str(jar), *jars))
    fields = ["warmup", "record", "secret", "junit", ".", "Warmup.java", "\t".join(_warmed_up()), "", ""]
    request = "\n".join(fields).encode()
    with tempfile.TemporaryDirectory() as folder:
        command = (machine, archive, "-Xlog:disable", "-cp", path, "grader.UnitProbe")
        _run(*command, given=b"%010d" % len(request) + request, folder=folder)
        if Path(folder, "record").read_bytes().count(b'"event": "over"') != len(_warmed_up()):
            raise OSError("the probe does not work in the image")
        archive = f"-XX:ArchiveClassesAtExit={at / _COMPILER_ARCHIVE}"
        java, source = str(jlink.with_name("java")), str(Path(__file__).with_name("probes") / "Warmup.java")
        words = ("-proc:none", "-g", "-cp", path, "+", "-d", folder, source)
        _run(java, archive, "-Xlog:disable", "-cp", str(jar), COMPILER, *words)
    (at / _DESCRIPTION).write_bytes(msgspec.json.encode(_Description(digests=_digests(at))))


def _warmed_up() -> list[str]:
    return [*(f"grader.Warmup.{name}" for name in _METHODS), "grader.Warmup$Inner.passes"]


def _run(*words: str, given: bytes = b"", folder: str = "/") -> None:
    with FORK_LOCK:
        process = subprocess.Popen(
            words,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            umask=0o022,
        )
    try:
        process.communicate(given, timeout=_SECONDS)
    finally:
        process.kill()
        process.wait()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
