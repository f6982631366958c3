"""The files of specs: which one is meant, and where in it each thing is written; and plain data files of our own.

The spec is the one that the caller names, or what the working folder and the folders above it say. A spec brings
functions that run in our own process, so nothing of a course is ever found in, below or beside what was handed in: a
student would grade the class. Where the working folder itself lies there, nobody can tell what is whose, and the path
has to be named. Data files have no schema, but are as strict about duplicate keys.

`Source` is for what is said about a spec that has no mistakes.
"""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from msgspec import Struct

from grader.errors import SpecError, UsageError
from grader.load.language import CONFIGURATION
from grader.load.spec import read_bytes
from grader.load.work import read_file_rules
from grader.model import Spec
from grader.yaml.nodes import Listing, Node, Scalar, Table, entry, items_of, parse
from grader.yaml.value import (
    Context,
    Value,
    entries,
    fields,
    get,
    in_quotes,
    items,
    key_path,
    plain_value,
    suggestion,
    text,
)

Specs = dict[str, Path]
"""id -> file"""


def find_spec(named: str | None, submissions: Sequence[Path], start: Path, *, among: Path | None = None) -> Path:
    """Return the file of the spec that is meant for the submissions; UsageError with the candidates when in doubt.

    `named` is a path or an id. Without it: the spec that `grader.yaml` at or above `start` names; else the one that the
    folder above the submission is named like; else the only one whose required files are all in the submission.
    `among` is the folder of a class: everything in it was handed in.
    """
    # resolve() would follow links, and lose the name
    paths = [Path(os.path.abspath(submission)) for submission in submissions]  # noqa: PTH100
    handed_in = [*paths, *([among] if among else [])]
    folders = [start.absolute(), *start.absolute().parents]
    roots = [folder for folder in folders if not _is_handed_in(folder, handed_in, {path.parent for path in paths})]
    specs = _specs(roots)
    if named is not None and Path(named).name != named and is_file(Path(named)):
        return _not_handed_in(Path(named), handed_in)
    if folders[0] not in roots:
        # The outermost specs are the least likely to be a student's.
        outermost: Specs = next(filter(None, (_specs([root]) for root in reversed(roots))), {})
        fitting = [path for name, path in outermost.items() if name == named] or list(outermost.values())
        shown = " or ".join(os.path.relpath(path, folders[0]) for path in fitting[:3])
        raise UsageError(
            f"the working folder lies in or right above what was handed in ({in_quotes(paths[0].name)}), where no spec "
            f"is looked for; name the path of the spec's file with --spec{shown and ', such as ' + shown}"
        )
    if named is not None:
        return _not_handed_in(_find_by_name(named, Path(), specs), handed_in)
    for folder in roots:
        configuration = folder / "grader.yaml"
        if not is_file(configuration):
            continue
        top = read_top(configuration)
        name = get(fields(top, CONFIGURATION), "spec", text, None)
        if top.context.problems:
            raise SpecError(tuple(top.context.problems.values()))
        if name:
            return _not_handed_in(_find_by_name(name, folder, specs, f", which {configuration} names,"), handed_in)
    found = {specs.get(path.parent.name) or _by_files(path, roots): path for path in paths}
    if len(found) > 1:
        one, other, *_ = found.values()
        raise UsageError(f"{other} belongs to another assignment than {one}; grade them apart, or name --spec")
    return next(iter(found))


def course_folders(root: Path, submissions: Sequence[Path], start: Path, *, among: Path | None = None) -> list[Path]:
    """Return where files of the course may lie, the nearest first: at or above `start`, then the course's `root`.

    None of them lies in or right above what was handed in; where `start` does, `root` alone is left.
    """
    paths = [Path(os.path.abspath(submission)) for submission in submissions]  # noqa: PTH100 - as in find_spec
    handed_in, around = [*paths, *([among] if among else [])], {path.parent for path in paths}
    above = [start.absolute(), *start.absolute().parents]
    folders = [root] if _is_handed_in(above[0], handed_in, around) else list(dict.fromkeys([*above, root]))
    return [folder for folder in folders if not _is_handed_in(folder, handed_in, around)]


def _is_handed_in(folder: Path, handed_in: Sequence[Path], around: Collection[Path]) -> bool:
    """Whether a folder lies in what was handed in, or around it: what is in it then lies beside a submission."""
    # Unlike Path.resolve(), realpath() takes a link to itself as it is.
    real = Path(os.path.realpath(folder))
    return any(real.is_relative_to(os.path.realpath(path)) for path in handed_in) or any(
        real == Path(os.path.realpath(path)) for path in around
    )


def _not_handed_in(spec: Path, handed_in: Sequence[Path]) -> Path:
    """Return the spec's path, unless a student handed it in."""
    if _is_handed_in(spec, handed_in, ()):
        raise UsageError(f"{spec} lies in what was handed in: a spec is the instructor's, and has to lie elsewhere")
    return spec


def find_named(name: str, start: Path) -> Path:
    """Return the file of the spec with a path or an id, where there is no submission to go by, or raise UsageError."""
    return _find_by_name(name, Path(), _specs([start.absolute(), *start.absolute().parents]))


def _specs(roots: Sequence[Path]) -> Specs:
    """Return what the roots' `specs/` folders hold; of two with one id, that of the earlier root."""
    files = [path for root in reversed(roots) for path in sorted((root / "specs").glob("*.yaml"))]
    return {path.stem: path for path in files}


