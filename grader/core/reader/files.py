"""Files of a course, with the place of each value: its configuration, its own languages; and plain data of ours."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from grader.core.errors import SpecError
from grader.core.model.spec import LANGUAGES, Toolchain
from grader.core.model.values import decodable
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, entries_of, items_of
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import key, keys_of
from grader.core.yaml.value import Keys, Value, entries, fields, in_quotes, items, text, wrong

_Read = TypeVar("_Read")
CONFIGURATION: Keys = keys_of(  # of `grader.yaml`
    key("spec", "text", "The spec of the submissions below, a path or an id."),
    key("due", "a date, a time and a zone; or names with these", "When work is due, of the `spec` or by ids of specs."),
    ("2026-11-20 23:59 Europe/Zurich", "2026-11-20T23:59:30+01:00", {"queens": "2026-11-20 23:59 Europe/Zurich"}),
    key("late", "a mapping, [of these keys](#late)", "What late work costs. Without it, nothing.", beside="due"),
    key("courses", "names", "Folders below that are your own courses, or globs.", examples=(["examples/*"],)),
)


def read_top(path: Path, content: bytes | None = None, *, has_types: bool = False) -> Value:
    """Read a YAML file, or the `content` that it had, for readers of values; UsageError without it, else SpecError."""
    types = import_module("grader.core.reader.language").TYPES if has_types else {}
    context = yaml.Context(file=str(path), root=path.parent, types=types)
    return Value(node=parse(yaml.read_bytes(path) if content is None else content, str(path)), path="", context=context)


def unless_wrong(top: Value, read: _Read) -> _Read:
    """Return what was read from a file; SpecError with all that is wrong in it."""
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return read


def read_data(path: Path, content: bytes | None = None) -> Any:
    """Read a YAML file as plain values. SpecError when it is not YAML or has a key twice, UsageError without it."""
    return unless_wrong(top := read_top(path, content), to_data(top))


def to_data(value: Value) -> Any:
    """Return a node as plain Python values; notes a key that is there twice."""
    match value.node:
        case Table():
            return {name: to_data(entry) for name, (_, entry) in entries(value).items()}
        case Listing():
            return [to_data(item) for item in items(value)]
        case Scalar(text=written, plain=is_plain):
            return (None if written in ("", "~") else yaml.plain_value(written)) if is_plain else written


def read_configuration(path: Path, content: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the spec that the content of a `grader.yaml` names, and the patterns of paths of own courses below it."""
    keys, listed = fields(top := read_top(path, content), CONFIGURATION), yaml.each_of(text)
    return unless_wrong(top, (yaml.get(keys, "spec", text, ""), yaml.get(keys, "courses", listed, tuple[str, ...]())))


def read_key(spec: Path, name: str) -> Any:
    """Read one key of a spec, and nothing of the others; None without it, and where there are mistakes."""
    with suppress(SpecError):
        keys = entries(top := read_top(spec, has_types=True))
        types = top.context.types
        return unless_wrong(top, types[types["spec"].keys[name].kind].read(keys[name][1]) if name in keys else None)
    return None


def nodes_by_path(data: bytes, file: str) -> Mapping[str, Node]:
    """Return everything that is written in a file, by its path (`tests[2].args`); SpecError when it is not YAML."""
    nodes = [("", parse(data, file))]
    for path, node in nodes:  # which grows meanwhile
        nodes += [(f"{path}[{index}]", item) for index, item in enumerate(items_of(node))]
        nodes += [(yaml.key_path(path, name), value) for name, value in entries_of(node).items()]
    return dict(nodes)


def needs(data: bytes, file: str) -> Mapping[str, Mapping[str, str]]:
    """Return the needs of each test of a spec, right or wrong: test -> needed test -> the path of that entry."""
    texts = {path: node.text for path, node in nodes_by_path(data, file).items() if isinstance(node, Scalar)}
    names = {path[:-5]: name for path, name in texts.items() if re.fullmatch(r"tests\[\d+]\.name", path)}
    needed = [(path, match[1]) for path in texts if (match := re.fullmatch(r"(tests\[\d+])\.needs\[\d+]", path))]
    return {name: {texts[path]: path for path, holder in needed if holder == test} for test, name in names.items()}


