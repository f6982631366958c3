"""`reference`: a command; or a file or folder, of which a program is made as one is of a submission."""

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from grader.core.model.layout import Build
from grader.core.model.programs import MADE_PROGRAM, PROGRAM_KINDS, ProgramKind, ReferenceWork, match_program
from grader.core.model.spec import Case, Spec
from grader.core.model.toolchain import LANGUAGES
from grader.core.notebook.linear import is_notebook, module_name
from grader.core.reader.files_and_build import read_command, read_commands
from grader.core.reader.language import REFERENCE_WORK
from grader.core.yaml.nodes import Listing, Table
from grader.core.yaml.value import (
    Value,
    attach,
    choice,
    entries,
    fields,
    get,
    in_quotes,
    inner_name,
    items,
    names_inside,
    suggestion,
    unwanted,
    wrong,
)

_LANGUAGE = choice(LANGUAGES, "language")
_Command = tuple[str, ...]
_Commands = tuple[_Command, ...]


def read_reference(value: Value, language: str, build: Build | None, program: _Command) -> dict[str, Any]:
    """Read `reference` as keyword arguments of `Spec`; the last arguments are the spec's settings for submissions."""
    if isinstance(value.node, Table):
        found = fields(value, REFERENCE_WORK)
        name = inner_name(found["files"]) if "files" in found else ""
        return _read_work(found["files"], name, found, (language, build, program)) if name else {}
    command = read_command(value)
    name = command[0] if len(command) == 1 and not isinstance(value.node, Listing) else ""
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts:
        return {"reference": command}
    if is_notebook(name):
        return {"reference": ("python3", module_name(name))}
    if path.suffix not in PROGRAM_KINDS and not _is_folder(value, name):
        return {"reference": command}
    return _read_work(value, name, {}, (language, build, program))


def read_references(value: Value, language: str, build: Build | None, program: _Command) -> dict[str, dict[str, Any]]:
    """Read `references`: the name of a program -> its reference, read as `reference` is."""
    found: dict[str, dict[str, Any]] = {}
    for name, (key, item) in entries(value).items():
        if not name or any(sign.isspace() or sign == "/" for sign in name):
            unwanted(key, "the name of a program as commands have it, such as unique or unique.py")
        found[name] = read_reference(item, language, build, program)
    if not found:
        unwanted(value, "at least one reference")
    return found


def check_references(found: Mapping[str, Value], spec: Spec) -> None:
    """Note cases that ask a reference where none answers for what they start, and references that nobody asks."""
    named = {} if "references" not in found else {name: key for name, (key, _) in entries(found["references"]).items()}
    own = match_program(spec.program, named)
    if own is not None and "reference" in found:
        wrong(named[own], "reference says what answers for the program already: keep one of the two")
    asked = {spec.reference_name(case) for test in spec.tests for case in test.cases} | {own}
    for name, key in named.items():
        if name not in asked:
            programs = {
                PurePosixPath(command[-1]).stem
                for test in spec.tests
                for case in test.cases
                if (command := case.command)
            }
            hint = suggestion(name, sorted(programs)) if programs else ": the tests start others by their command"
            wrong(key, f"no test starts a program of this name{hint}")
    for item, test in zip(items(found["tests"]), spec.tests, strict=True):
        case = next((one for one in test.cases if one.asks_reference and spec.reference_name(one) is None), None)
        if case is not None:
            wrong(*_unanswered(item, case, spec))


def _unanswered(item: Value, case: Case, spec: Spec) -> tuple[Value, str]:
    """Return where a case without a reference is written, and what to write for it; `item` is its test."""
    keys = {name: value for name, (_, value) in entries(item).items()}
    if case.command is None:
        return keys.get("expect", item), "no reference answers for the program: name its own under reference"
    number = re.search(r"\[(\d+)\]$", case.id)
    if number and "cases" in keys and isinstance(keys["cases"].node, Listing):
        keys |= {name: value for name, (_, value) in entries(items(keys["cases"])[int(number[1]) - 1]).items()}
    name = name_reference(case.command)
    where = "as there is no reference" if not spec.has_references else "the reference is for the program alone"
    if spec.has_references and spec.reference is None:
        where = "references has none for it"
    cure = f"write `references: {{{name}: ...}}` with what is right for this one"
    if spec.reference_work is None or spec.reference_work.files:
        cure += ", or let reference be a folder with all programs, laid out as a submission is"
    shown = in_quotes(shlex.join(case.command))
    return keys.get("command", item), f"nobody knows what {shown} is to write: {where}; {cure}"


