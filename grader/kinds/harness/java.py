"""Drivers in Java, and the archives that a build makes."""

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import Launch, Runner
from grader.core.model.layout import Build, matches_glob
from grader.core.model.limits import Limits
from grader.kinds.harness.host import PROBES

_CLASSES = "probe-classes"
_ZIP_START = b"PK\x03\x04"
_OLD = (1980, 1, 1, 0, 0, 0)
_MAX_ARCHIVES = 100
_SHARED, _MAX_SHARED = "shared.jsa", 2**26
_COMPILER_LIMITS = Limits(time=60, cpu=60, memory=2**30, processes=128)
# Texts are joined without code that is made at the start of each machine.
_COMPILER = ("javac", "-J-XX:TieredStopAtLevel=1", "-XDstringConcat=inline", "-d", _CLASSES)


def ready_driver(
    names: Sequence[str], jars: Sequence[str], versions: Mapping[str, str], cache: Cache, run: Runner
) -> bytes:
    """Return the archive of a driver, compiled once for its libraries and `versions` of a compiler, or HostError."""
    files = {f"{name}.java": (PROBES / f"{name}.java").read_bytes() for name in ("Json", "Harness", *names)}

    def compile_driver() -> bytes:
        argv = (*_COMPILER, "-cp", ":".join(jars), *files)
        compiled = run(Launch(argv=argv, files=files, limits=_COMPILER_LIMITS, collect=(f"{_CLASSES}/*.class",)))
        if compiled.status != 0 or not compiled.files:
            errors = (compiled.stdout + compiled.stderr).decode(errors="backslashreplace").strip()
            raise HostError(f"the probe for java cannot be compiled: {errors or 'the compiler says nothing'}")
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            for path, content in sorted(compiled.files.items()):
                file.writestr(zipfile.ZipInfo(path.removeprefix(f"{_CLASSES}/"), _OLD), content)
        return archive.getvalue()

    return cache.get_or_make(_key("java driver", files, jars, versions), bytes, compile_driver)


def share_classes(launch: Launch, jars: Sequence[str], versions: Mapping[str, str], cache: Cache, run: Runner) -> bytes:
    """Return the classes of a run, for machines whose class path begins as that of its words; empty for none."""
    argv = ("java", f"-XX:ArchiveClassesAtExit={_SHARED}", "-Xlog:disable", *launch.argv)
    launch = replace(launch, argv=argv, limits=_COMPILER_LIMITS, collect=(_SHARED,), collect_limit=_MAX_SHARED)
    key = [*_key("java classes", launch.files, jars, versions), argv]
    return cache.get_or_make(key, bytes, lambda: run(launch).files.get(_SHARED, b""))


def _key(what: str, files: Mapping[str, bytes], jars: Sequence[str], versions: Mapping[str, str]) -> list[object]:
    facts = [(path, Path(path).resolve().name, Path(path).stat()) for path in jars]
    libraries = [[path, name, own.st_size, own.st_mtime] for path, name, own in facts]
    return [what, hashlib.sha256(b"".join(files.values())).hexdigest(), libraries, dict(versions)]


def produced_archives(folder: Path | None, build: Build | None) -> list[str]:
    """Return the names of the archives of classes that the build produced, without the course's."""
    if folder is None or build is None:
        return []
    archives = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_own = ":" not in name and name not in build.jars
        if is_own and path.is_file() and any(matches_glob(name, pattern) for pattern in build.produces):
            with path.open("rb") as file:
                archives += [name] * (file.read(len(_ZIP_START)) == _ZIP_START)
    return archives[:_MAX_ARCHIVES]
