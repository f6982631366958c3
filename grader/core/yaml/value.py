"""A node with its path, and the elementary readers, which note a mistake and return a stand-in: one pass finds all."""

import math
import os
import re
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from keyword import iskeyword
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.errors import Problem, UsageError
from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.layout import LazyBytes, content_of, store_file
from grader.core.text import joined
from grader.core.yaml.nodes import MAX_BYTES, Listing, Node, Scalar, Table, entries_of, items_of

_Read = TypeVar("_Read")
_get_close_matches = lazy_call("difflib", "get_close_matches")
_NEEDS_QUOTES = " (a text with a comma needs quotes here)"
MAX_SHOWN = 40
MAX_ATTACHED = 4 * 2**30  # bytes of all files that a spec names
MAX_HELD_FILE_BYTES = 64 * 2**10  # of a file that is in memory while a spec is; a larger one is read when it is used
MAX_HELD_BYTES = 8 * 2**20  # of all such files together


class Context(Struct, kw_only=True):
    """The data that all values of one file share. It grows while the file is read."""

    file: str
    root: Path  # the folder that the names of attached files are relative to
    spec: str = ""  # its id
    language: str = ""
    has_reference: bool = False
    has_notebooks: bool = False  # whether notebooks are handed in; their language is `python`
    languages: Mapping[str, Mapping[str, Any]] = {}  # the course's own definitions of languages
    program: tuple[str, ...] = ()
    required: Sequence[str] = ()  # names and globs of the files without which nothing is built
    has_build: bool = False
    variables: Mapping[str, str] | None = None  # what `{n}` stands for; None where braces mean nothing
    seed: str = ""  # the seed of random numbers
    problems: dict[tuple[int, int, str], Problem] = {}  # one for a place: what follows from a mistake is no other
    contents: dict[str, LazyBytes] = {}  # of every file that the spec names, or where that is stored
    sizes: list[int] = field(default_factory=lambda: [0, 0])  # bytes of these files, and of those that are in memory
    folders: set[str] = field(default_factory=set)  # the folders of which every file is attached
    listings: dict[str, tuple[str, ...]] = {}  # of folders, as `names_inside` has them, before their files were read
    types: Mapping[str, Any] = {}  # name -> `Type`
    said: Mapping[str, Any] = {}  # what was read before, of the mapping at hand and of those around it


class Value(Struct, frozen=True, kw_only=True):
    """A node, its path as people write it (`tests[2].args`), and its file's context."""

    node: Node
    path: str
    context: Context


class Key(Struct, frozen=True, kw_only=True):
    """A key of a mapping, with its description for people."""

    about: str  # one or two sentences, for the author of a spec
    kind: str  # what it takes: the name of a type; or where a file has none, words for it
    required: bool = False
    default: Any = None  # the value of a missing key, as a spec would have it; None for that of the record
    into: str = ""  # the field of the record that gets the value
    examples: tuple[Any, ...] = ()
    beside: str = ""  # the keys, separated by blanks, to which it belongs; it is only valid with one of them
    aliases: str = ""  # other tools' words for it, separated by blanks, for a key that is unknown
    alternative: bool = False  # whether a mapping has exactly one of the keys that are alternatives
    read: Callable[[Value], Any] | None = None  # what reads it here, where its type does not
    rules: tuple[Any, ...] = ()  # what may be wrong about it among the others
    after: str = ""  # of a key that a kind adds: the key of core behind which it is listed; empty: at the end
    others: str = ""  # the kind of all sibling keys, where their names are free: options of a function


Keys = Mapping[str, Key]


class Fields(dict[str, Value]):
    """The values of the keys that a mapping has, and all keys that it may have."""

    chosen = ""  # the one of the alternatives that is there; empty where it is not one

    def __init__(self, pairs: Mapping[str, tuple[Value, Value]], known: Keys, context: Context) -> None:  # noqa: D107
        super().__init__((name, entry) for name, (_, entry) in pairs.items() if name in known)
        self.known, self.context = known, context
        self.are_known = pairs.keys() <= known.keys()  # an unknown one may be a misspelt name of a missing one


def wrong(value: Value, message: str) -> None:
    """Note a mistake at this value, unless one is noted already."""
    where = value.node.line, value.node.column, value.path
    value.context.problems.setdefault(where, Problem(value.context.file, *where, message))


