"""A course's own `toolchains.yaml`, which adds languages or changes them, and enters the digest of its every spec."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.core.model.decoding import decodable
from grader.core.model.toolchain import LANGUAGES, Toolchain
from grader.core.reader.files import read_top, to_data, unless_wrong
from grader.core.reader.language import TYPES
from grader.core.reader.paths import TOOLCHAINS_NAME, is_file
from grader.core.yaml.types import key, keys_of
from grader.core.yaml.value import Keys, Value, attach, choice, entries, fields, in_quotes, unwanted, wrong

OWN_LANGUAGE: Keys = keys_of(
    key("like", "language", "Another language, which it is like in all that is not said here."),
    key("title", "text", "How people write its name, where a capital letter is not enough."),
    key("version", "texts", "The command that tells its version.", examples=(["lua5.4", "-v"],)),
    key("package", "text", "The Debian package that brings it."),
    key("show", "texts", "What a sandbox has to show of the machine beside `/usr`: absolute paths or globs."),
    key("permits", "texts", "What a sandbox refuses to others: `shared-memory`, `tracing`."),
    key("memory_tool", "memory-tool", "What watches memory for `memory-clean`: `valgrind`, for machine code."),
    key("hello", examples=({"files": {"hello.lua": "print('hello')"}, "run": ["lua5.4", "hello.lua"]},)),
    "A small program that prints `hello`, for `grader doctor`: its files, how to build it, how to run it.",
    key("interpreter", "text", "The program to which `start` and `start_short` belong."),
    key("starters", "commands-by-name", "What starts a file of such a suffix.", examples=({".lua": ["lua5.4"]},)),
    key("env", "environment", "What its programs have in their environment."),
    key("limits", about="What one execution may use, unless a spec says otherwise."),
    key("reserves", "size", "What its runtime reserves without using it, as for stacks.", examples=("1 GiB",)),
    key("build_limits", "limits", "What a build may use, unless a spec says otherwise."),
    key("build_env", "environment", "What makes a build faster. One that runs into a limit is made again without."),
    key("start", "texts", "Options of the interpreter; `{heap}` is 3/4 of the memory in MiB, `{stack}` 1/32 of it."),
    key("start_short", "texts", "Further options that make a short program faster, and never count."),
    key("short", "seconds", "The processor time, in seconds, below which a program is short."),
    key("crash", "patterns", "How an uncaught exception looks on standard error: regular expressions of Python's."),
    key("unreadable", "patterns", "The same where it cannot be read; groups `error`, `line`, `file`, `source`."),
    key("crash_by_name", "patterns", "The same as `crash`, with `{program}` for the name of the program."),
    key("names_program", "patterns", "A source with this may write that name: then `crash_by_name` is not used."),
    key("uncaught", "patterns", "What shows, beside `crash`, that nothing caught the exception; else `crash` does."),
    key("load_errors", "patterns", "The same for a program loaded in part; groups `error`, `line`, `file`."),
    key("crash_status", "statuses", "Statuses of an uncaught exception, else any; with another it ended by itself."),
    key("cannot_start", "patterns", "The same for a program that is not there, as the first that is said."),
    key("no_main", "patterns", "The same for a program with nothing to start; group `name`."),
    key("no_class", "patterns", "The same for a program that is not there under its name; group `name`."),
    key("no_module", "patterns", "The same for a module that it asks for and that is not there; group `name`."),
    key("end_of_input", "patterns", "The same for reading more input than there is."),
    key("frames", "patterns", "The same for the lines of an exception's trace; groups `file` and `line`."),
    key("frames_inwards", "boolean", "Whether the innermost of these comes last."),
    key("out_of_memory", "patterns", "The same for memory that ran out."),
    key("out_of_stack", "patterns", "The same for a stack that did."),
    key("errors", "patterns", "A compiler's error in a build's log; groups `error`, `file` and `line`."),
    key("noise", "patterns", "Lines that the toolchain itself adds to a build's log."),
    key("template", about="What `grader new` starts from: `file`, `program`, `head`, `samples` and `wrong`."),
)
"""the keys of a language in a course's `toolchains.yaml`: the fields of `Toolchain` but its name"""
_GROUPS: Mapping[str, Sequence[str]] = {
    "unreadable": ("error", "line"),
    "errors": ("error",),
    "frames": ("file", "line"),
    **dict.fromkeys(("no_main", "no_class", "no_module"), ("name",)),
}
"""the groups that the patterns of a key have to have"""
_TEMPLATE_KEYS = ("file", "program", "head", "samples", "wrong")


def languages_of_course(root: Path, spec: Value | None = None) -> Mapping[str, Mapping[str, Any]]:
    """Return the languages of the course at `root`; their file counts as one that the `spec` names. SpecError."""
    if not is_file(root / TOOLCHAINS_NAME):
        return {}
    if spec:
        attach(spec, TOOLCHAINS_NAME)
    top = read_top(root / TOOLCHAINS_NAME, TYPES)
    found = entries(top)
    return unless_wrong(top, {name: _read_language(name, entry, [*found]) for name, (_, entry) in found.items()})


def _read_language(name: str, value: Value, own: Sequence[str]) -> Mapping[str, Any]:
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
    if kind in ("limits", "size"):  # they become other data than what is written
        return TYPES[kind].read(value)
    data = to_data(value)
    if key == "template" and not (isinstance(data, dict) and data.keys() >= {*_TEMPLATE_KEYS}):
        unwanted(value, f"a mapping with the keys {', '.join(_TEMPLATE_KEYS)}")
    try:
        msgspec.convert({"name": "", key: data}, decodable(Toolchain), strict=False)
        for pattern in data if kind == "patterns" else ():
            groups = re.compile(pattern.encode()).groupindex
            if lacking := [group for group in _GROUPS.get(key, ()) if group not in groups]:
                wrong(value, f"{in_quotes(pattern)} lacks the group (?P<{lacking[0]}>...)")
    except msgspec.ValidationError as error:
        wrong(value, str(error).replace("Object contains", "it has").replace("`$.", "`"))
    except re.error as error:
        wrong(value, f"{in_quotes(pattern)} is no regular expression: {error}")
    return data
