"""Sources -> the facts that rules ask about, from their syntax trees; hardened against hostile sources.

Grammars are libraries in C, and a student decides what they read. So `serve_source` reads in a process of its own,
bounded in time and memory (`run` starts it). To start fast, this module imports only data, the grammars and the
standard library. A call is known by its name: `System.exit`, with the qualifier that is written there. Imports, macros
and namespaces of its file are resolved too.
"""

import importlib
import json
import re
import sys
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

from grader.kinds.encodings import as_compiled
from grader.kinds.source_rules.queries import LOOP_FORMS, MAX_LOOPS_AROUND, QUERIES

_MAX_SPOTS, _MAX_PARTS = 20, 20
"""places that are reported for each rule, and names of all that a function is in that are part of its own"""
_MAX_NAME_LENGTH, _MAX_LINE_LENGTH = 200, 300  # bytes of a name, and of a line that is shown
_IN_MACRO, _BEFORE, _BEHIND = -1, b"void _(){", b";}"
"""where something begins that is in no function, since it is in a macro; and what makes a function of a macro's body"""
_JOINT = re.compile(r"\.|::|->")
_CHAIN = re.compile(r"[\w$]+(?:(?:\.|::|->)[\w$]+)*$")
_IDLE = re.compile(r"/\*.*?\*/|//[^\n]*\n|\\\r?\n|\s", re.DOTALL)
_TEMPLATE = re.compile(r"<[^<>]*(?<!-)>")  # what a template or a generic type is made for
_TEXTS = re.compile(r"string|comment|char|escape|preproc_arg|heredoc")  # in the types of leaves whose words are no code
_WORD = re.compile(rb"[\w$]+")

_Parts = tuple[str, ...]
_Place = tuple[int, str]  # a line, and what is found there


class _Thing(NamedTuple):
    """Something in a source, and what it is in."""

    kind: str  # `call`, `import`, `loop`, `block`, `token`, `comment`, `function`, or `scope`: a class or a namespace
    parts: _Parts  # its name, as it is written
    start: int
    end: int
    line: int  # from 1
    last: int  # the line in which it ends
    form: str
    """of a loop: `for`, `while`, `do` or `comprehension`; of a token: itself; of a comment: the type of its node; of a
    call: `whole` where nothing else is in front of its name"""
    path: _Parts = ()  # of a function: its name behind those of all that it is in, from the package or module on
    around: tuple[str, ...] = ()  # the forms of the loops that it is in, the innermost last
    depth: int = 0  # the blocks within one another around it and with it, in its function
    outer: "_Thing | None" = None  # the function that it is in


def serve_source() -> None:
    """Answer the request on standard input, JSON, on standard output.

    It has `language`, `files` (name -> source, as Latin-1 has its bytes) and `rules`. The answer has for each rule its
    `spots` (file, line, name, the line itself), their `total`, and whether the function that it names exists.
    """
    asked = json.load(sys.stdin)
    read = {name: _read(asked, name, text.encode("latin-1")) for name, text in asked["files"].items()}
    json.dump([_Rule(rule, [read[name] for name in rule["files"]]).answer() for rule in asked["rules"]], sys.stdout)


def _read(asked: Mapping[str, Any], name: str, source: bytes) -> "tuple[_File, _File]":
    """Return two views of a file: for what is forbidden, and for what is required, which ignores an `#if 0`."""
    text, done = bytearray(as_compiled(asked["language"], source)), 0
    whole = _File(asked, name, source, bytes(text))
    for start, end in sorted(whole.dead):
        if start >= done:
            text[start:end], done = re.sub(rb"[^\n]", b" ", text[start:end]), end
    live = _File(asked, name, source, bytes(text)) if done else whole
    return live if whole.is_sound else whole, live


@cache
def _grammar(language: str) -> tuple[Any, Any]:
    """Return the parser of a language, and the cursor of its query."""
    library = importlib.import_module("tree_sitter")
    grammar = library.Language(importlib.import_module(f"tree_sitter_{language}").language())
    return library.Parser(grammar), library.QueryCursor(library.Query(grammar, QUERIES[language]))


