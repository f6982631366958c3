"""Source mutants: the reference, where it is written in Python, with one change in one place.

Only what can be reached is changed: the functions that the program calls by their names, from its own lines or from
those that it imports, and the functions that the spec calls. Annotations, docstrings and what runs only on import stay
as they are: a change of them breaks everything or nothing. To add a change, add a case to `_changes_of`.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from grader.check.expected_results import Scene
from grader.check.mutants import Mutant
from grader.core import run
from grader.core.cache import content_digest
from grader.core.errors import HostError
from grader.core.kind import kind_of
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.spec import Case
from grader.core.pipeline import Course
from grader.core.reader.files import read_data
from grader.core.text import common_length

# ---------------------------------------------------------------- the reference

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class ReferenceProgram(Struct, frozen=True, kw_only=True, dict=True):
    """The reference's modules, as far as they are imported, and which of their functions a case can reach.

    A function is reachable when reachable code uses its name. The name may be of something else, so a function called
    unreachable certainly is, and a reachable one may not be.
    """

    modules: Mapping[str, ast.Module]  # by the paths of their files

    @property
    def functions(self) -> Iterator[tuple[str, _FunctionNode]]:
        """The functions of the modules and of their classes, each with its path; those inside others are parts."""
        for path, tree in self.modules.items():
            for node in tree.body:
                within = node.body if isinstance(node, ast.ClassDef) else [node]
                yield from ((path, inner) for inner in within if isinstance(inner, _FunctionNode))

    @cached_property
    def uses(self) -> Mapping[str, frozenset[str]]:
        """The names that are used in each function, by its name."""
        return {function.name: _used_names(function) for _, function in self.functions}

    @cached_property
    def top(self) -> frozenset[str]:
        """The names that are used when the modules are run."""
        nodes = (node for tree in self.modules.values() for node in tree.body)
        left_out = _FunctionNode | ast.Import | ast.ImportFrom
        return _used_names(*(node for node in nodes if not isinstance(node, left_out)))

    def used_in(self, source: bytes) -> frozenset[str]:
        """Return the names that a source uses."""
        return _used_names(ast.parse(source))

    def reached(self, case: Case) -> frozenset[str]:
        """Return the names of the functions that may be called in a case, however often."""
        waiting, reached, uses = set(kind_of(case).entry_points(case, self)), set[str](), self.uses
        while waiting:
            name = waiting.pop()
            if name in uses and name not in reached:
                reached.add(name)
                waiting |= uses[name]
        return frozenset(reached)


def read_program(reference: Sequence[str], files: Mapping[str, bytes]) -> ReferenceProgram:
    """Read the program of a command and its imports from the same folder; empty for other languages."""
    waiting = [word for word in reference if PurePosixPath(word).suffix == ".py" and word in files]
    modules: dict[str, ast.Module] = {}
    while waiting:
        path = waiting.pop(0)
        with suppress(SyntaxError, ValueError):  # for another Python than ours, or broken: running it reports the error
            if path not in modules:
                modules[path] = ast.parse(files[path])
                beside = (PurePosixPath(path).with_name(f"{name}.py") for name in imported_modules(modules[path]))
                waiting += [sibling.as_posix() for sibling in beside if sibling.as_posix() in files]
    return ReferenceProgram(modules=modules)


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the modules that are imported, wherever in the source that is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import | ast.ImportFrom):  # `from . import x` has no module but its names
            yield from (alias.name for alias in node.names)


def _used_names(*nodes: ast.AST) -> frozenset[str]:
    """Return the names of variables, functions and attributes that are used in pieces of source."""
    parts = [part for node in nodes for part in ast.walk(node)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return frozenset(names | {part.attr for part in parts if isinstance(part, ast.Attribute)})


# ---------------------------------------------------------------- what can take the place of a node

_OPERATORS = read_data(Path(__file__).with_name("operators.yaml"))
_INSTEAD = {getattr(ast, name): [getattr(ast, swap) for swap in swaps.split()] for name, swaps in _OPERATORS.items()}
"""an operator -> those in its place"""

_Node = TypeVar("_Node", bound=ast.AST)


def _with(node: _Node, **fields: object) -> _Node:
    """Return a node like this one but for some of its fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _other_values(value: object) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1]
    return [value[:-1]] if value and isinstance(value, str | bytes) else []


