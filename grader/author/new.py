"""A new assignment that works at once: a spec, a reference, two samples, and what these must get.

The new assignment is a small example to be edited. Or it is made of an existing program of the instructor: the program
becomes the reference, and the cases are recorded from its runs. Existing files are never overwritten.
"""

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from grader.author.public import with_imports
from grader.author.record import Run, ask_twice, case_node, printed_node, split_words
from grader.core import languages
from grader.core.errors import CannotBeWrittenError, HostError, UsageError
from grader.core.model.execution import Execution
from grader.core.model.spec import LANGUAGES, PROGRAM_KINDS
from grader.core.pipeline import Course, prepare
from grader.core.reader.files import languages_of_course, read_data
from grader.core.reader.language import TYPES, schema_text
from grader.core.reader.spec import read
from grader.core.text import joined
from grader.core.yaml.dumping import dump_spec
from grader.core.yaml.nodes import in_line, listing, plain
from grader.core.yaml.types import node_of
from grader.core.yaml.value import TOOLCHAINS_NAME

_expand = os.path.expanduser  # that of `Path` raises an error for a user who is not there
_TEMPLATES = Path(__file__).with_name("templates")
_SHARED_TEMPLATE = _TEMPLATES / "assignment.yaml"  # what the assignment is in every language
_SCHEMA_FILE = "specs/spec.schema.json"  # what the first line of a spec names for editors; a course has one
_PROGRAM_STARTS = (b"\x7fELF", b"#!")  # how a file begins that can be started by its name
_JAVA_NAMES = ("", "String", "System", "Long", "NumberFormatException", "Object", "Override")
"""what a class cannot be called that uses them"""


