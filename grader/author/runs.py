"""Runs of a reference that somebody asks for: their arguments, inputs and files, and whether one is a case already."""

import glob
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from grader.author.dialogue_from_input import Typist
from grader.author.record import Given, Run
from grader.core.errors import UsageError
from grader.core.model import Case, Spec

_MAX_INLINE_CHARACTERS = 4096
"""characters of an input that is written into the spec; a longer one stays a file"""


def runs_of(
    lines: Sequence[str],
    inputs: Sequence[str],
    root: Path,
    *,
    files: Mapping[str, Given],
    left: Sequence[str] = (),
    typists: Sequence[Callable[[], Typist | None]] = (),
) -> list[Run]:
    """Return the runs that are asked for: one for each line of arguments with each input, or by each of `typists`.

    Paths below the course's `root` keep their names. Raises UsageError for what cannot be read.
    """
    contents = [_read_content(path, f"--stdin {path}", root) for text in inputs for path in _files_like(text)]
    found = []
    for line in lines:
        try:
            args = tuple(shlex.split(line))
        except ValueError as error:
            raise UsageError(f"--args {line!r} cannot be split into words: {str(error).lower()}") from error
        found += [
            Run(args=args, stdin=content, files=files, left=tuple(left), typist=typist())
            for content in contents or [Given()]
            for typist in typists or [lambda: None]
        ]
    return found


def _files_like(text: str) -> list[Path]:
    """Return the files that a pattern stands for, in natural order; what is no pattern stands for itself."""
    if Path(text).exists() or not glob.has_magic(text):
        return [Path(text)]
    found = [path for path in glob.glob(text, recursive=True) if Path(path).is_file()]  # noqa: PTH207 - may begin with /
    if not found:
        raise UsageError(f"--stdin {text!r}: there is no such file")
    parts = {path: re.split("([0-9]+)", path) for path in found}
    natural = sorted(found, key=lambda path: [int(p) if p.isascii() and p.isdigit() else p for p in parts[path]])
    return list(map(Path, natural))


def read_files(texts: Sequence[str], root: Path) -> dict[str, Given]:
    """Read the files that runs find: `NAME=PATH`, or a path whose last part is the name."""
    found = {}
    for text in texts:
        name, equals, path = text.partition("=")
        named = Path(path if equals else text)
        found[name if equals else named.name] = _read_content(named, f"--file {text}", root)
    return found


def _read_content(path: Path, option: str, root: Path) -> Given:
    """Read what a program gets: a file of the course keeps its name, a short text from elsewhere is written down."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{option} cannot be read: {error.strerror}") from error
    if path.is_file() and path.resolve().is_relative_to(root):
        return Given(data=data, file=path.resolve().relative_to(root).as_posix())
    try:
        if len(data.decode()) <= _MAX_INLINE_CHARACTERS:
            return Given(data=data)
    except UnicodeDecodeError:
        pass
    raise UsageError(f"{option} is long, or no text: put it somewhere below {root}, so that it can be named")


def case_of(spec: Spec, test: str | None, run: Run) -> Case | None:
    """Return the case that a run is already, in that test or in any; what is typed is not known before."""
    if run.typist:
        return None
    for each in spec.tests:
        shared_files = [one for one in each.cases[0].files.items() if all(one in c.files.items() for c in each.cases)]
        for case in each.cases:
            plain = (
                case.command is None
                and case.functions is None
                and not (case.dialogue or case.interactor or case.unit or case.source)
            )
            finds = run.given.items() <= case.files.items() if run.files else dict(shared_files) == case.files
            contents = case.expect.files.contents if case.expect.files else {}
            is_same = (case.args, case.stdin) == (run.args, run.stdin.data) and {*run.left} <= contents.keys()
            if plain and test in (None, each.name) and is_same and finds:
                return case
    return None