def _changes_of(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the sort of each change of a node, in a word or two, and what takes its place."""
    match node:
        case ast.Compare(ops=ops):
            swaps = ((at, swap) for at, op in enumerate(ops) for swap in _INSTEAD[type(op)])
            yield from (("comparisons", _with(node, ops=[*ops[:at], swap(), *ops[at + 1 :]])) for at, swap in swaps)
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op):
            yield from (("operators", _with(node, op=swap())) for swap in _INSTEAD.get(type(op), ()))
        case ast.UnaryOp(op=op, operand=operand) if not isinstance(op, ast.UAdd):
            yield "operators", operand
        case ast.Constant(value=value):
            yield from (("constants", ast.Constant(value=swap)) for swap in _other_values(value))
        case ast.If(test=test) | ast.IfExp(test=test):
            yield "conditions", _with(node, test=ast.UnaryOp(op=ast.Not(), operand=test))
        case ast.Call(func=ast.Name(id="range"), args=[_, *_] as args):
            at = min(1, len(args) - 1)  # of the end
            for sign in (ast.Add(), ast.Sub()):
                end = ast.BinOp(left=args[at], op=sign, right=ast.Constant(value=1))
                yield "ends of ranges", _with(node, args=[*args[:at], end, *args[at + 1 :]])
        case ast.Return(value=value) if value is not None and ast.unparse(value) != "None":
            yield "returned values", ast.Return(value=None)
    # A line that gives a name its value is not left out: without it nothing would run at all.
    targets = [type(target) for target in getattr(node, "targets", ())]
    if isinstance(node, ast.Expr | ast.AugAssign | ast.Assign) and not {ast.Name, ast.Tuple}.intersection(targets):
        yield "lines left out", ast.Pass()


# ---------------------------------------------------------------- changes of the reference

_NOT_DONE = frozenset({"annotation", "returns", "decorator_list", "type_params", "ctx"})
"""fields of nodes that are no part of what a function does"""
_MAX_CODE_LENGTH = 60  # characters of each of the two pieces of code in a name


class SourceChange(NamedTuple):
    """The reference with one change: another node in the place of one."""

    name: str  # `queens.count: left | queen -> left & queen`, the same as long as this function stays as it is
    path: str  # of the file
    tree: ast.Module
    function: str  # the name of the function that is changed
    sort: str  # what is changed, in a word or two
    node: ast.AST
    replacement: ast.AST

    def source(self) -> bytes:
        """Return what the changed file holds."""
        return ast.unparse(ast.fix_missing_locations(_replace_node(self.tree, self.node, self.replacement))).encode()


def source_changes(program: ReferenceProgram, cases: Iterable[Case]) -> Iterator[SourceChange]:
    """Yield each change that can be made of what these cases reach."""
    reached = frozenset(name for case in cases for name in program.reached(case))
    seen = Counter[str]()
    for path, function in program.functions:
        for node, around, sort, swap in _replacements(function) if function.name in reached else ():
            name = f"{PurePosixPath(path).stem}.{function.name}: {_describe(node, swap, around)}"
            seen[name] += 1
            name = f"{name} ({seen[name]})" if seen[name] > 1 else name
            yield SourceChange(name, path, program.modules[path], function.name, sort, node, swap)


def _replacements(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, str, ast.AST]]:
    """Yield the nodes below one in source order, each with its parent, a sort of change and a replacement."""
    for name, value in ast.iter_fields(node):
        for inner in value if isinstance(value, list) else [value]:
            is_remark = isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant)
            if name not in _NOT_DONE and isinstance(inner, ast.AST) and not is_remark:
                yield from ((inner, node, sort, swap) for sort, swap in _changes_of(inner))
                yield from _replacements(inner)


def _replace_node(tree: _Node, node: ast.AST, swap: ast.AST) -> _Node:
    return deepcopy(tree, {id(node): swap})  # which takes `other` for the copy of `node`, made already


def _describe(node: ast.AST, swap: ast.AST, around: ast.AST) -> str:
    """Write a node and the other one on a line, long ones cut to where they differ.

    Of a branch it is only the condition, of a number also what is around it.
    """
    pair = ast.unparse(node), ast.unparse(swap)
    if isinstance(node, ast.Constant) and (
        isinstance(around, ast.JoinedStr) or not isinstance(node.value, str | bytes)
    ):
        pair = ast.unparse(around), ast.unparse(_replace_node(around, node, swap))
    elif isinstance(node, ast.If | ast.IfExp) and isinstance(swap, ast.If | ast.IfExp):
        pair = f"if {ast.unparse(node.test)}", f"if {ast.unparse(swap.test)}"
    codes = [re.sub(r"\s*\n\s*", " ", code) for code in pair]
    is_long = max(map(len, codes)) > _MAX_CODE_LENGTH
    start = max(0, common_length(*codes) - _MAX_CODE_LENGTH // 3) if is_long else 0
    end = start + _MAX_CODE_LENGTH
    return " -> ".join(f"{'…' if start else ''}{code[start:end]}{'…' if end < len(code) else ''}" for code in codes)


# ---------------------------------------------------------------- running them

_MIN_SECONDS, _TIMES = 2.0, 10  # seconds that a mutant may take, and how many times what the reference took
_MIN_OUTPUT = 2**20
_QUICK = 3  # how many times what the quickest case takes is still quick


def source_mutants(course: Course, most: int | None) -> tuple[list[Mutant], list[tuple[str, str]]]:
    """Return `most` of the source mutants, all with None, and of the others the names, each with its sort of change.

    Of each sort of change in each function some are chosen, always the same as long as the reference is: a marking in
    the spec changes nothing, and another function more or less leaves most of the choice.
    """
    changes = [*_changes_of_references(course)]
    chosen = _choose([change for change, _ in changes], len(changes) if most is None else most)
    mutants = [make(change) for at, (change, make) in enumerate(changes) if at in chosen]
    return mutants, [(change.name, change.sort) for at, (change, _) in enumerate(changes) if at not in chosen]


def _choose(changes: Sequence[SourceChange], most: int) -> set[int]:
    """Return the places of `most` of the changes: in turn one of each sort in each function, by digests."""
    turns = Counter[str]()
    ranked: list[tuple[int, str, int]] = []
    for _, at in sorted((_digest_of(change.name), at) for at, change in enumerate(changes)):
        group = _digest_of(repr((changes[at].path, changes[at].function, changes[at].sort)))
        ranked.append((turns[group], group, at))
        turns[group] += 1
    return {at for *_, at in sorted(ranked)[:most]}


def _digest_of(text: str) -> str:
    return content_digest(text.encode(errors="surrogatepass"))


def _changes_of_references(course: Course) -> Iterator[tuple[SourceChange, Callable[[SourceChange], Mutant]]]:
    """Yield the changes of each reference, with what makes a mutant of one."""
    # What is changed runs alone: a case that goes on with what others left would differ by that.
    independent = [case for test in course.spec.tests for case in test.cases if not test.earlier(case)]
    for name in ("", *course.spec.references):
        own = course.with_reference(name) if name else course
        files = own.built[""]
        if not isinstance(files, HostError) and own.spec.reference is not None:
            cases = [case for case in independent if (course.spec.reference_name(case) or "") == name]
            program = read_program(own.spec.reference, files)
            make = partial(_mutant, own, files, {case.id: program.reached(case) for case in cases})
            yield from ((change, make) for change in source_changes(program, cases))


def _mutant(
    course: Course, files: Mapping[str, bytes], reached: Mapping[str, frozenset[str]], change: SourceChange
) -> Mutant:
    """Return the mutant of a change of the only reference of a course, by the functions that each case reaches."""
    changed = {**files, change.path: change.source()}

    def apply(scene: Scene) -> Execution:
        right = scene.right
        if change.function not in reached.get(scene.case.id, ()):
            return right
        launch = run.runner.launch_reference(scene.case, course.context_of(scene.case))
        time, cpu = (max(_MIN_SECONDS, _TIMES * taken) for taken in (right.time, right.cpu))
        limits = Limits(time=time, cpu=cpu, output=max(_MIN_OUTPUT, 4 * len(right.stdout)))
        execution = course.measure(replace(launch, files={**launch.files, **changed}, limits=limits))
        return kind_of(scene.case).read_record(execution, scene.case, launch)

    return Mutant(
        name=change.name, about="a change of the reference's source", apply=apply, rule="source", sort=change.sort
    )


def most_telling_first(scenes: Sequence[Scene]) -> list[Scene]:
    """Return the scenes in which a change of the reference can be seen, the most telling first.

    That is what says much in little time: a wrong program mostly says something else in all of them.
    """
    seen = [scene for scene in scenes if scene.by_reference]
    times = {scene.case.id: scene.right.time - scene.right.waited for scene in seen}
    slow = _QUICK * min(times.values(), default=0.0)
    return sorted(seen, key=lambda scene: (max(0, times[scene.case.id] - slow), -len(scene.right.stdout)))
