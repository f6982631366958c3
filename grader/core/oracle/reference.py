"""The reference itself: its files, and what is built of them."""

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.core.cache import Cache
from grader.core.course_programs import build_program
from grader.core.errors import HostError
from grader.core.model.execution import Runner
from grader.core.model.layout import java_class_path, matches_glob
from grader.core.model.spec import Spec
from grader.core.notebook.linear import is_notebook, module_name, to_linear_source, written_source
from grader.core.notebook.reading import NotebookError, read_cells
from grader.core.oracle.answers import wide_limits
from grader.core.oracle.conditions import AskingConditions

_MAX_REFERENCE_BYTES = 32 * 2**20
_BUILT = (b"\x7fELF", b"\xca\xfe\xba\xbe")  # how programs and classes begin
_BUILD_ENV = {"SOURCE_DATE_EPOCH": "1000000000"}
"""of a second build: the time that compilers take for `__DATE__` (reproducible-builds.org)"""


def reference_files(spec: Spec) -> Mapping[str, bytes]:
    """Return the files of all references, in the folders of the files that their commands name; raises HostError."""
    found: dict[str, bytes] = {}
    room = _MAX_REFERENCE_BYTES
    views = (spec.with_reference(name) for name in ("", *spec.references))
    for path in dict.fromkeys(path for view in views for path in _named_files(view)):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise HostError(f"{path}, a file of the reference, cannot be read: {error.strerror}") from error
        if (room := room - len(content)) < 0:
            raise HostError(f"{path.parent} holds more than 32 MiB; a reference needs a folder of its own")
        found[path.relative_to(spec.root).as_posix()] = content
    return {**_modules_of(found), **found}


def _modules_of(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a module for each notebook of a reference: its cells one below the other. Raises HostError."""
    made = {}
    for name in filter(is_notebook, files):
        try:
            made[module_name(name)] = to_linear_source(read_cells(files[name]))
        except NotebookError as error:
            raise HostError(f"{name}, a file of the reference, cannot be read: {error}") from error
    return made


def _named_files(spec: Spec) -> Iterable[Path]:
    if work := spec.reference_work:
        for name in work.files:
            if not (spec.root / name).is_file():
                raise HostError(f"the reference is missing: there is no {name} in {spec.root}")
        yield from _all_inside(spec.root / work.folder) if work.folder else [spec.root / name for name in work.files]
        return
    folders: set[Path] = set()
    for word in spec.reference or ():
        path = written_source(Path(os.path.normpath(spec.root / word)))
        if "/" in word and not path.exists() and path.is_relative_to(spec.root):
            raise HostError(f"the reference is missing: there is no {word} in {spec.root}")
        if path.is_file() and path.is_relative_to(spec.root):
            folders.add(path.parent if path.parent != spec.root else path)
    for folder in sorted(folders):
        yield from _all_inside(folder) if folder.is_dir() else [folder]


def _all_inside(folder: Path) -> Iterable[Path]:
    inside = (path for path in sorted(folder.rglob("*")) if "__pycache__" not in path.parts)
    return (path for path in inside if stat.S_ISREG(path.lstat().st_mode))


def _without_products(spec: Spec, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Leave out what the build makes: from before, it is as new as its source here, and `make` would leave it."""
    products = (*(spec.build.produces if spec.build else ()), *(word.removeprefix("./") for word in spec.program[:1]))
    built = (name for name, content in files.items() if content.startswith(_BUILT))
    stale = {name for name in built if any(matches_glob(name, one) for one in products)}
    return {name: content for name, content in files.items() if name not in stale}


def build_reference(
    spec: Spec,
    files: Mapping[str, bytes],
    *,
    level: str,
    cache: Cache,
    run: Runner,
    conditions: AskingConditions | None = None,
) -> Mapping[str, bytes]:
    """Return what the reference is started among: its `files`, or the folder in which it is built.

    Other conditions are also those of `__DATE__`. Raises HostError, with what its build wrote, when that fails.
    """
    work = spec.reference_work
    jars = {name: spec.build.files[name] for name in spec.build.jars} if spec.build else {}
    if work is None:
        return {**files, **jars}
    inside = f"{work.folder}/" if work.folder else ""
    own = {**{name.removeprefix(inside): content for name, content in files.items()}, **work.beside, **jars}
    if not work.build:
        return own
    name = " ".join(work.files or (work.folder,))
    own = _without_products(spec, own) if work.is_like_submissions else own
    made = build_program(
        f"the reference {name}",
        work.build,
        own,
        produces=("*",),
        limits=wide_limits(spec.build.limits if spec.build else {}),
        level=level,
        cache=cache,
        run=(lambda launch: conditions.restore(run(conditions.apply(launch)))) if conditions else run,
        env={**(_BUILD_ENV | conditions.env if conditions else {}), **java_class_path(spec.build)},
    )
    return {**own, **made}
