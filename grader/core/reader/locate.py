"""The search for the spec among all that a course has; YAML is parsed only where that is needed.

A spec brings functions that run with the rights of the instructor. So nothing counts that lies in, below or next to a
submission, or in a folder inside another course, and where the working folder lies there, a path has to be named.
"""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.reader.spec_cache import read_configuration_cached
from grader.core.yaml.value import TOOLCHAINS_NAME, in_quotes, is_file, read_bytes, root_of_spec, suggestion

# The first line of a public copy. Students have the whole folder, with their own programs in it.
COPY_MARK = "# A public copy, made by `grader handout`"
_CONFIGURATION = "grader.yaml"
_HANDED_IN = ("submissions", "sample_submissions", "sample-submissions")  # in them, nothing is the instructor's own


def find_spec(named: str | None, submissions: Sequence[Path], start: Path, *, among: Path | None = None) -> Path:
    """Return the spec of the submissions, `named` by its path or id; UsageError when several or none fit.

    Without a name, the first of these counts: the spec that `grader.yaml` at or above `start` names; the one with the
    name of the folder above the submission; the only one whose required files are all in it. `among` was handed in.
    """
    handed_in = _HandedIn(submissions, among)
    roots = handed_in.folders_outside(start)
    path = Path(named) if named is not None and Path(named).name != named and is_file(named) else None
    if start.absolute() in roots and (submissions or path is None):
        require_own_nearest(start)
    if path is not None:
        return handed_in.check(path)
    if start.absolute() not in roots:
        specs = next(filter(None, map(_spec_files, reversed(roots))), [])
        near = [path for path in specs if path.stem == named] or specs
        shown = f", such as {' or '.join(os.path.relpath(path, start) for path in near[:3])}" if near else ""
        where = f"the working folder lies in or right above what was handed in ({in_quotes(submissions[0].name)})"
        raise UsageError(f"{where}, where a spec may be a student's; name the path of yours with --spec{shown}")
    by_id = {path.stem: path for root in reversed(roots) for path in _spec_files(root)}
    named_by = ((root, read_configuration_cached(root / _CONFIGURATION)[0]) for root in roots if named is None)
    configured = ((root, spec) for root, spec in named_by if spec)
    folder, wanted = next(configured, (Path(), named))
    if wanted is not None:
        spec = folder / wanted if is_file(folder / wanted) else by_id.get(wanted)
        if spec is None:
            by = f", which {folder / _CONFIGURATION} names," if named is None else ""
            hint = suggestion(wanted, by_id) if by_id else "; there is no specs/*.yaml here or above"
            raise UsageError(f"no such spec: {in_quotes(wanted)}{by} is neither a file nor an id{hint}")
        return handed_in.check(spec)
    fitting = {by_id.get(path.parent.name) or _by_files(path, roots): path for path in handed_in.paths}
    if len(fitting) > 1:
        first, second, *_ = fitting.values()
        raise UsageError(f"{second} belongs to another assignment than {first}; grade them apart, or name --spec")
    return next(iter(fitting))


def _by_files(submission: Path, roots: Sequence[Path]) -> Path:
    """Return the only spec of the nearest course whose required files are all in a submission."""
    nearest = next(filter(None, map(_spec_files, roots)), [])
    if not nearest:
        raise UsageError(f"no specs/*.yaml in or above {roots[0]}: name the spec's file with --spec")
    inside, fitting = list[Path](), list[Path]()
    with suppress(OSError):  # an archive, or nothing that can be read
        inside = [path for path in submission.iterdir() if not re.match(r"__MACOSX$|\.", path.name)]
        if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():  # the folder around everything
            inside = list(inside[0].iterdir())
    names = {path.name for path in inside}
    for path in nearest:
        rules = import_module("grader.core.reader.files").read_key(path, "files")
        # One with mistakes may be meant, so it fits. Of a path only the first part is searched for: staging does more.
        required = [file.names for file in (rules.required if rules else ()) if file.costs is None]
        if all(any(fnmatchcase(name, glob.split("/")[0]) for name in names for glob in some) for some in required):
            fitting.append(path)
    if len(fitting) == 1:
        return fitting[0]
    problem = f"It has the required files of {'several specs' if fitting else 'no spec'}"
    problem = problem if submission.is_dir() else "Only the files of a folder show it"
    known = ", ".join(path.stem for path in fitting or nearest)
    raise UsageError(f"which spec is meant for {in_quotes(submission.name)}? {problem}; choose with --spec: {known}")


