"""Source mutants: the reference, where it is written in Python, with one change in one place.

Only what can be reached is changed: the functions that the program calls by their names, from its own lines or from
those that it imports, and the functions that the spec calls. Annotations, docstrings and what runs only on import stay
as they are: a change of them breaks everything or nothing. To add a change, write a generator of replacements for a
kind of node, and enter it in `CHANGES`.
"""

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import UnionType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grader.check.expected_results import Scene
from grader.check.mutants import Mutant
from grader.core import run
from grader.core.errors import HostError
from grader.core.kind import kind_of
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.spec import Case
from grader.core.pipeline import Course

# ---------------------------------------------------------------- the reference

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceModule:
    """A file of the reference."""

    path: str
    tree: ast.Module

    @property
    def functions(self) -> Iterator[_FunctionNode]:
        """The functions of the module and of its classes; those inside others are parts of them."""
        for node in self.tree.body:
            within = node.body if isinstance(node, ast.ClassDef) else [node]
            yield from (inner for inner in within if isinstance(inner, _FunctionNode))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceProgram:
    """The reference's modules, as far as they are imported, and which of their functions a case can reach.

    A function is reachable when reachable code uses its name. The name may be of something else, so a function called
    unreachable certainly is, and a reachable one may not be.
    """

    modules: tuple[SourceModule, ...]
    uses: Mapping[str, frozenset[str]]  # a function's name -> the names that are used in it
    top: frozenset[str]  # the names that are used when the modules are run

    def used_in(self, source: bytes) -> frozenset[str]:
        """Return the names that a source uses."""
        return used_names(ast.parse(source))

    def reached(self, case: Case) -> frozenset[str]:
        """Return the names of the functions that may be called in a case, however often."""
        waiting = set(kind_of(case).entry_points(case, self))
        found: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in self.uses and name not in found:
                found.add(name)
                waiting |= self.uses[name]
        return frozenset(found)


def read_program(reference: Sequence[str], files: Mapping[str, bytes]) -> ReferenceProgram:
    """Read the program of a command and its imports from the same folder; empty for other languages."""
    waiting = [word for word in reference if PurePosixPath(word).suffix == ".py" and word in files]
    modules: dict[str, SourceModule] = {}
    while waiting:
        path = waiting.pop(0)
        if path in modules:
            continue
        try:
            tree = ast.parse(files[path])
        except (SyntaxError, ValueError):
            continue  # for another Python than ours, or broken: running it reports the error
        modules[path] = SourceModule(path=path, tree=tree)
        beside = (PurePosixPath(path).with_name(f"{name}.py").as_posix() for name in imported_modules(tree))
        waiting += [other for other in beside if other in files]
    not_run = _FunctionNode | ast.Import | ast.ImportFrom
    lines = [node for module in modules.values() for node in module.tree.body if not isinstance(node, not_run)]
    return ReferenceProgram(
        modules=tuple(modules.values()),
        uses={function.name: used_names(function) for module in modules.values() for function in module.functions},
        top=frozenset().union(*map(used_names, lines)),
    )


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the modules that are imported, wherever in the source that is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import | ast.ImportFrom):  # `from . import x` has no module but its names
            yield from (alias.name for alias in node.names)


