"""An autograder for Gradescope in Python (`unittest` with `gradescope_utils`) -> a spec.

Each method is a test of its own there, with a title, points and a visibility; so it is here. What
`run_autograder` copies out of the submission is what students hand in; all other files are the course's.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from grader.core.build import Refused
from grader.core.build.staging import read_submission
from grader.core.build.tree import MIB, StagingLimits
from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, table
from grader.imports import Imported, check_name, identifier, text_or_word
from grader.kinds.unit_tests.reader import unit_methods

_LIMITS = StagingLimits(files=5_000, size=64 * MIB)
_VISIBILITY = {
    "": "visible",
    "visible": "visible",
    "hidden": "hidden",
    "after_due_date": "after-due",
    "after_published": "hidden",
}
_SOLUTIONS = ("solution", "solutions", "reference", "sample_solution")
_MACHINERY = re.compile(
    r"(?:setup\.sh|run_autograder|run_tests\.py|requirements\.txt|Pipfile.*|make_autograder\.sh|.*\.(?:zip|md|lock|json)|apt\.sh)"
)
_SUBMITTED = re.compile(r"(?:/autograder/)?submission/([\w+-][\w.+/-]*\.\w+)")
_MAX_COURSE_FILES = 100
_MAX_WEIGHT = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedMethod:
    """A method of a test file, and what its decorators say."""

    file: str
    name: str
    """with its class"""
    title: str
    said: Mapping[str, object]
    """decorator -> its first argument; None where that is no literal"""

    @property
    def points(self) -> float | None:
        """What it is worth; None when nothing says that."""
        value = self.said.get("partial_credit", self.said.get("weight"))
        return float(value) if isinstance(value, int | float) and abs(value) < _MAX_WEIGHT else None


@dataclass(slots=True, kw_only=True)
class _Assignment:
    id: str
    files: Mapping[str, bytes]
    """those of the autograder, by their paths"""
    carried: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def place(self, name: str, folder: str) -> str:
        """Carry a file over; return its path below the course root."""
        check_name(name)
        path = f"{folder}/{self.id}/{name}"
        self.carried[path] = self.files[name]
        return path


def import_gradescope(path: Path, name: str | None = None) -> Imported:
    """Convert an autograder, a zip or its folder; UsageError for one that is not in Python, or not made by hand."""
    made = _Assignment(id=identifier(name, path.resolve().stem), files=_read_autograder(path))
    _refuse_others(made.files, path)
    methods = list(_find_methods(made))
    if not methods:
        raise UsageError(
            f"{path} has no tests for unittest, such as tests/test_simple.py; nothing else can be carried over"
        )
    handed_in = _handed_in(made, methods)
    nodes = [_test_node(method, title, made, methods) for method, title in _titled(methods)]
    keys: dict[str, Node] = {
        "spec": plain("1"),
        "id": plain(made.id),
        "title": text_or_word(made.id),
        "language": plain("python"),
        "files": table({"required": listing(map(text_or_word, handed_in))}),
        "program": listing(map(text_or_word, ("python3", handed_in[0]))),
    }
    _carry_solution(made, handed_in, sum(_points_of(method, methods) for method in methods))
    keys["defaults"] = table({"files": table(_course_files(made, handed_in))})
    made.notes += [*_notes_on_scripts(made.files), *_notes_on_methods(methods)]
    return Imported(
        id=made.id,
        spec={**keys, "tests": listing(nodes)},
        files=made.carried,
        origin="an autograder of Gradescope",
        notes=made.notes,
    )


def _read_autograder(path: Path) -> dict[str, bytes]:
    if not path.exists():
        raise UsageError(f"{path}: No such file; name the zip of an autograder, or its folder")
    try:
        tree = read_submission(path.resolve(), _LIMITS)
    except Refused as refused:
        raise UsageError(f"{path}: {str(refused).replace('submission', 'autograder')}") from refused
    files = {name: tree.files[name].content for name in sorted(tree.files)}
    base = next((PurePosixPath(one).parent for one in files if PurePosixPath(one).name == "run_autograder"), None)
    start = "" if base is None or str(base) == "." else f"{base}/"
    return {name.removeprefix(start): content for name, content in files.items() if name.startswith(start)}


def _refuse_others(files: Mapping[str, bytes], path: Path) -> None:
    """Raise UsageError for an autograder of another kind, with its name."""
    scripts = b"".join(files.get(name, b"") for name in ("run_autograder", "setup.sh", "run_otter.py"))
    if "otter_config.json" in files or "run_otter.py" in files or b"otter" in scripts:
        raise UsageError(f"{path} was made by otter: import the notebook and its tests instead, by grader import otter")
    if any(name.endswith(".java") for name in files) and not any(name.endswith(".py") for name in files):
        raise UsageError(
            f"{path} is an autograder in Java: name its test under unit: {{junit: ...}}, without "
            "@GradedTest, whose max_score are the points"
        )
    if not {"run_autograder", "run_tests.py", "setup.sh"} & set(files):
        raise UsageError(f"{path} is no autograder of Gradescope: it has no run_autograder, setup.sh or run_tests.py")


# ---------------------------------------------------------------- the methods


def _find_methods(made: _Assignment) -> Iterator[GradedMethod]:
    for file, source in made.files.items():
        pure = PurePosixPath(file)
        if not (pure.name.startswith("test") and pure.suffix == ".py") or pure.parts[0] in _SOLUTIONS:
            continue
        try:
            names = unit_methods(source, "unittest")
            nodes = dict(_nodes_of(ast.parse(source)))
        except (SyntaxError, ValueError, RecursionError) as error:
            made.notes.append(f"{file} is left out, for it cannot be read: {one_line(str(error))}")
            continue
        if not names:
            made.notes.append(f"{file} is left out, for it has no class of unittest with tests.")
        for name in names:
            node = nodes.get(name)
            said = _decorators(node) if node else {}
            if "leaderboard" in said:
                made.notes.append(
                    f"{name}: left out, for it fills the leaderboard {said['leaderboard']!s}, not a score."
                )
            else:
                doc = (ast.get_docstring(node) if node else None) or ""
                yield GradedMethod(file=file, name=name, title=one_line(doc.strip().split("\n")[0].strip()), said=said)


def _nodes_of(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{node.name}.{inner.name}", inner  # type: ignore[attr-defined]


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, object]:
    """Return the decorators of a method that are called, with their first argument."""
    said: dict[str, object] = {}
    for call in (one for one in node.decorator_list if isinstance(one, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        first = call.args[0] if call.args else next((word.value for word in call.keywords), None)
        try:
            said[name] = ast.literal_eval(first) if first is not None else None
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            said[name] = None
    return said


def _titled(methods: Sequence[GradedMethod]) -> Iterator[tuple[GradedMethod, str]]:
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


def _test_node(method: GradedMethod, title: str, made: _Assignment, methods: Sequence[GradedMethod]) -> Node:
    if (method.points or 0) < 0:
        made.notes.append(f"{method.name}: its weight is {method.points:g}; here it is 0.")
    keys: dict[str, Node] = {"name": text_or_word(title), "points": plain(f"{_points_of(method, methods):g}")}
    visibility = _VISIBILITY.get(str(method.said.get("visibility") or _visibility_of_all(made.files)), "hidden")
    if visibility != "visible":
        keys["visibility"] = plain(visibility)
    unit: dict[str, Node] = {
        "unittest": text_or_word(made.place(method.file, "tests")),
        "only": listing([text_or_word(method.name)]),
    }
    if not method.points:  # by its decorators, it would count nothing in its own test
        unit["weights"] = table({method.name: plain("1")})
    keys["unit"] = table(unit)
    return table(keys)


def _points_of(method: GradedMethod, methods: Sequence[GradedMethod]) -> float:
    if all(one.points is None for one in methods):
        return 1
    return max(method.points or 0, 0)


def _visibility_of_all(files: Mapping[str, bytes]) -> str:
    """Return what the runner of the tests says for all of them."""
    found = re.search(rb"JSONTestRunner\([^)]*\bvisibility\s*=\s*['\"](\w+)", files.get("run_tests.py", b""))
    return found[1].decode() if found else ""


# ---------------------------------------------------------------- the files


def _handed_in(made: _Assignment, methods: Sequence[GradedMethod]) -> list[str]:
    """Return what students hand in: what `run_autograder` copies, else what the tests import and the course has not."""
    script = made.files.get("run_autograder", b"").decode(errors="replace")
    found = [name for name in dict.fromkeys(_SUBMITTED.findall(script)) if ".." not in name.split("/")]
    if not found:
        for file in dict.fromkeys(method.file for method in methods):
            for node in ast.walk(ast.parse(made.files[file])):
                names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
                found += [
                    f"{name}.py"
                    for name in (one.split(".")[0] for one in names)
                    if name not in sys.stdlib_module_names
                    and name not in {"gradescope_utils", "pytest"}
                    and f"{name}.py" not in made.files
                    and f"tests/{name}.py" not in made.files
                ]
    if not found:
        made.notes.append("What students hand in is not said: submission.py is a guess; see files and program.")
    return list(dict.fromkeys(found)) or ["submission.py"]


def _course_files(made: _Assignment, handed_in: Sequence[str]) -> dict[str, Node]:
    """Carry over what the tests may read or import; return it as `files` of every case."""
    names: dict[str, str] = {}
    tested = {path.removeprefix(f"tests/{made.id}/") for path in made.carried if path.startswith("tests/")}
    top = {PurePosixPath(name).name for name in handed_in}
    for name in made.files:
        parts = PurePosixPath(name).parts
        is_course = not (_MACHINERY.fullmatch(parts[-1]) and len(parts) == 1) and parts[0] not in _SOLUTIONS
        if not is_course or name in tested or parts[-1] in top or parts[0].startswith(("incorrect", "incomplete")):
            continue
        if len(names) >= _MAX_COURSE_FILES:
            made.notes.append(
                f"Only {_MAX_COURSE_FILES} files of the course are carried over; {name} and others are not."
            )
            break
        try:
            names[name] = made.place(name, "data")
        except UsageError as error:
            made.notes.append(f"Left out: {one_line(str(error))}")
        if len(parts) > 1 and parts[0] == "tests" and name.endswith(".py") and len(parts) == 2:  # noqa: PLR2004
            names[parts[-1]] = names[name]
    return {name: table({"file": text_or_word(path)}) for name, path in names.items()}


def _carry_solution(made: _Assignment, handed_in: Sequence[str], most: float) -> None:
    """Carry over a solution that lies in the folder as a sample that has full marks."""
    for folder in _SOLUTIONS:
        if all(f"{folder}/{name}" in made.files for name in handed_in):
            place = f"sample_submissions/{made.id}"
            made.carried |= {f"{place}/{folder}/{name}": made.files[f"{folder}/{name}"] for name in handed_in}
            stated = table(
                {folder: table({"score": plain(f"{most:g}"), "about": text_or_word("the course's solution")})}
            )
            made.carried[f"{place}/expected.yaml"] = dump(stated, open_levels=1).encode()
            return
    made.notes.append("There is no solution: add one to sample_submissions, so that grader verify can try the tests.")


# ---------------------------------------------------------------- notes


def _notes_on_scripts(files: Mapping[str, bytes]) -> Iterator[str]:
    for name in ("setup.sh", "run_autograder"):
        for line in files.get(name, b"").decode(errors="replace").splitlines():
            if re.search(r"\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b", line):
                yield f"Not run, so install it on the machine that grades: {one_line(line.strip(), 200)}"
            elif name == "run_autograder" and not re.match(r"\s*(?:#|cp |cd |mkdir |python|$)", line):
                yield f"A line of run_autograder is not run: {one_line(line.strip(), 200)}"
    packages = [line.strip() for line in files.get("requirements.txt", b"").decode(errors="replace").splitlines()]
    wanted = [one for one in packages if one and not one.startswith(("#", "gradescope"))]
    if wanted:
        yield f"Packages that the tests may need on the machine that grades: {one_line(', '.join(wanted), 300)}"
    if b"post_processor" in files.get("run_tests.py", b""):
        yield "post_processor changes all results there; nothing does here: see late-work for penalties."


def _notes_on_methods(methods: Sequence[GradedMethod]) -> Iterator[str]:
    def named(key: str, value: object = None) -> str:
        return ", ".join(one.name for one in methods if key in one.said and value in {None, str(one.said[key])})

    if all(method.points is None for method in methods):
        yield "No test has a weight there: each has one point here."
    if found := named("visibility", "after_published"):
        yield f"after_published is hidden here: {found}."
    if found := named("hide_errors"):
        yield f"hide_errors: a student reads what was found and expected, unless the test is hidden: {found}."
    if found := named("tags"):
        yield f"tags are not carried over: {found}."