class _File:
    """What is in a file."""

    def __init__(self, asked: Mapping[str, Any], name: str, source: bytes, text: bytes) -> None:
        self.name, self.lines, self.language = name, source.split(b"\n"), asked["language"]
        self.tokens = {rule["name"] for rule in asked["rules"] if rule["what"] == "token"}
        self.reads_leaves = self.tokens or any(rule["what"] == "comments-of-function" for rule in asked["rules"])
        self.parser, self.cursor = _grammar(self.language)
        self.things, self.dead, self.bases = list[_Thing](), list[tuple[int, int]](), list[_Parts]()
        """with the bytes that an `#if 0` takes out, and pairs of a class and one of its base classes or interfaces"""
        self.origins, self.opened = dict[str, _Parts](), list[_Parts]()
        """what a name stands for, by an import or a macro, and what a name without a qualifier may be of"""
        is_python = self.language == "python"
        self.package = tuple(name.removesuffix(".py").removesuffix("/__init__").split("/")) if is_python else ()
        root = self.parser.parse(text).root_node
        self.is_sound = not root.has_error
        if self.is_sound or name not in asked["if_whole"]:  # else it is no source, but some other text
            self.things += [*self._things_in(text, root)]
        self.functions = [thing for thing in self.things if thing.kind == "function"]

    def _things_in(self, text: bytes, root: Any) -> Iterator[_Thing]:
        """Yield what is in a text, in its order, each with what it is in."""
        things = [*self._structure_of(text, root), *(self._leaves_of(root) if self.reads_leaves else ())]
        around = [(len(text) + 1, self.package, _Parts(), 0, None)]
        for thing in sorted(things, key=lambda thing: (thing.start, -thing.end)):
            while around[-1][0] <= thing.start:
                around.pop()
            _, path, forms, depth, outer = around[-1]
            depth += thing.kind == "block" or (thing.kind == "loop" and thing.form != "comprehension")
            own = (*path, *thing.parts)[-_MAX_PARTS:] if thing.kind in ("function", "scope") else path
            placed = thing._replace(path=own, around=forms, depth=depth, outer=outer)
            yield placed
            if placed.kind == "function":
                around.append((placed.end, own if self.language == "python" else path, forms, 0, placed))
            elif placed.kind in ("scope", "loop", "block"):
                forms = (*forms, placed.form)[-MAX_LOOPS_AROUND:] if placed.kind == "loop" else forms
                around.append((placed.end, own, forms, depth, outer))

    def _structure_of(self, text: bytes, root: Any) -> Iterator[_Thing]:  # noqa: C901, PLR0912 - a table
        """Yield what the query finds; note what the file says of its names."""
        for _, captures in self.cursor.matches(root):
            nodes = {name: nodes[0] for name, nodes in captures.items()}
            match nodes:
                case {"nest": node}:
                    if not _is_else_if(node):
                        form = LOOP_FORMS.get(node.type, "")
                        yield _thing("loop" if form else "block", node, form=form)
                case {"condition": node}:
                    self.dead += _dead_ranges(node)
                case {"call": node}:
                    parts, is_whole = _dotted_name(text, node, nodes.get("object", node).start_byte)
                    yield _thing("call", node, parts, "whole" if is_whole else "")
                case {"function": node, "name": name} | {"scope": node, "name": name}:
                    if parts := _dotted_name(text, _declared_name(name))[0]:
                        yield _thing("function" if "function" in nodes else "scope", node, parts)
                case {"heir": heir, "base": base}:
                    parts = (*_dotted_name(text, heir)[0][-1:], *_dotted_name(text, base)[0][-1:])
                    self.bases += [parts] if parts[1:] else []
                case {"package": node}:
                    self.package = _dotted_name(text, node)[0]
                case {"macro": name, "body": body}:
                    self._note_macro(text, name, body)
                case {"open": node}:
                    self.opened.append(_dotted_name(text, node)[0])
                case {"qualified": node}:  # written out where it is used, which takes no import
                    yield _thing("import", node, _dotted_name(text, node)[0])
                case _:
                    yield _thing("import", next(iter(nodes.values())), self._note_import(text, nodes))

    def _note_macro(self, text: bytes, name: Any, body: Any) -> None:
        """Note what a macro stands for, and the things in its body, which is read as the body of a function."""
        parts, is_whole = _dotted_name(text, body)
        if is_whole:
            self.origins[_text(text, name)] = parts
        inner = _BEFORE + body.text + _BEHIND
        things = [*self._things_in(inner, self.parser.parse(inner).root_node)]
        if (word := _text(text, body)) in LOOP_FORMS.values():  # as in `#define repeat while`
            things.append(_thing("loop", body, form=word))
        line, last = name.start_point[0] + 1, len(inner) - len(_BEHIND)
        self.things += [
            thing._replace(start=_IN_MACRO, line=line, depth=0, outer=None)
            for thing in things
            if thing.kind in ("call", "loop") or (thing.kind == "token" and len(_BEFORE) <= thing.start < last)
        ]

    def _note_import(self, text: bytes, nodes: Mapping[str, Any]) -> _Parts:
        """Return the name of what is imported, and note under which names the file knows that."""
        origin = _text(text, nodes["from"]).split(".") if "from" in nodes else []
        parts = (*origin, *("*" if "all" in nodes else _text(text, nodes["import"]).strip('<>"')).split("."))
        if parts[-1] == "*":
            self.opened.append(parts[:-1])
        elif origin or "alias" in nodes or self.language == "java":
            self.origins[_text(text, nodes["alias"]) if "alias" in nodes else parts[-1]] = parts
        return parts

    def _leaves_of(self, root: Any) -> Iterator[_Thing]:
        """Yield the tokens that rules ask about, and the comments; without recursion."""
        cursor = root.walk()
        while True:
            leaf = cursor.node
            if leaf.type.endswith("comment") or not cursor.goto_first_child():
                yield from _comment_of(leaf)
                # One leaf may be several words, such as `is not`.
                is_text = leaf.is_named and (_TEXTS.search(leaf.type) or not _WORD.fullmatch(leaf.text))
                words = [] if is_text else leaf.text.decode("utf-8", "replace").split()
                yield from (_thing("token", leaf, form=word) for word in words if word in self.tokens)
                while not cursor.goto_next_sibling():
                    if not cursor.goto_parent():
                        return


