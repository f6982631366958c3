"""The archives of classes that a test in Java needs: JUnit's, which are the machine's, and the course's."""

import zipfile
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from pathlib import Path, PurePosixPath

from grader.core.model.layout import Build
from grader.core.model.spec import Spec
from grader.kinds.unit_tests.java_text import uses_junit_4
from grader.kinds.unit_tests.model import UnitMethod

JAVA_LIBRARIES = Path("/usr/share/java")
_JUNIT = (
    *(f"junit-{part}" for part in ("platform-launcher", "platform-engine", "platform-commons")),
    *(f"junit-jupiter-{part}" for part in ("api", "engine", "params")),
    *("opentest4j", "apiguardian-api", "univocity-parsers"),
)
_JUNIT_4 = ("junit-vintage-engine", "junit4", "hamcrest")
JUNIT_JARS = tuple(str(JAVA_LIBRARIES / f"{name}.jar") for name in _JUNIT)
JUNIT_4_JARS = tuple(str(JAVA_LIBRARIES / f"{name}.jar") for name in _JUNIT_4)
"""what runs tests for JUnit 4 and 3, besides those: Debian's `junit5` has the engine, and brings `junit4`"""
_MAX_CLASS_BYTES = 2**20
TEST_FOLDER = ".grader-unit"
PROBE_ARCHIVE = f"{TEST_FOLDER}/probe.jar"
SHARED_PATH = ":".join((*JUNIT_JARS, PROBE_ARCHIVE))


def is_junit_4(unit: UnitMethod) -> bool:
    """Whether a test is for JUnit 4 or 3, or one of the files beside it is."""
    texts = [unit.source, *(content for name, content in unit.helpers.items() if name.endswith(".java"))]
    return unit.framework == "junit" and any(uses_junit_4(text.decode(errors="replace")) for text in texts)


def framework_jars(unit: UnitMethod) -> tuple[str, ...]:
    """Return the archives of JUnit that a test needs."""
    return (*JUNIT_JARS, *JUNIT_4_JARS) if is_junit_4(unit) else JUNIT_JARS


def missing_jar(jars: Iterable[str] = (*JUNIT_JARS, *JUNIT_4_JARS)) -> str:
    """Return the first of the archives that is not on this machine; "" when all are."""
    return next((path for path in jars if not Path(path).is_file()), "")


def course_jars(unit: UnitMethod) -> dict[str, bytes]:
    """Return the course's archives of a test by their places in the sandbox, in their order."""
    return {f"{TEST_FOLDER}/jars/{PurePosixPath(name).name}": content for name, content in unit.jars.items()}


def class_path(unit: UnitMethod, spec: Spec, behind: Iterable[str]) -> str:
    """Return the class path of a test: what machines share the classes of, further archives, and `behind`."""
    built, old = spec.build.jars if spec.build else (), JUNIT_4_JARS if is_junit_4(unit) else ()
    return ":".join((SHARED_PATH, *old, *course_jars(unit), *built, *behind))


def course_archives(unit: UnitMethod, build: Build | None) -> dict[str, bytes]:
    """Return the course's archives on the class path of a test: name -> content."""
    return {**unit.jars, **({name: build.files[name] for name in build.jars} if build else {})}


@lru_cache(maxsize=32)
def archive_entries(archive: bytes) -> frozenset[str]:
    """Return the names of the files in an archive; none where it is none."""
    with suppress(zipfile.BadZipFile), zipfile.ZipFile(BytesIO(archive)) as file:
        return frozenset(file.namelist())
    return frozenset()


def names_in_archive(archive: bytes, name: str) -> bool:
    """Whether a class of an archive has a name in it, as the machine writes names: `org/assertj/core/api/Assert`."""
    with suppress(zipfile.BadZipFile, NotImplementedError), zipfile.ZipFile(BytesIO(archive)) as file:
        classes = (entry for entry in file.infolist() if entry.filename.endswith(".class"))
        return any(name.encode() in file.read(entry) for entry in classes if entry.file_size <= _MAX_CLASS_BYTES)
    return False
