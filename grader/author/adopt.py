"""A program that an instructor has already, as the reference of a new assignment, with cases recorded from its runs."""

import os
import shlex
import shutil
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.author.needed import imported
from grader.author.new import PROGRAMS, assignment, filled, words
from grader.author.record import Run, ask, expected, item
from grader.author.written import CannotBeWrittenError
from grader.errors import HostError, UsageError
from grader.load import read
from grader.model import Case, Execution
from grader.pipeline import Course, prepare
from grader.yaml.writing import dump, listing

_STARTERS: Mapping[str, tuple[str, ...]] = {
    ".py": ("python3",),
    ".sh": ("sh",),
    ".pl": ("swipl",),
    ".jar": ("java", "-jar"),
    ".java": ("java",),
}
"""how a file is started that is no program by itself"""
_NOT_A_COMMAND = "name a program, or a command with its file, such as 'python3 solution.py'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """The files of an assignment made from a program, and what was recorded."""

    files: Mapping[str, bytes]
    recorded: Sequence[tuple[Run, Execution]]
    left_out: Sequence[tuple[Run, str]]
    """runs that are no cases, with the reason"""


def adopt(
    spec_id: str, language: str, program: str, runs: Sequence[Run], root: Path, *, sandbox: str, as_text: bool
) -> Adopted:
    """Make an assignment for the course at `root` whose reference is `program`; cases are made of the `runs`.

    Raises UsageError for what cannot be a reference, and HostError when it fails in every run.
    """
    command, copied = _command(program, root)
    known = words(spec_id, language) | {"reference": shlex.join(command)}
    head = filled(assignment()["recorded"], known)
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        trial = Path(folder)
        for name, content in {**_beside(command, root), **copied, **_inputs(runs)}.items():
            (trial / name).parent.mkdir(parents=True, exist_ok=True)
            (trial / name).write_bytes(content)
        path = trial / "specs" / f"{spec_id}.yaml"
        path.parent.mkdir()
        path.write_text(_spec(head, [(Run(), None)]))
        course = prepare(path, sandbox=sandbox)
        recorded, left_out = _recorded(runs, course)
        text = _spec(head, [(run, execution if as_text else None) for run, execution in recorded]).encode()
        read(text, str(path), trial)
    files = {f"specs/{spec_id}.yaml": text, **copied, **_sample(spec_id, known["file"], program)}
    return Adopted(files=files, recorded=recorded, left_out=left_out)


def _spec(head: str, cases: Sequence[tuple[Run, Execution | None]]) -> str:
    """Write the spec: with the texts where there are executions, else with the word reference."""
    nodes = [item(run, expected(execution) if execution else None) for run, execution in cases]
    listed = textwrap.indent(dump(listing(nodes), open_levels=2), " " * 6)
    return head + listed + ("" if all(execution for _, execution in cases) else "    expect: reference\n")


def _recorded(runs: Sequence[Run], course: Course) -> tuple[list[tuple[Run, Execution]], list[tuple[Run, str]]]:
    recorded: list[tuple[Run, Execution]] = []
    left_out: list[tuple[Run, str]] = []
    for run in runs:
        try:
            execution = ask(
                Case(id=shlex.join(run.args) or "without arguments", args=run.args, stdin=run.stdin), course
            )
            expected(execution)
            recorded.append((run, execution))
        except (HostError, CannotBeWrittenError) as error:
            left_out.append((run, str(error)))
    if not recorded:
        raise HostError(f"nothing could be recorded: {left_out[0][1]}")
    return recorded, left_out


# ---------------------------------------------------------------- the program


def _command(program: str, root: Path) -> tuple[tuple[str, ...], dict[str, bytes]]:
    """Return the command of the reference as a spec has it, and the files to be copied into the course."""
    try:
        given = shlex.split(program)
    except ValueError as error:
        raise UsageError(f"--from {program!r} cannot be split into words: {str(error).lower()}") from error
    paths = [Path(word).expanduser() for word in given]
    if not given or not any(path.is_file() for path in paths):
        names_file = any("/" in word or Path(word).suffix in _STARTERS for word in given[1:])
        if given and shutil.which(given[0]) and not names_file:
            return tuple(given), {}
        raise UsageError(f"--from {program!r}: there is no such program; {_NOT_A_COMMAND}")
    copied: dict[str, bytes] = {}
    command: list[str] = []
    for word, path in zip(given, paths, strict=True):
        if path.is_dir():
            raise UsageError(f"--from {program!r}: {word} is a folder, and a reference is made of files: pack it")
        if not path.is_file() or (word == given[0] and "/" not in word and shutil.which(word) and len(given) > 1):
            command.append(word)
            continue
        name, files = _taken(path, root)
        command.append(name)
        copied |= files
    return (*_starter(paths[0]), *command), copied


def _starter(path: Path) -> tuple[str, ...]:
    """Return what starts a file that stands alone; nothing for a program."""
    if not path.is_file():
        return ()
    with path.open("rb") as file:
        start = file.read(4)
    if path.suffix in _STARTERS:
        return _STARTERS[path.suffix]
    if start.startswith(PROGRAMS):
        return ()
    raise UsageError(f"{path} cannot be started as it is: compile it, or say with what; {_NOT_A_COMMAND}")


def _taken(path: Path, root: Path) -> tuple[str, dict[str, bytes]]:
    """Return the name that a file has in the course, and what is copied: itself, and in Python what it imports."""
    full = Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its name
    if full.is_relative_to(root / "reference"):
        return full.relative_to(root).as_posix(), {}
    names = imported(full.parent, full.name)
    try:
        return f"reference/{full.name}", {f"reference/{name}": (full.parent / name).read_bytes() for name in names}
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}") from error


def _beside(command: Sequence[str], root: Path) -> dict[str, bytes]:
    """Return what lies in the folders of the course that a reference runs with."""
    files = [root / word for word in command if "/" in word and (root / word).is_file()]
    folders = {file.parent for file in files if file.parent != root}
    found = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
    found += [file for file in files if file.parent == root]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found if path.is_file()}


def _inputs(runs: Sequence[Run]) -> dict[str, bytes]:
    return {run.stdin_file: run.stdin for run in runs if run.stdin_file}


def _sample(spec_id: str, file: str, program: str) -> dict[str, bytes]:
    """Return a right sample, if the program is one: a single file in the language of the assignment."""
    path = Path(program).expanduser()
    if path.suffix != Path(file).suffix or path.suffix not in (".py", ".sh", ".pl") or not path.is_file():
        return {}
    if len(imported(path.absolute().parent, path.name)) > 1:
        return {}
    folder = f"sample_submissions/{spec_id}"
    stated = f"# What each sample must get from specs/{spec_id}.yaml.\n\nright:\n  score: 100\n"
    return {f"{folder}/right/{file}": path.read_bytes(), f"{folder}/expected.yaml": stated.encode()}
