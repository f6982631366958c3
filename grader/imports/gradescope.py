"""An autograder for Gradescope in Python (`unittest` with `gradescope_utils`) or Java -> a spec.

Each method is a test of its own there, with a title, points and a visibility; so it is here. What
`run_autograder` copies out of the submission is what students hand in; all other files are the course's.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import listing, plain, table
from grader.imports import Imported, first_keys, identifier, text_or_word
from grader.imports.gradescope_java import import_gradescope_java
from grader.imports.gradescope_parts import (
    SOLUTION_FOLDERS,
    SUBMITTED_FILE,
    VISIBILITIES,
    Autograder,
    GradedMethod,
    notes_on_methods,
    notes_on_scripts,
    points_of,
    read_autograder,
    titled_methods,
)
from grader.kinds.unit_tests.reader import case_label, unit_methods

_MACHINERY = re.compile(
    r"(?:setup\.sh|run_autograder|run_tests\.py|requirements\.txt|Pipfile.*|make_autograder\.sh|.*\.(?:zip|md|lock|json)|apt\.sh)"
)
_MAX_COURSE_FILES = 100


def import_gradescope(path: Path, name: str | None = None) -> Imported:
    """Convert an autograder, a zip or its folder; UsageError for one that is not made by hand."""
    made = Autograder(id=identifier(name, path.resolve().stem), files=read_autograder(path))
    _refuse_others(made.files, path)
    if any(name.endswith(".java") for name in made.files) and not list(_test_files(made.files)):
        return import_gradescope_java(made, path)
    methods = list(_find_methods(made))
    if not methods:
        raise UsageError(
            f"{path} has no tests for unittest, such as tests/test_simple.py; nothing else can be carried over"
        )
    handed_in = _handed_in(made, methods)
    nodes = [_test_node(method, title, made, methods) for method, title in titled_methods(methods)]
    keys = {
        **first_keys(made.id, "python", required=handed_in),
        "program": listing(map(text_or_word, ("python3", handed_in[0]))),
    }
    _carry_solution(made, handed_in, sum(points_of(method, methods) for method in methods))
    keys["defaults"] = table({"files": table(_course_files(made, handed_in))})
    made.notes += [*notes_on_scripts(made.files), *notes_on_methods(methods)]
    return Imported(
        id=made.id,
        spec={**keys, "tests": listing(nodes)},
        files=made.carried,
        origin="an autograder of Gradescope",
        notes=made.notes,
    )


def _refuse_others(files: Mapping[str, bytes], path: Path) -> None:
    """Raise UsageError for an autograder of another kind, with its name."""
    scripts = b"".join(files.get(name, b"") for name in ("run_autograder", "setup.sh", "run_otter.py"))
    if "otter_config.json" in files or "run_otter.py" in files or b"otter" in scripts:
        raise UsageError(f"{path} was made by otter: use grader import otter with the same path")
    if not {"run_autograder", "run_tests.py", "setup.sh"} & set(files):
        raise UsageError(f"{path} is no autograder of Gradescope: it has no run_autograder, setup.sh or run_tests.py")


# ---------------------------------------------------------------- the methods


def _test_files(files: Mapping[str, bytes]) -> Iterator[str]:
    for file in files:
        pure = PurePosixPath(file)
        if pure.name.startswith("test") and pure.suffix == ".py" and pure.parts[0] not in SOLUTION_FOLDERS:
            yield file


def _find_methods(made: Autograder) -> Iterator[GradedMethod]:
    for file in _test_files(made.files):
        source = made.files[file]
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


def _test_node(method: GradedMethod, title: str, made: Autograder, methods: Sequence[GradedMethod]) -> Node:
    if (method.points or 0) < 0:
        made.notes.append(f"{method.name}: its weight is {method.points:g}; here it is 0.")
    keys: dict[str, Node] = {"name": text_or_word(title), "points": plain(f"{points_of(method, methods):g}")}
    visibility = VISIBILITIES.get(str(method.said.get("visibility") or _visibility_of_all(made.files)), "hidden")
    if visibility != "visible":
        keys["visibility"] = plain(visibility)
    label = case_label(method.name, method.file)
    unit: dict[str, Node] = {
        "unittest": text_or_word(made.place(method.file, "tests")),
        "only": listing([text_or_word(label)]),
    }
    if not method.points:  # by its decorators, it would count nothing in its own test
        unit["weights"] = table({label: plain("1")})
    keys["unit"] = table(unit)
    return table(keys)


def _visibility_of_all(files: Mapping[str, bytes]) -> str:
    """Return what the runner of the tests says for all of them."""
    found = re.search(rb"JSONTestRunner\([^)]*\bvisibility\s*=\s*['\"](\w+)", files.get("run_tests.py", b""))
    return found[1].decode() if found else ""


# ---------------------------------------------------------------- the files


def _handed_in(made: Autograder, methods: Sequence[GradedMethod]) -> list[str]:
    """Return what students hand in: what `run_autograder` copies, else what the tests import and the course has not."""
    script = made.files.get("run_autograder", b"").decode(errors="replace")
    found = [name for name in dict.fromkeys(SUBMITTED_FILE.findall(script)) if ".." not in name.split("/")]
    if not found:
        for file in dict.fromkeys(method.file for method in methods):
            for node in ast.walk(ast.parse(made.files[file])):
                names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
                found += [
                    f"{name}.py"
                    for name in (_module_below(one, made.files) for one in names)
                    if name not in sys.stdlib_module_names
                    and name not in {"gradescope_utils", "pytest"}
                    and (f"{name}.py" not in made.files or "/" in name)
                    and f"tests/{name}.py" not in made.files
                ]
    if not found:
        made.notes.append("What students hand in is not said: submission.py is a guess; see files and program.")
    return list(dict.fromkeys(found)) or ["submission.py"]


def _module_below(name: str, files: Mapping[str, bytes]) -> str:
    """Return the module that an import means: one of the course's solution where that is a package, else the first."""
    first, _, rest = name.partition(".")
    place = name.replace(".", "/")
    return place if rest and first in SOLUTION_FOLDERS and f"{place}.py" in files else first


def _course_files(made: Autograder, handed_in: Sequence[str]) -> dict[str, Node]:
    """Carry over what the tests may read or import; return it as `files` of every case."""
    names: dict[str, str] = {}
    tested = {path.removeprefix(f"tests/{made.id}/") for path in made.carried if path.startswith("tests/")}
    top = {PurePosixPath(name).name for name in handed_in}
    for name in made.files:
        parts = PurePosixPath(name).parts
        is_course = not (_MACHINERY.fullmatch(parts[-1]) and len(parts) == 1) and parts[0] not in SOLUTION_FOLDERS
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


def _carry_solution(made: Autograder, handed_in: Sequence[str], most: float) -> None:
    """Carry over a solution that lies in the folder as a sample that has full marks."""
    for folder in SOLUTION_FOLDERS:
        inside = {name: f"{folder}/{name.removeprefix(f'{folder}/')}" for name in handed_in}
        if all(source in made.files for source in inside.values()):
            place = f"sample_submissions/{made.id}"
            made.carried |= {f"{place}/{folder}/{name}": made.files[source] for name, source in inside.items()}
            stated = table(
                {folder: table({"score": plain(f"{most:g}"), "about": text_or_word("the course's solution")})}
            )
            made.carried[f"{place}/expected.yaml"] = dump(stated, open_levels=1).encode()
            return
    made.notes.append("There is no solution: add one to sample_submissions, so that grader verify can try the tests.")
