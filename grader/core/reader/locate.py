"""The search for the spec among all that a course has.

The spec is the one that the caller names, or the one that the working folder and the folders above it determine. A spec
brings functions that run in our own process. So the search ignores files of a course in, below or next to a submission:
otherwise a student could grade the class. Where the working folder itself lies there, ownership is unclear, and the
path has to be named. `peek`, which parses YAML, is imported only when it is needed.
"""

import os
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.reader.nested import require_own, require_own_nearest, spec_files
from grader.core.reader.paths import TOOLCHAINS_NAME, is_file, read_bytes, root_of_spec
from grader.core.yaml.value import in_quotes, suggestion

COPY_MARK = "# A public copy, made by `grader handout`"
"""the first line of a public copy; students have the whole folder, with their own programs in it"""

Specs = dict[str, Path]
"""id -> file"""


def find_spec(named: str | None, submissions: Sequence[Path], start: Path, *, among: Path | None = None) -> Path:
    """Return the file of the spec for the submissions; UsageError with the candidates when several or none fit.

    `named` is a path or an id. Without it, the first of these counts: the spec that `grader.yaml` at or above `start`
    names; the spec with the name of the folder above the submission; the only spec whose required files are all in the
    submission. `among` is the folder of a class: everything in it was submitted.
    """
    handed_in = _HandedIn(submissions, among)
    roots = [folder for folder in _upwards(start) if not handed_in.is_around(folder)]
    path = Path(named) if named is not None and Path(named).name != named and is_file(Path(named)) else None
    if start.absolute() in roots and (submissions or path is None):
        require_own_nearest(start.absolute())
    if path is not None:
        return handed_in.check(path)
    specs = _specs(roots)
    if start.absolute() not in roots:
        outermost: Specs = next(filter(None, (_specs([root]) for root in reversed(roots))), {})
        fitting = [path for name, path in outermost.items() if name == named] or list(outermost.values())
        shown = " or ".join(os.path.relpath(path, start) for path in fitting[:3])
        raise UsageError(
            f"the working folder lies in or right above what was handed in ({in_quotes(submissions[0].name)}), where "
            f"no spec is looked for; name the path of the spec's file with --spec{shown and ', such as ' + shown}"
        )
    if named is not None:
        return handed_in.check(_find_by_name(named, Path(), specs))
    for configuration in (folder / "grader.yaml" for folder in roots):
        files = import_module("grader.core.reader.files") if is_file(configuration) else None
        if files and (name := files.read_configuration(configuration)[0]):
            by = f", which {configuration} names,"
            return handed_in.check(_find_by_name(name, configuration.parent, specs, by))
    found = {specs.get(path.parent.name) or _by_files(path, roots): path for path in handed_in.paths}
    if len(found) > 1:
        one, other, *_ = found.values()
        raise UsageError(f"{other} belongs to another assignment than {one}; grade them apart, or name --spec")
    return next(iter(found))


def find_named(name: str, start: Path) -> Path:
    """Return the file of the spec with a path or an id, where there is no submission; UsageError when there is none."""
    return find_spec(name, (), start)


def root_at(start: Path) -> Path:
    """Return the course root without a spec: the nearest folder at or above `start` with `specs/`.

    UsageError when it is not the instructor's own.
    """
    root = next((folder for folder in (start, *start.parents) if (folder / "specs").is_dir()), start)
    require_own_nearest(root)
    return root


def course_folders(root: Path, submissions: Sequence[Path], start: Path, *, among: Path | None = None) -> list[Path]:
    """Return the folders with files of the course, the nearest first: at or above `start`, then the course's `root`.

    None of them lies in or right above a submission. Where `start` does, the result is only `root`.
    """
    handed_in = _HandedIn(submissions, among)
    folders = [] if handed_in.is_around(start.absolute()) else _upwards(start)
    return [folder for folder in dict.fromkeys([*folders, root]) if not handed_in.is_around(folder)]


class _HandedIn:
    """What was handed in: submissions, and everything in the folder of a class."""

    def __init__(self, submissions: Sequence[Path], among: Path | None) -> None:
        # resolve() would follow links, and lose the name
        self.paths = [Path(os.path.abspath(path)) for path in submissions]  # noqa: PTH100
        self._parents = {os.path.realpath(path.parent) for path in self.paths}
        self._inside = [os.path.realpath(path) for path in [*self.paths, *([among] if among else [])]]

    def has(self, path: Path) -> bool:
        """Whether a file or folder lies in what was handed in."""
        real = Path(os.path.realpath(path))  # takes a link to itself as it is, unlike Path.resolve()
        return any(map(real.is_relative_to, self._inside))

    def is_around(self, folder: Path) -> bool:
        """Whether a folder lies in a submission, or directly contains one: its files are then next to a submission."""
        return self.has(folder) or os.path.realpath(folder) in self._parents

    def check(self, spec: Path) -> Path:
        """Return the spec's path, unless a student may have submitted the spec or the languages in its course."""
        root = root_of_spec(spec)
        if self.has(spec):
            raise UsageError(f"{spec} lies in what was handed in: a spec is the instructor's, and has to lie elsewhere")
        is_unclear = is_file(root / TOOLCHAINS_NAME) and self.is_around(root)
        if is_unclear and not read_bytes(spec).startswith(COPY_MARK.encode()):
            raise UsageError(
                f"{root / TOOLCHAINS_NAME} lies among what was handed in, or right above: a student may have put it "
                "there; move it, or what was handed in"
            )
        require_own(root)
        return spec


def _upwards(start: Path) -> list[Path]:
    return [start.absolute(), *start.absolute().parents]


def _specs(roots: Sequence[Path]) -> Specs:
    """Return the specs in the roots' `specs/` folders; of two with one id, that of the earlier root."""
    return {path.stem: path for root in reversed(roots) for path in spec_files(root)}


def _find_by_name(name: str, folder: Path, specs: Specs, by: str = "") -> Path:
    found = folder / name if is_file(folder / name) else specs.get(name)
    if found is None:
        hint = suggestion(name, specs) if specs else "; there is no specs/ folder with any"
        raise UsageError(f"no such spec: {in_quotes(name)}{by} is neither a file nor an id{hint}")
    return found


def _by_files(submission: Path, roots: Sequence[Path]) -> Path:
    nearest: Specs = next(filter(None, (_specs([root]) for root in roots)), {})
    if not nearest:
        raise UsageError(f"no specs/ folder in or above {roots[0]}: name the spec's file with --spec")
    names = _names_handed_in(submission)
    has_required_files = import_module("grader.core.reader.peek").has_required_files
    fitting = [path for path in nearest.values() if has_required_files(path, names)]
    if len(fitting) == 1:
        return fitting[0]
    found = "several specs" if fitting else "no spec"
    candidates = ", ".join(path.stem for path in fitting or nearest.values())
    raise UsageError(
        f"which spec is meant for {in_quotes(submission.name)}? It has the required files of {found}; "
        f"choose with --spec: {candidates}"
    )


def _names_handed_in(submission: Path) -> set[str]:
    """Return the names in a submission that is a folder, or in the one folder around everything in it."""
    try:
        entries = [entry for entry in submission.iterdir() if not re.match(r"__MACOSX$|\.", entry.name)]
        if len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink():
            entries = list(entries[0].iterdir())
    except OSError:  # an archive, or nothing that can be read
        return set()
    return {entry.name for entry in entries}