def _find_by_name(name: str, folder: Path, specs: Specs, by: str = "") -> Path:
    if is_file(folder / name):
        return folder / name
    if name in specs:
        return specs[name]
    hint = suggestion(name, specs) if specs else "; there is no specs/ folder with any"
    raise UsageError(f"no such spec: {in_quotes(name)}{by} is neither a file nor an id{hint}")


def is_file(path: Path) -> bool:
    """Whether there is a file; no where nobody may look."""
    try:
        return path.is_file()
    except OSError:  # too long a name, or a folder that may not be looked into
        return False


def _by_files(submission: Path, roots: Sequence[Path]) -> Path:
    nearest: Specs = next(filter(None, (_specs([root]) for root in roots)), {})
    if not nearest:
        raise UsageError(f"no specs/ folder in or above {roots[0]}: name the spec's file with --spec")
    names = _names_handed_in(submission)
    fitting = [path for path in nearest.values() if _has_required_files(path, names)]
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


def _has_required_files(path: Path, names: set[str]) -> bool:
    """Whether all required files are there. A spec with mistakes may be the one that is meant, so it fits."""
    try:
        top = read_top(path)
    except SpecError:
        return True
    files = entries(top).get("files")
    rules = entries(files[1]) if files else {}
    required = read_file_rules(files[1]).required if files and "required" in rules else ()
    # Of a path only the first part is looked for: this chooses among specs, staging says what is missing.
    firsts = [[name.split("/")[0] for name in one.names] for one in required if one.costs is None]
    return bool(top.context.problems) or all(
        any(fnmatchcase(name, first) for name in names for first in some) for some in firsts
    )


def read_top(path: Path) -> Value:
    """Read a YAML file for readers of values; UsageError when there is none, SpecError when it is not YAML."""
    context = Context(file=str(path), root=path.parent)
    return Value(node=parse(read_bytes(path), str(path)), path="", context=context)


def read_data(path: Path) -> Any:
    """Read a YAML file as plain Python values; numbers, true, false and null are those words without quotes.

    Raises SpecError for a file that is not YAML or has a key twice, UsageError when there is none.
    """
    top = read_top(path)
    data = _to_data(top)
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return data


def _to_data(value: Value) -> object:
    match value.node:
        case Table():
            return {name: _to_data(entry) for name, (_, entry) in entries(value).items()}
        case Listing():
            return [_to_data(item) for item in items(value)]
        case Scalar(text=written, plain=False):
            return written
        case Scalar(text=written):
            return None if written in ("", "~") else plain_value(written)


# ---------------------------------------------------------------- where each thing is written


class Source(Struct, frozen=True, kw_only=True):
    """A spec's file, as a map."""

    file: str
    """its name for messages"""
    places: Mapping[str, tuple[int, int]]
    """path (`tests[2].args`) -> line and column of its value, from 1"""
    texts: Mapping[str, str]
    """path -> the characters that were written there, of single values"""
    cases: Mapping[str, str]
    """a case's id -> the path of what it is written as: the test, an entry of its `cases`, or a call"""


def source(spec: Spec, file: str) -> Source:
    """Return where the parts of a spec that was loaded are in its file."""
    top = parse(spec.source_text, file)
    paths = [tuple(_case_paths(node, f"tests[{index}]")) for index, node in enumerate(items_of(entry(top, "tests")))]
    cases = {
        case.id: written[index % len(written)]  # each combination of variables goes through all of them
        for test, written in zip(spec.tests, paths, strict=True)
        for index, case in enumerate(test.cases)
    }
    nodes = dict(_walk(top, ""))
    return Source(
        file=file,
        places={path: (node.line, node.column) for path, node in nodes.items()},
        texts={path: node.text for path, node in nodes.items() if isinstance(node, Scalar)},
        cases=cases,
    )


def needs(data: bytes, file: str) -> Mapping[str, Mapping[str, str]]:
    """Return what each test of a spec needs, right or not: its name -> what it needs -> the path where that is said."""
    tests = items_of(entry(parse(data, file), "tests"))
    return {
        name.text: {
            need.text: f"tests[{index}].needs[{place}]"
            for place, need in enumerate(items_of(entry(test, "needs")))
            if isinstance(need, Scalar)
        }
        for index, test in enumerate(tests)
        if isinstance(name := entry(test, "name"), Scalar)
    }


def _walk(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    yield path, node
    match node:
        case Listing(items=items):
            for index, item in enumerate(items):
                yield from _walk(item, f"{path}[{index}]")
        case Table(pairs=pairs):
            for key, value in pairs:
                yield from _walk(value, key_path(path, key.text))
        case Scalar():
            pass


def _case_paths(node: Node, path: str) -> Iterator[str]:
    listed = items_of(entry(node, "cases"))
    if entry(node, "unit"):
        yield f"{path}.unit"
        return
    if not listed:
        yield from _of_calls(entry(node, "functions"), path)
        return
    for index, item in enumerate(listed):
        calls = entry(item, "functions") or entry(node, "functions")
        own = f"{path}.cases[{index}]"
        yield from _of_calls(calls, own if entry(item, "functions") else path, own)


def _of_calls(functions: Node | None, holder: str, otherwise: str = "") -> Iterator[str]:
    if functions is None:
        yield otherwise or holder
        return
    for index, call in enumerate(items_of(entry(functions, "calls"))):
        count = entry(call, "count")
        times = int(count.text) if isinstance(count, Scalar) else 1
        yield from [f"{holder}.functions.calls[{index}]"] * times