def _thing(kind: str, node: Any, parts: _Parts = (), form: str = "") -> _Thing:
    (line, _), (last, _) = node.start_point, node.end_point
    return _Thing(kind, parts, node.start_byte, node.end_byte, line + 1, last + 1, form)


def _is_else_if(node: Any) -> bool:
    """Whether an `if` is the branch of another, which is no block within a block."""
    above = node.parent if node.type == "if_statement" else None  # which takes time where it is deep
    alternative = above.child_by_field_name("alternative") if above and above.type == "if_statement" else None
    return bool(above and (alternative == node or above.type == "else_clause"))


def _dead_ranges(condition: Any) -> Iterator[tuple[int, int]]:
    """Yield the bytes that the condition of an `#if` or `#elif` disables, up to `#endif`; none if it is no constant."""
    written, node = condition.text.strip(b"( \t)"), condition.parent
    alternative, last = node.child_by_field_name("alternative"), node.children[-1]
    end = last.start_byte if last.type == "#endif" else node.end_byte
    if written in (b"0", b"false"):
        yield condition.end_byte, alternative.start_byte if alternative else end
    elif written in (b"1", b"true") and alternative:
        yield alternative.start_byte, end


def _comment_of(leaf: Any) -> Iterator[_Thing]:
    """Yield the comment of a leaf, if it has words; in Python a text that stands alone is a comment, too."""
    is_text = leaf.type == "string_start" and leaf.parent.parent is not None
    node = leaf.parent if is_text else leaf
    is_alone = is_text and node.parent.type == "expression_statement" and node.parent.named_child_count == 1
    if (is_alone or leaf.type.endswith("comment")) and re.search(rb"\w", node.text):
        yield _thing("comment", node, form=leaf.type)


def _declared_name(node: Any) -> Any:
    """Return the name within a declarator of C: `*f(int a)` declares `f`."""
    while inner := node.child_by_field_name("declarator"):
        node = inner
    return node