def unwanted(value: Value, wanted: str) -> None:
    """Note that the value is not what is wanted here, and what it is."""
    match value.node:
        case Scalar(text=written, plain=is_plain):
            shown = f"{'' if is_plain else 'the text '}{in_quotes(written)}{_NEEDS_QUOTES if is_cut(value) else ''}"
            what = shown if written or not is_plain else "nothing"
        case Listing(items=listed):
            what = "a list" if listed else "an empty list"
        case Table(pairs=((Scalar(text=word), Scalar(text="", plain=True)),)):
            what = f'a mapping (write "{{{word}}}" for a variable)'
        case Table(pairs=((Scalar(text=word), Scalar(text=rest)),)) if wanted.startswith("text"):
            what = f"a mapping (a text with a colon and a blank needs quotes: {in_quotes(f'{word}: {rest}')})"
        case Table(pairs=pairs):
            what = "a mapping" if pairs else "an empty mapping"
    wrong(value, f"wanted {wanted}, found {what}")


def is_cut(value: Value) -> bool:
    """Whether a text without quotes is likely to go on behind a comma, as in `[def f(a, b)]`."""
    word = keyword(value) or ""
    return word.count("(") > word.count(")")


def in_quotes(text: str) -> str:
    """Return a text for a message: in quotes, on one line, not too long."""
    start = text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in start)
    return f'"{start if start.isprintable() else "".join(shown)}"'


def suggestion(word: str, known: Collection[str]) -> str:
    """Return, for the end of a message, the word that was probably meant, or else all known words."""
    near = _get_close_matches(word[:MAX_SHOWN], known, 1)
    return f"; did you mean {in_quotes(near[0])}?" if near else f"; there are: {', '.join(known)}" if known else ""


def keyword(value: Value) -> str | None:
    """Return the word when it is without quotes: only such can be keywords, numbers and booleans."""
    return value.node.text if isinstance(value.node, Scalar) and value.node.plain else None


def is_reference(value: Value) -> bool:
    """Whether a value is the keyword `reference`, which needs a reference in the spec; in quotes it is a text."""
    is_asked = keyword(value) == "reference"
    if is_asked and not value.context.has_reference:
        wrong(value, 'there is no reference: add its command to the spec, under the key "reference"')
    return is_asked


def text(value: Value) -> str:
    """Read a text: the characters that were written, the variables filled in."""
    node = value.node
    if isinstance(node, Scalar) and (node.text or not node.plain):
        return filled(value, node.text)
    unwanted(value, 'text, or "" for an empty one' if isinstance(node, Scalar) else "text")
    return ""


def filled(value: Value, written: str) -> str:
    """Put the variables into `written`, which is the value's text or a part of it."""
    variables = value.context.variables
    try:
        return written if variables is None else fill(written, variables)
    except KeyError as error:
        word, hint = error.args[0], suggestion(error.args[0], variables or ())
        wrong(value, f"{{{word}}} is no variable of this test{hint} (write {{{{{word}}}}} for the braces themselves)")
        return ""


def parsed(parse: Callable[[str], _Read | None], wanted: str, stand_in: _Read) -> Callable[[Value], _Read]:
    """Make a reader of texts without quotes that `parse` understands."""

    def reader(value: Value) -> _Read:
        if (result := parse(keyword(value) or "")) is None:
            unwanted(value, wanted)
        return stand_in if result is None else result

    return reader


boolean = parsed({"true": True, "false": False}.get, "true or false", stand_in=False)


def choice(options: Sequence[str], what: str) -> Callable[[Value], str]:
    """Make a reader of one of the names; `what` they are is for the message."""

    def reader(value: Value) -> str:
        if (name := text(value)) in options:
            return name
        wrong(value, f"unknown {what} {in_quotes(name)}{suggestion(name, options)}")
        return options[0]

    return reader


def items(value: Value) -> list[Value]:
    """Return the values in a list."""
    if not isinstance(value.node, Listing):
        unwanted(value, "a list, each entry of which begins with `- `" if entries_of(value.node) else "a list")
    return [replace(value, node=node, path=f"{value.path}[{at}]") for at, node in enumerate(items_of(value.node))]


def each_of(reader: Callable[[Value], _Read], least: str = "") -> Callable[[Value], tuple[_Read, ...]]:
    """Make a reader of a list from the reader of its items; with `least`, an empty list is a mistake."""

    def read(value: Value) -> tuple[_Read, ...]:
        values = tuple(reader(item) for item in items(value))
        if least and not values:
            unwanted(value, least)
        return values

    return read


