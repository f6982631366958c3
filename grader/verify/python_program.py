"""A reference that is written in Python: its modules, its functions, and which of them a case can reach.

A function is reached when its name is used by what is reached: a name may be that of another thing, so what is told to
be out of reach certainly is, and more may be. Functions inside others are parts of them.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from grader.model import Case

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A file of the reference."""

    path: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The name under which it is imported."""
        return PurePosixPath(self.path).stem


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The reference's modules, as far as they are imported, and their functions."""

    functions: tuple[tuple[Module, Function], ...]
    uses: Mapping[str, frozenset[str]]
    """a function's name -> the names that are used in it"""
    top: frozenset[str]
    """the names that are used when the modules are run"""

    def reached(self, case: Case) -> frozenset[str]:
        """Return the names of the functions that may be called in a case, however often."""
        waiting = set(self.top)
        if case.functions:
            called = {_plain(call.signature.name) for call in case.functions.calls}
            waiting = {name for name in self.uses if _plain(name) in called}
        found: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in self.uses and name not in found:
                found.add(name)
                waiting |= self.uses[name]
        return frozenset(found)


def read_program(reference: Sequence[str], files: Mapping[str, bytes]) -> Program:
    """Read what a command starts, with all that it imports from beside it; in another language there is nothing."""
    modules = _modules(reference, files)
    functions = [(module, function) for module in modules for function in _functions(module.tree)]
    return Program(
        functions=tuple(functions),
        uses={function.name: frozenset(_names(function)) for _, function in functions},
        top=frozenset(name for module in modules for node in _run(module.tree) for name in _names(node)),
    )


def _modules(reference: Sequence[str], files: Mapping[str, bytes]) -> list[Module]:
    waiting = [word for word in reference if PurePosixPath(word).suffix == ".py" and word in files]
    found: dict[str, Module] = {}
    while waiting:
        path = waiting.pop(0)
        if path in found:
            continue
        try:
            module = Module(path=path, tree=ast.parse(files[path]))
        except (SyntaxError, ValueError):
            continue  # for another Python than ours, or broken: whoever runs it will tell
        found[path] = module
        beside = (PurePosixPath(path).with_name(f"{name}.py").as_posix() for name in _imported(module.tree))
        waiting += [other for other in beside if other in files]
    return list(found.values())


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _functions(tree: ast.Module) -> Iterator[Function]:
    """Yield the functions of a module and of its classes."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from (inner for inner in node.body if isinstance(inner, Function))


def _run(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield what a module does by itself."""
    for node in tree.body:
        if not isinstance(node, Function | ast.Import | ast.ImportFrom):
            yield node


def _names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def _plain(name: str) -> str:
    """Return a name however it may be spelt: `place_queen` stands for `placeQueen`."""
    return name.replace("_", "").lower()
