"""The languages of a course: its own `toolchains.yaml`, next to `specs/`, which adds languages or changes them.

It is part of the digest of every spec of the course, like a file that the spec names. This module does not check
languages against the sandbox or the compilers. It reads plain data in the form of the shipped file.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from grader.core.errors import SpecError
from grader.core.model.decoding import decodable
from grader.core.model.toolchain import LANGUAGES, Toolchain
from grader.core.reader.files import to_data
from grader.core.reader.paths import TOOLCHAINS_NAME, is_file
from grader.core.reader.types import TYPES
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import key_of
from grader.core.yaml.value import Context, Keys, Value, attach, choice, entries, fields, in_quotes, unwanted, wrong

OWN_LANGUAGE: Keys = {
    "like": key_of("language")("Another language, which it is like in all that is not said here."),
    "title": key_of("text")("How people write its name, where a capital letter is not enough."),
    "version": key_of("texts", examples=(["lua5.4", "-v"],))("The command that tells its version."),
    "package": key_of("text")("The Debian package that brings it."),
    "show": key_of("texts")("What a sandbox has to show of the machine beside `/usr`: absolute paths or globs."),
    "permits": key_of("texts")("What a sandbox refuses to others: `shared-memory`, `tracing`."),
    "memory_tool": key_of("memory-tool")("What watches memory for `memory-clean`: `valgrind`, for machine code."),
    "hello": key_of("hello", examples=({"files": {"hello.lua": "print('hello')"}, "run": ["lua5.4", "hello.lua"]},))(
        "A small program that prints `hello`, for `grader doctor`: its files, how to build it, how to run it."
    ),
    "interpreter": key_of("text")("The program to which `start` and `start_short` belong."),
    "starters": key_of("commands-by-name", examples=({".lua": ["lua5.4"]},))("What starts a file of such a suffix."),
    "env": key_of("environment")("What its programs have in their environment."),
    "limits": key_of("limits")("What one execution may use, unless a spec says otherwise."),
    "reserves": key_of("size", examples=("1 GiB",))("What its runtime reserves without using it, as for stacks."),
    "build_limits": key_of("limits")("What a build may use, unless a spec says otherwise."),
    "build_env": key_of("environment")("What makes a build faster. One that runs into a limit is made again without."),
    "start": key_of("texts")("Options of the interpreter; `{heap}` is 3/4 of the memory in MiB, `{stack}` 1/32 of it."),
    "start_short": key_of("texts")("Further options that make a short program faster, and never count."),
    "short": key_of("seconds")("The processor time, in seconds, below which a program is short."),
    "crash": key_of("patterns")("How an uncaught exception looks on standard error: regular expressions of Python's."),
    "unreadable": key_of("patterns")("The same where it cannot be read; groups `error`, `line`, `file`, `source`."),
    "crash_by_name": key_of("patterns")("The same as `crash`, with `{program}` for the name of the program."),
    "names_program": key_of("patterns")("A source with this may write that name: then `crash_by_name` is not used."),
    "uncaught": key_of("patterns")("What shows, beside `crash`, that nothing caught the exception; else `crash` does."),
    "load_errors": key_of("patterns")("The same for a program loaded in part; groups `error`, `line`, `file`."),
    "crash_status": key_of("statuses")("Statuses of an uncaught exception, else any; with another it ended by itself."),
    "cannot_start": key_of("patterns")("The same for a program that is not there, as the first that is said."),
    "no_main": key_of("patterns")("The same for a program with nothing to start; group `name`."),
    "no_class": key_of("patterns")("The same for a program that is not there under its name; group `name`."),
    "no_module": key_of("patterns")("The same for a module that it asks for and that is not there; group `name`."),
    "end_of_input": key_of("patterns")("The same for reading more input than there is."),
    "frames": key_of("patterns")("The same for the lines of an exception's trace; groups `file` and `line`."),
    "frames_inwards": key_of("boolean")("Whether the innermost of these comes last."),
    "out_of_memory": key_of("patterns")("The same for memory that ran out."),
    "out_of_stack": key_of("patterns")("The same for a stack that did."),
    "errors": key_of("patterns")("A compiler's error in a build's log; groups `error`, `file` and `line`."),
    "noise": key_of("patterns")("Lines that the toolchain itself adds to a build's log."),
    "template": key_of("template")("What `grader new` starts from: `file`, `program`, `head`, `samples` and `wrong`."),
}
"""the keys of a language in a course's `toolchains.yaml`: the fields of `Toolchain` but its name"""
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "unreadable": ("error", "line"),
    "errors": ("error",),
    **dict.fromkeys(("no_main", "no_class", "no_module"), ("name",)),
    "frames": ("file", "line"),
}
"""the groups that the patterns of a key have to have"""
_TEMPLATE_KEYS = ("file", "program", "head", "samples", "wrong")
_READ_AS_IN_SPECS = ("limits", "size")
"""kinds that become other data than what is written"""