def entries(value: Value) -> dict[str, tuple[Value, Value]]:
    """Return name -> key and value of a mapping; a name that is there twice is a mistake."""
    pairs: dict[str, tuple[Value, Value]] = {}
    if not isinstance(value.node, Table):
        unwanted(value, "a mapping")
    for key_node, node in getattr(value.node, "pairs", ()):
        key = replace(value, node=key_node, path=key_path(value.path, key_node.text))
        name = text(key)
        if name in pairs:
            entry_hint = "; a new entry of the list begins with `- `" if value.path.endswith("]") else ""
            wrong(key, f"this key is here twice, first in line {pairs[name][0].node.line}: keep one{entry_hint}")
        pairs.setdefault(name, (key, replace(key, node=node)))
    return pairs


def fields(value: Value, table: Keys | str) -> Fields:
    """Return the values of the keys of a table, or of that kind; unknown and missing required keys are mistakes."""
    known: Keys = value.context.types[table].keys if isinstance(table, str) else table
    pairs, hints, cut = entries(value), "", None
    for name, (key, entry) in pairs.items():
        cut = entry if is_cut(entry) else cut
        if name not in known and cut and keyword(entry) == "":
            wrong(cut, f"this ends in the middle{_NEEDS_QUOTES}")
        elif name not in known:
            hints += (hint := _suggest_key(value.context, name, known))
            wrong(key, f"unknown key{hint}")
    for name in (name for name, key in known.items() if key.required and name not in pairs):
        # A required key that is misspelt is one mistake, not two.
        if isinstance(value.node, Table) and f"did you mean {in_quotes(name)}" not in hints:
            wrong(replace(value, path=key_path(value.path, name)), "this key is missing")
    read = Fields(pairs, known, value.context)
    owners = {name: known[name].beside.split() for name in read if known[name].beside}
    lone = [name for name, own in owners.items() if not any(owner in read or known[owner].required for owner in own)]
    for name in lone:
        wrong(read[name], f"{name} belongs to {joined(owners[name])} only")
    names = [name for name, key in known.items() if key.alternative and not key.others]
    given = [name for name in names if name in read]
    if names and len(given) != 1 and (given or (read.are_known and not lone)):
        wrong(value, f"wanted one of {', '.join(names)}, found {' and '.join(given) or 'none of them'}")
    read.chosen = "".join(given[: len(given) == 1])
    return read


def _suggest_key(context: Context, name: str, known: Keys) -> str:
    """Return, for the end of a message, the key that an unknown word probably means, here or below a key."""
    word = re.sub("^max_|_?limit$", "", re.sub("[- ]", "_", name.lower()))
    below, choices = dict[str, Key](), list[str]()
    for outer, key in known.items():
        schema = getattr(context.types.get(key.kind), "schema", {})
        kinds = (key.kind, *(part.get("$ref", "").rpartition("/")[2] for part in schema.get("anyOf", ())))
        tables = (context.types[kind].keys for kind in kinds if kind in context.types)
        below |= {f"{outer}: {{{inner}: ...}}": target for table in tables for inner, target in table.items()}
        choices += [f"{outer}: {word}"] * (word in schema.get("enum", ()))
    meant = [written for written, target in {**known, **below}.items() if word in target.aliases.split()]
    meant += [*(written for written in below if f"{{{word}: " in written), *choices]
    return f"; did you mean {in_quotes(meant[0])}?" if meant else suggestion(name, known)


def get(values: Mapping[str, Value], key: str, reader: Callable[[Value], _Read], default: _Read) -> _Read:
    """Read the value of a key, or return the default when the key is not there."""
    return reader(values[key]) if key in values else default


def key_path(path: str, key: str) -> str:
    """Return the path of a key of the mapping at `path`."""
    return f"{path}{'.' if path else ''}{key if key.isidentifier() and len(key) < MAX_SHOWN else in_quotes(key)[1:-1]}"


# Of the braces in a text only a word in braces is special: `{n}` is the variable `n`. `{3}`, `{2, 3}` and `{"a": 1}`
# stay as they are, so that regular expressions and JSON need no escapes. `{{` is a brace, and so is the `}}` that
# closes it. A `}}` that closes none stays, for it may end two objects of JSON.
WORD = r"[A-Za-z_][A-Za-z0-9_-]*"
_BRACES = lazy_regex(rf"\{{(?={WORD}\}})|\{{\{{+|\}}\}}+")
_SPECIAL = lazy_regex(rf"\{{\{{|\}}\}}|\{{({WORD})\}}")


