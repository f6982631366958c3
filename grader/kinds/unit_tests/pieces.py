"""The pieces of a unit test's file: statements and members of classes, with the names that each binds and uses.

They are read without running anything, as the methods are. Names are compared by themselves, whatever they are of: two
things with one name count as one, so that a piece which is needed is never thought to be superfluous.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grader.kinds.unit_tests.java_text import find_java_methods, masked_java
from grader.kinds.unit_tests.model import UnitFramework
from grader.kinds.unit_tests.python_text import lineage_of

_SPECIAL = re.compile(r"__\w+__|set_?up\w*|tear_?down\w*|load_tests|pytest_?\w*|runTest|do_?[cC]lean\w*", re.IGNORECASE)
"""names that a framework calls or reads by itself"""
_NAMES_IN_TEXT = re.compile(r"\s*[A-Za-z_][\w.#$]*(?:\s*,\s*[A-Za-z_][\w.#$]*)*\s*")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
DYNAMIC = frozenset({"eval", "exec", "globals", "locals", "vars", "getattr", "dir", "__dict__", "forName", "<self>"})
"""names by which a piece may reach others that it does not name; `<self>` is an object that is handed on"""


class TestPiece(NamedTuple):
    """A part of a unit test's file that can be left out as a whole."""

    ranges: tuple[tuple[int, int], ...]
    """bytes of the file, from and up to; for Python, whole lines"""
    binds: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    owner: int | None = None
    """the index of the heading of the class that it is a member of"""
    methods: frozenset[str] = frozenset()
    """the methods that it defines, by the names of `UnitMethod`; several for one that other classes inherit"""
    stays: bool = True
    """whether it stays as long as its class does, because a framework may use it unasked"""


def pieces_of(source: bytes, framework: UnitFramework) -> list[TestPiece]:
    """Return the pieces of a file. Raises SyntaxError and ValueError."""
    return list(_JavaPieces(source).read() if framework == "junit" else _PythonPieces(source).read())


# ---------------------------------------------------------------- Python

_Decorated = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class _PythonPieces:
    """Reads the pieces of a file in Python, whose unit is the line."""

    def __init__(self, source: bytes) -> None:
        self.tree = ast.parse(source)
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.classes = {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}
        self.methods: dict[int, set[str]] = {}
        for owner in self.classes.values():
            for one in lineage_of(owner, self.classes):
                for inner in one.body:
                    if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner.name.startswith("test"):
                        self.methods.setdefault(id(inner), set()).add(f"{owner.name}.{inner.name}")
        self.found: list[TestPiece] = []

    def read(self) -> list[TestPiece]:
        for nodes in self._apart(self.tree.body):
            if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef) and self._is_test_class(nodes[0]):
                self._add_class(nodes[0])
            else:
                self._add(nodes)
        return self.found

    def _apart(self, body: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
        """Yield the statements of a body, those together that share a line."""
        group: list[ast.stmt] = []
        for node in body:
            if group and _first_line(node) > (group[-1].end_lineno or 0):
                yield group
                group = []
            group.append(node)
        if group:
            yield group

    def _is_test_class(self, node: ast.ClassDef) -> bool:
        """Whether its members can be told apart: it holds test methods, and begins on a line of its own."""
        return node.lineno < _first_line(node.body[0]) and any(id(inner) in self.methods for inner in node.body)

    def _add_class(self, node: ast.ClassDef) -> None:
        heading: list[ast.AST] = [*node.bases, *node.keywords, *node.decorator_list]
        uses = frozenset(name for part in heading for name in _names_in(part))
        place, owner = self._range(_first_line(node), _first_line(node.body[0]) - 1), len(self.found)
        self.found.append(TestPiece(ranges=(place,), binds=frozenset({node.name}), uses=uses))
        for nodes in self._apart(node.body):
            self._add(nodes, owner)

    def _add(self, nodes: Sequence[ast.stmt], owner: int | None = None) -> None:
        binds = frozenset(name for node in nodes for name in _bound_names(node))
        methods = {name for node in nodes for name in self.methods.get(id(node), set[str]())}
        if owner is None:
            methods |= {name for name in binds if name.startswith("test")}
        self.found.append(
            TestPiece(
                ranges=(self._range(_first_line(nodes[0]), nodes[-1].end_lineno or nodes[-1].lineno),),
                binds=binds,
                uses=frozenset(name for node in nodes for name in _names_in(node)),
                owner=owner,
                methods=frozenset(methods) if len(nodes) == 1 else frozenset(),
                stays=len(nodes) > 1 or not _is_helper(nodes[0], binds),
            )
        )

    def _range(self, first: int, last: int) -> tuple[int, int]:
        return self.starts[first - 1], self.starts[last]


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _Decorated) else []
    return min([node.lineno, *(one.lineno for one in decorators)])


def _bound_names(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, _Decorated):
        yield node.name
    for target in node.targets if isinstance(node, ast.Assign) else ():
        yield from (inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name))
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _is_helper(node: ast.stmt, binds: frozenset[str]) -> bool:
    """Whether something serves nobody but the code that names it."""
    if not binds or any(_SPECIAL.fullmatch(name) for name in binds):
        return False
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return all(
            isinstance(inner, ast.Name | ast.Tuple | ast.List | ast.Store)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            for inner in ast.walk(target)
        )
    decorators = [ast.unparse(one) for one in (node.decorator_list if isinstance(node, _Decorated) else [])]
    plain = re.compile(r"(?:pytest\.)?fixture\b.*|staticmethod|classmethod|property", re.DOTALL)
    return all(plain.fullmatch(one) and "autouse" not in one for one in decorators)


