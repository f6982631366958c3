"""Programs of ours in Java that run in the sandbox, and the archives that a build makes."""

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

from grader.core.errors import HostError
from grader.core.model.execution import Launch, Runner
from grader.core.model.layout import matches_glob
from grader.core.model.limits import Limits

_CLASSES = "probe-classes"
_ZIP_START = b"PK\x03\x04"
_OLD = (1980, 1, 1, 0, 0, 0)
_MAX_ARCHIVES = 100
_COMPILER_LIMITS = Limits(time=60, cpu=60, memory=2**30, processes=128)


def compile_probe(sources: Sequence[Path], class_path: str, run: Runner) -> bytes:
    """Compile a probe in Java, and return the archive of its classes. Raises HostError when that cannot be done."""
    names = [source.name for source in sources]
    compiled = run(
        Launch(
            argv=("javac", "-J-XX:TieredStopAtLevel=1", "-cp", class_path, "-d", _CLASSES, *names),
            files={source.name: source.read_bytes() for source in sources},
            limits=_COMPILER_LIMITS,
            collect=(f"{_CLASSES}/*.class",),
        )
    )
    if compiled.status != 0 or not compiled.files:
        errors = (compiled.stdout + compiled.stderr).decode(errors="backslashreplace").strip()
        raise HostError(f"the probe for java cannot be compiled: {errors or 'the compiler says nothing'}")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for path, content in sorted(compiled.files.items()):
            file.writestr(zipfile.ZipInfo(path.removeprefix(f"{_CLASSES}/"), _OLD), content)
    return archive.getvalue()


def produced_archives(folder: Path | None, produces: Sequence[str]) -> list[str]:
    """Return the names of the archives of classes among what the build produced, whatever they are called."""
    archives = []
    for path in sorted(folder.rglob("*")) if folder else ():
        name = path.relative_to(folder or path).as_posix()
        if ":" not in name and path.is_file() and any(matches_glob(name, pattern) for pattern in produces):
            with path.open("rb") as file:
                if file.read(len(_ZIP_START)) == _ZIP_START:
                    archives.append(name)
    return archives[:_MAX_ARCHIVES]
