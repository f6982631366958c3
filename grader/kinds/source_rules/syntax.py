"""Sources -> the facts that rules ask about, from their syntax trees; hardened against hostile sources.

Grammars are libraries in C, and a student decides what they read. So `serve_source` reads in a process of its own,
bounded in time and memory (`examination` starts it). To start fast, this module imports only `queries`, the grammars
and the standard library.

A call is known by its name: `System.exit`, with the qualifier that is written there. Imports, macros and namespaces of
its file are resolved too. Calls by reflection are not found.
"""

import importlib
import json
import re
import sys
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from grader.kinds.encodings import as_compiled
from grader.kinds.source_rules.counting import (
    LOOP_FORMS,
    NestedBlock,
    Token,
    comment_of,
    dead_range,
    deepest_blocks,
    enclosing_forms,
    is_else_if,
    is_within,
    merged,
    tokens_of,
    walk_leaves,
)
from grader.kinds.source_rules.queries import QUERIES

_MAX_SPOTS = 20
"""the most places that are reported for each rule"""
_MAX_NAME_LENGTH, _MAX_LINE_LENGTH = 200, 300
"""bytes of a name, and of a line that is shown"""
_STRUCTURE = frozenset({"function", "scope", "heir", "package", "block", "condition"})
_MAX_SCOPES = 20
"""classes and functions around a function that are part of its name"""
_IN_MACRO = -1
"""where something begins that is in no function, wherever the macro is used"""
_CHAIN = re.compile(r"[\w$]+(?:(?:\.|::|->)[\w$]+)*$")
_IDLE = re.compile(r"/\*.*?\*/|//[^\n]*\n|\\\r?\n|\s", re.DOTALL)
_ORIGIN = re.compile(rb"^\s*import\s+(static\s)?\s*([^;]*?)\s*;?\s*$", re.DOTALL)

_Parts = tuple[str, ...]


class _Thing(NamedTuple):
    """Something in a source, with the names that it may be known by."""

    kind: str
    names: tuple[_Parts, ...]
    start: int
    """byte in the file"""
    line: int
    """from 1"""
    form: str = ""
    """of a loop: `for`, `while`, `do` or `comprehension`; of a token: itself"""
    around: tuple[str, ...] = ()
    """of a loop: the forms of the loops that it is in, the innermost last"""


class _Call(NamedTuple):
    parts: _Parts
    is_whole: bool
    """whether nothing else is in front of these"""
    start: int
    line: int


class _Names(NamedTuple):
    """The names of a file as its imports, macros and namespaces define them."""

    origins: dict[str, _Parts]
    """a name -> what it stands for"""
    opened: list[_Parts]
    """what names without anything in front of them may be of"""


class _Function(NamedTuple):
    parts: _Parts
    start: int
    end: int
    line: int
    lines: int
    path: _Parts = ()
    """its name behind those of the package or module, the classes and namespaces that it is in"""


class _Scope(NamedTuple):
    """A class or a namespace."""

    parts: _Parts
    start: int
    end: int


class _Scopes(NamedTuple):
    inner: list[_Scope]
    outermost: list[_Parts]
    """the name of the package or module, which is the only item"""


class _File(NamedTuple):
    name: str
    lines: list[bytes]
    things: list[_Thing]
    functions: list[_Function]
    bases: list[tuple[str, ...]]
    """a class, and one of its base classes or interfaces"""
    blocks: list[NestedBlock]
    comments: list[Token]
    dead: list[tuple[int, int]]
    """the bytes that an `#if 0` takes out"""
    is_sound: bool
    """whether it was read without an error; else what looks like `#if 0` may be something else"""

    def counts(self, start: int, demand: str) -> bool:
        """Whether what stands at a byte counts: not behind `#if 0`, which nothing forbidden may be hidden by."""
        return not self.dead or not (demand == "require" or self.is_sound) or not is_within(start, self.dead)


def serve_source() -> None:
    """Answer the request on standard input, JSON, on standard output.

    It has `language`, `files` (name -> source, as Latin-1 has its bytes) and `rules`. The answer is a list with one
    entry for each rule. An entry has its `spots` (file, line, name, the line itself), their `total`, and whether the
    function that it names exists.
    """
    asked = json.load(sys.stdin)
    read = {name: _read(asked, name, text.encode("latin-1")) for name, text in asked["files"].items()}
    found = [_hold([read[name] for name in rule["files"]], rule) for rule in asked["rules"]]
    json.dump(found, sys.stdout)


# ---------------------------------------------------------------- what is in a file