def used_names(node: ast.AST) -> frozenset[str]:
    """Return the names of variables, functions and attributes that are used in a piece of source."""
    parts = list(ast.walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return frozenset(names | {part.attr for part in parts if isinstance(part, ast.Attribute)})


# ---------------------------------------------------------------- what can take the place of a node

_OTHER_COMPARISONS: Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
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
_OTHER_OPERATORS: Mapping[type[ast.operator], type[ast.operator]] = {
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

_Node = TypeVar("_Node", bound=ast.AST)


def _with(node: _Node, **fields: object) -> _Node:
    """Return a node like this one but for some of its fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _compare_otherwise(node: ast.Compare) -> Iterator[ast.AST]:
    for at, op in enumerate(node.ops):
        for other in _OTHER_COMPARISONS[type(op)]:
            yield _with(node, ops=[*node.ops[:at], other(), *node.ops[at + 1 :]])


def _change_constant(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool():
            yield ast.Constant(value=not node.value)
        case int() | float():
            yield ast.Constant(value=node.value + 1)
            yield ast.Constant(value=node.value - 1)
        case str() | bytes() if node.value:
            yield ast.Constant(value=node.value[:-1])


def _move_bound(node: ast.Call) -> Iterator[ast.AST]:
    """Move the end of a range by one."""
    if isinstance(node.func, ast.Name) and node.func.id == "range" and node.args:
        at = min(1, len(node.args) - 1)
        for op in (ast.Add(), ast.Sub()):
            end = ast.BinOp(left=node.args[at], op=op, right=ast.Constant(value=1))
            yield _with(node, args=[*node.args[:at], end, *node.args[at + 1 :]])


def _return_nothing(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(value=None)


def _drop_line(node: ast.Expr | ast.AugAssign | ast.Assign) -> Iterator[ast.AST]:
    """Leave a line out; not one that gives a name its value, for without that nothing would run at all."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    if not any(isinstance(target, ast.Name | ast.Tuple) for target in targets):
        yield ast.Pass()


CHANGES: Mapping[type[ast.AST] | UnionType, Callable[[Any], Iterable[ast.AST]]] = {
    ast.Compare: _compare_otherwise,
    ast.BinOp | ast.AugAssign: lambda node: [
        _with(node, op=other()) for kind, other in _OTHER_OPERATORS.items() if kind is type(node.op)
    ],
    ast.BoolOp: lambda node: [_with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())],
    ast.UnaryOp: lambda node: [] if isinstance(node.op, ast.UAdd) else [node.operand],
    ast.Constant: _change_constant,
    ast.If | ast.IfExp: lambda node: [_with(node, test=ast.UnaryOp(op=ast.Not(), operand=node.test))],
    ast.Call: _move_bound,
    ast.Return: _return_nothing,
    ast.Expr | ast.AugAssign | ast.Assign: _drop_line,
}

_SORTS: Mapping[type[ast.AST] | UnionType, str] = {
    ast.Compare: "comparisons",
    ast.BinOp | ast.AugAssign | ast.BoolOp | ast.UnaryOp: "operators",
    ast.Constant: "constants",
    ast.If | ast.IfExp: "conditions",
    ast.Call: "ends of ranges",
    ast.Return: "returned values",
}
"""what is changed, unless a line is left out"""

# ---------------------------------------------------------------- changes of the reference

_NOT_DONE = frozenset({"annotation", "returns", "decorator_list", "type_params", "ctx"})
"""fields of nodes that are no part of what a function does"""
_MAX_CODE_LENGTH = 60  # characters of each of the two pieces of code in a name


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChange:
    """The reference with one change: another node in the place of one."""

    name: str  # `queens.count: left | queen -> left & queen`, the same as long as this function stays as it is
    module: SourceModule
    function: str  # the name of the function that is changed
    node: ast.AST
    other: ast.AST

    @property
    def sort(self) -> str:
        """What is changed, in a word or two."""
        if isinstance(self.other, ast.Pass):
            return "lines left out"
        return next(sort for kind, sort in _SORTS.items() if isinstance(self.node, kind))

    def source(self) -> bytes:
        """Return what the changed file holds."""
        return ast.unparse(ast.fix_missing_locations(_replaced(self.module.tree, self.node, self.other))).encode()


def source_changes(program: ReferenceProgram, cases: Iterable[Case]) -> Iterator[SourceChange]:
    """Yield each change that can be made of what these cases reach."""
    reached = frozenset(name for case in cases for name in program.reached(case))
    seen: dict[str, int] = {}
    for module in program.modules:
        for function in module.functions:
            if function.name not in reached:
                continue
            for node, around, other in _replacements(function):
                name = f"{PurePosixPath(module.path).stem}.{function.name}: {_describe(node, other, around)}"
                seen[name] = number = seen.get(name, 0) + 1
                name = f"{name} ({number})" if number > 1 else name
                yield SourceChange(name=name, module=module, function=function.name, node=node, other=other)


def _replacements(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, ast.AST]]:
    """Yield the nodes below one in source order, each with its parent and a replacement."""
    for name, value in ast.iter_fields(node):
        for inner in value if isinstance(value, list) else [value]:
            is_remark = isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant)
            if name in _NOT_DONE or not isinstance(inner, ast.AST) or is_remark:
                continue
            for kind, replacements in CHANGES.items():
                if isinstance(inner, kind):
                    yield from ((inner, node, other) for other in replacements(inner))
            yield from _replacements(inner)


def _replaced(tree: _Node, node: ast.AST, other: ast.AST) -> _Node:
    return deepcopy(tree, {id(node): other})  # which takes `other` for the copy of `node`, made already


