"""What autograders for Gradescope in Python and in Java have in common: their files, and methods with points."""

import ast
import operator as arithmetic
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.build.staging import read_submission
from grader.core.build.tree import MIB, Refused, StagingLimits
from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.imports import check_name
from grader.imports.command_lines import with_python3_in_file

_LIMITS = StagingLimits(files=5_000, size=64 * MIB)
VISIBILITIES = {
    "": "visible",
    "visible": "visible",
    "hidden": "hidden",
    "after_due_date": "after-due",
    "after_published": "hidden",
}
SOLUTION_FOLDERS = ("solution", "solutions", "reference", "sample_solution")
_BEST_OF_SEVERAL = ("best", "full", "correct", "right", "good", "reference", "solution")
SUBMITTED_FILE = re.compile(r"(?:/autograder/)?submission/([\w+-][\w.+/-]*\.\w+)")
_ABSOLUTE = re.compile(rb"/autograder/(?:source|submission)(?=[/'\"])")
_NAMED_PLACES = "/autograder/source and /autograder/submission"
_MAX_WEIGHT = 1e6
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], float]] = {
    ast.Add: arithmetic.add,
    ast.Sub: arithmetic.sub,
    ast.Mult: arithmetic.mul,
    ast.Div: arithmetic.truediv,
}
_ADAPTED = "python3 is written for python, which Debian does not have"


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedMethod:
    """A method of a test file, and what its decorators say."""

    file: str
    name: str
    """with its class"""
    title: str
    said: Mapping[str, object]
    """decorator -> its first argument; None where that is no literal"""
    scores: tuple[float, ...] = ()
    """what it sets by `set_score`, as far as that is written out"""
    compiles: bool = False
    """whether it starts a compiler, so that the other methods of its class may need what it makes"""

    @property
    def points(self) -> float | None:
        """What it is worth; None when nothing says that."""
        value = self.said.get("partial_credit", self.said.get("weight"))
        return float(value) if isinstance(value, int | float) and abs(value) < _MAX_WEIGHT else None


@dataclass(slots=True, kw_only=True)
class Autograder:
    """An autograder that is converted, with what is carried over of it so far."""

    id: str
    files: Mapping[str, bytes]
    """those of the autograder, by their paths"""
    carried: dict[str, bytes] = field(default_factory=dict)
    """path below the course root -> content"""
    notes: list[str] = field(default_factory=list)

    def place(self, name: str, folder: str) -> str:
        """Carry a file over; return its path below the course root."""
        check_name(name)
        path = f"{folder}/{self.id}/{name}"
        content = self.files[name]
        if name.endswith(".py") and (here := _ABSOLUTE.sub(b".", content)) != content:
            content = here
            if not any(note.startswith(_NAMED_PLACES) for note in self.notes):
                self.notes.append(f"{_NAMED_PLACES} are written as the working folder, in {name} and maybe others.")
        self.carried[path] = with_python3_in_file(name, content)
        if self.carried[path] != self.files[name] and not any(note.startswith(_ADAPTED) for note in self.notes):
            self.notes.append(f"{_ADAPTED}, in {name} and maybe others.")
        return path


def read_autograder(path: Path) -> dict[str, bytes]:
    """Return the files of an autograder, from the folder of its `run_autograder`. Raises UsageError."""
    if not path.exists():
        raise UsageError(f"{path}: No such file; name the zip of an autograder, or its folder")
    try:
        tree = read_submission(path.resolve(), _LIMITS)
    except Refused as refused:
        raise UsageError(f"{path}: {refused.fact.replace('submission', 'autograder')}") from refused
    files = {name: tree.files[name].content for name in sorted(tree.files)}
    base = next((PurePosixPath(one).parent for one in files if PurePosixPath(one).name == "run_autograder"), None)
    start = "" if base is None or str(base) == "." else f"{base}/"
    return {name.removeprefix(start): content for name, content in files.items() if name.startswith(start)}