def _module(asked: Mapping[str, Any], name: str) -> _Parts:
    """Return the name of a file as its language has it in front of what is in the file; none for most languages."""
    if asked["language"] != "python":
        return ()
    return tuple(name.removesuffix(".py").removesuffix("/__init__").split("/"))


def _read(asked: Mapping[str, Any], name: str, source: bytes) -> _File:
    language, outermost = asked["language"], _module(asked, name)
    lines = source.split(b"\n")
    source = as_compiled(language, source)
    library = importlib.import_module("tree_sitter")
    grammar = library.Language(importlib.import_module(f"tree_sitter_{language}").language())
    parser, query = library.Parser(grammar), library.Query(grammar, QUERIES[language])
    tree = parser.parse(source)
    file = _File(name, lines, [], [], [], [], [], [], not tree.root_node.has_error)
    names, calls, scopes = _Names({}, []), list[_Call](), _Scopes([], [outermost])
    bodies = [(source, 0)]
    if name in asked["if_whole"] and not file.is_sound:
        return file  # no source, but some other text
    while bodies:
        text, above = bodies.pop()
        root = tree.root_node if text is source else parser.parse(text).root_node
        _note_leaves(file, root, asked["rules"], None if text is source else (text, above))
        matches = [found for _, found in library.QueryCursor(query).matches(root)]
        loops = [found["loop"][0] for found in matches if "loop" in found]
        file.things.extend(_nested_loops(loops, above, is_macro=text is not source))
        for found in matches:
            node = found.get("function", next(iter(found.values())))[0]
            line = node.start_point[0] + 1 + above
            start = node.start_byte if text is source else _IN_MACRO
            if "call" in found:
                begin = found.get("object", found["call"])[0].start_byte
                calls.append(_Call(*_chain(text, found["call"][0], begin), start, line))
            elif not _STRUCTURE.isdisjoint(found):
                if text is source:
                    _note_structure(text, found, file, scopes)
            elif "macro" in found:  # what stands in it is read as if it stood in a function
                _note_macro(text, found, names)
                file.things.extend(_loop_of_macro(text, found, line))
                bodies.append((_BEFORE + found["body"][0].text + _BEHIND, line - 1))
            elif "loop" not in found and (imported := _imported(language, text, found, names)):
                file.things.append(_Thing("import", (imported,), start, line))
    file.things.extend(_Thing("call", _known_as(call, names), call.start, call.line) for call in calls)
    file.functions[:] = _in_scopes(file.functions, scopes, are_scopes=language == "python")
    file.dead[:] = merged(file.dead)
    return file


_BEFORE, _BEHIND = b"void _(){", b";}"
"""what makes a function of the body of a macro"""


def _nested_loops(nodes: Sequence[Any], above: int, *, is_macro: bool) -> Iterator[_Thing]:
    """Yield the loops of a text; those in a macro are in no function."""
    nodes = sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))
    forms = enclosing_forms([(node.start_byte, node.end_byte, LOOP_FORMS[node.type]) for node in nodes])
    for node, around in zip(nodes, forms, strict=True):
        start = _IN_MACRO if is_macro else node.start_byte
        yield _Thing("loop", (), start, node.start_point[0] + 1 + above, LOOP_FORMS[node.type], around)


def _note_leaves(file: _File, root: Any, rules: Sequence[Mapping[str, Any]], body: tuple[bytes, int] | None) -> None:
    """Note the tokens and the comments of a text that rules ask about; it may be the body of a macro."""
    wanted = {rule["name"] for rule in rules if rule["what"] == "token"}
    if not wanted and all(rule["what"] != "comments-of-function" for rule in rules):
        return
    first, last = (len(_BEFORE), len(body[0]) - len(_BEHIND)) if body else (0, root.end_byte)
    for leaf in walk_leaves(root):
        if not first <= leaf.start_byte < last:
            continue
        for token in tokens_of(leaf, wanted):
            start, line = (_IN_MACRO, token.line + body[1]) if body else (token.start, token.line)
            file.things.append(_Thing("token", (), start, line, token.text))
        if not body and (comment := comment_of(leaf)):
            file.comments.append(comment)