def _describe(node: ast.AST, other: ast.AST, around: ast.AST) -> str:
    """Write a node and the other one on a line, long ones cut to where they differ.

    Of a branch it is only the condition, of a number also what is around it.
    """
    pair = ast.unparse(node), ast.unparse(other)
    if isinstance(node, ast.Constant) and (
        isinstance(around, ast.JoinedStr) or not isinstance(node.value, str | bytes)
    ):
        pair = ast.unparse(around), ast.unparse(_replaced(around, node, other))
    elif isinstance(node, ast.If | ast.IfExp) and isinstance(other, ast.If | ast.IfExp):
        pair = f"if {ast.unparse(node.test)}", f"if {ast.unparse(other.test)}"
    codes = [re.sub(r"\s*\n\s*", " ", code) for code in pair]
    start = 0
    if max(map(len, codes)) > _MAX_CODE_LENGTH:
        differing = (at for at, (one, two) in enumerate(zip(*codes, strict=False)) if one != two)
        start = max(0, next(differing, min(map(len, codes))) - _MAX_CODE_LENGTH // 3)
    end = start + _MAX_CODE_LENGTH
    return " -> ".join(f"{'…' if start else ''}{code[start:end]}{'…' if end < len(code) else ''}" for code in codes)


# ---------------------------------------------------------------- running them

_MIN_MAGNITUDE, _TIMES = 2.0, 10  # seconds that a mutant may take, and how many times what the reference took
_MIN_OUTPUT = 2**20
_MIN_RUN_SECONDS = 0.05  # what a run takes at least, with its sandbox
_QUICK = 3  # how many times what the quickest case takes is still quick


def source_mutants(course: Course, most: int | None) -> tuple[list[Mutant], list[tuple[str, str]]]:
    """Return `most` of the source mutants, all with None, and of the others the names, each with its sort of change.

    Of each sort of change in each function some are chosen, always the same as long as the reference is: a marking in
    the spec changes nothing, and another function more or less leaves most of the choice.
    """
    found = [(one, change) for one in _mutable_references(course) for change in source_changes(one.program, one.cases)]
    chosen = _choose([change for _, change in found], len(found) if most is None else most)
    mutants = [_mutant(one, change) for at, (one, change) in enumerate(found) if at in chosen]
    return mutants, [(change.name, change.sort) for at, (_, change) in enumerate(found) if at not in chosen]


def _choose(changes: Sequence[SourceChange], most: int) -> set[int]:
    """Return the places of `most` of the changes: in turn one of each sort in each function, by digests."""
    turns = Counter[tuple[str, str, str]]()
    ranked: list[tuple[int, str, int]] = []
    for at in sorted(range(len(changes)), key=lambda at: _digest_of(changes[at].name)):
        change = changes[at]
        group = change.module.path, change.function, change.sort
        ranked.append((turns[group], _digest_of(repr(group)), at))
        turns[group] += 1
    return {at for *_, at in sorted(ranked)[:most]}


def _digest_of(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


class _MutableReference(Struct, frozen=True, kw_only=True):
    """One of the references, whose source is changed."""

    course: Course  # with this one as its only reference
    files: Mapping[str, bytes]
    program: ReferenceProgram
    cases: Sequence[Case]  # those in which it answers


def _mutable_references(course: Course) -> Iterator[_MutableReference]:
    every = [case for test in course.spec.tests for case in test.cases]
    for name in ("", *course.spec.references):
        own = course.with_reference(name)
        files = own.built[""]
        if isinstance(files, HostError) or own.spec.reference is None:
            continue
        # What is changed runs alone: a case that goes on with what others left would differ by that.
        cases = [
            case
            for case in every
            if not any(test.earlier(case) for test in course.spec.tests)
            and (course.spec.reference_name(case) or "") == name
        ]
        program = read_program(own.spec.reference, files)
        yield _MutableReference(course=own, files=files, program=program, cases=cases)


def _mutant(one: _MutableReference, change: SourceChange) -> Mutant:
    changed, course = {**one.files, change.module.path: change.source()}, one.course
    own = {case.id for case in one.cases}

    def apply(scene: Scene) -> Execution:
        if scene.case.id not in own or change.function not in one.program.reached(scene.case):
            return scene.right
        launch = run.launch.launch_reference(scene.case, course.context_of(scene.case))
        limits = Limits(
            time=max(_MIN_MAGNITUDE, _TIMES * scene.right.time),
            cpu=max(_MIN_MAGNITUDE, _TIMES * scene.right.cpu),
            output=max(_MIN_OUTPUT, 4 * len(scene.right.stdout)),
        )
        execution = course.measure(replace(launch, files={**launch.files, **changed}, limits=limits))
        return run.launch.with_record(execution, scene.case, launch)

    return Mutant(
        name=change.name, about="a change of the reference's source", apply=apply, rule="source", sort=change.sort
    )


def most_telling_first(scenes: Sequence[Scene]) -> list[Scene]:
    """Return the scenes in which a change of the reference can be seen, the most telling first.

    That is what says much in little time: a wrong program mostly says something else in all of them.
    """
    seen = [scene for scene in scenes if scene.by_reference]
    quickest = min(map(_own_time, seen), default=0.0)

    def rank(scene: Scene) -> tuple[bool, float, int]:
        time = _own_time(scene)
        is_slow = time > _QUICK * quickest
        return is_slow, time if is_slow else 0, -len(scene.right.stdout)

    return sorted(seen, key=rank)


def most_killing_first(ordered: Sequence[Scene], kills: Mapping[str, int]) -> list[Scene]:
    """Return the scenes by how many mutants their cases killed for the time that a run takes; else in their order."""
    return sorted(ordered, key=lambda scene: -kills.get(scene.case.id, 0) / max(_own_time(scene), _MIN_RUN_SECONDS))


def _own_time(scene: Scene) -> float:
    """Return the seconds that the right program takes, without those that it waited for a processor."""
    return scene.right.time - scene.right.waited