def _dotted_name(text: bytes, node: Any, start: int | None = None) -> tuple[_Parts, bool]:
    """Return the dotted name at the end of a piece of source, and whether the piece is only that name."""
    start = node.start_byte if start is None else start
    written = _plain(text[max(start, node.end_byte - _MAX_NAME_LENGTH) : node.end_byte])
    while written.startswith("(") and written.endswith(")"):  # `(exit)(1)`
        written = written[1:-1]
    while (shorter := _TEMPLATE.sub(" ", written)) != written:
        written = shorter
    if not (match := _CHAIN.search(written.replace(" ::", "::").rstrip())):
        return (), False
    return tuple(_JOINT.split(match[0])), match.start() == 0 and node.end_byte - start <= _MAX_NAME_LENGTH


def _text(text: bytes, node: Any) -> str:
    return _plain(text[node.start_byte : min(node.end_byte, node.start_byte + _MAX_NAME_LENGTH)])


def _plain(written: bytes) -> str:
    return _IDLE.sub("", _decoded(written))  # without blanks and comments


def _decoded(data: bytes) -> str:
    """Return a name as compilers compare it: letters that look like others are those (PEP 3131)."""
    return unicodedata.normalize("NFKC", data.decode("utf-8", "replace"))


class _Rule:
    """A rule, and the files that are checked against it."""

    def __init__(self, asked: Mapping[str, Any], read: Sequence[tuple[_File, _File]]) -> None:
        self.asked, self.files = asked, (files := [views[asked["demand"] == "require"] for views in read])
        self.name = _JOINT.split(asked["name"])
        self.meant = _names_of(files, self.name)
        self.around = _names_of(files, _JOINT.split(asked["within"])) if asked["within"] else []

    def answer(self) -> Mapping[str, object]:
        """Return the answer of `serve_source`; the places of a requirement are those that meet it."""
        what, places = self.asked["what"], [(file, *place) for file in self.files for place in self.find(file)]
        named = self.around or (self.meant if what == "recursion" else [])
        defines = not named or any(_is_one_of(function, named) for file in self.files for function in file.functions)
        if self.asked["demand"] != "require" or what == "import":
            # Parts of one long name are several imports, but reported once.
            unique = {(place[0].name, place[1], place[2] if what == "call" else ""): place for place in places}
            places = [*unique.values()]
        spots = [
            (file.name, line, name, _decoded(file.lines[min(line, len(file.lines)) - 1][:_MAX_LINE_LENGTH].strip()))
            for file, line, name in places
        ]
        return {"spots": spots[:_MAX_SPOTS], "total": len(spots), "defines": defines}

    def find(self, file: _File) -> Iterator[_Place]:
        """Find what the rule asks about."""
        most = self.asked["most"]
        match self.asked["what"]:
            case "recursion":
                yield from _recursive(file, self.meant, with_helpers=self.asked["demand"] == "require")
            case "lines-of-file":
                lines = len(file.lines) - (file.lines[-1] == b"")
                yield from [(1, str(lines))] * (lines > most)
            case "lines-of-function":
                for function in file.functions:
                    if (size := function.last - function.line + 1) > most:
                        yield function.line, f"{size} {'.'.join(function.parts)}"
            case "depth-of-blocks":
                yield from _too_deep(file, most)
            case "comments-of-function":
                yield from _too_few_comments(file, self.asked["least"])
            case kind:
                for thing in [thing for thing in file.things if thing.kind == kind]:
                    if not self.around or any(_is_one_of(outer, self.around) for outer in _functions_around(thing)):
                        yield from ((thing.line, ".".join(name)) for name in self.names(file, thing)[:1])

    def names(self, file: _File, thing: _Thing) -> list[_Parts]:
        """Return the names by which the rule matches a thing; none where it does not match."""
        match thing.kind:
            case "loop":
                forms = self.asked["forms"]
                deep = sum(form in forms for form in thing.around) + 1
                return [()] if thing.form in forms and deep >= self.asked["depth"] else []
            case "token":
                return [(thing.form,)] if thing.form == self.asked["name"] else []
            case "function":
                return [thing.parts] if _is_one_of(thing, self.meant) else []
            case "import":  # the wanted one, or a part of it: `os.path` is of `os`; and `os` has all of `os.*`
                name, wanted = ".".join(thing.parts), self.asked["name"]
                globs = (wanted, f"{wanted}.*", wanted.removesuffix(".*"))
                return [thing.parts] if name and any(fnmatchcase(name, glob) for glob in globs) else []
        names = [thing.parts]
        if thing.form == "whole":
            first, *rest = thing.parts
            names += [(*file.origins[first], *rest)] if first in file.origins else []
            names += [(*opened, first) for opened in file.opened] if not rest else []
        return [parts for parts in names if _ends_with(parts, self.name)]