def _names_in(node: ast.AST) -> Iterator[str]:
    bases = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name, ctx=ast.Load()):
                yield "<self>" if name == "self" and id(one) not in bases else name
            case ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.alias():
                yield (one.asname or one.name).partition(".")[0]
            case ast.Constant(value=str(text)) if _NAMES_IN_TEXT.fullmatch(text):
                yield from _WORD.findall(text)


# ---------------------------------------------------------------- Java

_TYPE = re.compile(r"\b(?P<kind>class|interface|enum|record)\s+(?P<name>\w+)")
_CALLED = re.compile(r"(?<![\w.@$])(?P<name>[A-Za-z_$][\w$]*)\s*$")


class _Member(NamedTuple):
    """A declaration in a class, or in the file."""

    start: int
    end: int
    opened: int
    """the place of the brace that opens its body; -1 where there is none"""
    assigned: int
    """the place of the `=` that gives a field its value; -1 where there is none"""


class _JavaPieces:
    """Reads the pieces of a file in Java, in characters; `read` returns them in bytes."""

    def __init__(self, source: bytes) -> None:
        self.text = source.decode()
        self.code, self.uncommented = masked_java(self.text), masked_java(self.text, texts=False)
        self.every = [*find_java_methods(self.code)]
        self.found: list[TestPiece] = []

    def read(self) -> list[TestPiece]:
        self._read_body(0, len(self.code), "", None)
        if self.text.isascii():
            return self.found
        places = [0]
        for letter in self.text:
            places.append(places[-1] + len(letter.encode()))
        return [
            one._replace(ranges=tuple((places[start], places[end]) for start, end in one.ranges)) for one in self.found
        ]

    def _read_body(self, start: int, end: int, around: str, owner: int | None) -> None:
        for member in _java_members(self.code, start, end):
            heading = self.code[member.start : member.opened if member.opened >= 0 else member.end]
            declared = _TYPE.search(heading) if member.assigned < 0 else None
            if declared and declared["kind"] in ("class", "interface"):
                name = f"{around}${declared['name']}" if around else declared["name"]
                if any(member.start <= method.place < member.end for method in self.every):
                    opened = (member.start, member.opened + 1)
                    self._add(((opened), (member.end - 1, member.end)), frozenset({declared["name"]}), owner)
                    self._read_body(member.opened + 1, member.end - 1, name, len(self.found) - 1)
                    continue
            self._add_member(member, heading, declared["name"] if declared else "", around, owner)

    def _add_member(self, member: _Member, heading: str, declared: str, around: str, owner: int | None) -> None:
        name = declared or _java_name(heading, member)
        methods = frozenset(one.name for one in self.every if member.start <= one.place < member.end)
        extends = self.found[owner].uses & {"extends", "implements"} if owner is not None else ()
        is_own = not name or name == around.rpartition("$")[2]
        stays = not methods and bool(is_own or "@" in heading or extends)
        self._add(((member.start, member.end),), frozenset({name} - {""}), owner, frozenset(methods), stays=stays)

    def _add(
        self,
        ranges: tuple[tuple[int, int], ...],
        binds: frozenset[str],
        owner: int | None,
        methods: frozenset[str] = frozenset(),
        *,
        stays: bool = True,
    ) -> None:
        start, end = ranges[0]
        words = set(_WORD.findall(self.uncommented, start, end))
        if re.compile(r"\bthis\b(?!\s*\.)").search(self.code, start, end):
            words.add("<self>")
        if "MethodSource" not in words:  # without an argument it names what is called as the method is
            words -= binds
        uses = frozenset(words)
        self.found.append(TestPiece(ranges=ranges, binds=binds, uses=uses, owner=owner, methods=methods, stays=stays))


def _java_members(code: str, start: int, end: int) -> Iterator[_Member]:
    """Yield the declarations between two places."""
    begin, depth, opened, assigned = -1, 0, -1, -1
    for place in range(start, end):
        sign = code[place]
        if begin < 0:
            if sign.isspace() or sign == ";":
                continue
            begin, depth, opened, assigned = place, 0, -1, -1
        if sign in "([{":
            opened = place if sign == "{" and not depth and assigned < 0 else opened
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign == "=" and not depth and assigned < 0:
            assigned = place
        if not depth and (sign == ";" or (sign == "}" and assigned < 0)):
            yield _Member(begin, place + 1, opened, assigned)
            begin = -1


def _java_name(heading: str, member: _Member) -> str:
    """Return the name of a method or field; "" for an initializer."""
    if member.opened < 0 and member.assigned >= 0:
        found = _CALLED.search(heading[: member.assigned - member.start])
        return found["name"] if found else ""
    depth = 0
    for place, sign in enumerate(heading):
        if sign == "(" and not depth and (found := _CALLED.search(heading[:place])):
            return found["name"]
        depth += (sign == "(") - (sign == ")")
    found = _CALLED.search(heading.rstrip("; \n\t\r"))
    return found["name"] if found and member.opened < 0 else ""