def with_plain_weights(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with numbers in `@weight` and `@partial_credit` for constants of the course and sums of them."""
    constants: dict[str, float] = {}
    trees: dict[str, ast.Module] = {}
    for name in (one for one in files if one.endswith(".py")):
        try:
            trees[name] = ast.parse(files[name])
        except (SyntaxError, ValueError, RecursionError):
            continue
    # Modules that import nothing state the constants of others, so they come first.
    for tree in sorted(trees.values(), key=lambda one: any(isinstance(node, ast.ImportFrom) for node in one.body)):
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
                value = _number(node.value, constants)
                if value is not None:
                    constants.setdefault(target.id, value)
    return {**files, **{name: _with_numbers(files[name], tree, constants) for name, tree in trees.items()}}


def _with_numbers(source: bytes, tree: ast.Module, constants: Mapping[str, float]) -> bytes:
    calls = [
        one
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for one in node.decorator_list
        if isinstance(one, ast.Call) and ast.unparse(one.func).rpartition(".")[2] in {"weight", "partial_credit"}
    ]
    lines = source.splitlines(keepends=True)
    for argument in (call.args[0] for call in calls if call.args and not isinstance(call.args[0], ast.Constant)):
        value = _number(argument, constants)
        if value is not None and argument.end_lineno == argument.lineno:
            line = lines[argument.lineno - 1]
            number = f"{value:.6f}".rstrip("0").rstrip(".").encode()
            lines[argument.lineno - 1] = line[: argument.col_offset] + number + line[argument.end_col_offset :]
    return b"".join(lines)


def _number(node: ast.expr, constants: Mapping[str, float]) -> float | None:
    """Return the value of an expression of numbers and constants; None for any other."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return constants.get(name)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            positive = _number(inner, constants)
            return None if positive is None else -positive
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            one, other = _number(left, constants), _number(right, constants)
            is_known = one is not None and other is not None and not (isinstance(operator, ast.Div) and other == 0)
            return _OPERATORS[type(operator)](one, other) if is_known else None
    return None


def solution_files(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return the files of the solution in the autograder, by their names in its folder; of several the best."""
    for folder in SOLUTION_FOLDERS:
        inside = {
            name.removeprefix(f"{folder}/"): text for name, text in files.items() if name.startswith(f"{folder}/")
        }
        best = next((one for one in _BEST_OF_SEVERAL if any(name.startswith(f"{one}/") for name in inside)), None)
        if best:
            return {name.removeprefix(f"{best}/"): text for name, text in inside.items() if name.startswith(f"{best}/")}
        if any("/" not in name for name in inside):
            return inside
    return {}


def titled_methods(methods: Sequence[GradedMethod]) -> Iterator[tuple[GradedMethod, str]]:
    """Yield the methods in the order of their numbers, each with a title of its own."""
    ordered = sorted(
        methods,
        key=lambda one: [
            int(part) if re.fullmatch("[0-9]{1,9}", part) else 0 for part in str(one.said.get("number", "")).split(".")
        ],
    )
    if not all("number" in method.said for method in methods):
        ordered = list(methods)
    seen: set[str] = set()
    for method in ordered:
        number = f"{method.said['number']}) " if method.said.get("number") is not None else ""
        title = f"{number}{method.title or method.name}"
        title = title if title not in seen else f"{title} ({method.name})"
        seen.add(title)
        yield method, title


def points_off(method: GradedMethod) -> float:
    """Return what a method takes off by a score below 0, the largest; 0 for one that has points."""
    return max((-score for score in method.scores if score < 0), default=0.0) if not method.points else 0.0


def points_of(method: GradedMethod, methods: Sequence[GradedMethod]) -> float:
    """Return what a method is worth: 1 where no method has points."""
    if all(one.points is None for one in methods):
        return 1
    return max(method.points or 0, 0)


def notes_on_scripts(files: Mapping[str, bytes], unread: Sequence[str] | None = None) -> Iterator[str]:
    """Yield what the scripts of an autograder do that is not done here; `unread` are commands of run_autograder."""
    for name in ("setup.sh", "run_autograder"):
        for line in files.get(name, b"").decode(errors="replace").splitlines():
            if re.search(r"\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b", line):
                yield f"Not run, so install it on the machine that grades: {one_line(line.strip(), 200)}"
            elif (
                unread is None and name == "run_autograder" and not re.match(r"\s*(?:#|cp |cd |mkdir |python|$)", line)
            ):
                yield f"A line of run_autograder is not run: {one_line(line.strip(), 200)}"
    for command in unread or ():
        yield f"A line of run_autograder is not run: {one_line(command, 200)}"
    packages = [line.strip() for line in files.get("requirements.txt", b"").decode(errors="replace").splitlines()]
    wanted = [one for one in packages if one and not one.startswith(("#", "gradescope"))]
    if wanted:
        yield f"Packages that the tests may need on the machine that grades: {one_line(', '.join(wanted), 300)}"
    if b"post_processor" in files.get("run_tests.py", b""):
        yield "post_processor changes all results there; nothing does here: see late-work for penalties."


def notes_on_methods(methods: Sequence[GradedMethod]) -> Iterator[str]:
    """Yield what methods ask for that is otherwise here."""

    def named(key: str, value: object = None) -> str:
        return ", ".join(one.name for one in methods if key in one.said and value in {None, str(one.said[key])})

    if all(method.points is None for method in methods):
        yield "No test has a weight there: each has one point here."
    if found := named("visibility", "after_published"):
        yield f"after_published is hidden here: {found}."
    if found := named("hide_errors"):
        yield f"hide_errors: a student reads what was found and expected, unless the test is hidden: {found}."
    yield from _notes_on_scores(methods)
    if found := named("tags"):
        yield f"tags are not carried over: {found}."


def _notes_on_scores(methods: Sequence[GradedMethod]) -> Iterator[str]:
    """Yield which methods set scores for themselves that give other points here."""
    without = {one.name for one in methods if "partial_credit" in one.said and one.points == 0 and not points_off(one)}
    told = {
        "takes all of them off here where it sets less than 0, and else none": {
            one.name for one in methods if points_off(one)
        },
        "counts nothing here, as no score below 0 is written out": without,
        "has all of its points here where it sets more": {
            one.name for one in methods if one.points and any(score > one.points for score in one.scores)
        },
        "has none of its points here where it sets less than 0, and takes nothing off": {
            one.name for one in methods if one.points and any(score < 0 for score in one.scores)
        },
    }
    yield from (f"set_score: {name} {what}." for what, names in told.items() for name in sorted(names))