def _names_of(files: Sequence[_File], wanted: Sequence[str]) -> list[Sequence[str]]:
    """Return the names that a function may be defined under: an inherited method is in a base class."""
    if not wanted[1:] or any(_ends_with(function.path, wanted) for file in files for function in file.functions):
        return [wanted]
    bases: dict[str, set[str]] = defaultdict(set)
    for heir, base in (pair for file in files for pair in file.bases):
        bases[heir].add(base)
    heirs = [heir for heir in bases if fnmatchcase(heir, wanted[-2])]
    return [wanted, *([base, wanted[-1]] for heir in heirs for base in sorted(_reachable(heir, bases)))]


def _is_one_of(function: _Thing, names: Iterable[Sequence[str]]) -> bool:
    return any(_ends_with(function.path, name) for name in names)


def _functions_around(thing: _Thing) -> Iterator[_Thing]:
    """Yield the functions that something is in."""
    while outer := thing.outer:
        yield outer
        thing = outer


def _too_deep(file: _File, most: int) -> Iterator[_Place]:
    """Find the functions with more blocks within one another than that, or such blocks outside of functions."""
    deepest: dict[int, tuple[int, _Place]] = {}
    for thing in file.things:
        name, place = (".".join(thing.outer.parts), thing.outer.start) if thing.outer else ("", -1)
        if thing.depth > deepest.get(place, (most, ()))[0]:
            deepest[place] = (thing.depth, (thing.line, f"{thing.depth} {name}"))
    yield from (place for _, (_, place) in sorted(deepest.items()))


def _too_few_comments(file: _File, least: int) -> Iterator[_Place]:
    """Find the functions with fewer comments than that, in them or directly above."""
    comments = [comment for comment in file.things if comment.kind == "comment"]
    starts = [comment.start for comment in comments]
    above = {comment.last for comment in comments if comment.form.endswith("comment")}
    for function in file.functions:
        line, inside = function.line - 1, bisect_left(starts, function.end) - bisect_left(starts, function.start)
        while line and file.lines[line - 1].lstrip().startswith((b"@", b"template")):  # what belongs to the heading
            line -= 1
        while inside < least and line in above:
            inside, line = inside + 1, line - 1
        if inside < least:
            yield function.line, f"{inside} {'.'.join(function.parts)}"


def _ends_with(parts: _Parts, wanted: Sequence[str]) -> bool:
    """Whether a name ends with what is wanted: `java.lang.System.exit` is a `System.exit`, and an `exit`."""
    last = parts[-len(wanted) :]
    return len(last) == len(wanted) and all(map(fnmatchcase, last, wanted))


def _recursive(file: _File, meant: Sequence[Sequence[str]], *, with_helpers: bool) -> Iterator[_Place]:
    """Find functions that call themselves, or with helpers one that does, directly or through others of the file."""
    called: dict[str, set[str]] = {function.parts[-1]: set() for function in file.functions}
    own: dict[int, set[str]] = {function.start: {function.parts[-1]} for function in file.functions}
    for thing in file.things:
        if thing.kind in ("call", "function") and thing.parts and (name := thing.parts[-1]) in called:
            for outer in _functions_around(thing):
                (called[outer.parts[-1]] if thing.kind == "call" else own[outer.start]).add(name)
    for function in file.functions:
        if _is_one_of(function, meant):
            names = own[function.start]
            helpers = set[str]().union(*(_reachable(name, called) for name in names)) if with_helpers else set[str]()
            if any(name in _reachable(name, called) for name in names | helpers):
                yield function.line, ".".join(function.parts)


def _reachable(start: str, called: Mapping[str, set[str]]) -> set[str]:
    """Return all names that one leads to, over others."""
    reached: set[str] = set()
    pending = list(called.get(start, ()))
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += called.get(name, ())
    return reached