def _language_template(language: str, own: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the assignment is in a language; `own` are the course's. Raises UsageError without a template."""
    template: Mapping[str, Any] = own.get(language, {}).get("template") or {}
    if not template and language not in LANGUAGES:
        advice = f"give it a `template` in {TOOLCHAINS_NAME} of the course"
        raise UsageError(f"nothing to start from in {language}: {advice}")
    return template or read_data(_TEMPLATES / f"{language}.yaml")


def _template_words(spec_id: str, own: Mapping[str, Any]) -> dict[str, str]:
    """Return what the words of the templates stand for, `own` being the language's. Raises UsageError for no id."""
    if not re.fullmatch("[a-z0-9-]+", spec_id):
        raise UsageError(f"{spec_id!r} is no id: use small letters, digits and hyphens, such as queens-2")
    name = spec_id.strip("-").replace("-", "_") or "program"
    camel = "".join(part.capitalize() for part in spec_id.split("-"))
    if camel in _JAVA_NAMES or camel[:1].isdigit():
        camel = f"Program{camel}"
    words = {"id": spec_id, "module": name, "name": name, "Name": camel}
    return words | {key: _fill_words(own[key], words) for key in ("file", "program", "head")}


def _fill_words(text: str, known: Mapping[str, str]) -> str:
    """Put the words into a text, with the indentation of the line that they stand on."""

    def put(match: re.Match[str]) -> str:
        indent, word = match[1] or "", match[2]
        return indent + known[word].rstrip("\n").replace("\n", f"\n{indent}") if word in known else match[0]

    return re.sub(r"(?m)(?:^([ ]*)(?=@))?@(\w+)@", put, text)


def start_assignment(spec_id: str, language: str, languages: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the files of the assignment, by their names below the course root; `languages` are the course's own."""
    own = _language_template(language, languages)  # what it says itself holds instead of what all languages share
    shared, samples = {**read_data(_SHARED_TEMPLATE), **own}, f"sample_submissions/{spec_id}"
    wrong = dict(own["samples"])
    for old, mistake in own["wrong"].items():
        wrong = {name: text.replace(old, mistake) for name, text in wrong.items()}
    files = {
        f"specs/{spec_id}.yaml": shared["spec"],
        shared["reference_file"]: shared["reference"],
        **{f"{samples}/right/{name}": text for name, text in own["samples"].items()},
        **{f"{samples}/{shared['wrong_name']}/{name}": text for name, text in wrong.items()},
        f"{samples}/expected.yaml": shared["expected"],
    }
    return _fill_files(files, _template_words(spec_id, own))


def start_alike(spec_id: str, like: str, language: str | None) -> dict[str, bytes]:
    """Return the files of an assignment of that kind, by their names; UsageError for a language that has none."""
    template = read_data(_TEMPLATES / f"like-{like}.yaml")
    if language not in (None, template["language"]):
        raise UsageError(f"--like {like} is there in {template['language']}: leave --language out, and change it then")
    return _fill_files(template["files"], _template_words(spec_id, _language_template(template["language"], {})))


def _fill_files(files: Mapping[str, str], known: Mapping[str, str]) -> dict[str, bytes]:
    return {_fill_words(name, known): _fill_words(text, known).encode() for name, text in files.items()}


# ---------------------------------------------------------------- writing


def create(root: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files below `root`, and the schema if the course has none yet; return where they are.

    Raises UsageError with all that is there already, and HostError when a file cannot be written; either way it
    removes the files that it wrote.
    """
    missing = {} if (root / _SCHEMA_FILE).exists() else {_SCHEMA_FILE: schema_text().encode()}
    wanted = {root / name: content for name, content in {**files, **missing}.items()}
    if existing := [name for name in files if os.path.lexists(root / name)]:
        raise UsageError(f"nothing was written, since these files exist: {', '.join(existing)}; choose another id")
    with ExitStack() as undo:
        try:
            for path, content in wanted.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as file:
                    undo.callback(path.unlink, missing_ok=True)
                    file.write(content)
                if content.startswith(_PROGRAM_STARTS):
                    path.chmod(0o755)
        except OSError as error:
            raise HostError(f"{error.filename or root} cannot be written: {error.strerror}") from error
        undo.pop_all()
    return [*wanted]


# ---------------------------------------------------------------- from a program

_Starters = Mapping[str, Sequence[str]]
"""how a file is started that is no program by itself: its suffix -> what stands before its name"""
_Reference = tuple[str | dict[str, str], dict[str, bytes], dict[str, bytes]]
"""a reference as a spec has it, the files to be copied into the course, and those that are there already"""
_IS_STARTED = re.compile(rb"\bmain\s*\(|__main__")  # in a file that is the one to be started, of several
_NO_SAMPLE_ENDINGS = (".jar", *(ending for ending, kind in PROGRAM_KINDS.items() if kind.build))
"""of files that can be started, but are not what a student hands in, or not all of it"""
_NOT_A_COMMAND = "name a program, or a command with its file, such as 'python3 solution.py'"


class Adopted(NamedTuple):
    """The files of an assignment made from a program, and what was recorded."""

    files: Mapping[str, bytes]
    recorded: Sequence[tuple[Run, Execution]]
    left_out: Sequence[tuple[Run, str]]  # runs that are no cases, with the reason


def adopt(
    spec_id: str, language: str, program: str, runs: Sequence[Run], root: Path, *, sandbox: str, as_text: bool
) -> Adopted:
    """Make an assignment for the course at `root` whose reference is `program`; cases are made of the `runs`.

    Raises UsageError for what cannot be a reference, and HostError when it fails in every run.
    """
    languages = languages_of_course(root)
    reference, copied, beside = _reference_in_course(program, root, _starters(language, languages))
    known, template = _template_words(spec_id, _language_template(language, languages)), read_data(_SHARED_TEMPLATE)
    head = _fill_words(template["recorded"], {**known, "reference": in_line(node_of(reference, filled=False))})
    write = partial(_with_cases, head, template["recorded_test"])
    given = (content for run in runs for content in (run.stdin, *run.files.values()))
    inputs = {content.file: content.data for content in given if content.file}
    own = {TOOLCHAINS_NAME: (root / TOOLCHAINS_NAME).read_bytes()} if languages else {}
    # The reference can be asked only by a course, which must not be written before it is known to be right.
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        trial = Path(folder)
        path = trial / "specs" / f"{spec_id}.yaml"
        draft = {f"specs/{spec_id}.yaml": write([(Run(), None)]).encode()}
        create(trial, {**own, **beside, **copied, **inputs, **draft})
        recorded, omitted = _record_each(runs, prepare(path, sandbox=sandbox))
        text = write([(run, execution if as_text else None) for run, execution in recorded]).encode()
        read(text, str(path), trial)
    files = {f"specs/{spec_id}.yaml": text, **copied, **_right_sample(spec_id, known["file"], program)}
    return Adopted(files, recorded, omitted)


def _record_each(runs: Sequence[Run], course: Course) -> tuple[list[tuple[Run, Execution]], list[tuple[Run, str]]]:
    """Ask the reference in each run; return what it did, and why there is no case of the others. Not without any."""
    recorded, omitted = list[tuple[Run, Execution]](), list[tuple[Run, str]]()
    for run in runs:
        try:
            execution = ask_twice(run.case, course)
            printed_node(run, execution)
            recorded.append((run, execution))
        except (HostError, CannotBeWrittenError) as error:
            omitted.append((run, str(error)))
    if not recorded:
        raise HostError(f"nothing could be recorded: {omitted[0][1]}")
    return recorded, omitted


def _with_cases(head: str, test: Mapping[str, Any], cases: Sequence[tuple[Run, Execution | None]]) -> str:
    """Write the spec: with the texts where there are executions, else with the word reference."""
    nodes = [case_node(run, printed_node(run, execution) if execution else None) for run, execution in cases]
    expect = None if all(execution for _, execution in cases) else plain("reference")
    written = TYPES["test"].write({**test, "cases": nodes, "expect": expect})
    return dump_spec({"tests": listing([written])}, head=head, open_levels=4)


def _starters(language: str, own: Mapping[str, Any]) -> _Starters:
    """Return how files are started, in the language at hand before others; what is built first is started as it is."""
    data = languages.with_own(read_data(languages.TOOLCHAINS_FILE), own)
    known = {name: languages.toolchain(name, data).starters for name in data}
    starters = {suffix: words for table in reversed(known.values()) for suffix, words in table.items()}
    return {**starters, **known[language], **{ending: () for ending, kind in PROGRAM_KINDS.items() if kind.build}}


def _reference_in_course(program: str, root: Path, starters: _Starters) -> _Reference:
    """Find the reference that was named. Raises UsageError when it is none, or cannot be read."""
    given = (program,) if os.access(_expand(program), os.F_OK) else split_words(program, "--from")  # a path with blanks
    paths = [Path(_expand(word)) for word in given]
    if len(given) == 1 and paths[0].is_dir():
        return _folder_in_course(paths[0], root, starters)
    if not given or not any(path.is_file() for path in paths):
        names_file = any("/" in word or Path(word).suffix in starters for word in given[1:])
        if given and shutil.which(given[0]) and not names_file:
            return shlex.join(given), {}, {}
        raise UsageError(f"--from {program!r}: there is no such program; {_NOT_A_COMMAND}")
    copied, beside = dict[str, bytes](), dict[str, bytes]()
    command: list[str] = []
    for word, path in zip(given, paths, strict=True):
        if path.is_dir():
            raise UsageError(f"--from {program!r}: {word} is a folder: name it alone, or pack it")
        if not path.is_file() or (word == given[0] and "/" not in word and shutil.which(word) and len(given) > 1):
            command.append(word)
            continue
        full, name, is_there = _name_in_course(path, root)
        command.append(name)
        beside |= _files_in(full.parent, name.rpartition("/")[0]) if is_there else {}
        try:
            imported = () if is_there else with_imports(full.parent, full.name)
            copied |= {f"reference/{name}": (full.parent / name).read_bytes() for name in imported}
        except OSError as error:
            raise UsageError(f"{error.filename} cannot be read: {error.strerror}") from error
    return shlex.join((*_starter(paths[0], starters), *command)), copied, beside


def _name_in_course(path: Path, root: Path) -> tuple[Path, str, bool]:
    """Return where a file or folder is, its name in the course, and whether it is there already."""
    full = Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its name
    is_there = full.is_relative_to(root / "reference")
    return full, full.relative_to(root).as_posix() if is_there else f"reference/{full.name}", is_there


def _files_in(folder: Path, name: str) -> dict[str, bytes]:
    """Return what lies in a folder, which is called so in the course. Raises UsageError when that cannot be read."""
    files: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            try:
                files[f"{name}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
            except OSError as error:
                raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    return files


def _folder_in_course(folder: Path, root: Path, starters: _Starters) -> _Reference:
    """Return what the reference of a folder is: all of it, where that is compiled, or the file that is started."""
    full, inside, is_there = _name_in_course(folder, root)
    files = _files_in(full, inside)
    copied, beside = ({}, files) if is_there else (files, {})
    by_language: dict[str, list[str]] = {}
    for name in files:
        if kind := PROGRAM_KINDS.get(Path(name).suffix):
            by_language.setdefault(kind.language, []).append(name)
    if len(by_language) != 1:
        which = joined(sorted(by_language)) or "no language that could be told by their endings"
        advice = "name the file that is started, or the whole command"
        raise UsageError(f"the files of the reference are in {which}: {advice}")
    ((language, sources),) = by_language.items()
    if language in ("c", "cpp"):
        return {"files": f"{inside}/", "language": language}, copied, beside
    started = [name for name in sources if len(sources) == 1 or _IS_STARTED.search(files[name])]
    if len(started) != 1:
        raise UsageError(f"{folder} does not tell which of its files is started: name that file, or the whole command")
    return shlex.join((*starters.get(Path(started[0]).suffix, ()), started[0])), copied, beside


def _starter(path: Path, starters: _Starters) -> tuple[str, ...]:
    """Return what starts a file that stands alone; nothing for a program."""
    if path.suffix in starters and path.is_file():
        return tuple(starters[path.suffix])
    if path.is_file() and not path.read_bytes().startswith(_PROGRAM_STARTS):
        raise UsageError(f"{path} cannot be started as it is: compile it, or say with what; {_NOT_A_COMMAND}")
    return ()


def _right_sample(spec_id: str, file: str, program: str) -> dict[str, bytes]:
    """Return a right sample, if the program is one: a single file in the language of the assignment."""
    path = Path(_expand(program))
    is_one = path.suffix == Path(file).suffix and path.suffix not in _NO_SAMPLE_ENDINGS and path.is_file()
    if not is_one or len(with_imports(path.absolute().parent, path.name)) > 1:
        return {}
    folder = f"sample_submissions/{spec_id}"
    about = "The reference itself, whose full marks prove nothing; add a right program that somebody else wrote."
    stated = f"# What each sample must get from specs/{spec_id}.yaml.\n\nright:\n  about: {about}\n  score: 100\n"
    return {f"{folder}/right/{file}": path.read_bytes(), f"{folder}/expected.yaml": stated.encode()}
