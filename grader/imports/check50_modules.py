"""The file with the checks of a problem of check50, and those of other problems that it takes by `import_checks`.

What `from less import *` brings are checks of this problem too, as there; what only stands under `less.` is a helper.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports.check50_values import MODULE, CheckNames, UnreadCheckError, dotted, value_of
from grader.imports.folder import Folder, read_folder

_MAX_NODES = 60_000
_MAX_DEPTH = 8
"""of problems that take the checks of others"""
_CONFIGURATIONS = (".cs50.yml", ".cs50.yaml")
_CHECKS = "__init__.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFunction:
    """A function of the checks, with the text in which it stands."""

    node: ast.FunctionDef
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckModule:
    """A file with checks: its functions in order, also those that it took from others, and what its names mean."""

    functions: Mapping[str, CheckFunction]
    twice: tuple[str, ...]
    """names that several functions have"""
    scope: CheckNames


def load_check_module(folder: Folder, name: str, depth: int = 0) -> CheckModule:
    """Read a file with checks, and the files of which it takes checks; UsageError when there is no such file."""
    text = folder.text(name)
    tree = _parsed(text, f"{folder.path / name}")
    functions: dict[str, CheckFunction] = {}
    twice: list[str] = []
    others: dict[str, CheckModule] = {}
    for node in tree.body:
        if (path := _imported_path(node)) is not None:
            other = _load_other(folder, path, depth)
            others[path.rstrip("/").rpartition("/")[2]] = other
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                others[node.targets[0].id] = other
        elif isinstance(node, ast.ImportFrom) and node.module in others:
            taken = others[node.module].functions
            names = [one.name for one in node.names]
            functions |= {one: taken[one] for one in taken if ("*" in names or one in names) and "." not in one}
        elif isinstance(node, ast.FunctionDef):
            twice += [node.name] if node.name in functions else []
            functions.pop(node.name, None)
            functions[node.name] = CheckFunction(node=node, text=text)
    return CheckModule(functions=functions, twice=tuple(twice), scope=_scope_of(tree, folder, functions, others))


def _parsed(text: str, path: str) -> ast.Module:
    try:
        tree = ast.parse(text)
        size = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path} is not Python: {one_line(str(error))}") from error
    if size > _MAX_NODES:
        raise UsageError(f"{path} is too long to be read: {size} nodes, at most {_MAX_NODES}")
    bases = [base for node in tree.body if isinstance(node, ast.ClassDef) for base in node.bases]
    if any("Checks" in ast.unparse(base) for base in bases):
        raise UsageError(f"{path} is in the form of check50 before version 3 (class ...(Checks)); bring it up to date")
    return tree


def _imported_path(node: ast.stmt) -> str | None:
    """Return the path of `import_checks(...)`, as a statement or the value of a name."""
    call = node.value if isinstance(node, ast.Assign | ast.Expr) else None
    if not isinstance(call, ast.Call) or not ast.unparse(call.func).endswith("import_checks"):
        return None
    path = call.args[0] if call.args else None
    return path.value if isinstance(path, ast.Constant) and isinstance(path.value, str) else ""


def _load_other(folder: Folder, path: str, depth: int) -> CheckModule:
    place = folder.path / path
    if not path or path.startswith("/") or depth >= _MAX_DEPTH:
        raise UsageError(f"{folder.path} takes the checks of another problem (import_checks) that cannot be followed")
    wanted = next((one for one in _CONFIGURATIONS if (place / one).is_file()), None)
    if wanted is None and not (place / _CHECKS).is_file():
        raise UsageError(
            f"{folder.path} takes the checks of {one_line(path)} (import_checks): put that folder there, too"
        )
    other = read_folder(place, wanted or _CHECKS)
    if _CHECKS not in other.files:
        raise UsageError(f"{place} has its checks in another file than {_CHECKS}: copy them into {folder.path}")
    return load_check_module(other, _CHECKS, depth + 1)


def _scope_of(
    tree: ast.Module, folder: Folder, functions: Mapping[str, CheckFunction], others: Mapping[str, CheckModule]
) -> CheckNames:
    """Return what the names mean at the end of the file; of other files under `less.` and, where free, as they are."""
    known_functions: dict[str, ast.FunctionDef] = {}
    names: dict[str, Any] = {}
    for alias, other in others.items():
        known_functions |= {**other.scope.functions}
        known_functions |= {f"{alias}.{name}": one.node for name, one in other.functions.items()}
        names |= {**other.scope.names, **{f"{alias}.{name}": value for name, value in other.scope.names.items()}}
    known_functions |= {name: one.node for name, one in functions.items()}
    imported: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            imported |= {one.asname: one.name for one in node.names if one.asname}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module not in others:
            imported |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    ours = ("check", "run", "exists", "include", "hidden", "hash", "EOF", "Failure", "Mismatch", "Missing", "c", "py")
    free = [name for name in ours if name not in imported and name not in known_functions and name not in others]
    imported |= {name: f"{MODULE}{name}" for name in free}
    scope = CheckNames(folder=folder, imported=imported, functions=known_functions)
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            try:
                names[node.targets[0].id] = value_of(node.value, replace(scope, names=names))
            except (UnreadCheckError, RecursionError):
                names.pop(node.targets[0].id, None)
    return replace(scope, names=names)


def is_check(function: ast.FunctionDef, scope: CheckNames) -> bool:
    """Whether a function is decorated as a check."""
    calls = [one for one in function.decorator_list if isinstance(one, ast.Call)]
    return any(dotted(one.func, scope) == f"{MODULE}check" for one in calls)