def fill(text: str, variables: Mapping[str, str]) -> str:
    """Put the variables' values into a text; KeyError with the word that is none. Values are not filled again."""
    unclosed = 0

    def replacement(match: re.Match[str]) -> str:
        nonlocal unclosed
        if match[1]:
            return variables[match[1]]
        unclosed += 1 if match[0] == "{{" else -1
        return match[0][:1] if match[0] == "{{" or unclosed >= 0 else "}}"

    return _SPECIAL.sub(replacement, text) if "{" in text else text


def escaped(text: str) -> str:
    """Return what `fill` makes this text of, whatever the variables are."""
    unclosed = 0

    def replacement(match: re.Match[str]) -> str:
        nonlocal unclosed
        run = match[0]
        if run[0] == "{":
            unclosed += len(run)
            return run * 2
        closing = min(max(unclosed, 0), len(run))
        # Two are read as one while a brace is open, and as two when none is.
        unclosed -= closing + (len(run) - closing) // 2
        return "}" * (len(run) + closing)

    return _BRACES.sub(replacement, text) if "{" in text else text


_DECIMAL = r"[0-9]{1,12}(?:\.[0-9]{1,12})?"
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_INTEGER = r"-?(?:0|[1-9][0-9]{0,8})"
_BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_UNITS: Mapping[str, Fraction | int] = {"ms": Fraction(1, 1000), "s": 1, "min": 60, "%": Fraction(1, 100), **_BYTES}
QUANTITIES: Mapping[str, str] = {
    "duration": rf"^(?=[0-9.]*[1-9]){_DECIMAL} ?(ms|s|min)$",
    "size": rf"^(?=[0-9.]*[1-9]){_DECIMAL} ?({'|'.join(_BYTES)})$",
    "share": r"^0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]{1,12})?) ?%$",
    "number": rf"^{_NUMBER}$",
    "range": rf"^({_INTEGER})\.\.({_INTEGER})$",
}  # as regular expressions that other languages read too, for the schema


def _parser(pattern: str, make: Callable[[str], _Read], is_right: Callable[[_Read], Any] = lambda _: True) -> Any:
    return lambda text: it if re.fullmatch(pattern, text) and is_right(it := make(text)) else None


def _amount(text: str) -> Fraction:
    digits = len(text) - len(text.lstrip("0123456789."))
    return Fraction(text[:digits]) * _UNITS[text[digits:].strip()]


_Parser = Callable[[str], _Read | None]
parse_duration: _Parser[float] = _parser(QUANTITIES["duration"], lambda text: float(_amount(text)))  # in seconds
parse_size: _Parser[int] = _parser(QUANTITIES["size"], lambda text: int(_amount(text)), bool)  # in bytes, at least 1
parse_percent: _Parser[Fraction] = _parser(QUANTITIES["share"], _amount)  # exactly, as a share of 1
parse_count: _Parser[int] = _parser(r"[1-9][0-9]{0,8}", int)
parse_points: _Parser[Fraction] = _parser(_DECIMAL, Fraction)
parse_change: _Parser[Fraction] = _parser(rf"[+-]?{_DECIMAL}", Fraction)  # of points
parse_number: _Parser[float] = _parser(_NUMBER, float, math.isfinite)  # also `-3`, `.5` and `1e-6`
parse_exit_status: _Parser[int] = _parser(r"[0-9]{1,3}", int, range(256).__contains__)
parse_range: _Parser[range] = _parser(  # empty when the ends are the wrong way round
    QUANTITIES["range"], lambda text: range(int(text.split("..")[0]), int(text.split("..")[1]) + 1)
)


def plain_value(word: str) -> Any:
    """Return what a word without quotes stands for: null, true, false, a number, or itself."""
    number = int(word) if re.fullmatch(r"[+-]?[0-9]{1,30}", word) else parse_number(word)
    return {"null": None, "true": True, "false": False}.get(word, word if number is None else number)


def inner_name(value: Value, name: str | None = None) -> str:
    """Read a name or glob that stays inside its folder: relative, without `..`; the value's text, or a part of it."""
    name = text(value) if name is None else name
    path = PurePosixPath(name)
    if "\0" in name or path.is_absolute() or ".." in path.parts or not path.parts:
        unwanted(value, "a relative path without ..")
        return ""
    return name.removeprefix("./")


