"""`reference`: a command; or a file or folder, of which a program is made as one is of a submission."""

import os
import re
import shlex
from pathlib import PurePosixPath

from grader.core.model.layout import Build
from grader.core.model.programs import MADE_PROGRAM, PROGRAM_KINDS, ProgramKind, ReferenceWork, match_program
from grader.core.model.spec import Spec
from grader.core.notebook.linear import is_notebook, module_name
from grader.core.reader.language import REFERENCE_WORK
from grader.core.reader.types import read_command
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Table
from grader.core.yaml.types import Found, Said, read_found
from grader.core.yaml.value import Value, entries, in_quotes, items, suggestion, wrong

_Command = tuple[str, ...]


def read_references(found: Found, build: Build | None) -> Said:
    """Read `reference` and `references`, of which one may be the former, as keyword arguments of `Spec`."""
    own = _read_reference(found["reference"], build) if "reference" in found else {}
    others: dict[str, Said] = {}
    for name, (key, item) in entries(found["references"]).items() if "references" in found else ():
        if not re.fullmatch(r"[^\s/]+", name):
            yaml.unwanted(key, "the name of a program as commands have it, such as unique or unique.py")
        others[name] = _read_reference(item, build)
        if not own and match_program(item.context.program, [name]) is not None:
            own = others[name]
    if "references" in found and not others:
        yaml.unwanted(found["references"], "at least one reference")
    return {**own, "references": others}


def _read_reference(value: Value, build: Build | None) -> Said:
    if isinstance(value.node, Table):
        found = yaml.fields(value, REFERENCE_WORK)
        said = read_found(found, REFERENCE_WORK, value.context)
        if said["files"] and not os.path.exists(value.context.root / said["files"]):  # noqa: PTH110 - never raises
            wrong(found["files"], f"there is no file or folder {in_quotes(said['files'])} in {value.context.root}")
            return {}
        return _make_work(found["files"], build, said) if said["files"] else {}
    command = read_command(value)
    name = command[0] if len(command) == 1 and not isinstance(value.node, Listing) else "/"
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        return {"reference": command}
    if is_notebook(name):
        return {"reference": ("python3", module_name(name))}
    return _make_work(value, build, {"files": name}, command)


def check_references(found: Found, spec: Spec) -> None:
    """Note cases that ask a reference where none answers for what they start, and references that nobody asks."""
    named = {} if "references" not in found else {name: key for name, (key, _) in entries(found["references"]).items()}
    own = match_program(spec.program, named)
    if own is not None and "reference" in found:
        wrong(named[own], "reference says what answers for the program already: keep one of the two")
    cases = [case for test in spec.tests for case in test.cases]
    asked = {own, *map(spec.reference_name, cases)}
    for name in named.keys() - asked:
        programs = sorted({PurePosixPath(case.command[-1]).stem for case in cases if case.command})
        hint = suggestion(name, programs) if programs else ": the tests start others by their command"
        wrong(named[name], f"no test starts a program of this name{hint}")
    for item, test in zip(items(found["tests"]), spec.tests, strict=True):
        case = next((one for one in test.cases if one.asks_reference and spec.reference_name(one) is None), None)
        keys = entries(item)
        if case and case.command is None:
            where = keys.get("expect", (item, item))[1]
            wrong(where, "no reference answers for the program: name its own under reference")
        elif case and case.command:
            number = re.search(r"\.cases\[(\d+)\]$", case.path)
            keys |= entries(items(keys["cases"][1])[int(number[1])]) if number else {}
            write = f"write `references: {{{name_reference(case.command)}: ...}}` with what is right for this one"
            told = f"no reference is for {in_quotes(shlex.join(case.command))}: {write}"
            wrong(keys.get("command", (item, item))[1], f"{told}, or let it be a folder with all programs")


def name_reference(command: _Command) -> str:
    """Return a name for what a command starts, as `references` has it: `unique` for `python3 unique.py -c`."""
    words = [word for place, word in enumerate(command) if not word.startswith("-") and (place or len(command) == 1)]
    last = (words or [command[0]])[-1].split()
    return PurePosixPath(last[-1]).stem if last else "name"


def _make_work(value: Value, build: Build | None, said: Said, command: _Command = ()) -> Said:
    """Make a reference of a file or folder; else it may be a `command`. `build` is that of submissions."""
    context, path = value.context, PurePosixPath(said["files"])
    name, commands, program = path.as_posix(), said.get("commands", ()), said.get("program", ())
    listing = context.listings[name] = yaml.names_inside(context.root, name)
    is_folder, ending, kind, beside = bool(listing), "", PROGRAM_KINDS.get(path.suffix), dict[str, bytes]()
    language = said.get("language") or (context.language if is_folder else kind.language if kind else "")
    language = "python" if language == "notebook" else language
    if not language and command:
        return {"reference": command}
    if not language:
        wrong(value, f"{in_quotes(name)} is no folder, and its ending tells no language: name that under language")
        return {}
    if is_folder or kind is None or kind.language != language:
        # Of a language that nobody knows, the keys say it all.
        others = (one for one in PROGRAM_KINDS.items() if one[1].language == language)
        ending, kind = next(others, ("", ProgramKind(language=language, start=())))
    own, is_made = context.program if language == context.language else (), MADE_PROGRAM in " ".join(kind.start)
    if is_folder:
        started = own or (kind.start if is_made else ())
        if own and build and not commands:
            commands, beside = build.run, dict(build.files)
        elif not own and kind.build and not commands:
            commands = (("sh", "-c", shlex.join(kind.build).replace(shlex.quote("{file}"), f"*{ending}")),)
    elif not (commands or program or kind.build) and kind.start:
        is_script = yaml.attach(value, name).startswith(b"#!")
        return {"reference": (name if "/" in name else f"./{name}",) if is_script else _filled(kind.start, name)}
    else:  # its own build determines the name of what it makes
        started = own if commands and is_made else _filled(kind.start, path.name)
        commands = commands or ((_filled(kind.build, path.name),) if kind.build else ())
    if not (program or started):
        wrong(value, f"nothing says how {in_quotes(name)} in {language} is started: name that under program")
    place = {"folder": name} if is_folder else {"folder": name.rpartition("/")[0], "files": (name,)}
    is_like = is_folder and bool(own) and not program
    work = ReferenceWork(language=language, build=commands, beside=beside, is_like_submissions=is_like, **place)
    return {"reference": program or started, "reference_work": work}


def _filled(command: _Command, name: str) -> _Command:
    return tuple(word.format(file=name, name=PurePosixPath(name).stem) for word in command)
