"""Requested runs of a reference: their arguments, inputs and files, and the existing case of a run, if any."""

import glob
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from grader.author.record import Given, Run, Typist
from grader.core.errors import UsageError
from grader.core.kind import KINDS
from grader.core.model.spec import Case, Spec

_MAX_INLINE_CHARACTERS = 4096
"""characters of an input that is written into the spec; a longer one must stay a file"""


def make_runs(
    lines: Sequence[str],
    inputs: Sequence[str],
    root: Path,
    *,
    files: Mapping[str, Given],
    written: Sequence[str] = (),
    typists: Sequence[Callable[[], Typist | None]] = (),
) -> list[Run]:
    """Return the requested runs: one for each line of arguments with each input, or with each of `typists`.

    Paths below the course's `root` keep their names. Raises UsageError when a file cannot be read.
    """
    contents = [_read_content(path, f"--stdin {path}", root) for text in inputs for path in _expand_pattern(text)]
    kind = next(one.name for one in KINDS.values() if one.runs == ("conversation" if typists else "program"))
    found = []
    for line in lines:
        try:
            args = tuple(shlex.split(line))
        except ValueError as error:
            raise UsageError(f"--args {line!r} cannot be split into words: {str(error).lower()}") from error
        found += [
            Run(args=args, stdin=content, files=files, written_files=tuple(written), kind=kind, typist=typist())
            for content in contents or [Given()]
            for typist in typists or [lambda: None]
        ]
    return found


def _expand_pattern(text: str) -> list[Path]:
    """Return the files that match a pattern, in natural order; a plain path is returned as it is."""
    if Path(text).exists() or not glob.has_magic(text):
        return [Path(text)]
    found = [path for path in glob.glob(text, recursive=True) if Path(path).is_file()]  # noqa: PTH207 - may begin with /
    if not found:
        raise UsageError(f"--stdin {text!r}: there is no such file")
    parts = {path: re.split("([0-9]+)", path) for path in found}
    natural = sorted(found, key=lambda path: [int(p) if p.isascii() and p.isdigit() else p for p in parts[path]])
    return list(map(Path, natural))


def read_files(texts: Sequence[str], root: Path) -> dict[str, Given]:
    """Read the files of runs: `NAME=PATH`, or a path whose last part is the name."""
    found = {}
    for text in texts:
        name, equals, path = text.partition("=")
        named = Path(path if equals else text)
        found[name if equals else named.name] = _read_content(named, f"--file {text}", root)
    return found


def _read_content(path: Path, option: str, root: Path) -> Given:
    """Read an input file: a file of the course is referred to by name, a short text from elsewhere is inlined."""
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
    raise UsageError(f"{option} is too long, or no text: put it below {root}, so that the spec can refer to it")


def find_case(spec: Spec, test: str | None, run: Run) -> Case | None:
    """Return the existing case of a run, in that test or in any; None for a dialogue, not known before it runs."""
    if run.typist:
        return None
    for each in spec.tests:
        shared_files = [one for one in each.cases[0].files.items() if all(one in c.files.items() for c in each.cases)]
        for case in each.cases:
            is_alike = case.command is None and case.kind == run.kind
            finds = run.case.files.items() <= case.files.items() if run.files else dict(shared_files) == case.files
            contents = case.expect.files.contents if case.expect.files else {}
            is_same = (case.args, case.stdin) == (run.args, run.stdin.data) and {*run.written_files} <= contents.keys()
            if is_alike and test in (None, each.name) and is_same and finds:
                return case
    return None
