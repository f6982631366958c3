"""What is changed in a module, one place at a time: the mutations, made from its syntax tree.

A mutation is one that a test of behaviour has to notice: a comparison, a sum, a bound, a clause, a number, what is
returned, a statement that acts. Texts are left alone, and so is what only types read.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_UNTOUCHED_FIELDS = {"annotation", "returns", "decorator_list", "bases", "type_params", "format_spec"}
"""fields of nodes that no run of a function reads, or that decide no more than how something is written"""
_UNTOUCHED_KEYWORDS = {"strict", "frozen", "kw_only", "maxsize", "examples"}
"""arguments that only guard against mistakes of ours, save time, or stand in the documents alone"""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One change in one place of a module."""

    path: Path
    line: int
    lines: range
    """the lines of what is changed; a test that runs none of them cannot notice"""
    names: tuple[str, ...]
    """what the statement defines, where it stands outside every function"""
    text: str
    """the first line of it, as it stands in the file"""
    change: str
    """what stands there, and what instead"""
    owner: ast.AST
    field: str
    place: int | None
    """in the field of `owner`, where that is a list"""
    instead: ast.AST | None

    def compiled(self, tree: ast.Module) -> CodeType:
        """Compile the module with the change; `tree` is that of which the mutant was made, and stays as it is."""
        held = getattr(self.owner, self.field)
        before = held if self.place is None else held[self.place]
        self._put(self.instead)
        try:
            return compile(ast.fix_missing_locations(tree), str(self.path), "exec", dont_inherit=True)
        finally:
            self._put(before)

    def _put(self, node: ast.AST | None) -> None:
        if self.place is None:
            setattr(self.owner, self.field, node)
        else:
            getattr(self.owner, self.field)[self.place] = node


def mutants_of(path: Path, tree: ast.Module, functions: frozenset[str] = frozenset()) -> list[Mutant]:
    """Return all mutants of a module, in the order of the file; only those in `functions`, if there are any."""
    return list(_Search(path, functions).in_module(tree))


class _Search:
    """Walks a tree, and knows where it is."""

    def __init__(self, path: Path, functions: frozenset[str]) -> None:
        self._path, self._functions = path, functions
        self._source = path.read_text().splitlines()
        self._inside: list[str] = []
        self._statement: ast.stmt | None = None

    def in_module(self, tree: ast.Module) -> Iterator[Mutant]:
        yield from self._below(tree)

    def _below(self, node: ast.AST) -> Iterator[Mutant]:
        for field, value in ast.iter_fields(node):
            if field in _UNTOUCHED_FIELDS or (isinstance(node, ast.ClassDef) and field == "keywords"):
                continue
            if isinstance(value, list):
                for place, one in enumerate(value):
                    if isinstance(one, ast.AST):
                        yield from self._at(node, field, place, one)
            elif isinstance(value, ast.AST):
                yield from self._at(node, field, None, value)

    def _at(self, owner: ast.AST, field: str, place: int | None, node: ast.AST) -> Iterator[Mutant]:
        if _is_docstring(node) or (isinstance(node, ast.keyword) and node.arg in _UNTOUCHED_KEYWORDS):
            return
        outer = self._statement
        if isinstance(node, ast.stmt):
            self._statement = node
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if named:
            self._inside.append(node.name)  # type: ignore[attr-defined]
        if not self._functions or self._functions & set(self._inside):
            for instead in _instead_of(node, owner, field):
                yield self._mutant(owner, field, place, node, instead)
        yield from self._below(node)
        if named:
            self._inside.pop()
        self._statement = outer

    def _mutant(self, owner: ast.AST, field: str, place: int | None, node: ast.AST, instead: ast.AST) -> Mutant:
        statement = self._statement
        assert statement is not None  # noqa: S101  (whatever is changed stands in a statement)
        where = node if hasattr(node, "lineno") else statement
        first: int = getattr(where, "lineno", statement.lineno)
        last: int = getattr(where, "end_lineno", None) or first
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and not self._inside:
            targets = [statement.target]
        names = (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        new = "(left out)" if isinstance(instead, ast.Pass) else _short(instead)
        return Mutant(
            path=self._path,
            line=first,
            lines=range(first, last + 1),
            names=tuple(names),
            text=self._source[first - 1].strip(),
            change=f"{_short(node)} -> {new}",
            owner=owner,
            field=field,
            place=place,
            instead=instead,
        )


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _is_docstring(node: ast.AST) -> bool:
    """Whether a statement is a text alone, which is how this house describes what stands before it."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _instead_of(  # noqa: C901, PLR0912 - a table of the kinds of nodes
    node: ast.AST, owner: ast.AST, field: str
) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS and not _is_of_texts(node):
            yield _with(node, op=_OPERATORS[type(operator)]())
        case ast.BoolOp():
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
            for place in range(len(node.values)):
                left = [one for index, one in enumerate(node.values) if index != place]
                yield left[0] if len(left) == 1 else _with(node, values=left)
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield operand
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _CALLS:
            yield _with(node, func=ast.Name(id=_CALLS[name], ctx=ast.Load()))
            if name in ("min", "max") and len(arguments) > 1 and not node.keywords:
                yield from (one for one in arguments if not isinstance(one, ast.Starred))
        case ast.Constant(value=value) if not (isinstance(owner, ast.Subscript) and field == "slice" and value is ...):
            yield from (ast.Constant(value=other) for other in _other_values(value))
        case ast.Slice():
            yield from (_with(node, **{end: None}) for end in ("lower", "upper") if getattr(node, end) is not None)
        case ast.Return(value=value) if not _is_none(value):
            yield ast.Return(value=ast.Constant(value=None))
        case ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
    if isinstance(node, ast.expr) and _is_condition(owner, field) and not _has_its_own(node):
        yield ast.UnaryOp(op=ast.Not(), operand=node)


def _comparisons(node: ast.Compare) -> Iterator[ast.AST]:
    for place, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            yield _with(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _is_of_texts(node: ast.BinOp) -> bool:
    """Whether a sum is one of texts or lists, of which there is no difference."""
    parts = (node.left, node.right)
    return isinstance(node.op, ast.Add | ast.Mod) and any(
        isinstance(one, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(one, ast.Constant) and isinstance(one.value, str | bytes))
        for one in parts
    )


def _other_values(value: object) -> Iterator[bool | float]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            if value > 0:
                yield value - 1
        case float():
            yield value * 2 or 1.0
            if value:
                yield value / 2


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _is_condition(owner: ast.AST, field: str) -> bool:
    return (isinstance(owner, ast.If | ast.IfExp | ast.While) and field == "test") or (
        (isinstance(owner, ast.comprehension) and field == "ifs")
        or (isinstance(owner, ast.match_case) and field == "guard")
    )


def _has_its_own(node: ast.expr) -> bool:
    """Whether a condition has mutations that turn it round."""
    return isinstance(node, ast.Compare | ast.BoolOp | ast.Constant) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )
