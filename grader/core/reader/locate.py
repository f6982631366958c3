"""The search for the spec among all that a course has.

The spec is the one that the caller names, or the one that the working folder and the folders above it determine. A spec
brings functions that run in our own process. So the search ignores files of a course in, below or next to a submission:
otherwise a student could grade the class. Where the working folder itself lies there, ownership is unclear, and the
path has to be named. This module looks at names and bytes. `peek`, which parses YAML, is imported only when it is
needed.
"""

import os
import re
from collections.abc import Collection, Sequence
from importlib import import_module
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.reader.nested import has_course_files, require_own, require_own_nearest
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
    # resolve() would follow links, and lose the name
    paths = [Path(os.path.abspath(submission)) for submission in submissions]  # noqa: PTH100
    handed_in = [*paths, *([among] if among else [])]
    around = {path.parent for path in paths}
    folders = [start.absolute(), *start.absolute().parents]
    roots = [folder for folder in folders if not _is_handed_in(folder, handed_in, around)]
    if folders[0] in roots:
        require_own_nearest(folders[0])
    specs = _specs(roots)
    if named is not None and Path(named).name != named and is_file(Path(named)):
        return _not_handed_in(Path(named), handed_in, around)
    if folders[0] not in roots:
        if named is None and not among and (copy := _handed_out(folders[0], paths)):
            return copy
        raise _unclear_owner(named, paths[0], roots, folders[0])
    if named is not None:
        return _not_handed_in(_find_by_name(named, Path(), specs), handed_in, around)
    for folder in roots:
        configuration = folder / "grader.yaml"
        if not is_file(configuration):
            continue
        if name := import_module("grader.core.reader.peek").named_in(configuration):
            return _not_handed_in(
                _find_by_name(name, folder, specs, f", which {configuration} names,"), handed_in, around
            )
    found = {specs.get(path.parent.name) or _by_files(path, roots): path for path in paths}
    if len(found) > 1:
        one, other, *_ = found.values()
        raise UsageError(f"{other} belongs to another assignment than {one}; grade them apart, or name --spec")
    return next(iter(found))


def _handed_out(folder: Path, submissions: Sequence[Path]) -> Path | None:
    """Return the only spec of a folder, if that is a public copy with a student's own work beside; else None.

    Its first line can be forged, so a copy that brings code is not taken: whoever was given it names its path.
    """
    if any(folder.is_relative_to(path) for path in submissions) or is_file(folder / "grader.yaml"):
        return None
    specs = list(_specs([folder]).values())
    if len(specs) != 1 or not read_bytes(specs[0]).startswith(COPY_MARK.encode()):
        return None
    require_own(folder)
    return None if import_module("grader.core.reader.peek").brings_code(specs[0]) else specs[0]


def _unclear_owner(named: str | None, submission: Path, roots: Sequence[Path], start: Path) -> UsageError:
    # The outermost specs are the least likely to be a student's.
    copies = [path for path in _specs([start]).values() if read_bytes(path).startswith(COPY_MARK.encode())]
    if len(copies) == 1 and named is None:
        return UsageError(
            f"{os.path.relpath(copies[0], start)} brings programs that check your output, and they run with your "
            f"rights; if it is from your course, name it: --spec {os.path.relpath(copies[0], start)}"
        )
    outermost: Specs = next(filter(None, (_specs([root]) for root in reversed(roots))), {})
    fitting = [path for name, path in outermost.items() if name == named] or list(outermost.values())
    shown = " or ".join(os.path.relpath(path, start) for path in fitting[:3])
    return UsageError(
        f"the working folder lies in or right above what was handed in ({in_quotes(submission.name)}), where no spec "
        f"is looked for; name the path of the spec's file with --spec{shown and ', such as ' + shown}"
    )


def course_folders(root: Path, submissions: Sequence[Path], start: Path, *, among: Path | None = None) -> list[Path]:
    """Return the folders with files of the course, the nearest first: at or above `start`, then the course's `root`.

    None of them lies in or right above a submission. Where `start` does, the result is only `root`.
    """
    paths = [Path(os.path.abspath(submission)) for submission in submissions]  # noqa: PTH100 - as in find_spec
    handed_in, around = [*paths, *([among] if among else [])], {path.parent for path in paths}
    above = [start.absolute(), *start.absolute().parents]
    folders = [root] if _is_handed_in(above[0], handed_in, around) else list(dict.fromkeys([*above, root]))
    return [folder for folder in folders if not _is_handed_in(folder, handed_in, around)]


def _is_handed_in(folder: Path, handed_in: Sequence[Path], around: Collection[Path]) -> bool:
    """Whether a folder lies in a submission, or directly contains one: its files are then next to a submission."""
    # Unlike Path.resolve(), realpath() takes a link to itself as it is.
    real = Path(os.path.realpath(folder))
    return any(real.is_relative_to(os.path.realpath(path)) for path in handed_in) or any(
        real == Path(os.path.realpath(path)) for path in around
    )


def _not_handed_in(spec: Path, handed_in: Sequence[Path], around: Collection[Path]) -> Path:
    """Return the spec's path, unless a student may have submitted the spec or the languages in its course."""
    if _is_handed_in(spec, handed_in, ()):
        raise UsageError(f"{spec} lies in what was handed in: a spec is the instructor's, and has to lie elsewhere")
    languages = root_of_spec(spec) / TOOLCHAINS_NAME
    is_refused = is_file(languages) and _is_handed_in(languages.parent, handed_in, around)
    if is_refused and not read_bytes(spec).startswith(COPY_MARK.encode()):
        raise UsageError(
            f"{languages} lies among what was handed in, or right above: a student may have put it there; move it, or "
            "what was handed in"
        )
    require_own(root_of_spec(spec))
    return spec


def root_at(start: Path) -> Path:
    """Return the course root without a spec: the nearest folder at or above `start` with `specs/`.

    UsageError when it is not the instructor's own.
    """
    root = next((folder for folder in (start, *start.parents) if (folder / "specs").is_dir()), start)
    if has_course_files(root):
        require_own(root)
    return root


def find_named(name: str, start: Path) -> Path:
    """Return the file of the spec with a path or an id, where there is no submission; UsageError when there is none."""
    spec = Path(name)
    if not spec.exists() or (spec.is_dir() and spec.name == name):  # a class often lies in a folder named for its spec
        require_own_nearest(start.absolute())
        spec = _find_by_name(name, Path(), _specs([start.absolute(), *start.absolute().parents]))
    require_own(root_of_spec(spec))
    return spec


def _specs(roots: Sequence[Path]) -> Specs:
    """Return the specs in the roots' `specs/` folders; of two with one id, that of the earlier root."""
    files = [path for root in reversed(roots) for path in sorted((root / "specs").glob("*.yaml"))]
    return {path.stem: path for path in files}


def _find_by_name(name: str, folder: Path, specs: Specs, by: str = "") -> Path:
    if is_file(folder / name):
        return folder / name
    if name in specs:
        return specs[name]
    hint = suggestion(name, specs) if specs else "; there is no specs/ folder with any"
    raise UsageError(f"no such spec: {in_quotes(name)}{by} is neither a file nor an id{hint}")


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