def own_languages(spec: Value) -> Mapping[str, Mapping[str, Any]]:
    """Return the languages of a spec's course, and make their file count as one that the spec names.

    Raises SpecError with all mistakes of the file.
    """
    file = spec.context.root / TOOLCHAINS_NAME
    return _read_languages(attach(spec, TOOLCHAINS_NAME), file) if is_file(file) else {}


def languages_of_course(root: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the languages of the course at `root`, where there is no spec yet; SpecError as `own_languages`."""
    file = root / TOOLCHAINS_NAME
    return _read_languages(file.read_bytes(), file) if is_file(file) else {}


def _read_languages(data: bytes, file: Path) -> Mapping[str, Mapping[str, Any]]:
    top = Value(node=parse(data, str(file)), path="", context=Context(file=str(file), root=file.parent, types=TYPES))
    found = {name: entry for name, (_, entry) in entries(top).items()}
    read = {name: _read_language(name, entry, tuple(found)) for name, entry in found.items()}
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return read


def _read_language(name: str, value: Value, own: tuple[str, ...]) -> Mapping[str, Any]:
    if not re.fullmatch("[a-z][a-z0-9-]*", name):
        wrong(value, f"{in_quotes(name)} is no name of a language: use small letters, digits and hyphens")
    found = fields(value, OWN_LANGUAGE)
    if name not in LANGUAGES and not found.keys() & {"version", "like"}:
        wrong(value, 'a new language needs "version", the command that tells its version')
    if "like" in found:
        choice([one for one in dict.fromkeys([*LANGUAGES, *own]) if one != name], "language")(found["like"])
    return {key: _read_field(key, OWN_LANGUAGE[key].kind, entry) for key, entry in found.items()}


def _read_field(key: str, kind: str, value: Value) -> Any:
    """Read a key by the type of the field that it becomes; patterns are tried."""
    if kind in _READ_AS_IN_SPECS:
        return TYPES[kind].read(value)
    data = to_data(value)
    if key == "template" and not (isinstance(data, dict) and data.keys() >= {*_TEMPLATE_KEYS}):
        unwanted(value, f"a mapping with the keys {', '.join(_TEMPLATE_KEYS)}")
    try:
        msgspec.convert({"name": "", key: data}, decodable(Toolchain), strict=False)
    except msgspec.ValidationError as error:
        wrong(value, str(error).replace("Object contains", "it has").replace("`$.", "`"))
        return data
    for pattern in data if kind == "patterns" else ():
        try:
            groups = re.compile(pattern.encode()).groupindex
        except re.error as error:
            wrong(value, f"{in_quotes(pattern)} is no regular expression: {error}")
            continue
        if lacking := [group for group in _GROUPS.get(key, ()) if group not in groups]:
            wrong(value, f"{in_quotes(pattern)} lacks the group (?P<{lacking[0]}>...)")
    return data
