"""Tests that were compiled with a submission, the last of them: several tests of a spec may be of one file."""

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from threading import Lock

from msgspec import Struct

from grader.core.diagnosis import find_cause
from grader.core.limits import limit_sentence
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Spec
from grader.core.text import quote
from grader.kinds.harness.host import Driver
from grader.kinds.harness.java import produced_archives
from grader.kinds.unit_tests.junit_jars import class_path, course_jars
from grader.kinds.unit_tests.model import UnitMethod
from grader.kinds.unit_tests.probe import PROBE_ARCHIVE, TEST_FOLDER, copy_folder, javac_command, unit_files

_MAX_KEPT = 32
_NOTHING = f"{TEST_FOLDER}/nothing"
_MAX_ERROR_LENGTH = 200


class Compiled(Struct, frozen=True, kw_only=True):
    """A unit test made ready to be run with what was built in a folder."""

    files: Mapping[str, bytes] = {}
    """the files that it needs in its folder"""
    problem: str = ""
    """why it cannot be run with it, in one sentence"""
    errors: bytes = b""
    """what its compiler wrote then"""


_LAST: dict[object, Compiled] = {}
_LOCK = Lock()


def compile_once(key: object, make: Callable[[], Compiled]) -> Compiled:
    """Return what is compiled for a key, made once unless many others were asked for meanwhile."""
    found = _LAST.get(key) or make()
    with _LOCK:
        _LAST[key] = found
        while len(_LAST) > _MAX_KEPT:
            del _LAST[next(iter(_LAST))]
    return found


def compile_units(
    *copies: UnitMethod,
    folder: Path,
    spec: Spec,
    build: tuple[Limits, Mapping[str, str]],
    probe: Driver,
    run: Runner,
) -> list[Compiled]:
    """Compile a unit test, or copies of one, with the classes in `folder`, where its language asks for that.

    `build` are the limits and the environment of a build, `probe` is what runs it. Copies are compiled in one Java
    machine, whose start takes longer than they do; where one of them cannot be compiled, none is.
    """
    if copies[0].framework != "junit":
        return [Compiled(files=unit_files(one)) for one in copies]
    archives = produced_archives(folder, spec.build)
    path = class_path(copies[0], (PROBE_ARCHIVE,), spec, (*archives, "."))
    # Neither processors of annotations nor sources of the student's have a place here: what was built is tested.
    options = ("-sourcepath", _NOTHING, "-implicit:none")
    folders = [copy_folder(number) for number in range(len(copies))]
    files = dict(course_jars(copies[0]))
    for unit, at in zip(copies, folders, strict=True):
        files |= {name.replace(TEST_FOLDER, at, 1): content for name, content in unit_files(unit).items()}
    found = run(
        Launch(
            argv=javac_command(*copies, path=path, options=options),
            folder=folder,
            files={**files, PROBE_ARCHIVE: probe.files.get(PROBE_ARCHIVE, b"")},
            limits=build[0],
            env=build[1],
            collect=tuple(f"{at}/classes/*.class" for at in folders),
        )
    )
    classes = [{name: one for name, one in found.files.items() if name.startswith(f"{at}/classes/")} for at in folders]
    if found.status != 0 or not all(classes):
        return [_why_not_compiled(one, found) for one in copies]
    return [_with_classes(*one, probe) for one in zip(copies, folders, classes, strict=True)]


def _with_classes(unit: UnitMethod, at: str, classes: Mapping[str, bytes], probe: Driver) -> Compiled:
    """Return what runs a unit test with its classes, which were made in the folder `at`."""
    resources = {name: content for name, content in unit_files(unit).items() if not name.endswith(".java")}
    moved = {name.replace(at, TEST_FOLDER, 1): one for name, one in classes.items()}
    return Compiled(files={**probe.files, **course_jars(unit), **resources, **moved})


def _why_not_compiled(unit: UnitMethod, found: Execution) -> Compiled:
    error = find_cause(found.stderr).error.replace(f"{TEST_FOLDER}/", "")
    why = f"the compiler {limit_sentence(found.limit)}" if found.limit else quote(error, most=_MAX_ERROR_LENGTH)
    problem = f"The unit test {PurePosixPath(unit.file).name} cannot be compiled with what was handed in: {why}."
    return Compiled(problem=problem, errors=found.stderr)