def _note_structure(text: bytes, found: Mapping[str, Any], file: _File, scopes: _Scopes) -> None:
    """Note a function, a class or namespace, a base class, a file's package, a block, or what an `#if` takes out."""
    if "block" in found or "condition" in found:
        node = next(iter(found.values()))[0]
        if "condition" in found:
            file.dead.extend(filter(None, [dead_range(node)]))
        elif not is_else_if(node):
            file.blocks.append(NestedBlock(node.start_byte, node.end_byte, node.start_point[0] + 1))
        return
    parts = [_chain(text, _declared(nodes[0]))[0] for name, nodes in found.items() if name not in ("function", "scope")]
    if not all(parts):
        return
    if "heir" in found:
        file.bases.append(tuple(_chain(text, found[name][0])[0][-1] for name in ("heir", "base")))
    elif "package" in found:
        scopes.outermost[:] = parts
    elif "scope" in found:
        node = found["scope"][0]
        scopes.inner.append(_Scope(parts[0], node.start_byte, node.end_byte))
    else:
        node = found["function"][0]
        line, lines = node.start_point[0] + 1, node.end_point[0] - node.start_point[0] + 1
        file.functions.append(_Function(parts[0], node.start_byte, node.end_byte, line, lines))


def _in_scopes(functions: Sequence[_Function], scopes: _Scopes, *, are_scopes: bool) -> list[_Function]:
    """Return the functions with their paths; where functions `are_scopes`, also those that are in other functions."""
    around: list[_Scope | _Function] = []
    found = []
    every: list[_Scope | _Function] = [*scopes.inner, *functions]
    for one in sorted(every, key=lambda one: (one.start, -one.end)):
        while around and around[-1].end <= one.start:
            around.pop()
        if isinstance(one, _Function):
            above = [part for outer in around[-_MAX_SCOPES:] for part in outer.parts]
            found.append(one._replace(path=(*scopes.outermost[0], *above, *one.parts)))
        if are_scopes or isinstance(one, _Scope):
            around.append(one)
    return found


def _known_as(call: _Call, names: _Names) -> tuple[_Parts, ...]:
    """Return the name with which something is called, and those that the imports of its file make of it."""
    parts = call.parts
    if not call.is_whole or not parts:
        return (parts,)
    origin = [(*names.origins[parts[0]], *parts[1:])] if parts[0] in names.origins else []
    opened = [(*one, *parts) for one in names.opened] if len(parts) == 1 else []
    return (parts, *origin, *opened)


def _note_macro(text: bytes, found: Mapping[str, Any], names: _Names) -> None:
    parts, is_whole = _chain(text, found["body"][0])
    if is_whole:
        names.origins[_text(text, found["macro"][0])] = parts


def _loop_of_macro(text: bytes, found: Mapping[str, Any], line: int) -> Iterator[_Thing]:
    """Yield the loop that a macro is another name of, as in `#define repeat while`."""
    word = _text(text, found["body"][0]).strip()
    if word in LOOP_FORMS.values():
        yield _Thing("loop", (), _IN_MACRO, line, word)


def _imported(language: str, text: bytes, found: Mapping[str, Any], names: _Names) -> _Parts | None:
    """Return the name of what is imported, and note under which names its file knows that."""
    if "open" in found:
        names.opened.append(_chain(text, found["open"][0])[0])
        return None
    if "qualified" in found:  # written out where it is used, which takes no import
        return _chain(text, found["qualified"][0])[0]
    node = found.get("import", found.get("all"))[0]
    if language == "java":
        written = _ORIGIN.match(node.text[:_MAX_NAME_LENGTH])
        parts = tuple(_plain(written[2]).split(".")) if written else ()
    elif language == "python":
        origin = _text(text, found["from"][0]).split(".") if "from" in found else []
        parts = (*origin, *(["*"] if "all" in found else _text(text, node).split(".")))
        if "alias" in found:
            names.origins[_text(text, found["alias"][0])] = parts
    else:
        return (_text(text, node).strip('<>"'),)
    if parts and parts[-1] == "*":
        names.opened.append(parts[:-1])
    elif parts and "alias" not in found and (language == "java" or "from" in found):
        names.origins[parts[-1]] = parts
    return parts or None


def _declared(node: Any) -> Any:
    """Return the name within a declarator of C: `*f(int a)` declares `f`."""
    while (inner := node.child_by_field_name("declarator")) is not None:
        node = inner
    return node


def _chain(text: bytes, node: Any, start: int | None = None) -> tuple[_Parts, bool]:
    """Return the names joined by dots at the end of a piece of source, and whether it has no other parts."""
    start = node.start_byte if start is None else start
    written = _plain(text[max(start, node.end_byte - _MAX_NAME_LENGTH) : node.end_byte])
    while written.startswith("(") and written.endswith(")"):  # `(exit)(1)`
        written = written[1:-1]
    before = None
    while written.endswith(">") and written != before:  # what a template or a generic type is made for
        before, written = written, re.sub(r"<[^<>]*>$", "", re.sub(r"<[^<>]*>(?=[^<]*>$)", "", written))
    while ">::" in written and written != before:
        before, written = written, re.sub(r"<[^<>]*>", "", written)
    match = _CHAIN.search(written)
    if not match:
        return (), False
    parts = tuple(part for part in re.split(r"\.|::|->", match[0]) if part)
    return parts, match.start() == 0 and node.end_byte - start <= _MAX_NAME_LENGTH


