"""The changes that can be made to a function: operators, bounds, constants, conditions, returns, and lines left out.

To add one, write a generator of replacements for a kind of node, and enter it in `CHANGES`.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import UnionType
from typing import Any, TypeVar

_COMPARED: Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_CALCULATED: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}


_LEFT_ASIDE = frozenset({"annotation", "returns", "decorator_list", "type_params", "ctx"})
"""fields of nodes that are no part of what a function does"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A node, and another one that takes its place; both as they are written, with what is around them."""

    node: ast.AST
    other: ast.AST
    before: str
    after: str

    def made(self, tree: ast.Module) -> str:
        """Return the source of a module in which the change is made."""
        return ast.unparse(ast.fix_missing_locations(_replaced(tree, self.node, self.other)))


Tree = TypeVar("Tree", bound=ast.AST)


def _replaced(tree: Tree, node: ast.AST, other: ast.AST) -> Tree:
    """Return a copy of `tree` with `other` in the place of `node`: deepcopy takes that for the copy made already."""
    return deepcopy(tree, {id(node): other})


def changes(function: ast.AST) -> Iterator[Change]:
    """Yield every change of a function, in the order of its source."""
    for node, around in _parts(function):
        for kind, replacements in CHANGES.items():
            if isinstance(node, kind):
                for other in replacements(node):
                    before, after = _written(node, other, around)
                    yield Change(node=node, other=other, before=before, after=after)


def _written(node: ast.AST, other: ast.AST, around: ast.AST) -> tuple[str, str]:
    """Write a node and the other one: of a branch only the condition, of a number also what is around it."""
    is_part = isinstance(around, ast.JoinedStr)
    if isinstance(node, ast.Constant) and (is_part or not isinstance(node.value, str | bytes)):
        return ast.unparse(around), ast.unparse(_replaced(around, node, other))
    if isinstance(node, ast.If | ast.IfExp) and isinstance(other, ast.If | ast.IfExp):
        return f"if {ast.unparse(node.test)}", f"if {ast.unparse(other.test)}"
    return ast.unparse(node), ast.unparse(other)


def _parts(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield all nodes below one, each with the one around it; no annotations, and no texts that are only there."""
    for name, value in ast.iter_fields(node):
        if name in _LEFT_ASIDE:
            continue
        for inner in value if isinstance(value, list) else [value]:
            if not isinstance(inner, ast.AST) or _is_remark(inner):
                continue
            yield inner, node
            yield from _parts(inner)


def _is_remark(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# ---------------------------------------------------------------- replacements

Replacements = Callable[[Any], Iterator[ast.AST]]


def _with(node: Tree, **fields: object) -> Tree:
    """Return a node like this one but for some of its fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for at, op in enumerate(node.ops):
        for other in _COMPARED[type(op)]:
            yield _with(node, ops=[*node.ops[:at], other(), *node.ops[at + 1 :]])


def _calculated(node: ast.BinOp | ast.AugAssign) -> Iterator[ast.AST]:
    if type(node.op) in _CALCULATED:
        yield _with(node, op=_CALCULATED[type(node.op)]())


def _either(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _bare(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if not isinstance(node.op, ast.UAdd):
        yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool():
            yield ast.Constant(value=not node.value)
        case int() | float():
            yield ast.Constant(value=node.value + 1)
            yield ast.Constant(value=node.value - 1)
        case str() | bytes() if node.value:
            yield ast.Constant(value=node.value[:-1])


def _negated(node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    yield _with(node, test=ast.UnaryOp(op=ast.Not(), operand=node.test))


def _bounds(node: ast.Call) -> Iterator[ast.AST]:
    """Move the end of a range by one."""
    if isinstance(node.func, ast.Name) and node.func.id == "range" and node.args:
        at = min(1, len(node.args) - 1)
        for op in (ast.Add(), ast.Sub()):
            end = ast.BinOp(left=node.args[at], op=op, right=ast.Constant(value=1))
            yield _with(node, args=[*node.args[:at], end, *node.args[at + 1 :]])


def _returned(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(value=None)


def _left_out(node: ast.Expr | ast.AugAssign | ast.Assign) -> Iterator[ast.AST]:
    """Leave a line out; not one that gives a name its value, for without that nothing would run at all."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    if not any(isinstance(target, ast.Name | ast.Tuple) for target in targets):
        yield ast.Pass()


CHANGES: Mapping[type[ast.AST] | UnionType, Replacements] = {
    ast.Compare: _compared,
    ast.BinOp | ast.AugAssign: _calculated,
    ast.BoolOp: _either,
    ast.UnaryOp: _bare,
    ast.Constant: _constant,
    ast.If | ast.IfExp: _negated,
    ast.Call: _bounds,
    ast.Return: _returned,
    ast.Expr | ast.AugAssign | ast.Assign: _left_out,
}