def root_at(start: Path) -> Path:
    """Return the nearest folder at or above `start` with `specs/`; UsageError when it is not the instructor's own."""
    root = next((folder for folder in (start, *start.parents) if (folder / "specs").is_dir()), start)
    require_own_nearest(root)
    return root


def course_folders(root: Path, submissions: Sequence[Path], start: Path, *, among: Path | None = None) -> list[Path]:
    """Return the folders from `start` up, and `root`, but none in or right above a submission; there, only `root`."""
    folders = _HandedIn(submissions, among).folders_outside(start, root)
    return folders if start.absolute() in folders else [folder for folder in folders if folder == root]


class _HandedIn:
    """What was handed in: submissions, and everything in the folder of a class."""

    def __init__(self, submissions: Sequence[Path], among: Path | None) -> None:
        # resolve() would follow links, and lose the name
        self.paths = [Path(os.path.abspath(path)) for path in submissions]  # noqa: PTH100
        self._parents = {os.path.realpath(path.parent) for path in self.paths}
        self._inside = [os.path.realpath(path) for path in [*self.paths, *([among] if among else [])]]

    def _has(self, path: Path) -> bool:
        return any(map(Path(os.path.realpath(path)).is_relative_to, self._inside))  # takes links to themselves as well

    def folders_outside(self, start: Path, *more: Path) -> list[Path]:
        """Return the folders at and above `start`, and some more, that neither lie in nor right above a submission."""
        folders = dict.fromkeys([start.absolute(), *start.absolute().parents, *more])
        return [folder for folder in folders if not self._has(folder) and os.path.realpath(folder) not in self._parents]

    def check(self, spec: Path) -> Path:
        """Return the spec's path, unless a student may have submitted the spec or the languages in its course."""
        root = root_of_spec(spec)
        if self._has(spec):
            raise UsageError(f"{spec} lies in what was handed in: a spec is the instructor's, and has to lie elsewhere")
        is_unclear = is_file(root / TOOLCHAINS_NAME) and root not in self.folders_outside(root)
        if is_unclear and not read_bytes(spec).startswith(COPY_MARK.encode()):
            why = "lies among what was handed in, or right above: a student may have put it there"
            raise UsageError(f"{root / TOOLCHAINS_NAME} {why}; move it, or what was handed in")
        require_own(root)
        return spec


def require_own(root: Path) -> None:
    """Raise UsageError where a course root lies inside another course that does not list it, or among submissions."""
    inner = Path(os.path.realpath(root))
    handed_in = [folder for folder in inner.parents if folder.name.lower() in _HANDED_IN]
    for outer in handed_in or filter(_is_course, inner.parents):
        if not handed_in and _lists(outer, inner):
            inner = outer
            continue
        listed = f"{outer / _CONFIGURATION}: courses: [{inner.relative_to(outer).as_posix()}]"
        where, remedy = f"inside the course {outer}", f"if the inner course is yours, list it in {listed}"
        if handed_in:
            where, remedy = f"in {outer}, where work is handed in", "move the course elsewhere"
        why = "a student may have written them, and nothing there is used; work in the course's own folder"
        raise UsageError(f"{inner} has files of a course, but lies {where}: {why}, or {remedy}")


def require_own_nearest(start: Path) -> None:
    """Raise UsageError where the nearest course at or above `start` is not the instructor's own."""
    for folder in (start.absolute(), *start.absolute().parents):
        if _spec_files(folder) or any(is_file(folder / name) for name in (_CONFIGURATION, TOOLCHAINS_NAME)):
            return require_own(folder)
    return None


def _spec_files(folder: Path) -> list[Path]:
    """Return the files named as specs in the folder of specs of a course; none where it cannot be read."""
    with suppress(OSError):
        return sorted(path for path in (folder / "specs").iterdir() if path.name.endswith(".yaml") and is_file(path))
    return []


def _is_course(folder: Path) -> bool:
    """Whether a folder has a configuration or a spec: others' YAML in a folder `specs` is none."""
    texts = (read_bytes(path) for path in _spec_files(folder) if os.access(path, os.R_OK))
    return is_file(folder / _CONFIGURATION) or any(re.search(rb"(?m)^spec:[ \t]*1[ \t\r]*$", text) for text in texts)


def _lists(outer: Path, inner: Path) -> bool:
    """Whether a course names another, below it, as its own: in `courses`, or as the root of the spec it names."""
    named, courses = read_configuration_cached(outer / _CONFIGURATION)
    if inner.is_relative_to(outer / "specs") or (is_file(outer / named) and root_of_spec(outer / named) == inner):
        return True
    return any(PurePosixPath("/", inner.relative_to(outer)).match(f"/{name.lstrip('/')}") for name in courses)