_TEMPLATE_KEYS = ("file", "program", "head", "samples", "wrong")
OWN_LANGUAGE: Keys = keys_of(  # of a language in a course's `toolchains.yaml`: the fields of `Toolchain` but its name
    key("like", "language", "Another language, from which it has all missing keys."),
    key("title", "text", "Its name as people write it, if a capital letter is not enough."),
    key("version", "arguments", "The command that prints its version.", examples=(["lua5.4", "-v"],)),
    key("package", "text", "The Debian package that installs it."),
    key("show", "arguments", "What a sandbox has to show of the machine besides `/usr`: absolute paths or globs."),
    key("permits", "arguments", "What its programs may use, and others may not: `shared-memory`, `tracing`."),
    key("memory_tool", "text", "The tool for `memory-clean`: `valgrind`, for machine code."),
    key("hello", "a mapping", "A program that prints `hello`, for `grader doctor`: `files`, `run`, perhaps `build`."),
    key("interpreter", "text", "The program that takes the options `start` and `start_short`."),
    key("starters", "a mapping", "A suffix of files, and what starts them.", examples=({".lua": ["lua5.4"]},)),
    key("env", "environment", "The environment variables of its programs."),
    key("limits", about="What one execution may use, unless a spec says otherwise."),
    key("reserves", "size", "Memory that its runtime reserves without using it, as for stacks.", examples=("1 GiB",)),
    key("build_limits", "limits", "What a build may use, unless a spec says otherwise."),
    key("build_env", "environment", "Variables for a faster build. A build that exceeds a limit is repeated without."),
    key("start", "arguments", "Options of the interpreter; `{heap}` is 3/4 of the memory in MiB, `{stack}` 1/32."),
    key("start_short", "arguments", "Further options that make a short program faster, and never count."),
    key("short", "number", "The processor time, in seconds, below which a program is short."),
    key("crash", "patterns", "How an uncaught exception looks on standard error: regular expressions of Python's."),
    key("unreadable", "patterns", "The same for an unreadable program; groups `error`, `line`, `file`, `source`."),
    key("crash_by_name", "patterns", "The same as `crash`, with `{program}` for the name of the program."),
    key("names_program", "patterns", "A source with this may write that name: then `crash_by_name` is not used."),
    key("uncaught", "patterns", "What shows, beside `crash`, that nothing caught the exception; else `crash` does."),
    key("load_errors", "patterns", "The same for a program loaded in part; groups `error`, `line`, `file`."),
    key("crash_status", "a list", "Statuses of an uncaught exception, else any; with another it ended by itself."),
    key("cannot_start", "patterns", "The same for a missing program, if it comes first."),
    key("no_main", "patterns", "The same for a program with nothing to start; group `name`."),
    key("no_class", "patterns", "The same for a missing class of the program; group `name`."),
    key("no_module", "patterns", "The same for a missing module that it imports; group `name`."),
    key("end_of_input", "patterns", "The same for reading more input than there is."),
    key("frames", "patterns", "The same for the lines of an exception's trace; groups `file` and `line`."),
    key("frames_inwards", "boolean", "Whether the innermost of these comes last."),
    key("out_of_memory", "patterns", "The same for exhausted memory."),
    key("out_of_stack", "patterns", "The same for an exhausted stack."),
    key("errors", "patterns", "A compiler's error in a build's log; groups `error`, `file` and `line`."),
    key("noise", "patterns", "Lines that the toolchain itself adds to a build's log."),
    key("template", "a mapping with these keys", f"What `grader new` starts from: `{'`, `'.join(_TEMPLATE_KEYS)}`."),
)
# The groups that the patterns of a key have to have.
_OF_NAME = dict.fromkeys(("no_main", "no_class", "no_module"), "name")
_GROUPS = {"unreadable": "error line", "errors": "error", "frames": "file line", **_OF_NAME}


def languages_of_course(root: Path, spec: Value | None = None) -> Mapping[str, Mapping[str, Any]]:
    """Return the languages of the course at `root`; their file counts as one that the `spec` names. SpecError."""
    if not yaml.is_file(root / yaml.TOOLCHAINS_NAME):
        return {}
    if spec:
        yaml.attach(spec, yaml.TOOLCHAINS_NAME)
    own = entries(top := read_top(root / yaml.TOOLCHAINS_NAME, has_types=True))
    return unless_wrong(top, {name: _read_language(name, entry, [*own]) for name, (_, entry) in own.items()})


def _read_language(name: str, value: Value, own: Sequence[str]) -> Mapping[str, Any]:
    if not re.fullmatch("[a-z][a-z0-9-]*", name):
        wrong(value, f"{in_quotes(name)} is no name of a language: use small letters, digits and hyphens")
    keys = fields(value, OWN_LANGUAGE)
    if name not in LANGUAGES and not keys.keys() & {"version", "like"}:
        wrong(value, 'a new language needs "version", the command that tells its version')
    if "like" in keys:
        yaml.choice([known for known in dict.fromkeys([*LANGUAGES, *own]) if known != name], "language")(keys["like"])
    said: dict[str, Any] = {}
    for field, entry in keys.items():
        kind = OWN_LANGUAGE[field].kind
        is_other = kind in ("limits", "size")  # they become other data than what is written
        data = said[field] = value.context.types[kind].read(entry) if is_other else to_data(entry)
        if field == "template" and not (isinstance(data, dict) and data.keys() >= {*_TEMPLATE_KEYS}):
            yaml.unwanted(entry, f"a mapping with the keys {', '.join(_TEMPLATE_KEYS)}")
        try:
            msgspec.convert({"name": "", **({} if is_other else {field: data})}, decodable(Toolchain), strict=False)
            for pattern in data if kind == "patterns" else ():
                groups = re.compile(pattern.encode()).groupindex
                if lacking := [group for group in _GROUPS.get(field, "").split() if group not in groups]:
                    wrong(entry, f"{in_quotes(pattern)} lacks the group (?P<{lacking[0]}>...)")
        except msgspec.ValidationError as error:
            wrong(entry, str(error).replace("Object contains", "it has").replace("`$.", "`"))
        except re.error as error:
            wrong(entry, f"{in_quotes(pattern)} is no regular expression: {error}")
    return said