def name_reference(command: _Command) -> str:
    """Return a name for what a command starts, as `references` has it: `unique` for `python3 unique.py -c`."""
    words = [word for place, word in enumerate(command) if not word.startswith("-") and (place or len(command) == 1)]
    last = (words or [command[0]])[-1].split()
    return PurePosixPath(last[-1]).stem if last else "name"


def _is_folder(value: Value, name: str) -> bool:
    found = value.context.listings[name] = names_inside(value.context.root, name)
    return bool(found)


def _read_work(
    value: Value, name: str, found: dict[str, Value], submissions: tuple[str, Build | None, _Command]
) -> dict[str, Any]:
    name = PurePosixPath(name).as_posix()
    language = get(found, "language", _LANGUAGE, "")
    language = "python" if language == "notebook" else language
    commands: _Commands = read_commands(found["build"]) if "build" in found else ()
    program: _Command = read_command(found["program"]) if "program" in found else ()
    if _is_folder(value, name):
        return _folder(value, name, (language, commands, program), submissions)
    kind = PROGRAM_KINDS.get(PurePosixPath(name).suffix)
    if language and (kind is None or kind.language != language):
        kind = _kind_of(language)
    if not (value.context.root / name).exists() and found:
        wrong(value, f"there is no file or folder {in_quotes(name)} in {value.context.root}")
        return {}
    if kind is None:
        wrong(value, f"{in_quotes(name)} is no folder, and its ending tells no language: name that under language")
        return {}
    if not commands and not program and not kind.build:
        if attach(value, name).startswith(b"#!"):
            return {"reference": (name if "/" in name else f"./{name}",)}
        return {"reference": _filled(kind.start, name)}
    return _file(value, name, kind, commands, program or _start_of(kind, name, commands, submissions))


def _kind_of(language: str) -> ProgramKind:
    return next(kind for kind in PROGRAM_KINDS.values() if kind.language == language)


def _filled(command: _Command, name: str) -> _Command:
    path = PurePosixPath(name)
    return tuple(word.format(file=name, name=path.stem) for word in command)


def _start_of(
    kind: ProgramKind, name: str, commands: _Commands, submissions: tuple[str, Build | None, _Command]
) -> _Command:
    """Return the command that starts a file; nothing where only its own build could determine it."""
    own = PurePosixPath(name).name
    if MADE_PROGRAM in " ".join(kind.start) and commands:
        return submissions[2] if submissions[0] == kind.language else ()
    return _filled(kind.start, own)


def _file(value: Value, name: str, kind: ProgramKind, commands: _Commands, program: _Command) -> dict[str, Any]:
    if not program:
        wrong(value, f"nothing says how {in_quotes(name)} is started when it is built: name that under program")
    path = PurePosixPath(name)
    folder = path.parent.as_posix() if len(path.parts) > 1 else ""
    made = commands or ((_filled(kind.build, path.name),) if kind.build else ())
    work = ReferenceWork(language=kind.language, folder=folder, files=(name,), build=made)
    return {"reference": program, "reference_work": work}


def _folder(
    value: Value,
    name: str,
    own: tuple[str, _Commands, _Command],
    submissions: tuple[str, Build | None, _Command],
) -> dict[str, Any]:
    language, commands, program = own
    like, build, started = submissions
    beside = {}
    language = language or like
    is_like_submissions = language == like and not program
    if language == like:
        program = program or started
        if build and not commands:
            commands, beside = build.run, dict(build.files)
    else:
        kind = _kind_of(language)
        if kind.build and not commands:
            ending = next(ending for ending, one in PROGRAM_KINDS.items() if one == kind)
            words = shlex.join(kind.build).replace(shlex.quote("{file}"), f"*{ending}")
            commands = (("sh", "-c", words),)
        if not program and MADE_PROGRAM not in " ".join(kind.start):
            shown = f"the folder {in_quotes(name)} in {language}"
            wrong(value, f"nothing says how {shown} is started: name that under program")
        program = program or kind.start
    work = ReferenceWork(
        language=language, folder=name, build=commands, beside=beside, is_like_submissions=is_like_submissions
    )
    return {"reference": program, "reference_work": work}