def _plain(written: bytes) -> str:
    """Return a piece of source without blanks and comments."""
    return _IDLE.sub("", _decoded(written))


def _text(text: bytes, node: Any) -> str:
    return _decoded(text[node.start_byte : min(node.end_byte, node.start_byte + _MAX_NAME_LENGTH)])


def _decoded(data: bytes) -> str:
    """Return a name as compilers compare it: letters that look like others are those (PEP 3131)."""
    return unicodedata.normalize("NFKC", data.decode("utf-8", "replace"))


# ---------------------------------------------------------------- what a rule finds in it


def _hold(files: Sequence[_File], rule: Mapping[str, Any]) -> Mapping[str, object]:
    """Check files against a rule; the places of a requirement are those that meet it."""
    wanted = re.split(r"\.|::|->", rule["name"]) if rule["what"] != "import" else [rule["name"]]
    within = re.split(r"\.|::", rule["within"]) if rule["within"] else []
    defines, found = not within and rule["what"] != "recursion", list[tuple[_File, int, int, str]]()
    meant, around = _names_of(files, wanted), _names_of(files, within)
    for file in files:
        scopes = [one for one in file.functions if not within or _is_one_of(one, around)]
        scopes = [one for one in scopes if file.counts(one.start, rule["demand"])]
        defines = defines or bool(
            any(_is_one_of(one, meant) for one in scopes) if rule["what"] == "recursion" else scopes
        )
        places = _find(file, rule, wanted, meant, scopes if within else None)
        found += ((file, *place) for place in places if file.counts(place[0], rule["demand"]))
    if rule["demand"] != "require" or rule["what"] == "import":
        # Parts of one long name are several imports, but reported once.
        once = {
            (file.name, line, what if rule["what"] == "call" else ""): (file, start, line, what)
            for file, start, line, what in found
        }
        found = list(once.values())
    spots = [
        (file.name, line, what, _decoded(file.lines[min(line, len(file.lines)) - 1][:_MAX_LINE_LENGTH].strip()))
        for file, _, line, what in found
    ]
    return {"spots": spots[:_MAX_SPOTS], "total": len(spots), "defines": defines}


def _names_of(files: Sequence[_File], wanted: Sequence[str]) -> list[Sequence[str]]:
    """Return the names under which a function may be defined: a method that its class inherits is in a base class."""
    defined = [one for file in files for one in file.functions if _ends_with(one.path, wanted)]
    if not wanted[1:] or defined:
        return [wanted]
    bases: dict[str, set[str]] = {}
    for file in files:
        for heir, base in file.bases:
            bases.setdefault(heir, set()).add(base)
    heirs = [heir for heir in bases if fnmatchcase(heir, wanted[-2])]
    return [wanted, *([base, wanted[-1]] for heir in heirs for base in sorted(_reached(heir, bases)))]


def _is_one_of(function: _Function, names: Sequence[Sequence[str]]) -> bool:
    return any(_ends_with(function.path, name) for name in names)


def _find(
    file: _File,
    rule: Mapping[str, Any],
    wanted: Sequence[str],
    meant: Sequence[Sequence[str]],
    scopes: Sequence[_Function] | None,
) -> Iterator[tuple[int, int, str]]:
    """Find what a rule asks about: the byte where it begins, its line and its name."""
    match rule["what"]:
        case "function":
            yield from ((one.start, one.line, ".".join(one.parts)) for one in file.functions if _is_one_of(one, meant))
        case "recursion":
            yield from _recursive(file, meant, with_helpers=rule["demand"] == "require")
        case bound if bound in _BOUNDS:
            yield from _BOUNDS[bound](file, rule["least"] if rule["demand"] == "least" else rule["most"])
        case kind:
            within = scopes if scopes is None else merged([(one.start, one.end) for one in scopes])
            for thing in sorted((one for one in file.things if one.kind == kind), key=lambda one: one.start):
                if within is not None and not is_within(thing.start, within):
                    continue
                if (name := _name_in_rule(thing, rule, wanted)) is not None:
                    yield thing.start, thing.line, name