# ---------------- The files of a course


TOOLCHAINS_NAME = "toolchains.yaml"  # the file next to `specs/` with the course's own languages
is_file = os.path.isfile  # False for too long a name, or where it may not be looked, unlike `Path.is_file`


def root_of_spec(spec: Path) -> Path:
    """Return the folder that the paths in a spec are relative to: its own, or the one that has `specs/`."""
    folder = spec.parent.resolve()
    return folder.parent if folder.name == "specs" else folder


def read_bytes(path: Path) -> bytes:
    """Read a spec or a data file, up to one byte more than allowed; UsageError when there is none."""
    try:
        if not path.is_file():
            raise UsageError(f"no such spec: {path}" + (" (it is no file)" if path.exists() else ""))
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read the spec {path}: {error.strerror}") from error


def attach(value: Value, name: str) -> bytes:
    """Return the content of a file of the course, which counts in the digest from now on; nothing after a mistake."""
    return content_of(attach_unread(value, name))


def attach_unread(value: Value, name: str) -> LazyBytes:
    """Attach a file as `attach` does; return its content, or where that is stored when it is large."""
    context, known, quoted = value.context, value.context.contents, in_quotes(name)
    if not name or name in known:
        return known.get(name, b"")
    known[name] = b""
    try:
        path = (context.root / name).resolve()
        if not path.is_relative_to(context.root):
            wrong(value, f"{quoted} is a link out of {context.root}: put the file itself there")
        elif not path.is_file():
            hint = f": write folders as in {in_quotes(name.replace(chr(92), '/'))}" if "\\" in name else ""
            wrong(value, f"there is no file {quoted} in {context.root}{hint}")
        elif context.sizes[0] + (size := path.stat().st_size) > MAX_ATTACHED:
            wrong(value, f"{quoted} is too large: the files of a spec may have {MAX_ATTACHED // 2**20} MiB together")
        else:
            is_held = size <= MAX_HELD_FILE_BYTES and context.sizes[1] + size <= MAX_HELD_BYTES
            context.sizes[:] = context.sizes[0] + size, context.sizes[1] + size * is_held
            known[name] = path.read_bytes() if is_held else store_file(path)
    except OSError as error:
        wrong(value, f"cannot read {quoted}: {error.strerror}")
    return known[name]


def attach_with_folder(value: Value, name: str) -> Callable[[], dict[str, bytes]]:
    """Attach a file as `attach` does, with all files of its folder; return a function that reads them, by name."""
    context, known, folder = value.context, value.context.contents, name.rpartition("/")[0]
    # Once for a folder, however many cases ask.
    if name and attach_unread(value, name) and folder not in context.folders:
        for path, fact in facts_inside(context, folder).items():
            # At the course root itself lie also submissions and whatever else: of those files only Python's count.
            if stat.S_ISREG(fact.st_mode) and (folder or path.suffix == ".py"):
                attach_unread(value, path.relative_to(context.root).as_posix())
    return lambda: {file: content_of(known[file]) for file in known if file == name or file.startswith(f"{folder}/")}


def facts_inside(context: Context, folder: str) -> dict[Path, os.stat_result]:
    """Return the facts of all that lies in a folder of the course, and note that every file there is attached."""
    context.folders.add(folder)
    context.listings[folder] = names_inside(context.root, folder)
    return {path: path.lstat() for path in map(Path, context.listings[folder])}


def names_inside(root: Path, folder: str) -> tuple[str, ...]:
    """Return the paths of all entries in a folder of a course, folders with a `/`; of the root only its own entries."""
    with suppress(OSError):
        paths = sorted((root / folder).rglob("*") if folder else root.iterdir())
        return tuple(f"{path}{'' if path.is_file() else '/'}" for path in paths if "__pycache__" not in path.parts)
    return ()


def named_function(value: Value) -> str:
    """Read `FILE.py:FUNCTION`; attaches the file, and all that lies in its folder for it to import."""
    written = text(value)
    file, _, function = written.rpartition(":")
    if file.endswith(".py") and function.isidentifier() and not iskeyword(function):
        attach_with_folder(value, inner_name(value, file))
        return written
    unwanted(value, "a function of the course's own, such as reference/checks.py:boards")
    return ""