def _name_in_rule(thing: _Thing, rule: Mapping[str, Any], wanted: Sequence[str]) -> str | None:
    """Return the name by which a rule means something; None where it does not."""
    if thing.kind == "loop":
        is_meant = (
            thing.form in rule["forms"] and sum(one in rule["forms"] for one in thing.around) + 1 >= rule["depth"]
        )
        return "" if is_meant else None
    if thing.kind == "token":
        return thing.form if thing.form == rule["name"] else None
    fits = _is_import if thing.kind == "import" else _ends_with
    return next((".".join(parts) for parts in thing.names if fits(parts, wanted)), None)


def _too_long_file(file: _File, most: int) -> Iterator[tuple[int, int, str]]:
    lines = len(file.lines) - (file.lines[-1] == b"")
    if lines > most:
        yield 0, 1, str(lines)


def _too_long(file: _File, most: int) -> Iterator[tuple[int, int, str]]:
    too_long = (one for one in file.functions if one.lines > most)
    yield from ((one.start, one.line, f"{one.lines} {'.'.join(one.parts)}") for one in too_long)


def _too_deep(file: _File, most: int) -> Iterator[tuple[int, int, str]]:
    """Find the functions with more blocks within one another than that, or such blocks outside of functions."""
    functions = [(one.start, one.end, one.line) for one in file.functions]
    blocks = [one for one in file.blocks if file.counts(one.start, "most")]
    for place, (depth, line) in sorted(deepest_blocks(blocks, functions).items()):
        if depth > most:
            name = ".".join(file.functions[place].parts) if place >= 0 else ""
            yield functions[place][0] if place >= 0 else 0, line, f"{depth} {name}"


def _too_few_comments(file: _File, least: int) -> Iterator[tuple[int, int, str]]:
    """Find the functions with fewer comments than that, in them or directly above."""
    above = {one.last_line for one in file.comments if one.text.endswith("comment")}
    starts = sorted(one.start for one in file.comments)
    for one in file.functions:
        line = one.line - 1
        while line and file.lines[line - 1].lstrip().startswith((b"@", b"template")):  # what belongs to the heading
            line -= 1
        inside = bisect_left(starts, one.end) - bisect_left(starts, one.start)
        while inside < least and line in above:
            inside, line = inside + 1, line - 1
        if inside < least:
            yield one.start, one.line, f"{inside} {'.'.join(one.parts)}"


_BOUNDS: Mapping[str, Callable[[_File, int], Iterator[tuple[int, int, str]]]] = {
    "lines-of-file": _too_long_file,
    "lines-of-function": _too_long,
    "depth-of-blocks": _too_deep,
    "comments-of-function": _too_few_comments,
}


def _ends_with(parts: _Parts, wanted: Sequence[str]) -> bool:
    """Whether a name ends with what is wanted: `java.lang.System.exit` is a `System.exit`, and an `exit`."""
    last = parts[-len(wanted) :]
    return len(last) == len(wanted) and all(map(fnmatchcase, last, wanted))


def _is_import(parts: _Parts, wanted: Sequence[str]) -> bool:
    """Whether an import is the wanted one, or a part of it: `os.path` is of `os`; and `os` has all of `os.*`."""
    name, (pattern,) = ".".join(parts), wanted
    return any(fnmatchcase(name, one) for one in (pattern, f"{pattern}.*", pattern.removesuffix(".*")))


def _recursive(file: _File, meant: Sequence[Sequence[str]], *, with_helpers: bool) -> Iterator[tuple[int, int, str]]:
    """Find functions that call themselves, directly or through others of the file, known by their last names.

    With helpers, a function counts as well that calls such a one.
    """
    known = {one.parts[-1] for one in file.functions}
    calls = sorted((one.start, one.names[0][-1]) for one in file.things if one.kind == "call" and one.names[0])
    calls = [call for call in calls if call[1] in known]
    called: dict[str, set[str]] = {}
    for one in file.functions:
        inside = calls[bisect_left(calls, (one.start, "")) : bisect_left(calls, (one.end, ""))]
        called.setdefault(one.parts[-1], set()).update(name for _, name in inside)
    for outer in file.functions:
        if not _is_one_of(outer, meant):
            continue
        # Definitions inside a function are parts of it.
        own = {inner.parts[-1] for inner in file.functions if outer.start <= inner.start < outer.end}
        helpers = set[str]().union(*(_reached(name, called) for name in own)) if with_helpers else set[str]()
        if any(name in _reached(name, called) for name in own | helpers):
            yield outer.start, outer.line, ".".join(outer.parts)


def _reached(start: str, called: Mapping[str, set[str]]) -> set[str]:
    """Return all names that one leads to, over others."""
    reached: set[str] = set()
    pending = list(called.get(start, ()))
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += called.get(name, ())
    return reached
